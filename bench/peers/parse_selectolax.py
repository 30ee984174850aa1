"""lexbor, through selectolax: every page parsed into a tree. Like `parse-html` it reads the pages one by one."""

import os

from selectolax.lexbor import LexborHTMLParser

from measured import report


def pages(folder):
    for base, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            if name.endswith((".html", ".testhtml")):
                with open(os.path.join(base, name), "rb") as file:
                    page = file.read()
                LexborHTMLParser(page)
                yield page


report("lexbor-selectolax", pages)
