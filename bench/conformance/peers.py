#!/usr/bin/env python3
"""What warcio and FastWARC make of every archive below a folder, as JSON lines.

    peers.py target/data/warc --tarballs ../shared/data > peers.jsonl

Each file is read to its end by each tool in a child process of its own, with a limit on time and memory, so that a
crash or a hang of one is an outcome like any other. A line has: file, set, group, bytes, tool, records, outcome
(`ok`, `error`, `crash`, `timeout`), message, bad_digests, seconds. Needs warcio, fastwarc and zstandard.
"""

import argparse
import bz2
import json
import re
import resource
import subprocess
import sys
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SETS = ("warc-conformance", "warc-medium", "warc-aql-services")
MAGICS = (b"WARC/", b"warc/", b"filedesc://")
# A name that promises an archive, whatever its bytes are. Any other .gz counts too: a reader meets it as an archive
# with nothing inside. Indexes and office files do not.
NAMED = re.compile(r"\.(w?arc|wet|wat)(\.|$)|\.gz(\.|$)", re.IGNORECASE)
NOT_NAMED = re.compile(r"\.(cdxj?|docx|exp|idx)(\.|$)", re.IGNORECASE)
READ_SIZE = 1 << 16


def main():
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(CHILDREN[sys.argv[2]](sys.argv[3])))
        return
    args = parse_args()
    sets = set_of_files(args.tarballs)
    files = sorted(p for p in args.folder.rglob("*") if p.is_file() and is_archive(p))
    work = [(path, tool) for path in files for tool in CHILDREN]
    with ThreadPoolExecutor(args.jobs) as pool:
        for line in pool.map(lambda job: outcome(*job, args, sets), work):
            print(json.dumps(line, ensure_ascii=False), flush=True)


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of unpacked archives")
    parser.add_argument("--tarballs", type=Path, help="folder of the data sets' tarballs, to name each file's set")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout-s", type=int, default=120)
    parser.add_argument("--memory-mb", type=int, default=2048)
    return parser.parse_args()


def set_of_files(tarballs):
    """The name of the data set for each member of its tarball, without the leading `warc/`."""
    sets = {}
    for name in SETS if tarballs else ():
        listing = subprocess.run(
            ["tar", "--zstd", "-tf", str(tarballs / f"{name}.tar.zst")], capture_output=True, text=True, check=True
        )
        for member in listing.stdout.splitlines():
            sets[member.removeprefix("./").removeprefix("warc/")] = name
    return sets


def is_archive(path):
    if NOT_NAMED.search(path.name):
        return False
    return bool(NAMED.search(path.name)) or first_bytes(path).startswith(MAGICS)


def first_bytes(path):
    """The first bytes of a file after decompression; none where it does not decode."""
    with path.open("rb") as file:
        head = file.read(1 << 14)
    try:
        if head.startswith(b"\x1f\x8b"):
            return zlib.decompressobj(31).decompress(head, 64)
        if head.startswith(b"BZh"):
            return bz2.BZ2Decompressor().decompress(head, 64)
        if head.startswith(b"\x28\xb5\x2f\xfd"):
            import zstandard

            return zstandard.ZstdDecompressor().decompressobj().decompress(head)[:64]
    except Exception:
        return b""
    return head


def outcome(path, tool, args, sets):
    name = path.relative_to(args.folder).as_posix()
    line = {
        "file": name,
        "set": sets.get(name, ""),
        "group": name.split("/")[0],
        "bytes": path.stat().st_size,
        "tool": tool,
    }
    start = time.monotonic()
    line |= run_child(path, tool, args)
    line["seconds"] = round(time.monotonic() - start, 3)
    return line


def run_child(path, tool, args):
    limit = args.memory_mb << 20

    def confine():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    command = [sys.executable, __file__, "--child", tool, str(path)]
    try:
        child = subprocess.run(command, capture_output=True, timeout=args.timeout_s, preexec_fn=confine)
    except subprocess.TimeoutExpired:
        return {"records": None, "outcome": "timeout", "message": f"no end after {args.timeout_s} s"}
    if child.returncode == 0:
        return json.loads(child.stdout.splitlines()[-1])
    last = child.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or [""]
    return {"records": None, "outcome": "crash", "message": f"exit {child.returncode} {last[0]}".strip()}


def finish(counts, error=None):
    if error is not None:
        text = str(error).strip().splitlines()
        counts |= {"outcome": "error", "message": f"{type(error).__name__}: {text[0].strip() if text else ''}"[:300]}
    return counts


def drain(read):
    while read(READ_SIZE):
        pass


def warcio_reads(path, **options):
    from warcio.archiveiterator import ArchiveIterator

    counts = {"records": 0, "outcome": "ok", "message": ""}
    if options:
        counts["bad_digests"] = 0
    try:
        with open(path, "rb") as file:
            for record in ArchiveIterator(file, arc2warc=True, **options):
                drain(record.raw_stream.read)
                counts["records"] += 1
                if options and record.digest_checker.passed is False:
                    counts["bad_digests"] += 1
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        return finish(counts, error)
    return counts


def fastwarc_reads(path, verify=False):
    from fastwarc.warc import ArchiveIterator

    counts = {"records": 0, "outcome": "ok", "message": ""}
    if verify:
        counts["bad_digests"] = 0
    try:
        with open(path, "rb") as file:
            for record in ArchiveIterator(file, parse_http=False):
                if verify:
                    counts["bad_digests"] += has_bad_digest(record)
                else:
                    drain(record.reader.read)
                counts["records"] += 1
    except MemoryError:
        raise
    except Exception as error:
        return finish(counts, error)
    return counts


def has_bad_digest(record):
    """A revisit's payload is elsewhere, so that only its block can be verified."""
    block = "WARC-Block-Digest" in record.headers and not record.verify_block_digest(consume=False)
    record.parse_http()
    payload = (
        record.is_http_parsed
        and record.headers.get("WARC-Type") != "revisit"
        and "WARC-Payload-Digest" in record.headers
        and not record.verify_payload_digest(consume=True)
    )
    return bool(block or payload)


CHILDREN = {
    "warcio": warcio_reads,
    "warcio-digests": lambda path: warcio_reads(path, check_digests=True),
    "fastwarc": fastwarc_reads,
    "fastwarc-digests": lambda path: fastwarc_reads(path, verify=True),
}

if __name__ == "__main__":
    main()
