#!/usr/bin/env python3
"""Writes docs/conformance.md from what the tools made of the data.

    report.py peers.jsonl [tamis.jsonl] > docs/conformance.md

peers.jsonl comes from peers.py, tamis.jsonl from `tamis warc check --format jsonl FILE…`: a line a file with
`file`, `records`, `faults` (a count for each code) and `outcome`. Without it the columns of tamis stay empty.
"""

import fnmatch
import json
import sys
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

NOTES = Path(__file__).with_name("notes.toml")
PEERS = ("warcio", "fastwarc")
NOT_RUN = "–"
# Codes of the check that break no rule; a file with no others passes.
NOTE_CODES = {"member-empty", "member-shared"}


def main():
    peers = read_peers(sys.argv[1])
    tamis = read_tamis(sys.argv[2], peers) if len(sys.argv) > 2 else {}
    notes = tomllib.loads(NOTES.read_text(encoding="utf-8"))
    sections = [intro(peers), groups(peers, tamis), totals(peers, tamis), differences(peers, tamis)]
    sections += [jhove(notes["jhove"], peers, tamis), odd(notes["odd"], peers, tamis), cdx_writer()]
    print("\n\n".join(section for section in sections if section))


def read_lines(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def read_peers(path):
    """file -> tool -> line"""
    peers = defaultdict(dict)
    for line in read_lines(path):
        peers[line["file"]][line["tool"]] = line
    return dict(sorted(peers.items()))


def read_tamis(path, peers):
    """file -> line, under the names that peers.jsonl has; paths may have any folders before them."""
    tamis = {}
    for line in read_lines(path):
        parts = Path(line["file"]).parts
        names = ("/".join(parts[start:]) for start in range(len(parts)))
        name = next((name for name in names if name in peers), None)
        if name:
            tamis[name] = line
    return tamis


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def intro(peers):
    sets = Counter(tools["warcio"]["set"] for tools in peers.values())
    listed = ", ".join(f"{count} of `{name}`" for name, count in sorted(sets.items()) if name)
    return f"""# Conformance

How tamis, warcio 1.8.1 and FastWARC 1.1.0 read {len(peers)} archives from the tests of other projects ({listed}).
This page is generated from the results of the tools and from notes on the files:

    bench/conformance/peers.py target/data/warc --tarballs ../shared/data > peers.jsonl
    tamis warc check --format jsonl target/data/warc > tamis.jsonl
    bench/conformance/report.py peers.jsonl tamis.jsonl > docs/conformance.md

Each file is read to its end by each tool: warcio through `ArchiveIterator` with ARC converted on the way, FastWARC
through its `ArchiveIterator`. *Read* counts the files that a tool read without an error, *records* those it returned
before the end or the error. A tool that returns more is not always right: warcio takes some garbage for headers, and
both read truncated files without an error."""


def records_of(line):
    return (line or {}).get("records") or 0


def read_cell(lines):
    lines = [line for line in lines if line]
    if not lines:
        return NOT_RUN
    fine = sum(line["outcome"] == "ok" for line in lines)
    return f"{fine} read, {sum(map(records_of, lines))} records"


def passes(line):
    return all(code.startswith("advice-") or code in NOTE_CODES for code in line["faults"])


def tamis_cell(lines):
    lines = [line for line in lines if line]
    if not lines:
        return NOT_RUN
    return f"{sum(map(passes, lines))} pass, {sum(map(records_of, lines))} records"


def groups(peers, tamis):
    by_group = defaultdict(list)
    for file, tools in peers.items():
        by_group[tools["warcio"]["group"]].append(file)
    rows = []
    for group, files in sorted(by_group.items()):
        cells = [read_cell([peers[file].get(tool) for file in files]) for tool in PEERS]
        rows.append([group, len(files), *cells, tamis_cell([tamis.get(file) for file in files])])
    return "## By source\n\n" + table(["source", "files", "warcio", "FastWARC", "tamis"], rows)


def totals(peers, tamis):
    rows = []
    for tool in (*PEERS, "warcio-digests", "fastwarc-digests"):
        lines = [tools[tool] for tools in peers.values() if tool in tools]
        outcomes = Counter(line["outcome"] for line in lines)
        bad = sum(line.get("bad_digests", 0) for line in lines) if tool.endswith("digests") else NOT_RUN
        rows.append([tool, outcomes["ok"], outcomes["error"], outcomes["crash"], outcomes["timeout"],
                     sum(map(records_of, lines)), bad])
    if tamis:
        bad = sum(line["faults"].get("digest-mismatch", 0) for line in tamis.values())
        fine = sum(map(passes, tamis.values()))
        rows.append(["tamis", fine, len(tamis) - fine, 0, 0, sum(map(records_of, tamis.values())), bad])
    head = ["tool", "files without complaint", "with", "crashed", "timed out", "records", "bad digests"]
    return "## In all\n\n" + table(head, rows) + """

For the peers a complaint is an error that ends the reading; for tamis it is any fault beyond a note, and reading continues.
A bad digest is a record whose block or payload has another. The peers do not agree on them: FastWARC does not read
base 64, warcio takes an MD5 in base 16 for base 32 and ends with an error at `sha1:FAKE_DIGEST`."""


def differences(peers, tamis):
    """Where tamis returns another number of records than both peers that read the file."""
    rows = []
    for file, line in sorted(tamis.items()):
        counts = [records_of(peers[file].get(tool)) for tool in PEERS]
        if records_of(line) not in counts:
            faults = ", ".join(f"{code} {count}" for code, count in sorted(line["faults"].items()))
            rows.append([f"`{file}`", *counts, records_of(line), faults])
    if not rows:
        return ""
    head = ["file", "warcio", "FastWARC", "tamis", "faults"]
    return "## Where the number of records is ours alone\n\n" + table(head, rows)


def jhove_files(note, peers):
    folder = "jhove/jhove-ext-modules/src/test/resources/"
    names = {file: Path(file).name for file in peers if file.startswith(folder)}

    def is_named(name):
        stem = name.removesuffix(".gz").removesuffix(".warc")
        return any(fnmatch.fnmatch(name, want) or fnmatch.fnmatch(stem, want) for want in note["files"])

    return [file for file, name in names.items() if is_named(name)]


def jhove(notes, peers, tamis):
    rows, covered = [], set()
    for note in notes:
        files = jhove_files(note, peers)
        covered.update(files)
        checked = [tamis[file] for file in files if file in tamis]
        refused = sum(not passes(line) for line in checked)
        names = ", ".join(f"`{name}`" for name in note["files"])
        answer = f"{refused} of {len(checked)} refused" if checked else NOT_RUN
        rows.append([names, note["layer"], note["why"], answer])
    left = [file for file in peers if file.startswith("jhove/jhove-ext") and file not in covered]
    if left:
        sys.exit(f"notes.toml has no word on {left}")
    return f"""## jhove's test files

jhove names its files `valid-*` and `invalid-*`. A check has to reject the second kind; the table lists the layer that does:
the version line, the structure (heads, lengths, ends of records), the rules for heads (`head rule`), digests, or gzip.

{table(["files", "layer", "what is odd", "tamis"], rows)}"""


def odd(notes, peers, tamis):
    rows = []
    for note in notes:
        file = note["file"]
        if file not in peers:
            sys.exit(f"notes.toml: {file} is not in the data")
        cells = []
        for tool in PEERS:
            line = peers[file][tool]
            cells.append(f"{records_of(line)}{'' if line['outcome'] == 'ok' else ', ' + line['outcome']}")
        ours = tamis.get(file)
        faults = " ".join(code for code in sorted(ours["faults"]) if not code.startswith("advice-")) if ours else ""
        cells.append(f"{records_of(ours)} {faults}".strip() if ours else NOT_RUN)
        rows.append([f"`{file}`", note["odd"], f"{note['sound']} of {note['records']}", *cells])
    return f"""## Odd and damaged files

*Sound* was counted from the bytes, without any of these tools: the records with a block of exactly the stated length, of
those that a forgiving reader should give out.

{table(["file", "what is odd", "sound", "warcio", "FastWARC", "tamis"], rows)}"""


def cdx_writer():
    return """## CDX-Writer's expectations

The three `.exp` files in `cdx-writer/large_warcs` belong to archives that are not in the data (`YTV-…-15431.warc.gz`,
`ftp.mayn.de.warc.gz`, `wb_urls.ia11013.….arc.gz`), and their first and third columns are MD5 sums of the key and the URL.
They show the shape of a CDX-11 line (`N b a m s k r M S V g`) and nothing that could be computed here. The expectations
for `small_warcs` are in that project's tests, outside the data."""


if __name__ == "__main__":
    main()
