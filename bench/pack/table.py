#!/usr/bin/env python3
"""Packs of an archive beside what else compresses it, in one table: bench/pack/table.py ARCHIVE.warc.gz WORK [--part N]

ARCHIVE has a gzip member a record. WORK is a folder for what is made (some times the size of the archive). `--part N` takes one
host in N, chosen by a hash of its name, so that hosts stay whole. Needs cargo, xz, zstd, and for brotli the Python module.
Every compressor gets the same plain bytes, in the order of the file ("crawl") or by URL ("url"). Times are processor time, of one thread
where a tool has threads. The table goes to stdout.
"""

import argparse
import gzip
import os
import re
import resource
import subprocess
import sys
import zlib
from pathlib import Path
from urllib.parse import urlsplit


def members(path):
    """Each gzip member of a file: its stored bytes and its content."""
    data = Path(path).read_bytes()
    at = 0
    while at < len(data):
        decoder = zlib.decompressobj(31)
        content = decoder.decompress(data[at:at + (1 << 20)])
        end = min(at + (1 << 20), len(data))
        while not decoder.eof and end < len(data):
            content += decoder.decompress(data[end:end + (1 << 20)])
            end = min(end + (1 << 20), len(data))
        end -= len(decoder.unused_data)
        yield data[at:end], content
        at = end


def host(content):
    found = re.search(rb"^WARC-Target-URI: *<?([^\s>]+)", content[:8192], re.M | re.I)
    return urlsplit(found.group(1).decode("latin-1")).netloc if found else ""


def cpu(command, **how):
    """Runs a command; gives its processor time in seconds and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **how).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, printed


def row(name, size, plain, packed, seconds, decoding, page):
    cells = [name, f"{size:,}", f"{100 * size / plain:.2f}", f"{size / packed:.3f}", seconds, decoding, page]
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("archive")
    parser.add_argument("work", type=Path)
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--order", help="a file with a record number a line, for one more order")
    parser.add_argument("--jobs", default="1")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    archive, plain = given.work / "part.warc.gz", given.work / "part.warc"
    with open(archive, "wb") as packed_out, open(plain, "wb") as plain_out:
        for stored, content in members(given.archive):
            if zlib.crc32(host(content).encode()) % given.part == 0:
                packed_out.write(stored)
                plain_out.write(content)
    gzip_len, plain_len = archive.stat().st_size, plain.stat().st_size
    print(f"{plain_len:,} bytes in {sum(1 for _ in members(archive)):,} records; "
          f"gzip a record: {gzip_len:,} bytes, {100 * gzip_len / plain_len:.2f} %\n")
    print("| what | bytes | % of plain | / gzip a record | packing, s | decoding, MB/s | a page |")
    print("|---|---|---|---|---|---|---|")
    row("gzip a record, as it was", gzip_len, plain_len, gzip_len, "", "", "yes")
    packs(given, archive, plain_len, gzip_len)
    peers(given.work, plain, plain_len, gzip_len)


def packs(given, archive, plain_len, gzip_len):
    root = Path(__file__).resolve().parents[2]
    build = ["cargo", "build", "--release", "-q", "-p", "tamis-order", "--example", "pack_measure"]
    subprocess.run(build, check=True, cwd=root)
    measure = root / "target/release/examples/pack_measure"
    orders = ["url", "file"] + ([given.order] if given.order else [])
    for order in orders:
        for profile in ["default", "archive", "fast", "record"] if order != "file" else ["default"]:
            path = given.work / "part.pack"
            _, printed = cpu([measure, archive, path, profile, f"order={order}", f"jobs={given.jobs}"])
            print(printed, file=sys.stderr)
            size = path.stat().st_size
            packing = re.search(r"packing ([\d.]+) s", printed).group(1)
            decoding = re.search(r"pack order (\d+) MB/s", printed).group(1)
            page = re.search(r"median (\S+),", printed).group(1)
            name = "crawl" if order == "file" else Path(order).stem
            row(f"pack `{profile}`, {name} order", size, plain_len, gzip_len, packing, decoding, page)


def peers(work, plain, plain_len, gzip_len):
    for name, pack, unpack, suffix in [
        ("gzip -9, solid", ["gzip", "-9", "-k", "-f"], ["gzip", "-t"], ".gz"),
        ("zstd -19 --long=31, solid", ["zstd", "-q", "-19", "--long=31", "--single-thread", "-f"], ["zstd", "-q", "-t", "--long=31"], ".zst"),
        ("xz -9, solid", ["xz", "-9", "-k", "-f", "-T1"], ["xz", "-t"], ".xz"),
    ]:
        seconds, _ = cpu([*pack, plain])
        made = Path(f"{plain}{suffix}")
        decoding, _ = cpu([*unpack, made])
        row(f"{name}, crawl order", made.stat().st_size, plain_len, gzip_len, f"{seconds:.1f}", f"{plain_len / decoding / 1e6:.0f}", "no")
        os.remove(made)
    script = "import brotli,sys;d=open(sys.argv[1],'rb').read();print(len(brotli.compress(d,quality=11,lgwin=24)))"
    python = os.environ.get("BROTLI_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import brotli"], capture_output=True).returncode == 0:
        seconds, printed = cpu([python, "-c", script, str(plain)])
        row("brotli -11 -w 24, solid, crawl order", int(printed), plain_len, gzip_len, f"{seconds:.1f}", "", "no")


main()
