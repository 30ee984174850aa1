#!/usr/bin/env python3
"""How well parts of speech and names are found, held against the floors in bench/floors.json.

    bench/tags/accuracy.py [--data target/data] [--extra target/extra] [--train target/release/tamis-train] [--write-floors]

Measures the models that ship on the development parts of their corpora, and for names also a model trained without WikiGold, on
WikiGold: how well names are found in text of another kind. Some minutes of processor time. Exit code 1 if a
figure is below its floor; speeds are printed and not held, since they are the machine's. Floors rise with --write-floors and are
lowered by hand, with a sentence under `lowered`.
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
POS = re.compile(r"pos (\w+) accuracy ([\d.]+)")
NER = re.compile(r"ner (\w+) precision ([\d.]+) recall ([\d.]+) f1 ([\d.]+)")
FILES = {
    "ewt": "UD_English-EWT/en_ewt-ud-dev.conllu",
    "uner": "UNER_English-EWT/en_ewt-ud-dev.iob2",
    "wnut": "wnut17/emerging.dev.conll",
    "btc": "juand-r/data/BTC/CONLL-format/data/h.conll",
    "wikigold": "juand-r/data/wikigold/CONLL-format/data/wikigold.conll.txt",
}


def measured(given, *arguments):
    """The figures a run of the measuring command prints, by corpus."""
    command = [given.train, "evaluate-tags", "--data", given.data, *arguments]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    print(answer, end="")
    figures = {f"pos-{corpus}": {"accuracy": float(value) / 100} for corpus, value in POS.findall(answer)}
    for corpus, *values in NER.findall(answer):
        figures[f"ner-{corpus}"] = dict(zip(("precision", "recall", "f1"), (float(value) / 100 for value in values)))
    return figures


def without(corpus, given):
    """The figures on a corpus of a model of names trained without it."""
    folder = ROOT / "target" / "tags"
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / f"without-{corpus}.bin"
    subprocess.run([given.train, "ner", "--data", given.data, "--extra", given.extra, "--without", corpus, "-o", model], check=True)
    print(f"without {corpus}:")
    return measured(given, "--entities", model)[f"ner-{corpus}"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=pathlib.Path, default=ROOT / "target" / "data")
    options.add_argument("--extra", default=ROOT / "target" / "extra")
    options.add_argument("--train", default=ROOT / "target" / "release" / "tamis-train")
    options.add_argument("--write-floors", action="store_true")
    given = options.parse_args()
    whole = json.loads(FLOORS.read_text())
    floors, failed = whole.setdefault("tags", {}), []
    found = measured(given)
    # The model that ships has seen all of it: no figure.
    del found["ner-wikigold"]
    for corpus in ("wikigold",):
        found[f"ner-{corpus}-without-{corpus}"] = without(corpus, given)
    for name, figures in found.items():
        corpus = hashlib.sha1((given.data / "nlp" / FILES[name.split("-")[1]]).read_bytes()).hexdigest()
        entry = floors.setdefault(name, {"corpus": corpus, "floors": {}})
        if entry["corpus"] != corpus:
            failed.append(f"{name}: the corpus is not that of the floors")
        for figure, value in figures.items():
            floor = entry["floors"].get(figure, 0)
            print(f"{name:28} {figure:10} {value:.4f}  floor {floor}")
            if value < floor:
                failed.append(f"{name} {figure}: {value:.4f} is below the floor {floor}")
            entry["floors"][figure] = max(floor, math.floor(value * 1000) / 1000)
    if given.write_floors:
        FLOORS.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
    print(*failed, sep="\n", file=sys.stderr)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
