#!/usr/bin/env python3
"""How well near-duplicates are found, beside datasketch and rensa, on the same texts in one run.

    near_quality.py DATA TAMIS_NEAR [THRESHOLD]     DATA: the unpacked test data; TAMIS_NEAR: target/release/examples/near

Texts are the visible words of the pages under DATA/html, in small letters, without those of less than 200 bytes. *Real*: as
they are. *Planted*: 1,000 of them, of which no two resemble each other, and for each three more with words changed at
random places: 0.5 %, 2 % and 4 % of them.

The truth is the Jaccard similarity of the sets of runs of five words, computed exactly. Every tool does the same: it goes
through the texts, looks for an earlier text that it kept and that is similar (128 hash functions, threshold 0.8, what the
LSH finds is verified by the estimate, or by the texts where that is said), and keeps the text if there is none. A pair is right if its exact similarity is at
least the threshold; a text is missed if going through with exact similarities finds something for it and the tool does not.

Needs datasketch and rensa; prints a table in Markdown.
"""

import random
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from datasketch import MinHash, MinHashLSH
from rensa import RMinHash, RMinHashLSH

WORDS = 5
FUNCTIONS = 128
SKIPPED = re.compile(r"(?is)<(script|style|noscript|template)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>|&[#\w]+;")
WORD = re.compile(r"[^\W\d_]+")


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    data, near = Path(sys.argv[1]), sys.argv[2]
    threshold = float(sys.argv[3]) if len(sys.argv) == 4 else 0.8
    pages = texts(data / "html")
    print("| texts | tool | found | right | precision | of | recall | seconds |\n|---|---|--:|--:|--:|--:|--:|--:|")
    for name, lines in (("real", pages), ("planted", planted(pages))):
        sets = [shingles(line.split()) for line in lines]
        truth = exact(sets, threshold)
        for tool, run in (("tamis", lambda: tamis(near, lines, threshold)),
                          ("tamis, verified by text", lambda: tamis(near, lines, f"{threshold} exact")),
                          ("datasketch", lambda: datasketch(sets, threshold)),
                          ("rensa", lambda: rensa(sets, threshold)),
                          ("tamis simhash", lambda: tamis(near, lines, "simhash"))):
            began = time.process_time(), time.perf_counter()
            found, seconds = run()
            seconds = seconds or time.process_time() - began[0]
            right = sum(jaccard(sets[one], sets[kept]) >= threshold for one, kept in found.items())
            hit = sum(one in found for one in truth)
            print(f"| {name}, {len(lines)} | {tool} | {len(found)} | {right} | {right / max(len(found), 1):.4f} "
                  f"| {len(truth)} | {hit / max(len(truth), 1):.4f} | {seconds:.2f} |", flush=True)


def texts(root):
    lines = []
    for path in sorted(root.rglob("*")):
        if path.name.endswith((".html", ".testhtml")) and path.name != "expected.html":
            text = SKIPPED.sub(" ", path.read_text("utf-8", "replace"))
            line = " ".join(WORD.findall(text.lower()))
            if len(line) >= 200:
                lines.append(line)
    return lines


def planted(pages):
    dice = random.Random(20261116)
    lines = [line for line in pages if 100 <= line.count(" ") <= 3000]
    dice.shuffle(lines)
    sets = [shingles(line.split()) for line in lines]
    alike = exact(sets, 0.3)
    single = [line for at, line in enumerate(lines) if at not in alike][:1000]
    made = []
    for line in single:
        made.append(line)
        for share in (0.005, 0.02, 0.04):
            words = line.split()
            for _ in range(max(1, round(len(words) * share))):
                words[dice.randrange(len(words))] = f"x{dice.randrange(1 << 30)}"
            made.append(" ".join(words))
    return made


def shingles(words):
    if len(words) < WORDS:
        return {" ".join(words)}
    return {" ".join(words[at:at + WORDS]) for at in range(len(words) - WORDS + 1)}


def jaccard(one, other):
    common = len(one & other)
    return common / (len(one) + len(other) - common)


def exact(sets, threshold):
    """Text to kept text, with exact similarities. Of each set only as many shingles are looked up as one of them must be shared."""
    often = defaultdict(int)
    for shingle_set in sets:
        for shingle in shingle_set:
            often[shingle] += 1
    table, found = defaultdict(list), {}
    for at, shingle_set in enumerate(sets):
        rare = sorted(shingle_set, key=lambda shingle: (often[shingle], shingle))
        rare = rare[:len(rare) - int(-(-threshold * len(rare) // 1)) + 1]
        others = {kept for shingle in rare for kept in table[shingle]}
        best = max(((jaccard(shingle_set, sets[kept]), -kept) for kept in others), default=(0, 0))
        if best[0] >= threshold:
            found[at] = -best[1]
            continue
        for shingle in rare:
            table[shingle].append(at)
    return found


def tamis(near, lines, threshold):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        done = subprocess.run(["bash", "-c", f"TIMEFORMAT='%U %S'; time {near} {file.name} {threshold}"],
                              check=True, capture_output=True, text=True)
    seconds = sum(float(part) for part in done.stderr.split("\n")[-2].split())
    return {int(row.split()[0]): int(row.split()[1]) for row in done.stdout.splitlines()}, seconds


def datasketch(sets, threshold):
    lsh, sketches, found = MinHashLSH(threshold=threshold, num_perm=FUNCTIONS), {}, {}
    for at, shingle_set in enumerate(sets):
        sketch = MinHash(num_perm=FUNCTIONS)
        sketch.update_batch([shingle.encode() for shingle in shingle_set])
        best = max(((sketch.jaccard(sketches[kept]), -kept) for kept in lsh.query(sketch)), default=(0, 0))
        if best[0] >= threshold:
            found[at] = -best[1]
        else:
            sketches[at] = sketch
            lsh.insert(at, sketch)
    return found, None


def rensa(sets, threshold):
    # It asks for the number of bands: 16 of 8 rows is our choice, not tuned. datasketch chooses its own from the threshold.
    lsh, sketches, found = RMinHashLSH(threshold=threshold, num_perm=FUNCTIONS, num_bands=16), {}, {}
    for at, shingle_set in enumerate(sets):
        sketch = RMinHash(num_perm=FUNCTIONS, seed=42)
        sketch.update(list(shingle_set))
        best = max(((sketch.jaccard(sketches[kept]), -kept) for kept in lsh.query(sketch)), default=(0, 0))
        if best[0] >= threshold:
            found[at] = -best[1]
        else:
            sketches[at] = sketch
            lsh.insert(at, sketch)
    return found, None


if __name__ == "__main__":
    main()
