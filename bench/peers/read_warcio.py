"""warcio: WARC and HTTP heads parsed, every payload read whole."""

from warcio.archiveiterator import ArchiveIterator

from measured import report


def payloads(path):
    with open(path, "rb") as archive:
        for record in ArchiveIterator(archive):
            yield record.content_stream().read()


report("warcio", payloads)
