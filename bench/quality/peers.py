"""The Python peers over a list of pages: `peers.py TOOL` reads FILE<TAB>URL lines and prints a line of JSON a page."""

import json
import logging
import sys
from pathlib import Path


def trafilatura():
    from trafilatura import bare_extraction

    def page(html, url):
        found = bare_extraction(html, url=url, include_comments=False, with_metadata=True)
        if found is None:
            return {}
        fields = ("title", "author", "date", "language", "description")
        return {
            "text": found.text,
            "site_name": found.sitename,
            "canonical_url": found.url,
            "keywords": found.tags,
            **{field: getattr(found, field) for field in fields},
        }

    return page


def resiliparse():
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree

    def page(html, _url):
        tree = HTMLTree.parse(bytes_to_str(html, detect_encoding(html)))
        return {"text": extract_plain_text(tree, main_content=True, alt_texts=False, preserve_formatting=True), "title": tree.title}

    return page


def htmldate():
    from htmldate import find_date

    return lambda html, url: {"date": find_date(html, url=url, original_date=True, extensive_search=True)}


def main():
    logging.disable(logging.CRITICAL)
    page = {"trafilatura": trafilatura, "resiliparse": resiliparse, "htmldate": htmldate}[sys.argv[1]]()
    for line in sys.stdin:
        file, _, url = line.rstrip("\n").partition("\t")
        try:
            found = page(Path(file).read_bytes(), url or None)
        except Exception as error:  # a peer that fails on a page has no text for it; the run goes on
            found = {"error": repr(error)}
        print(json.dumps({"file": file, **found}))


if __name__ == "__main__":
    main()
