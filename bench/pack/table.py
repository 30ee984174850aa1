#!/usr/bin/env python3
"""Packs of an archive beside what else compresses it, and packs of its first pages, in one run.

    bench/pack/table.py ARCHIVE.warc.gz WORK [--out RUN.md] [--part N] [--pages 1000,2000,4000,8000]

The others run beside the packs, on another core; each has its row when it is done. ARCHIVE has a gzip member a record. WORK is a
folder for what is made (some times the size of the archive). `--part N` takes one host in N, chosen by a hash of its name, so that
hosts stay whole. Needs cargo, xz, zstd, and for brotli its command (large window) or the Python module (16 MiB). All but packs get
the plain bytes in the order of the file. Times are processor time; tools with threads get one. With `--out` the tables go to that
file and a plot to the same name with .svg; else to stdout.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
PROFILES = ["fast", "default", "archive", "record"]
PEERS = [
    ("xz -9", ["xz", "-9", "-k", "-f", "-T1"], ["xz", "-t"], ".xz"),
    ("zstd -19 --long=31", ["zstd", "-q", "-19", "--long=31", "--single-thread", "-f"], ["zstd", "-q", "-t", "--long=31"], ".zst"),
    ("brotli -11, large window", ["brotli", "-q", "11", "--large_window=30", "-k", "-f"], ["brotli", "-t"], ".br"),
]


def members(path):
    """Each gzip member of a file: its stored bytes and its content."""
    data = Path(path).read_bytes()
    at = 0
    while at < len(data):
        decoder = zlib.decompressobj(31)
        content, end = [], at
        while not decoder.eof and end < len(data):
            content.append(decoder.decompress(data[end:end + (1 << 20)]))
            end = min(end + (1 << 20), len(data))
        end -= len(decoder.unused_data)
        yield data[at:end], b"".join(content)
        at = end


def host(content):
    found = re.search(rb"^WARC-Target-URI: *<?([^\s>]+)", content[:8192], re.M | re.I)
    return urlsplit(found.group(1).decode("latin-1")).netloc if found else ""


def cpu(command):
    """Runs a command; gives its processor time in seconds and what it printed."""
    child = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    with child.stdout:
        printed = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{command[0]} ended with {child.returncode}")
    return used.ru_utime + used.ru_stime, printed


class Run:
    """One run: where its files are, and what it prints to."""

    def __init__(self, given):
        self.work, self.out = given.work, open(given.out, "w") if given.out else sys.stdout
        self.archive, self.plain = self.work / "part.warc.gz", self.work / "part.warc"
        self.records = 0
        with open(self.archive, "wb") as stored_out, open(self.plain, "wb") as plain_out:
            for stored, content in members(given.archive):
                if zlib.crc32(host(content).encode()) % given.part == 0:
                    stored_out.write(stored)
                    plain_out.write(content)
                    self.records += 1
        self.gzip_len, self.plain_len = self.archive.stat().st_size, self.plain.stat().st_size

    def say(self, line=""):
        print(line, file=self.out, flush=True)

    def row(self, name, size, packing, unpacking, page):
        shares = f"{100 * size / self.plain_len:.2f} | {size / self.gzip_len:.3f}"
        self.say(f"| {name} | {size:,} | {shares} | {packing} | {unpacking} | {page} |")

    def pack(self, archive, profile, order="path"):
        """Packs an archive: size, seconds to pack (looking over and ordering included) and to restore, MB/s, a page."""
        path = self.work / "part.pack"
        measure = ROOT / "target/release/examples/pack_measure"
        _, printed = cpu([measure, archive, path, profile, f"order={order}", "verify=no"])
        print(printed, file=sys.stderr, flush=True)
        number = lambda pattern: float(re.search(pattern, printed).group(1))
        packing = number(r"survey ([\d.]+) s") + number(r"order ([\d.]+) s") + number(r"packing ([\d.]+) s")
        speed, page = number(r"pack order (\d+) MB/s"), re.search(r"median (\S+),", printed).group(1)
        return path.stat().st_size, packing, number(r"restore ([\d.]+) s"), speed, page

    def table(self):
        self.say(f"{self.records:,} records, {self.plain_len:,} bytes plain.\n")
        self.say("| what | bytes | % of plain | of gzip a record | packing, s | unpacking, s | one page |")
        self.say("|---|--:|--:|--:|--:|--:|---|")
        self.row("gzip a record, as it was", self.gzip_len, "", "", "yes")
        peers = ThreadPoolExecutor(1).submit(lambda: [self.row(*row) for row in self.peers()])
        for profile, order in [(profile, "path") for profile in PROFILES] + [("default", "url"), ("default", "file")]:
            size, packing, unpacking, speed, page = self.pack(self.archive, profile, order)
            name = {"path": "", "url": ", by URL", "file": ", as crawled"}[order]
            self.row(f"pack `{profile}`{name}", size, f"{packing:.1f}", f"{unpacking:.1f}", f"{page}; blocks at {speed:.0f} MB/s")
        peers.result()

    def peers(self):
        """The rows of all others that are here."""
        for name, pack, unpack, suffix in PEERS:
            if not shutil.which(pack[0]):
                yield from self.brotli_module() if pack[0] == "brotli" else [(f"{name}: not here", 0, "", "", "")]
                continue
            packing, _ = cpu([*pack, self.plain])
            made = Path(f"{self.plain}{suffix}")
            unpacking, _ = cpu([*unpack, made])
            yield f"{name}, solid", made.stat().st_size, f"{packing:.1f}", f"{unpacking:.1f}", "no"
            os.remove(made)

    def brotli_module(self):
        python = os.environ.get("BROTLI_PYTHON", sys.executable)
        if subprocess.run([python, "-c", "import brotli"], capture_output=True).returncode != 0:
            return
        made = f"{self.plain}.br"
        pack = "import brotli,sys;d=open(sys.argv[1],'rb').read();open(sys.argv[2],'wb').write(brotli.compress(d,quality=11,lgwin=24))"
        packing, _ = cpu([python, "-c", pack, self.plain, made])
        unpacking, _ = cpu([python, "-c", "import brotli,sys;brotli.decompress(open(sys.argv[1],'rb').read())", made])
        yield "brotli -11 -w 24, solid", os.path.getsize(made), f"{packing:.1f}", f"{unpacking:.1f}", "no"
        os.remove(made)

    def series(self, counts):
        """Packs of the first pages: number, plain, gzip, pack, seconds."""
        self.say("\n| pages | bytes plain | gzip a record | pack `default` | of gzip | packing, s | pages/s |")
        self.say("|--:|--:|--:|--:|--:|--:|--:|")
        rows, first = [], self.work / "first.warc.gz"
        for count in [count for count in counts if count <= self.records] or [self.records]:
            plain = 0
            with open(first, "wb") as out:
                for (stored, content), _ in zip(members(self.archive), range(count)):
                    out.write(stored)
                    plain += len(content)
            gzip_len = first.stat().st_size
            size, packing, *_ = self.pack(first, "default")
            rows.append((count, plain, gzip_len, size, packing))
            self.say(f"| {count:,} | {plain:,} | {gzip_len:,} | {size:,} | {size / gzip_len:.3f} | {packing:.1f} | {count / packing:.0f} |")
        return rows


def plot(rows):
    """Bytes and time by number of pages, side by side, as SVG."""
    most = max(row[0] for row in rows)
    panels = [
        ("bytes, MB", [("gzip a record", "#999", [row[2] / 1e6 for row in rows]), ("pack", "#06c", [row[3] / 1e6 for row in rows])]),
        ("packing, s", [("pack", "#06c", [row[4] for row in rows])]),
    ]
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" width="720" height="300" font-family="sans-serif" font-size="12">',
             '<rect width="720" height="300" fill="#fff"/>']
    for panel, (title, lines) in enumerate(panels):
        left, top, width, height = 60 + 360 * panel, 40, 270, 200
        highest = max(max(values) for *_, values in lines)
        place = lambda pages, value: (left + width * pages / most, top + height * (1 - value / highest))
        parts.append(f'<text x="{left}" y="22">{title}, by number of pages</text>')
        parts.append(f'<path d="M{left} {top}V{top + height}H{left + width}" fill="none" stroke="#333"/>')
        parts.append(f'<text x="{left - 6}" y="{top + 4}" text-anchor="end">{highest:.0f}</text>')
        for row in rows:
            x, _ = place(row[0], 0)
            parts.append(f'<text x="{x:.0f}" y="{top + height + 18}" text-anchor="middle">{row[0]:,}</text>')
        for name, colour, values in lines:
            points = [place(row[0], value) for row, value in zip(rows, values)]
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
            parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
            x, y = points[-1]
            parts.append(f'<text x="{x - 6:.0f}" y="{y - 8:.0f}" text-anchor="end" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("archive")
    parser.add_argument("work", type=Path)
    parser.add_argument("--out")
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--pages", default="1000,2000,4000,8000")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    build = ["cargo", "build", "--release", "-q", "-p", "tamis-pack", "--example", "pack_measure"]
    subprocess.run(build, check=True, cwd=ROOT)
    run = Run(given)
    run.table()
    rows = run.series([int(count) for count in given.pages.split(",")])
    if given.out:
        plot_path = Path(given.out).with_suffix(".svg")
        plot_path.write_text(plot(rows))
        run.say(f"\n![bytes and time by number of pages]({plot_path.name})")


if __name__ == "__main__":
    main()
