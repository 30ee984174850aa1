#!/usr/bin/env python3
"""Compares the CDX answers of `tamis serve` and pywb for the same archives, and the median time of a look-up (wall and CPU).

    compare.py TAMIS PYWB_VENV WARC...

Both servers listen on 127.0.0.1 in a temporary folder. Exits with 1 if an answer differs.
"""
import http.client, json, os, shutil, socket, statistics, subprocess, sys, tempfile, time, urllib.parse

FIELDS = ["urlkey", "timestamp", "url", "mime", "status", "digest", "length", "offset", "filename"]
ROUNDS = 5


def get(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response.status, body


def wait(port, path):
    for _ in range(600):
        try:
            if get(port, path)[0] != 503:
                return
        except OSError:
            pass
        time.sleep(0.1)
    sys.exit(f"no server on {port}")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def cpu(pid):
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rows(body):
    lines = [json.loads(line) for line in body.decode().splitlines() if line.strip()]
    return [tuple(str(line.get(field, "-")) for field in FIELDS) for line in lines]


def main():
    tamis, venv, *warcs = sys.argv[1:]
    folder = tempfile.mkdtemp()
    run = lambda *words: subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run(f"{venv}/bin/wb-manager", "init", "test")
    run(f"{venv}/bin/wb-manager", "add", "test", *[os.path.abspath(warc) for warc in warcs])
    # The indexers differ in statuses of DNS records and in how digests are written; here both servers ask the same lines.
    index = f"{folder}/collections/test/indexes/index.cdxj"
    run(tamis, "warc", "index", *[os.path.abspath(warc) for warc in warcs], "-o", index, "--force")
    with open(index) as f:
        entries = [line.split(" ", 2) for line in f]
    urls = sorted({json.loads(rest)["url"] for _, _, rest in entries})
    ours, theirs = free_port(), free_port()
    servers = [
        subprocess.Popen([tamis, "serve", *warcs, "--listen", f"127.0.0.1:{ours}"], stdout=subprocess.DEVNULL),
        subprocess.Popen([f"{venv}/bin/wayback", "-p", str(theirs), "-b", "127.0.0.1"], cwd=folder,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL),
    ]
    try:
        name = "archives" if len(warcs) > 1 else os.path.basename(warcs[0]).split(".")[0]
        quoted = [urllib.parse.quote(url, safe="") for url in urls]
        base = [f"/c/{name}/cdx", "/test/cdx"]
        wait(ours, base[0] + "?url=a"), wait(theirs, base[1] + "?url=a")
        hosts = sorted({urllib.parse.urlsplit(url).hostname or "" for url in urls} - {""})
        queries = [f"url={url}" for url in quoted]
        for host in hosts:
            queries += [f"url={host}&matchType={kind}" for kind in ("host", "domain", "prefix")]
            queries += [f"url={host}/*&{more}" for more in (
                "limit=3", "from=2014&to=2014", "filter=status:200", "filter==status:200", "filter=!~status:[45]..",
                "filter=mime:html&limit=5", "filter=~mime:image/.*", "sort=reverse&limit=4")]
        for url in quoted[:200]:
            queries += [f"url={url}&closest=20140101&sort=closest&limit=2"]
        differ = 0
        for query in queries:
            answers = [get(port, f"{path}?{query}&output=json") for port, path in ((ours, base[0]), (theirs, base[1]))]
            a, b = [sorted(rows(body)) if status == 200 else status for status, body in answers]
            if a != b:
                differ += 1
                if differ <= 10:
                    print("differs:", query)
                    print("  ours only:  ", [row for row in a if row not in b][:2] if isinstance(a, list) else a)
                    print("  theirs only:", [row for row in b if row not in a][:2] if isinstance(b, list) else b)
        print(f"{len(queries)} queries, {differ} differ")
        for server, port, path, label in ((servers[0], ours, base[0], "tamis"), (servers[1], theirs, base[1], "pywb")):
            before, walls = cpu(server.pid), []
            for _ in range(ROUNDS):
                for url in quoted:
                    start = time.perf_counter()
                    get(port, f"{path}?url={url}")
                    walls.append(time.perf_counter() - start)
            used = cpu(server.pid) - before
            print(f"{label}: {len(walls)} look-ups, median {statistics.median(walls) * 1000:.2f} ms wall, "
                  f"{used / len(walls) * 1000:.3f} ms CPU each")
    finally:
        for server in servers:
            server.terminate()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if differ else 0)


main()
