#!/usr/bin/env python3
"""How well the language detector knows pages of a source it was trained without, held against the floors in bench/floors.json.

    bench/languages/accuracy.py [--data target/data] [--extra target/extra] [--train target/release/tamis-train] [--write-floors]

For each of three sources: builds its pages, trains a model without it and measures it, about a minute of processor time each.
Figures are over all languages the model knows: `exact` is the part of the pages whose set of languages is answered exactly, `f1` the
mean of the languages' F1, `foreign` the part of pages in languages of no model that are left unnamed. Exit code 1 if one is
below its floor. Floors rise with --write-floors and are lowered by hand, with a sentence under `lowered`.
"""

import argparse
import hashlib
import json
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLOORS = ROOT / "bench" / "floors.json"
SOURCES = ("lingua", "tatoeba", "udhr")
LINE = re.compile(r"(\w+) +\d+ pages +exact set +([\d.]+) % +macro F1 +(-?[\d.]+)")


def measured(source, given):
    """The figures of a source, and the digest of its pages."""
    folder = ROOT / "target" / "languages"
    folder.mkdir(parents=True, exist_ok=True)
    pages, model = folder / f"{source}.jsonl", folder / f"without-{source}.bin"
    data = ["--data", given.data, "--extra", given.extra]
    subprocess.run([given.train, "pages", *data, "--source", source, "-o", pages], check=True)
    subprocess.run([given.train, "language", *data, "--without", source, "-o", model], check=True)
    answer = subprocess.run([given.train, "evaluate", pages, "--model", model], check=True, capture_output=True, text=True).stdout
    figures = {}
    for kind, exact, f1 in LINE.findall(answer):
        figures["foreign" if kind == "foreign" else f"{kind}.exact"] = float(exact) / 100
        if kind != "foreign":
            figures[f"{kind}.f1"] = float(f1) / 100
    return figures, hashlib.sha1(pages.read_bytes()).hexdigest()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", default=ROOT / "target" / "data")
    options.add_argument("--extra", default=ROOT / "target" / "extra")
    options.add_argument("--train", default=ROOT / "target" / "release" / "tamis-train")
    options.add_argument("--write-floors", action="store_true")
    given = options.parse_args()
    whole = json.loads(FLOORS.read_text())
    floors, failed = whole.setdefault("languages", {}), []
    for source in SOURCES:
        figures, corpus = measured(source, given)
        entry = floors.setdefault(source, {"corpus": corpus, "floors": {}})
        if entry["corpus"] != corpus:
            failed.append(f"{source}: the pages are not those of the floors")
        for name, value in figures.items():
            floor = entry["floors"].get(name, 0)
            print(f"{source:8} {name:12} {value:.4f}  floor {floor}")
            if value < floor:
                failed.append(f"{source} {name}: {value:.4f} is below the floor {floor}")
            entry["floors"][name] = max(floor, math.floor(value * 1000) / 1000)
    if given.write_floors:
        FLOORS.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
    print(*failed, sep="\n", file=sys.stderr)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
