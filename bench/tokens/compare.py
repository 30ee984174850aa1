#!/usr/bin/env python3
"""Holds our tokens against those of Stanford's PTBTokenizer (CoreNLP 3.9.2), which runs as it is published.

    bench/tokens/compare.py --jar stanford-corenlp-3.9.2.jar --data target/data [--set NAME]... [--show 20]

The jar is `edu.stanford.nlp:stanford-corenlp:3.9.2` of Maven Central; `javac` and `java` are needed. Ours is `cargo build --release -p
tamis-words --example tokens`. Sets: `strings` (all short strings of many alphabets), `random` (fragments and characters), `web` (texts of
pages, with what extractors expect), `markup` (raw HTML), `tweets`, `languages`; each in a part to look at and, with `held-` before its name, one kept
for the end. Prints how many texts and tokens are the same, and the first differences.
"""

import argparse
import base64
import hashlib
import itertools
import json
import random
import re
import subprocess
import tempfile
import threading
from pathlib import Path

HERE = Path(__file__).parent

ALPHABETS = [
    (["a", "B", "1", ".", "-", "'", "/", " "], 5), (["a", "1", "\u0301", "\u200d", "-", "\u00ad", "\u2160"], 4),
    (["a", "A", "&", "@", ".", "1", "_"], 5), (["'", '"', "`", "a", "1", " ", "s"], 5),
    (["n't", "'s", "'ll", "do", "a", "-", ".", " ", "’"], 4), (["1", ",", ".", ":", "-", "/", " ", "%"], 5),
    ([":", ")", "(", "-", "D", "=", "<", ">", ";", "3"], 4), (["http://", "www.", "a", ".", "com", "/", "-", " ", "?"], 5),
    (["Mr.", "Inc.", "No.", "U.S.", " ", "a", "A", "1", ".", "\n"], 4), (["‘", "’", "“", "”", "'", '"', "a", "`", "‚"], 4),
    (["a", "'", "o", "A", "d", "-", "b"], 5), ([".", "…", " ", "!", "?", "a", "-"], 5),
    (["#", "@", "a", "1", "_", "é", "-", "."], 5), (["&", "amp;", "lt;", "#", "39;", "a", " ", "gt;", "quot;"], 4),
    (["<", "a", ">", " ", "/", "!", "-", '"', "="], 5),
    (["\U0001F468", "\u200d", "\u2764", "\ufe0f", "\U0001F3FB", "\U0001F1E6", "1", "\u20e3", "\U0001F600"], 4),
    (["12", "345", "6789", " ", "-", "(", ")", ".", "+"], 5), (["a", "*", "=", "_", "^", "~", "|", "\\", "$"], 4),
]
CHARACTERS = list("aAbdlmnostuvwxyzBCDEINSTU0123456789") + 2 * list(".,:;!?'\"`-_/\\()[]{}<>@#$%^&*+=|~ ") + [
    "’", "‘", "“", "”", "—", "–", "…", "é", "É", "ñ", "中", "\u00a0", "\n", "\u00ad", "½", "€", "£", "😀", "👍🏽", "©", "™", "°", "²"]
FRAGMENTS = """n't 's 'll 're 've 'd 'm 'em 'tis cannot http:// https:// www. foo .com /x @bar a@b.c Mr. Inc. U.S. e.g. Ph.D. No. etc. ... -- ---
:) :-( <br> </p> &amp; &lt; &#39; $5 US$ 1,000 3.5 1/2 10:30 5pm 12/25/2001 555-1212 O'Neil rock'n'roll AT&T C++ A-B x-ray #tag @user It the A I
1990s '90s 90's Yahoo! file.txt my_file.doc word Word WORD wOrd naïve ÉTÉ""".split() + [" ", "  ", "\n", ". . .", "gonna ", "1 1/2", "(713) 853-4743", '<a href="x">']


def is_held(name):
    return int(hashlib.md5(name.encode("utf-8", "surrogatepass")).hexdigest(), 16) % 3 == 0


def strings(_, held):
    for alphabet, length in ALPHABETS:
        for count in range(1, length + 1):
            for parts in itertools.product(alphabet, repeat=count):
                yield "".join(parts) + ("" if held else " x")


def rand(_, held):
    chance = random.Random(99 if held else 1)
    for _ in range(60_000):
        pick = lambda: chance.choice(FRAGMENTS if chance.random() < 0.45 else CHARACTERS)
        yield "".join(pick() for _ in range(chance.randint(1, 14)))


