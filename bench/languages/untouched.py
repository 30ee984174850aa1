#!/usr/bin/env python3
"""Builds pages of known languages from texts that no part of the detector was made with: Debian's packages and their descriptions.

    bench/languages/untouched.py DIR [--set 2]  # downloads into DIR; writes DIR/prose-2.jsonl, DIR/messages-2.jsonl and DIR/…-sentences-2.jsonl

`prose` is the help of GNOME or of its programs (in the first set with the translated descriptions of Debian's packages), `messages` are
the longer messages of some programs, which are translated into many more languages. Both in the format of `tamis-train pages`, for `tamis-train evaluate` and
`peers/language_peers.py`. Paragraphs that are the same as the English ones were not translated and are left out. Needs apt-get and dpkg-deb.

These pages are for a last look: whoever changes the detector after looking at them needs other ones. The first set was looked at on
2026-11-16, the other three later that day.
"""

import argparse
import bz2
import collections
import importlib.util
import json
import pathlib
import random
import re
import subprocess
import urllib.request
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
DESCRIPTIONS = "http://deb.debian.org/debian/dists/bookworm/main/i18n/Translation-{}.bz2"
DESCRIBED = "ca cs da de el eo es eu fi fr gl hr hu id it ja km ko ml nb nl pl pt pt_BR ro ru sk sr sv tr uk vi zh_CN zh_TW".split()
HELP = {
    1: ["gnome-user-docs"],
    2: "gedit-common evince-common eog gnome-terminal-data gnome-calculator cheese-common baobab gnome-sudoku".split(),
    3: "gnome-system-monitor gnome-mines gnome-chess swell-foop quadrapassel five-or-more iagno gnome-robots tali file-roller seahorse gucharmap".split(),
    4: "gnome-nibbles four-in-a-row gnome-klotski gnome-mahjongg gnome-taquin gnome-tetravex lightsoff gnome-logs simple-scan gnome-dictionary".split(),
}
PROGRAMS = {
    1: "tuxpaint tuxpaint-data libgtk2.0-common libgtk-3-common evolution-common gnucash-common gimp-data nautilus-data".split(),
    3: "geany-common bleachbit gparted-common xfce4-panel thunar-data synaptic gnupg-l10n remmina-common shotwell-common brasero-common".split(),
    4: "caja-common pluma-common atril-common mate-panel-common network-manager-gnome rhythmbox-data totem-common gthumb-data filezilla-common hexchat-common deluge-common".split(),
    2: "vlc-l10n stellarium-data inkscape pidgin-data aptitude-common audacity-data gnome-control-center-data apt dpkg".split(),
}
LEAST_LETTERS = 30
LEAST_TEXT = 2500
KINDS = (("short", 1, 100, 300), ("long", 1, 2000, 6000), ("two", 2, 2000, 6000), ("three", 3, 2000, 6000))
PAGES = 8
SENTENCES = 60

spec = importlib.util.spec_from_file_location("fetch", ROOT / "crates/tamis-train/data/fetch.py")
fetch = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fetch)


def codes():
    """What other names the languages of the model have."""
    names = {}
    for row in (ROOT / "crates/tamis-train/src/languages.tsv").read_text().splitlines():
        code, _, others = row.split("\t")
        names |= dict.fromkeys([code, *others.split()], code)
    return names


def code_of(name, names):
    """The model's code for a name such as `pt_BR` or `sr@latin`."""
    name = re.sub(r"[@.].*", "", name).replace("_", "-").lower()
    return names.get(name) or names.get(name.split("-")[0])


def unpacked(package, folder):
    """The files of a package of Debian."""
    there = folder / package
    if not there.exists():
        subprocess.run(["apt-get", "download", "-q", package], cwd=folder, check=True, capture_output=True)
        subprocess.run(["dpkg-deb", "-x", next(folder.glob(f"{package}_*.deb")), there], check=True)
    return there


def described(name, folder):
    """The paragraphs of the translated descriptions of packages."""
    path = folder / f"Translation-{name}.bz2"
    if not path.exists():
        path.write_bytes(urllib.request.urlopen(DESCRIPTIONS.format(name)).read())
    paragraph = []
    for line in bz2.decompress(path.read_bytes()).decode("utf-8", "replace").splitlines():
        if line.startswith(" ") and line.strip() != ".":
            paragraph.append(line.strip())
        else:
            yield " ".join(paragraph)
            paragraph = []


