#!/usr/bin/env python3
"""Makes the corpus of the order and pack benches: one WARC in the order in which a crawler would have met its pages.

    crawl_corpus.py DATA OUT.warc.gz      DATA: the unpacked test data (target/data)

One response record a page: all pages under DATA/html, and all responses of the archives under DATA/warc (each URL with
its bytes once, none above 8 MB: one of them is a bomb). A page has the URL that the data say it has: its set's list, the
file beside it, its canonical address, and only then one made from its path. Hosts take turns, as a polite crawler lets
them: the hosts and the pages of each are shuffled with a fixed seed, then each round takes one page of every host that
has some left. A gzip member a record (zlib, level 6), WARC/1.1. The same data give the same bytes.

Needs warcio. Prints what it made as JSON.
"""

import contextlib
import gzip
import hashlib
import io
import json
import os
import random
import re
import sys
import uuid
import zlib
from collections import defaultdict
from pathlib import Path
from urllib.parse import quote, urlsplit

from warcio.archiveiterator import ArchiveIterator

SEED = 20261116
LARGEST_BYTES = 8_000_000
PAGES = (".html", ".testhtml", ".html.gz")
ARCHIVES = re.compile(r"\.(warc|arc)(\.gz)?$")
CANONICAL = re.compile(rb'<(?:link|meta)\b[^>]*?(?:rel|property)=["\']?(?:canonical|og:url)["\']?[^>]*>', re.I)
ADDRESS = re.compile(rb'(?:href|content)=["\']?(https?://[!-~]+?)["\'\s>]', re.I)
SERVERS = ("nginx", "Apache/2.4.58 (Ubuntu)", "cloudflare", "Microsoft-IIS/10.0", "LiteSpeed")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    data, out = Path(sys.argv[1]), Path(sys.argv[2])
    with contextlib.redirect_stderr(io.StringIO()):  # warcio tells of each damaged record
        captures = list(pages(data)) + list(archived(data / "warc"))
    if not captures:
        sys.exit(f"{data}: no pages; unpack the test data there first")
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_name(out.name + ".part")
    plain = hashlib.sha1()
    sizes = {"plain_bytes": 0, "gzip_bytes": 0}
    with open(part, "wb") as file:
        for number, (url, block) in enumerate(in_turns(captures)):
            record = response(number, url, block() if callable(block) else block)
            member = pack(record)
            file.write(member)
            plain.update(record)
            sizes["plain_bytes"] += len(record)
            sizes["gzip_bytes"] += len(member)
    os.replace(part, out)
    hosts = len({host(url) for url, _ in captures})
    print(json.dumps({"records": len(captures), "hosts": hosts, **sizes, "plain_sha1": plain.hexdigest()}))


def pages(data):
    """URL and block (a function: read when it is written) of each page of the HTML sets."""
    root = data / "html"
    listed = trafilatura_urls(data)
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if not path.name.endswith(PAGES) or path.name == "expected.html":
            continue
        body = read(path)
        url = listed.get(path.name) if name.startswith("trafilatura") else beside(path)
        url = url or by_site(name) or canonical(body) or made_up(name)
        if 0 < len(body) <= LARGEST_BYTES:
            yield url, lambda path=path, url=url: http(url, read(path))


def read(path):
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def trafilatura_urls(data):
    path = data / "_split/trafilatura-evaldata.dev.json"
    if not path.exists():
        return {}
    return {
        entry["file"]: url.replace(" ", "%20") for url, entry in json.loads(path.read_text()).items()
    }


def beside(path):
    """The address in the JSON beside a page, or in that of the ground truth with its name."""
    stem = path.name.split(".html")[0].split(".testhtml")[0]
    for side in (path.with_name(stem + ".json"), path.parent.parent / "ground-truth" / f"{stem}.json"):
        if side.exists():
            try:
                fields = json.loads(side.read_text())
            except ValueError:
                continue
            for key in ("url", "canonical_url", "final_url"):
                url = fields.get(key) if isinstance(fields, dict) else None
                if isinstance(url, str) and url.startswith(("http://", "https://")) and fit(url):
                    return url
    return None


