"""Reads the archives of a folder with one other tool. Run by scripts/interop.

Every archive must be read to its end without a complaint, every digest that the tool can check must be right, and
where the folder has an expected.jsonl (file, offset, length, id, uri a line) the records must lie where it says.
"""

import io
import json
import pathlib
import subprocess
import sys


def archives(folder, suffixes):
    return [path for path in sorted(folder.iterdir()) if path.name.endswith(suffixes)]


def expected(folder, path):
    """The records that the writer told of, or None where it told nothing."""
    manifest = folder / "expected.jsonl"
    if not manifest.exists():
        return None
    lines = [json.loads(line) for line in manifest.read_text("utf-8").splitlines()]
    return [line for line in lines if line["file"] == path.name] or None


def stored_length(path, length):
    """warcio and what is built on it do not count the two line ends that close a record of a plain file."""
    return length - 4 if path.name.endswith(".warc") else length


def same(what, found, wanted):
    if wanted is not None and found != wanted:
        first = next((pair for pair in zip(found, wanted) if pair[0] != pair[1]), (len(found), len(wanted)))
        return [f"{what} differ: found {first[0]}, expected {first[1]}"]
    return []


def plain_stream(path):
    """warcio does not know zstd: the frames are opened for it, with the dictionary of the first one."""
    data = path.read_bytes()
    if not path.name.endswith(".zst"):
        return io.BytesIO(data)
    try:
        import zstandard
    except ImportError:
        return None
    dictionary = None
    if data[:4] == b"\x5d\x2a\x4d\x18":
        end = 8 + int.from_bytes(data[4:8], "little")
        content, data = data[8:end], data[end:]
        if content[:4] == b"\x28\xb5\x2f\xfd":
            content = zstandard.ZstdDecompressor().decompress(content)
        dictionary = zstandard.ZstdCompressionDict(content)
    decompressor = zstandard.ZstdDecompressor(dict_data=dictionary)
    reader = decompressor.stream_reader(io.BytesIO(data), read_across_frames=True)
    return io.BytesIO(reader.read())


def check_warcio(folder, path):
    from warcio.archiveiterator import ArchiveIterator

    stream = plain_stream(path)
    if stream is None:
        return None
    complaints, found = [], []
    is_stored = not path.name.endswith(".zst")
    iterator = ArchiveIterator(stream, check_digests=True)
    for record in iterator:
        headers = record.rec_headers
        content = record.content_stream().read()
        checker = record.digest_checker
        if path.name.startswith("decoded") and record.rec_type == "response" and not content.startswith(b"<title>Page "):
            complaints.append(f"{headers.get_header('WARC-Target-URI')}: is not decoded: {content[:20]}")
        if checker.passed is False:
            complaints.append(f"{headers.get_header('WARC-Record-ID')}: {checker.problems}")
        place = (iterator.get_record_offset(), iterator.get_record_length()) if is_stored else None
        found.append((place, headers.get_header("WARC-Record-ID")))
    wanted = expected(folder, path)
    if wanted is not None:
        wanted = [((r["offset"], stored_length(path, r["length"])) if is_stored else None, r["id"]) for r in wanted]
    if is_stored:
        done = subprocess.run([sys.executable, "-m", "warcio.cli", "check", path], capture_output=True, text=True)
        if done.returncode or done.stdout or done.stderr:
            complaints.append(f"warcio check: {done.stdout}{done.stderr}")
    return complaints + same("records", found, wanted)


def check_fastwarc(folder, path):
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    complaints, found = [], []
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream, parse_http=False):
            if not record.verify_block_digest():
                complaints.append(f"{record.record_id}: block digest")
            found.append(record.headers["WARC-Record-ID"])
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream, parse_http=True, record_types=WarcRecordType.response):
            # FastWARC takes the payload of an HTTP message alone for a payload.
            if record.is_http and not record.verify_payload_digest():
                complaints.append(f"{record.record_id}: payload digest")
    wanted = expected(folder, path)
    return complaints + same("records", found, wanted and [r["id"] for r in wanted])


def places(folder, path, lines):
    """Each line of an index must name a place that the writer told of."""
    wanted = expected(folder, path)
    if wanted is None:
        return []
    known = {(str(r["offset"]), str(stored_length(path, r["length"]))) for r in wanted}
    indexed = [json.loads(line.split(" ", 2)[2]) for line in lines]
    if not indexed:
        return ["nothing was indexed"]
    return [f"no record lies at {e['offset']}" for e in indexed if (e["offset"], e["length"]) not in known]


def check_cdxj_indexer(folder, path):
    command = [sys.executable, "-c", "from cdxj_indexer.main import main; main()", path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode or done.stderr:
        return [done.stderr or f"exit code {done.returncode}"]
    return places(folder, path, done.stdout.splitlines())


def check_pywb(folder, path):
    from pywb.warcserver.resource.blockrecordloader import BlockArcWarcRecordLoader

    command = [sys.executable, "-c", "from pywb.indexer.cdxindexer import main; main()", "-j", path]
    done = subprocess.run(command, capture_output=True, text=True)
    # pywb's own use of an old setuptools interface warns; that is not about the archive.
    stderr = [line for line in done.stderr.splitlines() if "pkg_resources" not in line]
    if done.returncode or stderr:
        return ["\n".join(stderr) or f"exit code {done.returncode}"]
    lines = done.stdout.splitlines()
    complaints = places(folder, path, lines)
    loader = BlockArcWarcRecordLoader()
    for line in lines:
        entry = json.loads(line.split(" ", 2)[2])
        record = loader.load(str(path), int(entry["offset"]), int(entry["length"]))
        if record.rec_headers.get_header("WARC-Target-URI") != entry["url"]:
            complaints.append(f"offset {entry['offset']}: another target than {entry['url']}")
    return complaints


PEERS = {
    "warcio": (check_warcio, (".warc", ".warc.gz", ".warc.zst")),
    "fastwarc": (check_fastwarc, (".warc", ".warc.gz", ".warc.zst")),
    "cdxj_indexer": (check_cdxj_indexer, (".warc", ".warc.gz")),
    "pywb": (check_pywb, (".warc", ".warc.gz")),
}


def main():
    peer, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    check, suffixes = PEERS[peer]
    paths = archives(folder, suffixes)
    bad = skipped = 0
    for path in paths:
        try:
            complaints = check(folder, path)
        except Exception as error:  # whatever a tool throws is its complaint
            complaints = [f"{type(error).__name__}: {str(error).strip()}"]
        if complaints is None:
            skipped += 1
            continue
        bad += bool(complaints)
        for complaint in complaints[:5]:
            print(f"{peer}: {path}: {complaint}")
    print(f"{peer}: {len(paths) - bad - skipped} archives sound, {bad} not, {skipped} skipped")
    return 1 if bad or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
