"""The floors of the quality figures in bench/floors.json: they rise by themselves and fall only for a stated reason."""

import json
import math
import sys

from tools import HERE

FILE = HERE.parent / "floors.json"


def read():
    return json.loads(FILE.read_text()) if FILE.is_file() else {}


def write(figures, corpora, lower):
    """Floors at the measured figures, rounded down to three digits."""
    whole = read()
    quality = whole.setdefault("quality", {})
    for name, of_set in figures.items():
        entry = quality.setdefault(name, {})
        entry["corpus"] = corpora[name]
        floors = entry.setdefault("floors", {})
        for measure, value in of_set.items():
            new, old = math.floor(value * 1000) / 1000, floors.get(measure)
            if old is not None and new < old:
                print(f"{name} {measure}: {value:.4f} is below the floor {old}", file=sys.stderr)
                if not lower:
                    continue
                whole.setdefault("lowered", []).append(f"quality {name} {measure} from {old} to {new}: {lower}")
            floors[measure] = new
    FILE.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")


def check(figures, corpora):
    """A line for each set that has no floors or is not the one they were measured on, and for each figure below its floor."""
    failed, quality = [], read().get("quality", {})
    for name, of_set in figures.items():
        entry = quality.get(name)
        if entry is None:
            failed.append(f"{name}: no floors; --write-floors makes them")
            continue
        if entry["corpus"] != corpora[name]:
            failed.append(f"{name}: pages or truths are not those of the floors")
        for measure, floor in entry["floors"].items():
            if (value := of_set.get(measure, 0)) < floor:
                failed.append(f"{name} {measure}: {value:.4f} is below the floor {floor}")
    return failed