def by_site(name):
    """Pages whose path is their address: a mirror of one site, and files named after their host."""
    mirror = "apt-cppreference/usr/share/cppreference/doc/html/"
    if name.startswith(mirror):
        language, _, path = name[len(mirror):].removesuffix(".html").partition("/")
        return f"https://{language}.cppreference.com/w/{quote(path)}"
    if name.startswith("postlight-parser/"):
        site, _, rest = name.split("/")[-1].removesuffix(".html").partition("--")
        return f"https://{site}/{quote(rest)}" if "." in site else None
    return None


def canonical(body):
    for tag in CANONICAL.finditer(body):
        if address := ADDRESS.search(tag.group()):
            return address.group(1).decode("ascii").replace("&amp;", "&")
    return None


def made_up(name):
    site, _, rest = name.partition("/")
    return f"https://www.{site}.example/{quote(rest)}"


def archived(root):
    """URL and block of each HTTP response in the archives, as it stands there."""
    seen = set()
    for path in sorted(root.rglob("*")):
        if not path.is_file() or not ARCHIVES.search(path.name):
            continue
        try:
            for url, block in responses(path):
                key = (url, hashlib.sha1(block).digest())
                if key not in seen:
                    seen.add(key)
                    yield url, block
        except Exception:  # Damaged on purpose, many of them: what stood before the damage is taken.
            continue


def responses(path):
    with open(path, "rb") as file:
        for record in ArchiveIterator(file, no_record_parse=True, arc2warc=True):
            url = record.rec_headers.get_header("WARC-Target-URI") or ""
            if record.rec_type != "response" or not url.startswith(("http://", "https://")) or not fit(url):
                continue
            block = record.raw_stream.read(LARGEST_BYTES + 1)
            if block.startswith(b"HTTP/") and len(block) <= LARGEST_BYTES:
                yield url, block


def fit(url):
    """Whether the address can stand in a WARC head as it is."""
    return bool(re.fullmatch(r"[!-~]+", url)) and bool(host(url))


def host(url):
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def in_turns(captures):
    dice = random.Random(SEED)
    by_host = defaultdict(list)
    for capture in captures:
        by_host[host(capture[0])].append(capture)
    hosts = sorted(by_host)
    dice.shuffle(hosts)
    for name in hosts:
        dice.shuffle(by_host[name])
    while hosts:
        for name in hosts:
            yield by_host[name].pop()
        hosts = [name for name in hosts if by_host[name]]


def http(url, body):
    """The page behind a head as its host would send it: what stays the same for a host, and what does not."""
    site, page = zlib.crc32(host(url).encode()), zlib.crc32(url.encode())
    head = (
        f"HTTP/1.1 200 OK\r\nDate: Mon, {1 + page % 28:02} Jan 2026 {page % 24:02}:{page % 60:02}:{page % 59:02} GMT\r\n"
        f"Content-Type: text/html; charset=UTF-8\r\nServer: {SERVERS[site % 5]}\r\nVary: Accept-Encoding\r\n"
        f"Cache-Control: max-age={site % 86400}\r\nETag: W/\"{page:08x}\"\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def response(number, url, block):
    minutes = number * 2
    date = f"2026-01-{1 + minutes // 1440 % 31:02}T{minutes // 60 % 24:02}:{minutes % 60:02}:{number * 7 % 60:02}Z"
    name = uuid.UUID(bytes=hashlib.sha1(f"{number}".encode()).digest()[:16])
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n"
        f"WARC-Record-ID: <urn:uuid:{name}>\r\nContent-Type: application/http;msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def pack(record):
    member = io.BytesIO()
    with gzip.GzipFile(fileobj=member, mode="wb", compresslevel=6, mtime=0) as file:
        file.write(record)
    return member.getvalue()


if __name__ == "__main__":
    main()
