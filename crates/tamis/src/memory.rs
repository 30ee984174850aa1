//! How much memory a command may use.

use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use anyhow::anyhow;

use crate::hint::WithHint;
use crate::human_size::HumanSize;

/// A limit as people give it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Memory {
    /// Half of what there is.
    #[default]
    Auto,
    /// A share of what there is, from 0 to 1.
    Share(f64),
    /// A number of bytes.
    Size(HumanSize),
}

/// Where the machine does not tell, a limit that most have.
const FALLBACK: u64 = 2 << 30;

impl Memory {
    /// The limit in bytes. Refuses one that was asked for and is less than `minimum`, which `user` needs.
    pub fn at_least(self, minimum: HumanSize, user: &str) -> anyhow::Result<u64> {
        let bytes = self.bytes()?;
        if self != Self::Auto && bytes < minimum.0 {
            let resolved = match self {
                Self::Share(_) => format!(" ({})", HumanSize(bytes)),
                _ => String::new(),
            };
            return Err(anyhow!("--memory {self}{resolved} is too small: {user} needs at least {minimum}"))
                .hint(format!(
                    "use `--memory {}` or more, or omit the option",
                    minimum.to_string().replace(' ', "")
                ));
        }
        Ok(bytes)
    }

    /// The limit in bytes.
    pub fn bytes(self) -> anyhow::Result<u64> {
        let share = |share: f64, total: u64| (total as f64 * share) as u64;
        match (self, available()) {
            (Memory::Size(size), _) => Ok(size.0),
            (Memory::Share(part), Some(total)) => Ok(share(part, total)),
            (Memory::Share(_), None) => Err(anyhow!("the memory size of this machine is unknown"))
                .hint("give a size, such as `--memory 2G`"),
            (Memory::Auto, total) => Ok(total.map_or(FALLBACK, |total| share(0.5, total))),
        }
    }
}

/// The memory of the machine, or of the container that we run in.
fn available() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| total_of(&text));
    machine.into_iter().chain(limit_of_group()).min()
}

/// `MemTotal:       24553856 kB`
fn total_of(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The least limit of the control groups that this process is in: of version 2 from its own group up, of version 1 that
/// of the memory controller's root as a container sees it.
fn limit_of_group() -> Option<u64> {
    let read = |path: &Path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let own = fs::read_to_string("/proc/self/cgroup").ok();
    let own = own.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("0::/")));
    let root = Path::new("/sys/fs/cgroup");
    let folder = root.join(own.unwrap_or_default());
    let of_groups = folder
        .ancestors()
        .take_while(|at| at.starts_with(root))
        .filter_map(|at| read(&at.join("memory.max")));
    of_groups.chain(read(&root.join("memory/memory.limit_in_bytes"))).min()
}

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a size such as `2G`, a share such as `50%`, or `auto`");
        if text == "auto" {
            return Ok(Self::Auto);
        }
        if let Some(percent) = text.strip_suffix('%') {
            let percent: f64 = percent.trim().parse().map_err(|_| wrong())?;
            let is_sound = percent > 0.0 && percent <= 100.0;
            return is_sound.then_some(Self::Share(percent / 100.0)).ok_or_else(wrong);
        }
        text.parse().ok().filter(|size| *size > HumanSize(0)).map(Self::Size).ok_or_else(wrong)
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Share(share) => write!(f, "{}%", share * 100.0),
            Self::Size(size) => size.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hint::hints;

    #[test]
    fn limits_are_sizes_shares_or_auto() {
        for (text, expected) in [
            ("auto", Memory::Auto),
            ("50%", Memory::Share(0.5)),
            ("12.5 %", Memory::Share(0.125)),
            ("2G", Memory::Size(HumanSize(2_000_000_000))),
            ("512MiB", Memory::Size(HumanSize(512 << 20))),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for text in ["", "0", "0%", "101%", "-5%", "nan%", "much"] {
            assert!(text.parse::<Memory>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_limit_below_the_minimum_is_refused_and_auto_never_is() {
        let minimum = HumanSize(358_000_000);
        let limit = |text: &str| text.parse::<Memory>().expect(text).at_least(minimum, "a query");
        assert_eq!(limit("358MB").expect("it is the minimum"), minimum.0);
        let error = limit("1k").expect_err("too little");
        assert_eq!(error.to_string(), "--memory 1 kB is too small: a query needs at least 358 MB");
        assert_eq!(hints(&error), ["use `--memory 358MB` or more, or omit the option"]);
        assert!(Memory::Auto.at_least(HumanSize(u64::MAX), "a query").is_ok());
    }

    #[test]
    fn the_machines_memory_is_read() {
        assert_eq!(total_of("MemTotal:       24553856 kB\nMemFree: 1 kB\n"), Some(24_553_856 * 1024));
        assert_eq!(total_of("MemFree: 1 kB\n"), None);
        assert!(Memory::Auto.bytes().is_ok_and(|bytes| bytes > 0));
    }
}
