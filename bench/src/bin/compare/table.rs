//! The report: a table a task, the best run of each tool beside the first tool of the task.

use std::fmt::Write;

use tamis_bench::measure::Run;

use crate::Comparison;

/// The best of a tool's runs: each number at its minimum, except memory at its maximum.
struct Best<'a> {
    run: &'a Run,
    cpu: f64,
    wall: f64,
    peak_kb: u64,
}

/// The whole report.
pub(crate) fn markdown(found: &Comparison) -> String {
    let mut text = String::from("# Side by side\n\n");
    for (name, value) in &found.facts {
        writeln!(text, "- {name}: {value}").expect("a string grows");
    }
    write!(
        text,
        "- load average before and after: {} / {}\n- rounds: {}, every command once a round; the minimum is shown\n",
        found.load_before, found.load_after, found.rounds
    )
    .expect("a string grows");
    for task in unique(found.runs.iter().map(|run| run.task.as_str())) {
        text += &task_table(&found.runs, task);
    }
    for command in &found.left_out {
        write!(text, "\nLeft out, since it is not there: `{command}`\n").expect("a string grows");
    }
    for task in disagreeing(&found.runs) {
        write!(text, "\n**The tools did not read the same in {task}.**\n").expect("a string grows");
    }
    text
}

/// Tasks in which two tools came to different payloads.
pub(crate) fn disagreeing(runs: &[Run]) -> Vec<&str> {
    let tasks = unique(runs.iter().map(|run| run.task.as_str()));
    let differs = |task: &&str| {
        let of_task = runs.iter().filter(|run| run.task == *task);
        let read =
            of_task.filter_map(|run| run.digest.as_ref().map(|digest| (run.records, run.bytes, digest)));
        unique(read).len() > 1
    };
    tasks.into_iter().filter(differs).collect()
}

fn task_table(runs: &[Run], task: &str) -> String {
    let of_task: Vec<&Run> = runs.iter().filter(|run| run.task == task).collect();
    let tools = unique(of_task.iter().map(|run| run.tool.as_str()));
    let bests: Vec<Best> = tools.iter().filter_map(|tool| best(&of_task, tool)).collect();
    let Some(first) = bests.first() else { return String::new() };
    let mut text = format!(
        "\n## {task} ({})\n\n| tool | CPU s | x CPU | wall s | x wall | peak MB | records | bytes | proof |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|---|\n",
        first.run.file
    );
    for one in &bests {
        let Best { run, cpu, wall, peak_kb } = one;
        writeln!(
            text,
            "| {} | {cpu:.3} | {:.2} | {wall:.3} | {:.2} | {:.1} | {} | {} | {} |",
            run.tool,
            cpu / first.cpu,
            wall / first.wall,
            *peak_kb as f64 / 1024.0,
            run.records,
            run.bytes,
            run.digest.as_deref().unwrap_or("-"),
        )
        .expect("a string grows");
    }
    text
}

fn best<'a>(of_task: &[&'a Run], tool: &str) -> Option<Best<'a>> {
    let runs: Vec<&'a Run> = of_task.iter().copied().filter(|run| run.tool == tool).collect();
    let least = |number: fn(&Run) -> f64| runs.iter().map(|run| number(run)).fold(f64::INFINITY, f64::min);
    Some(Best {
        run: runs.first()?,
        cpu: least(|run| run.cpu_seconds),
        wall: least(|run| run.wall_seconds),
        peak_kb: runs.iter().map(|run| run.peak_rss_kb).max()?,
    })
}

/// Each value once, in the order of its first coming.
fn unique<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(tool: &str, digest: Option<&str>, cpu_seconds: f64) -> Run {
        Run {
            tool: tool.into(),
            task: "read".into(),
            file: "a.warc".into(),
            records: 3,
            bytes: 30,
            digest: digest.map(Into::into),
            cpu_seconds,
            wall_seconds: cpu_seconds * 2.0,
            peak_rss_kb: 2048,
        }
    }

    #[test]
    fn the_minimum_of_each_tool_is_held_against_the_first_tool() {
        let runs = [run("floor", None, 2.0), run("peer", Some("x"), 3.0), run("floor", None, 1.0)];
        let table = task_table(&runs, "read");
        assert!(table.contains("| floor | 1.000 | 1.00 | 2.000 | 1.00 | 2.0 | 3 | 30 | - |"), "{table}");
        assert!(table.contains("| peer | 3.000 | 3.00 | 6.000 | 3.00 | 2.0 | 3 | 30 | x |"), "{table}");
    }

    #[test]
    fn different_proofs_in_one_task_are_found() {
        let same = [run("floor", None, 1.0), run("a", Some("x"), 1.0), run("b", Some("x"), 1.0)];
        assert!(disagreeing(&same).is_empty());
        let other = [run("a", Some("x"), 1.0), run("b", Some("y"), 1.0)];
        assert_eq!(disagreeing(&other), ["read"]);
    }
}