def texts_in(value):
    if isinstance(value, str) and len(value) > 60:
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts_in(inner)


def web(data, held):
    for path in sorted((data / "html").rglob("*")):
        if is_held(str(path.relative_to(data))) != held or path.suffix not in (".json", ".txt") or path.stat().st_size > 3e6:
            continue
        text = path.read_text(errors="ignore")
        if path.suffix == ".txt":
            yield text
        else:
            try:
                yield from (found for found in texts_in(json.loads(text)) if "\ufffd" not in found)
            except ValueError:
                pass


def markup(data, held):
    paths = [path for path in sorted((data / "html").rglob("*.htm*")) if is_held(str(path.relative_to(data))) == held]
    for path in random.Random(5).sample(paths, min(250, len(paths))):
        text = path.read_text(errors="ignore")[:60_000]
        yield from (text[at : at + 3000] for at in range(0, len(text), 3000))


def tweets(data, held):
    found = set()
    for path in (data / "tweets").rglob("*"):
        if path.is_file() and path.stat().st_size < 2e7:
            for match in re.finditer(r'"(?:full_text|text)": ?("(?:[^"\\]|\\.)*")', path.read_text(errors="ignore")):
                try:
                    found.add(json.loads(match[1]))
                except ValueError:
                    pass
    yield from (text for text in sorted(found) if is_held(text) == held)


def languages(data, held):
    chance = random.Random(3)
    paths = sorted(path for path in (data / "langid").rglob("*") if path.is_file() and path.stat().st_size < 5e6)
    chance.shuffle(paths)
    for path in paths[:400]:
        lines = [line for line in path.read_text(errors="ignore").split("\n") if line.strip()]
        yield from (line for line in chance.sample(lines, min(60, len(lines))) if is_held(line) == held)


SETS = {"strings": strings, "random": rand, "web": web, "markup": markup, "tweets": tweets, "languages": languages}


def talk(command, lines):
    """Gives lines to a program and takes as many from it."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as program:
        def give():
            for line in lines:
                program.stdin.write(line + b"\n")
            program.stdin.close()
        thread = threading.Thread(target=give)
        thread.start()
        answers = [program.stdout.readline().rstrip(b"\r\n") for _ in lines]
        thread.join()
    return answers


def theirs(jar, classes, texts):
    lines = [base64.b64encode(text.encode()) for text in texts]
    for answer in talk(["java", "-Xss64m", "-cp", f"{classes}:{jar}", "Oracle"], lines):
        fields = (field.split(b",") for field in answer.split(b"\t") if field)
        yield [[base64.b64decode(word).decode(errors="replace"), int(start), int(end)] for start, end, word in fields]


def ours(binary, texts):
    for answer in talk([binary], [json.dumps(text).encode() for text in texts]):
        yield json.loads(answer)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--jar", type=Path, required=True)
    options.add_argument("--data", type=Path, default=Path("target/data"))
    options.add_argument("--binary", default="target/release/examples/tokens")
    options.add_argument("--set", action="append", choices=[f"{part}{name}" for name in SETS for part in ("", "held-")])
    options.add_argument("--show", type=int, default=20)
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as classes:
        subprocess.run(["javac", "-cp", options.jar, "-d", classes, HERE / "Oracle.java"], check=True)
        for name in options.set or SETS:
            texts = [re.sub("[\ud800-\udfff]", "", text) for text in SETS[name.removeprefix("held-")](options.data, name.startswith("held-"))]
            texts = [text for text in texts if text.strip()]
            compare(name, texts, list(theirs(options.jar, classes, texts)), list(ours(options.binary, texts)), options.show)


def compare(name, texts, wanted, got, show):
    tokens = same_tokens = 0
    differences = []
    for text, want, have in zip(texts, wanted, got, strict=True):
        tokens += len(want)
        same_tokens += len({tuple(token) for token in want} & {tuple(token) for token in have})
        if want != have:
            differences.append((text, want, have))
    print(f"{name}: {len(texts) - len(differences)} of {len(texts)} texts, {same_tokens} of {tokens} tokens are the same")
    for text, want, have in differences[:show]:
        at = next((at for at, pair in enumerate(zip(want, have)) if pair[0] != pair[1]), min(len(want), len(have)))
        words = lambda tokens: [token[0] for token in tokens[max(0, at - 1) : at + 5]]
        print(f"  theirs {words(want)}\n  ours   {words(have)}")


main()
