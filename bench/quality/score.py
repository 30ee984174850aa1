"""What a page's outcome is worth: counts a page, and the figures of a set from them."""

import re
import unicodedata
from collections import Counter
from statistics import mean

SHINGLE = 4


def tokens(text):
    return re.findall(r"\w+", text or "")


def shingles(words):
    """Multiset of runs of four words; a shorter text is one run."""
    last = max(1, len(words) - SHINGLE + 1)
    return Counter(run for at in range(last) if (run := tuple(words[at : at + SHINGLE])))


def f1(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def ratio(part, whole):
    return part / whole if whole else 0.0


def score(page, found):
    """Everything the truth of a page allows to measure, and `main`: the one figure that ranks pages."""
    text = found.get("text") or ""
    scores = {}
    if page.must or page.must_not:
        scores["phrases"] = phrases(page, text)
        scores["main"] = counted_f1(scores["phrases"])
    if page.start:
        scores["start"] = start(page.start, text)
        scores["main"] = f1(*scores["start"])
    if page.text:
        scores["shingles"] = shingle_counts(page.text, text, page.optional)
        scores["words"] = bag_of_words(page.text, text)
        # WCXB ranks by words, the article sets by shingles.
        scores["main"] = f1(*scores["words"]) if page.kind else counted_f1(scores["shingles"])
    for name, judge in {"title": title, "author": author, "date": date}.items():
        if (truth := getattr(page, name)) is not None:
            scores[name] = judge(truth, found.get(name))
    return scores


def phrases(page, text):
    """True positives, false positives, false negatives, true negatives, as trafilatura counts them."""
    fold = phrase_fold(page)
    text = fold(text)
    good = sum(fold(phrase) in text for phrase in page.must)
    bad = sum(fold(phrase) in text for phrase in page.must_not)
    return good, bad, len(page.must) - good, len(page.must_not) - bad


def phrase_fold(page):
    """WCXB's phrases have straight quotes where its pages have curly ones; trafilatura's are as on the page."""
    return plain if page.kind else squeezed


def squeezed(text):
    return re.sub(r"\s+", " ", text).strip()


def counted_f1(counts):
    good, bad, missed = counts[:3]
    return ratio(2 * good, 2 * good + bad + missed)


def shingle_counts(truth, text, optional):
    """As article-extraction-benchmark counts, each page weighing the same."""
    wanted, got = shingles(tokens(truth)), shingles(tokens(text))
    good = (wanted & got).total()
    bad = (got - wanted - shingles(tokens(optional))).total()
    missed = (wanted - got).total()
    whole = good + bad + missed
    return (good / whole, bad / whole, missed / whole) if whole else (0.0, 0.0, 0.0)


def bag_of_words(truth, text):
    """Precision and recall of lower-cased words: WCXB's measure."""
    wanted, got = Counter(tokens(truth.lower())), Counter(tokens((text or "").lower()))
    good = (wanted & got).total()
    return ratio(good, got.total()), ratio(good, wanted.total())


def start(truth, text):
    """Precision and recall where only the start of the text is known.

    What comes after the last known run is not judged; what comes before the known text costs precision.
    """
    wanted, words = shingles(tokens(truth)), tokens(text)
    runs = [tuple(words[at : at + SHINGLE]) for at in range(max(1, len(words) - SHINGLE + 1))]
    firsts = {run: at for at, run in reversed(list(enumerate(runs)))}
    known = [firsts[run] for run in wanted if run in firsts]
    if not known:
        return 0.0, 0.0
    got = Counter(runs[: max(known) + 1])
    good = (wanted & got).total()
    return good / got.total(), good / wanted.total()


# The outcomes of a field, after htmldate's evaluation.
RIGHT, CLOSE, WRONG, MISSING, INVENTED, RIGHTLY_NONE = "right", "close", "wrong", "missing", "invented", "none"


def title(truth, found):
    if not (found := plain(found)):
        return MISSING
    truth = plain(truth)
    if found == truth:
        return RIGHT
    wanted, got = Counter(tokens(truth)), Counter(tokens(found))
    alike = ratio(2 * (wanted & got).total(), wanted.total() + got.total()) >= 0.8
    return CLOSE if alike or truth in found or found in truth else WRONG


def author(truth, found):
    truth, found = people(truth), people(found)
    if not truth:
        return INVENTED if found else RIGHTLY_NONE
    if not found:
        return MISSING
    if truth == found:
        return RIGHT
    words = [set(tokens(name)) for name in found]
    close = any(w and (set(tokens(name)) <= w or w <= set(tokens(name))) for name in truth for w in words)
    return CLOSE if close else WRONG


def people(author):
    """Names of a byline, in no order: `By Ann Lee and Bo Day; Cy` is three people."""
    lines = [author] if isinstance(author, str) else author or []
    parts = [part for line in lines for part in re.split(r"[;,&|/\n]|\s(?:and|und|et|y|og|och|e)\s", plain(line))]
    return {name for part in parts if (name := re.sub(r"^(?:by|von|par|por|di)\b:?\s*", "", part.strip()).strip())}


def date(truth, found):
    truth, found = day(truth), day(found)
    if not truth:
        return INVENTED if found else RIGHTLY_NONE
    return MISSING if not found else RIGHT if found == truth else WRONG


def day(text):
    """Day of a date as it is written, its time zone left alone."""
    if not text:
        return ""
    if match := re.match(r"\d{4}-\d{2}-\d{2}", text.strip()):
        return match[0]
    from dateutil import parser

    try:
        return parser.parse(text, ignoretz=True).date().isoformat()
    except (ValueError, OverflowError):
        return text


def plain(text):
    text = unicodedata.normalize("NFKC", text or "").casefold()
    text = re.sub(r"[‘’‚‛`´]", "'", re.sub(r"[“”„«»]", '"', re.sub(r"[‐‑‒–—―]", "-", text)))
    return squeezed(text)


def figures(pages, scores):
    """Measures of a set: name to value."""
    out = {}
    if counts := column(scores, "phrases"):
        good, bad, missed, kept_out = map(sum, zip(*counts))
        precision, recall = ratio(good, good + bad), ratio(good, good + missed)
        out |= {"phrases.precision": precision, "phrases.recall": recall, "phrases.f1": f1(precision, recall)}
        out["phrases.accuracy"] = ratio(good + kept_out, good + bad + missed + kept_out)
    if counts := column(scores, "shingles"):
        precision = mean_or_zero(ratio(g, g + b) for g, b, _ in counts if g + b)
        recall = mean_or_zero(ratio(g, g + m) for g, _, m in counts if g + m)
        out |= {"shingles.precision": precision, "shingles.recall": recall, "shingles.f1": f1(precision, recall)}
        out["shingles.mean_f1"] = mean(counted_f1(c) for c in counts)
    if pairs := column(scores, "words"):
        out["words.f1"] = mean(f1(*pair) for pair in pairs)
        for kind in sorted({page.kind for page in pages} - {""}):
            of_kind = [s["words"] for page, s in zip(pages, scores) if page.kind == kind]
            out[f"words.f1.{kind}"] = mean(f1(*pair) for pair in of_kind)
    if pairs := column(scores, "start"):
        out["start.precision"], out["start.recall"] = map(mean, zip(*pairs))
        out["start.f1"] = mean(f1(*pair) for pair in pairs)
    return out | metadata_figures(scores)


def metadata_figures(scores):
    """Measures of title, author and date: of a set, or of many sets together."""
    out = {}
    for name in ("title", "author", "date"):
        out |= field_figures(name, Counter(column(scores, name)))
    return out


def field_figures(name, outcomes):
    """F1 of right / wrong / missing where the truth knows a value; how often one is made up where it knows none."""
    known = sum(outcomes[o] for o in (RIGHT, CLOSE, WRONG, MISSING))
    if not known:
        return {}
    wrong, out = outcomes[CLOSE] + outcomes[WRONG], {}
    right = {f"{name}.f1": outcomes[RIGHT]}
    if name != "date":
        right[f"{name}.lenient_f1"] = outcomes[RIGHT] + outcomes[CLOSE]
    for measure, good in right.items():
        bad = outcomes[RIGHT] + wrong - good
        out[measure] = ratio(2 * good, 2 * good + bad + outcomes[MISSING])
    if name == "date":
        out["date.precision"] = ratio(outcomes[RIGHT], outcomes[RIGHT] + wrong)
        out["date.recall"] = ratio(outcomes[RIGHT], outcomes[RIGHT] + outcomes[MISSING])
    if absent := outcomes[INVENTED] + outcomes[RIGHTLY_NONE]:
        out[f"{name}.not_invented"] = ratio(outcomes[RIGHTLY_NONE], absent)
    return out


def column(scores, name):
    return [s[name] for s in scores if name in s]


def mean_or_zero(values):
    return mean(values) if (values := list(values)) else 0.0
