"""How well HTML pages become text and metadata: tamis beside its peers, over all sets. See README.md."""

import argparse
import dataclasses
import json
import os
import sys
from pathlib import Path

import floors
import score
import sets
import tools
import worst

TOGETHER = "all sets"

def main():
    options = arguments()
    work = tools.ROOT / "target/quality"
    results, corpora = {}, {}
    for name in options.sets:
        pages = list(sets.load(name, options.data, work / "pages"))
        results[name] = {tool: result(tool, name, pages, work, options) for tool in options.tools}
        print(table(f"{name} ({len(pages)} pages)", results[name]), flush=True)
        if options.worst:
            worst.show(name, pages, results[name], options, work / "worst")
        if options.check or options.write_floors:
            corpora[name] = sets.digest(pages)
    if len(results) > 1:
        results[TOGETHER] = {tool: together(tool, [of_set[tool] for of_set in results.values()]) for tool in options.tools}
        corpora[TOGETHER] = tools.digest(*(corpus.encode() for corpus in corpora.values()))
        print(table(TOGETHER, results[TOGETHER]))
    return judged(results, corpora, options)


def judged(results, corpora, options):
    """Writes or checks the floors; the exit code."""
    if options.subject not in options.tools or not (options.write_floors or options.check):
        return 0
    # Only a run over all sets may speak for all of them.
    named = [n for n in results if (n != TOGETHER or set(options.sets) == set(sets.LOADERS))]
    figures = {n: f for n in named if (f := results[n][options.subject]["figures"])}
    if options.write_floors:
        floors.write(figures, corpora, options.lower)
    failed = floors.check(figures, corpora) if options.check else []
    if options.check:
        print("\n".join(failed) if failed else "all floors hold")
    return 1 if failed else 0


def together(tool, of_sets):
    """Metadata and speed over all sets as if they were one."""
    scores = [page for of_set in of_sets for page in of_set["scores"]]
    times = [of_set["timing"] for of_set in of_sets]
    return {
        "figures": answered(tool, score.metadata_figures(scores)),
        "timing": {part: sum(time[part] for time in times) for part in ("cpu_seconds", "pages", "bytes")},
        "missing": sum(of_set["missing"] for of_set in of_sets),
    }


def arguments():
    parser = argparse.ArgumentParser(prog="bench/quality/run", description=__doc__)
    listed = lambda text: text.split(",")
    parser.add_argument("--data", type=Path, default=tools.ROOT / "target/data", help="the unpacked test data (target/data)")
    parser.add_argument("--sets", type=listed, default=list(sets.LOADERS), help="comma-separated: " + ", ".join(sets.LOADERS))
    parser.add_argument("--tools", type=listed, default=["tamis", *tools.PEERS], help="comma-separated: tamis, " + ", ".join(tools.PEERS))
    parser.add_argument("--fresh", action="store_true", help="run the peers again, for times side by side in one run")
    parser.add_argument("--worst", type=int, metavar="N", help="the N pages of each set where tamis loses most to the best peer")
    parser.add_argument("--by", default="main", choices=["main", "title", "author", "date"], help="what --worst looks at")
    parser.add_argument("--kind", help="only this page type, with --worst")
    parser.add_argument("--subject", default="tamis", help="the tool that --worst, --check and --write-floors are about")
    parser.add_argument("--check", action="store_true", help="exit 1 if a figure is below its floor in bench/floors.json")
    parser.add_argument("--write-floors", action="store_true", help="raise the floors to what was measured")
    parser.add_argument("--lower", metavar="WHY", help="let --write-floors lower a floor too, for this reason")
    options = parser.parse_args()
    for given, known in ((options.sets, sets.LOADERS), (options.tools, ["tamis", *tools.PEERS])):
        if unknown := [name for name in given if name not in known]:
            parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(known)}")
    options.data = options.data.resolve()
    if not (options.data / "html").is_dir():
        parser.error(f"{options.data}/html: not there; --data names the folder with the unpacked test data")
    if "tamis" in options.tools and not Path(tools.command("tamis")[0][0]).is_file():
        print("no tamis binary: peers only (build it, or name it in TAMIS)", file=sys.stderr)
        options.tools.remove("tamis")
    if (options.check or options.write_floors) and options.subject not in options.tools:
        parser.error(f"floors are about {options.subject}, which is not run")
    return options


def result(tool, name, pages, work, options):
    """Outcomes, timing, a score a page and the figures of the set; a peer's scores are kept like its run."""
    found, timing = tools.run(tool, name, pages, work, options.fresh or tool == "tamis")
    kept = work / "runs" / f"{name}.{tool}.scores.json"
    key = tools.digest(timing["key"].encode(), repr([dataclasses.astuple(p) for p in pages]).encode(), Path(score.__file__).read_bytes())
    if kept.is_file() and (known := json.loads(kept.read_text()))["key"] == key:
        scores = known["scores"]
    else:
        scores = [score.score(page, found.get(str(page.file), {})) for page in pages]
        kept.write_text(json.dumps({"key": key, "scores": scores}))
    figures = answered(tool, score.figures(pages, scores))
    missing = sum(str(page.file) not in found for page in pages)
    return {"found": found, "timing": timing, "scores": scores, "figures": figures, "missing": missing}


def answered(tool, figures):
    """The measures of what a tool looks for."""
    field = lambda measure: found if (found := measure.split(".")[0]) in ("title", "author", "date") else "text"
    return {measure: value for measure, value in figures.items() if field(measure) not in tools.SILENT.get(tool, ())}


def table(heading, results):
    """A Markdown table: a row a measure, a column a tool."""
    measures = list(dict.fromkeys(m for r in results.values() for m in r["figures"]))
    rows = [[heading, *results], ["---", *("---:" for _ in results)]]
    rows += [[m, *(f"{r['figures'][m]:.3f}" if m in r["figures"] else "" for r in results.values())] for m in measures]
    times = [r["timing"] for r in results.values()]
    rows.append(["pages/s per core", *(f"{t['pages'] / t['cpu_seconds']:.0f}" for t in times)])
    rows.append(["MB/s per core", *(f"{t['bytes'] / t['cpu_seconds'] / 1e6:.1f}" for t in times)])
    if any(r["missing"] for r in results.values()):
        rows.append(["pages without an answer", *(str(r["missing"]) for r in results.values())])
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = ("| " + " | ".join(cell.ljust(w) if not at else cell.rjust(w) for at, (cell, w) in enumerate(zip(row, widths))) + " |" for row in rows)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    os.nice(10)
    sys.exit(main())
