"""FastWARC for Python: WARC and HTTP heads parsed, every payload read whole.

Given the path and not a file object it does its own reading, which is its fastest way.
"""

from fastwarc.warc import ArchiveIterator

from measured import report


def payloads(path):
    for record in ArchiveIterator(path, parse_http=True):
        yield record.reader.read()


report("fastwarc-1.1-python", payloads)
