#!/usr/bin/env python3
"""Short text: single sentences by length and by how much is written in their language, two sentences in two languages, and how often
the detector is right when it says how sure it is.

    bench/languages/short.py pages SOURCE OUT.jsonl [--data target/data] [--extra target/extra]
    bench/languages/short.py compare PAGES.jsonl name=ANSWERS.jsonl … [--confusions 20]

`pages` draws sentences with a fixed seed, in the format of `tamis-train evaluate`: kinds `20-60` and `60-150` are single sentences of
so many bytes, up to 200 of each language; `same` are two or three sentences of one language, `mixed` one sentence each of two of the thirty largest, English in half
of them, of 30 bytes and more, on two lines or in one. `compare` prints the part of the pages that each file of answers (`tamis-train evaluate -o`) has exactly right, for
the thirty largest languages, others in wide use and rarer ones (the tiers of languages.tsv), and for single sentences how many of those
that were given a confidence are right, by the confidence.
"""

import argparse
import collections
import importlib.util
import json
import pathlib
import random
import re

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LENGTHS = (("20-60", 20, 60), ("60-150", 60, 150))
BINS = (0.99, 0.9, 0.7, 0.5, 0.0)
MOST = 200
PAIRS = 3000

spec = importlib.util.spec_from_file_location("sentences", HERE / "sentences.py")
sentences = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sentences)


def by_language(given):
    """The sentences of each language, English ones left out of the others; paragraphs of declarations are split."""
    names, lines = sentences.untouched.codes(), collections.defaultdict(dict)
    for name, own in sentences.texts(given.source, given):
        name = name.lower()
        code = names.get(name) or names.get(name.split("_")[0]) or names.get(name.split("-")[0])
        for line in own if code else ():
            parts = re.findall(r"[^.;:!?]+[.;:!?]+", line) or [line] if given.source == "udhr" else [line]
            lines[code] |= dict.fromkeys(part.strip() for part in parts if sum(c.isalpha() for c in part) >= 12)
    return {code: [line for line in own if code == "eng" or line not in lines["eng"]] for code, own in sorted(lines.items())}


def size(line):
    return len(line.encode())


def pages(given):
    chance, pool = random.Random(5), {}
    with open(given.output, "w", encoding="utf-8") as output:

        def write(kind, codes, text):
            output.write(json.dumps({"kind": kind, "languages": codes, "text": text}, ensure_ascii=False) + "\n")

        for code, own in by_language(given).items():
            chance.shuffle(own)
            for kind, least, most in LENGTHS:
                for line in [line for line in own if least <= size(line) < most][:MOST]:
                    write(kind, [code], line)
            some = pool[code] = [line for line in own if 30 <= size(line) <= 120][:100]
            for at in range(0, min(len(some), 60) - 2, 3):
                write("same", [code], " ".join(some[at : at + 3]))
                write("same", [code], "\n".join(some[at : at + 2]))
        largest = [code for code in sentences.LARGEST if len(pool.get(code, ())) >= 20]
        for at in range(PAIRS):
            one, other = chance.sample(largest, 2)
            if at % 2:
                one, other = "eng", chance.choice([code for code in largest if code != "eng"])
            two = [chance.choice(pool[one]), chance.choice(pool[other])]
            chance.shuffle(two)
            write("mixed", sorted([one, other]), chance.choice("\n ").join(two))


def group_of(page, tiers):
    code = page["languages"][0]
    return "largest" if code in sentences.LARGEST else "wide use" if tiers[code] == "1" else "rarer"


def compare(given):
    tiers = dict(row.split("\t")[:2] for row in (ROOT / "crates/tamis-train/src/languages.tsv").read_text().splitlines())
    all_pages = [json.loads(line) for line in open(given.pages, encoding="utf-8")]
    for one in given.answers:
        name, _, path = one.partition("=")
        right, instead, sure = collections.defaultdict(lambda: [0, 0]), collections.Counter(), collections.defaultdict(lambda: [0, 0, 0.0])
        for page, answer in zip(all_pages, map(json.loads, open(path))):
            if not answer["known"]:
                continue
            kind, group = page["kind"], group_of(page, tiers)
            is_right = set(answer["languages"]) == set(page["languages"])
            keys = [(kind, group if kind != "mixed" else "largest")]
            keys += [(kind, page["languages"][0])] * (kind == "20-60" and page["languages"] == ["spa"])
            for key in keys:
                right[key][0] += is_right
                right[key][1] += 1
            if not is_right:
                instead[f"{kind} {','.join(page['languages'])} as {','.join(answer['languages']) or 'unknown'}"] += 1
            stated = answer.get("confidence")
            if stated is not None and kind in ("20-60", "60-150"):
                least = next(least for least in BINS if stated >= least)
                for of in (group, "all"):
                    bin_ = sure[of, least]
                    bin_[0], bin_[1], bin_[2] = bin_[0] + is_right, bin_[1] + 1, bin_[2] + stated
        for (kind, group), (good, of) in sorted(right.items()):
            print(f"{name:10} {kind:7} {group:9} {100 * good / of:5.1f} ({good}/{of})")
        for (group, least), (good, of, stated) in sorted(sure.items(), key=lambda item: (item[0][0], -item[0][1])):
            print(f"{name:10} confidence from {100 * least:3.0f} {group:9} stated {100 * stated / of:5.1f}  right {100 * good / of:5.1f} ({of})")
        if given.confusions:
            print("; ".join(f"{pair} {n}" for pair, n in instead.most_common(given.confusions)))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = options.add_subparsers(dest="command", required=True)
    one = commands.add_parser("pages")
    one.add_argument("source")
    one.add_argument("output")
    one.add_argument("--data", default=ROOT / "target" / "data")
    one.add_argument("--extra", default=ROOT / "target" / "extra")
    two = commands.add_parser("compare")
    two.add_argument("pages")
    two.add_argument("answers", nargs="+")
    two.add_argument("--confusions", type=int, default=0)
    given = options.parse_args()
    {"pages": pages, "compare": compare}[given.command](given)


if __name__ == "__main__":
    main()
