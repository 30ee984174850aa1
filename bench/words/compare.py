#!/usr/bin/env python3
"""Holds our stems and lemmas against those of NLTK, and our lemmas against those that annotators gave.

    bench/words/compare.py --wordnet /usr/share/wordnet --data target/data [--show 20]

NLTK is `pip install nltk`; WordNet 3.0 is Debian's package `wordnet-base`, of which NLTK gets a folder as it expects it. Ours is `cargo build
--release -p tamis-words --example words`. Words: the vocabularies of Snowball, all of WordNet and its irregular forms, the tokens of EWT, and made-up ones
with many endings. The stemmers of other languages are held against the Python package `snowballstemmer`, where it is installed.
"""

import argparse
import json
import random
import shutil
import subprocess
import tempfile
from pathlib import Path

ENDINGS = """ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti fulli
logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent sion tion ou ism ate iti ous ive ize e ll l y ies ied
s ss us ed ing edly ingly eed eedly ' 's 's' li ogi é lessli ’s""".split()
FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}


def conllu(data):
    for path in sorted((data / "nlp/UD_English-EWT").glob("*.conllu")):
        for line in path.read_text().splitlines():
            fields = line.split("\t")
            if len(fields) > 5 and fields[0].isdigit():
                yield fields[1], fields[2], fields[4], "dev" in path.name


def wordnet_words(folder, pos):
    for line in (folder / f"index.{FILES[pos]}").read_text().splitlines():
        if not line.startswith(" "):
            yield line.split(" ")[0]
    for line in (folder / f"{FILES[pos]}.exc").read_text().splitlines():
        yield line.split(" ")[0]


def made_up(count):
    chance = random.Random(1)
    for _ in range(count):
        start = "".join(chance.choice("aeiouybcdlstwxzé'") for _ in range(chance.randint(0, 4)))
        yield start + "".join(chance.choice(ENDINGS) for _ in range(chance.randint(0, 3)))


def ours(binary, questions):
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    answers = subprocess.run([binary], input=lines, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in answers.split("\n")[:-1]]


def compare(name, words, wanted, got, show):
    differences = [one for one in zip(words, wanted, got, strict=True) if one[1] != one[2]]
    print(f"{name}: {len(words) - len(differences)} of {len(words)} are the same ({100 - 100 * len(differences) / len(words):.3f} %)")
    for word, want, have in differences[:show]:
        print(f"  {word}: {want}, ours {have}")


def stems(options):
    from nltk.stem import PorterStemmer, SnowballStemmer

    words = {word for word, _, _, _ in conllu(options.data)} | set(made_up(40_000))
    for name in ("english", "porter"):
        words |= set((options.data / "nlp/snowball-data" / name / "voc.txt").read_text().split("\n"))
    for pos in FILES:
        words |= set(wordnet_words(options.wordnet, pos))
    words = sorted(word for word in words if word)
    for name, stemmer in (("snowball", SnowballStemmer("english")), ("porter", PorterStemmer())):
        got = ours(options.binary, [(name, word, "en") for word in words])
        compare(f"NLTK, {name}", words, [stemmer.stem(word) for word in words], got, options.show)


def nltk_lemmatizer(wordnet, folder):
    import nltk
    from nltk.stem import WordNetLemmatizer

    corpus = Path(folder) / "corpora/wordnet"
    corpus.mkdir(parents=True)
    for path in wordnet.iterdir():
        shutil.copy(path, corpus)
    (corpus / "lexnames").write_text("".join(f"{at:02}\tx.{at}\t1\n" for at in range(45)))
    (corpus / "index.sense").touch()
    nltk.data.path.insert(0, folder)
    return WordNetLemmatizer()


def lemmas(options):
    with tempfile.TemporaryDirectory() as folder:
        lemmatizer = nltk_lemmatizer(options.wordnet, folder)
        tokens = list(conllu(options.data))
        written = {word for word, _, _, _ in tokens}
        small = {word.lower() for word in written}
        for pos in FILES:
            # Words of phrases have `_`, which no token has.
            words = sorted(word for word in written | small | set(wordnet_words(options.wordnet, pos)) if "_" not in word)
            got = ours(options.binary, [("morphy", word, pos) for word in words])
            compare(f"NLTK, lemmas as {FILES[pos]}", words, [lemmatizer.lemmatize(word, pos) for word in words], got, options.show)
        gold(options, lemmatizer, [token for token in tokens if token[3]])


def gold(options, lemmatizer, tokens):
    """Lemmas of annotators, with the tags of annotators, of all words that have a part of speech WordNet knows."""
    pos_of = {"N": "n", "V": "v", "J": "a", "R": "r"}
    tokens = [token for token in tokens if token[2][:1] in pos_of]
    words = [f"{word} {tag}" for word, _, tag, _ in tokens]
    wanted = [lemma.lower() for _, lemma, _, _ in tokens]
    got = ours(options.binary, [("lemma", word, tag) for word, _, tag, _ in tokens])
    as_tagged = [lemmatizer.lemmatize(word.lower(), pos_of[tag[0]]) for word, _, tag, _ in tokens]
    as_nouns = [lemmatizer.lemmatize(word.lower(), "n") for word, _, _, _ in tokens]
    compare("EWT dev, ours (capitals aside)", words, wanted, [lemma.lower() for lemma in got], options.show)
    compare("EWT dev, NLTK with the tags", words, wanted, as_tagged, 0)
    compare("EWT dev, NLTK as nouns", words, wanted, as_nouns, 0)


def others(options):
    try:
        import snowballstemmer
    except ImportError:
        return
    names = {"ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "es": "spanish", "fi": "finnish", "fr": "french",
             "hu": "hungarian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nl": "dutch", "nb": "norwegian", "pl": "polish", "pt": "portuguese",
             "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish"}
    for code, name in names.items():
        path = options.data / "wordfreq/justext-stoplists/stoplists" / f"{name.capitalize()}.txt"
        if not path.exists() or name not in snowballstemmer.algorithms():
            continue
        words = sorted({line.split()[0].lower() for line in path.read_text().splitlines() if line.split()})
        stemmer = snowballstemmer.stemmer(name)
        got = ours(options.binary, [("snowball", word, code) for word in words])
        compare(f"snowballstemmer, {name}", words, [stemmer.stemWord(word) for word in words], got, options.show)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    options.add_argument("--data", type=Path, default=Path("target/data"))
    options.add_argument("--binary", default="target/release/examples/words")
    options.add_argument("--show", type=int, default=20)
    options = options.parse_args()
    stems(options)
    lemmas(options)
    others(options)


main()
