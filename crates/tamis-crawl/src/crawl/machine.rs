//! How many connections this machine has room for.

/// File descriptors that the rest of the program needs: archives, logs, sorts, name servers, the terminal.
const OTHER_FILES: usize = 128;
/// Memory of a visit: what stays in memory of its response, and buffers of its connection, TLS included.
const VISIT_BYTES: usize = 384 << 10;
/// Memory of a connection that waits for the next visit to its host.
const IDLE_BYTES: usize = 32 << 10;
/// Visits take at most this share of the memory that is free at the start, and idle connections another.
const SHARE: usize = 8;
/// Beyond this, ports of a single client address run out.
const MOST_VISITS: usize = 16_384;
/// Where the system does not say.
const LEAST_FILES: usize = 1_024;
const UNKNOWN_FREE_BYTES: usize = 2 << 30;

/// The most visits at once that the file descriptors and the free memory of this machine allow, at least 1. Raises the limit of
/// file descriptors as far as the system lets everybody.
pub fn most_in_flight() -> usize {
    visits(most_files(), free_bytes())
}

/// Idle connections allowed in addition to the visits.
pub(super) fn most_idle(in_flight: usize) -> usize {
    idle(most_files(), free_bytes(), in_flight)
}

fn visits(files: usize, free_bytes: usize) -> usize {
    // A connection and the file of a large response for each, and as many idle connections.
    let by_files = files.saturating_sub(OTHER_FILES) / 3;
    by_files.min(free_bytes / SHARE / VISIT_BYTES).clamp(1, MOST_VISITS)
}

fn idle(files: usize, free_bytes: usize, in_flight: usize) -> usize {
    let by_files = files.saturating_sub(OTHER_FILES).saturating_sub(2 * in_flight);
    by_files.min(free_bytes / SHARE / IDLE_BYTES).max(1)
}

/// File descriptors that this process may have.
#[cfg(unix)]
fn most_files() -> usize {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return LEAST_FILES };
    let is_raised = soft < hard && setrlimit(Resource::RLIMIT_NOFILE, hard, hard).is_ok();
    usize::try_from(if is_raised { hard } else { soft }).unwrap_or(usize::MAX)
}

#[cfg(not(unix))]
fn most_files() -> usize {
    LEAST_FILES
}

/// Memory that programs can have without others losing theirs, where the system says (Linux).
fn free_bytes() -> usize {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib = line.and_then(|rest| rest.split_ascii_whitespace().next()?.parse::<usize>().ok());
    kib.map_or(UNKNOWN_FREE_BYTES, |kib| kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_and_memory_bound_visits_and_idle_connections() {
        const GIB: usize = 1 << 30;
        for (files, free, in_flight, kept) in [
            (1_024, 8 * GIB, 298, 300),
            (20_000, 16 * GIB, 5_461, 8_950),
            (1 << 20, 64 * GIB, 16_384, 262_144),
            (1 << 20, GIB, 341, 4_096),
            (100, GIB, 1, 1),
            (1_024, 0, 1, 1),
        ] {
            let visits = visits(files, free);
            assert_eq!((visits, idle(files, free, visits)), (in_flight, kept), "{files} {free}");
        }
    }

    #[test]
    fn this_machine_has_room_for_some() {
        let visits = most_in_flight();
        assert!(visits >= 1 && most_idle(visits) >= 1);
    }
}
