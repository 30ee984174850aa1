"""Runs a tool over a set: FILE<TAB>URL lines in, a line of JSON a page out, CPU time on the side. Peers' runs are kept."""

import hashlib
import json
import os
import subprocess
import sys
import time
import tomllib
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PEERS = ("trafilatura", "resiliparse", "dom_smoothie", "htmldate")
# What a tool does not look for is not held against it.
SILENT = {"resiliparse": {"author", "date"}, "htmldate": {"text", "title", "author"}}


def command(tool):
    """How a tool is called, and the file that decides with its version what it answers."""
    if tool == "tamis":
        tamis = Path(os.environ.get("TAMIS") or ROOT / "target/release/tamis")
        return [tamis, "clean", "--format", "jsonl", "--list", "-"], tamis
    if tool == "dom_smoothie":
        return [HERE.parent / "target/release/dom-smoothie"], HERE.parent / "src/bin/dom-smoothie.rs"
    return [sys.executable, HERE / "peers.py", tool], HERE / "peers.py"


def version(tool):
    """The peer's version; tamis is told apart by its binary."""
    if tool == "tamis":
        return ""
    if tool == "dom_smoothie":
        lock = tomllib.loads((HERE.parent / "Cargo.lock").read_text())
        return next(package["version"] for package in lock["package"] if package["name"] == tool)
    return metadata.version(tool)


def run(tool, name, pages, work, fresh):
    """Outcomes by file, and the timing. `fresh` runs a peer again that has been run."""
    listing = "".join(f"{page.file}\t{page.url}\n" for page in pages)
    call, decisive = command(tool)
    kept = work / "runs" / f"{name}.{tool}.jsonl"
    timing = kept.with_suffix(".time.json")
    key = digest(listing.encode(), decisive.read_bytes(), version(tool).encode())
    if not fresh and timing.is_file() and (known := json.loads(timing.read_text()))["key"] == key:
        return outcomes(kept), known
    print(f"running {tool} on {name} ({len(pages)} pages)", file=sys.stderr)
    kept.parent.mkdir(parents=True, exist_ok=True)
    start, _, _ = cpu_seconds(call, "", Path(os.devnull))
    cpu, wall, exit_code = cpu_seconds(call, listing, kept)
    if exit_code:
        print(f"{tool} ended with {exit_code} on {name}", file=sys.stderr)
        key = ""  # not to be kept
    size = sum(page.file.stat().st_size for page in pages)
    # The start of an interpreter is not the tool's work.
    known = {"key": key, "cpu_seconds": max(cpu - start, 1e-3), "wall_seconds": wall, "pages": len(pages), "bytes": size}
    timing.write_text(json.dumps(known))
    return outcomes(kept), known


def cpu_seconds(call, listing, output):
    """CPU seconds, wall seconds and exit code of a command over a list."""
    began = time.monotonic()
    with open(output, "wb") as out:
        child = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=out)
        try:
            child.stdin.write(listing.encode())
            child.stdin.close()
        except BrokenPipeError:
            pass  # it ended early; its exit code says so
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, time.monotonic() - began, child.returncode


def outcomes(kept):
    with open(kept, encoding="utf-8", errors="replace", newline="\n") as lines:
        return {(page := json.loads(line))["file"]: page for line in lines}


def digest(*parts):
    whole = hashlib.sha1()
    for part in parts:
        whole.update(hashlib.sha1(part).digest())
    return whole.hexdigest()