def paragraphs(page):
    """The paragraphs of a page of GNOME's help."""
    for element in xml.etree.ElementTree.parse(page).getroot().iter():
        if element.tag.rsplit("}")[-1] == "p":
            yield " ".join("".join(element.itertext()).split())


def prose(folder, number):
    """Names of languages and paragraphs."""
    for name in DESCRIBED if number == 1 else ():
        yield name, described(name, folder)
    for package in HELP[number]:
        for help_of in sorted((unpacked(package, folder) / "usr/share/help").glob("*")):
            for page in sorted(help_of.rglob("*.page")):
                yield "en" if help_of.name == "C" else help_of.name, paragraphs(page)


def messages(folder, number):
    """Names of languages and messages; the English ones are the keys."""
    for program in PROGRAMS[number]:
        for path in sorted(unpacked(program, folder).rglob("LC_MESSAGES/*.mo")):
            data = path.read_bytes()
            if data[:4] == b"\xde\x12\x04\x95":
                yield path.parts[-3], (" ".join(fetch.cleaned(m).split()) for m in fetch.mo_values(data))
                keys = bytearray(data)
                keys[16:20] = data[12:16]
                yield "en", (" ".join(fetch.cleaned(m).split()) for m in fetch.mo_values(bytes(keys)))


def gathered(texts, names):
    """The paragraphs of each language, each once and none that is English."""
    lines = collections.defaultdict(dict)
    for name, paragraphs_of_one in texts:
        if code := code_of(name, names):
            lines[code] |= dict.fromkeys(p for p in paragraphs_of_one if sum(c.isalpha() for c in p) >= LEAST_LETTERS)
    english = lines["eng"]
    kept = {code: [p for p in own if code == "eng" or p not in english] for code, own in sorted(lines.items())}
    return {code: own for code, own in kept.items() if sum(map(len, own)) >= LEAST_TEXT}


def block(lines, length, chance):
    """Neighbouring lines of about this many characters."""
    at, text = chance.randrange(len(lines)), ""
    while len(text) < length:
        text += lines[at][: max(length - len(text), 40)] + "\n"
        at = (at + 1) % len(lines)
    return text


def pages(known):
    """Pages in one, two and three languages, each with at least a fifth of the text."""
    chance = random.Random(20261116)
    for code in known:
        for _ in range(PAGES):
            for kind, count, least, most in KINDS:
                languages = [code, *chance.sample([other for other in known if other != code], count - 1)]
                chance.shuffle(languages)
                parts = [1 + chance.random() for _ in languages]
                length = chance.randrange(least, most)
                blocks = [block(known[one], int(part / sum(parts) * length), chance) for one, part in zip(languages, parts)]
                yield {"kind": kind, "languages": languages, "text": "\n".join(blocks)}


def sentences(known):
    """The first sentences of paragraphs from all of the text, alone and three together."""
    for code, lines in known.items():
        own = list(dict.fromkeys(re.split(r"(?<=[.!?。।])\s", line)[0] for line in lines))
        own = [one for one in own if 15 <= sum(c.isalpha() for c in one) <= 120]
        own = own[:: max(1, len(own) // SENTENCES)][:SENTENCES]
        for one in own:
            yield {"kind": "one", "languages": [code], "text": one}
        for at in range(0, len(own) - 2, 3):
            yield {"kind": "three", "languages": [code], "text": " ".join(own[at : at + 3])}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--set", type=int, choices=HELP, default=max(HELP), help="which of the sets of packages")
    given = options.parse_args()
    folder = given.folder
    folder.mkdir(parents=True, exist_ok=True)
    names = codes()
    for name, texts in (("prose", prose), ("messages", messages)):
        known = gathered(texts(folder, given.set), names)
        for built, file in ((pages(known), name), (sentences(known), f"{name}-sentences")):
            with open(folder / f"{file}-{given.set}.jsonl", "w", encoding="utf-8") as output:
                for page in built:
                    output.write(json.dumps(page, ensure_ascii=False) + "\n")
        print(f"{name}: {len(known)} languages: {' '.join(known)}")


if __name__ == "__main__":
    main()
