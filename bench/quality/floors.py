"""The floors of the quality figures in bench/floors.json: they rise by themselves and fall only for a stated reason."""

import json
import math
import sys

from tools import HERE

FILE = HERE.parent / "floors.json"


def read():
    return json.loads(FILE.read_text()) if FILE.is_file() else {}


def write(figures, lower):
    """Floors at the measured figures, rounded down to three digits."""
    whole = read()
    quality = whole.setdefault("quality", {})
    for name, of_set in figures.items():
        floors = quality.setdefault(name, {})
        for measure, value in of_set.items():
            new, old = math.floor(value * 1000) / 1000, floors.get(measure)
            if old is not None and new < old:
                print(f"{name} {measure}: {value:.4f} is below the floor {old}", file=sys.stderr)
                if not lower:
                    continue
                whole.setdefault("lowered", []).append(f"quality {name} {measure} from {old} to {new}: {lower}")
            floors[measure] = new
    FILE.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")


def check(figures):
    """A line for each figure below its floor, or gone."""
    quality = read().get("quality", {})
    return [
        f"{name} {measure}: {of_set.get(measure, 0):.4f} is below the floor {floor}"
        for name, of_set in figures.items()
        for measure, floor in quality.get(name, {}).items()
        if of_set.get(measure, 0) < floor
    ]
