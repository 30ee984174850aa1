"""The pages where a tool loses most against the best peer, with the texts to read."""

import shutil

from score import phrase_fold, shingles, tokens
from tools import SILENT

RANK = {"right": 1.0, "none": 1.0, "close": 0.6, "missing": 0.2, "invented": 0.0, "wrong": 0.0}


def show(name, pages, results, options, folder):
    """Prints the list; for texts, a folder a page with truth, texts, what is missing and what is too much."""
    subject = results.get(options.subject)
    if subject is None:
        return
    field = "text" if options.by == "main" else options.by
    peers = {tool: r for tool, r in results.items() if tool != options.subject and field not in SILENT.get(tool, ())}
    losses = []
    for at, page in enumerate(pages):
        own = value(subject["scores"][at], options.by)
        rivals = {tool: v for tool, r in peers.items() if (v := value(r["scores"][at], options.by)) is not None}
        if own is None or not rivals or options.kind not in (None, page.kind):
            continue
        best = max(rivals, key=rivals.get)
        losses.append((rivals[best] - own, own, best, page))
    losses.sort(key=lambda loss: (-loss[0], loss[1], loss[3].id))
    print(f"{name}: {options.subject} loses most by {options.by}")
    shutil.rmtree(folder / name, ignore_errors=True)
    for rank, (loss, own, best, page) in enumerate(losses[: options.worst], 1):
        print(f"{rank:3} {own:.3f} against {own + loss:.3f} of {best:12} {page.kind:13} {page.file}")
        answer = {tool: r["found"].get(str(page.file), {}) for tool, r in results.items()}
        if options.by == "main":
            target = folder / name / f"{rank:03}-{page.id}"
            dump(target, page, answer, options.subject)
            print(f"    {target}")
        else:
            print(f"    truth {getattr(page, options.by)!r}")
            for tool in (options.subject, best):
                rule = f" ({answer[tool]['date_rule']})" if options.by == "date" and answer[tool].get("date_rule") else ""
                print(f"    {tool} {answer[tool].get(options.by)!r}{rule}")
    print()


def value(scores, by):
    found = scores.get(by)
    return RANK[found] if isinstance(found, str) else found


def dump(target, page, answer, subject):
    target.mkdir(parents=True)
    for tool, found in answer.items():
        if tool != "htmldate":
            (target / f"{tool}.txt").write_text(found.get("text") or "")
    (target / "page.html").symlink_to(page.file)
    text = answer[subject].get("text") or ""
    truth = page.text or page.start or ""
    if truth:
        (target / "truth.txt").write_text(truth)
        (target / "missing.txt").write_text(strange_lines(truth, text))
    if page.text:
        (target / "too-much.txt").write_text(strange_lines(text, truth + "\n" + page.optional))
    if page.must or page.must_not:
        fold = phrase_fold(page)
        lines = [f"{'has' if fold(p) in fold(text) else 'LACKS'}: {p}" for p in page.must]
        lines += [f"{'HAS BUT MUST NOT' if fold(p) in fold(text) else 'has not'}: {p}" for p in page.must_not]
        (target / "phrases.txt").write_text("\n".join(lines) + "\n")


def strange_lines(text, other):
    """Lines of a text of which less than half is in the other."""
    known = shingles(tokens(other))
    lines = [line for line in text.splitlines() if (runs := shingles(tokens(line))) and sum(run in known for run in runs) * 2 < len(runs)]
    return "".join(f"{line}\n" for line in lines)
