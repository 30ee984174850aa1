"""The simulated web, for programs that crawl it."""

import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"


def build(library=False):
    """Builds the crawler and the web, and makes the folder that crawls go to. With `library`, the examples of the crate that crawls
    in the place of the whole program, which takes ten times as long to build."""
    cargo = ["cargo", "build", "--release", "--locked", "--quiet"]
    crawler = ["-p", "tamis-crawl", "--example", "crawl_cost", "--example", "bare_loop"] if library else []
    subprocess.run([*cargo, *crawler], cwd=ROOT, check=True)
    subprocess.run([*cargo, "-p", "tamis-sim"], cwd=ROOT, check=True)
    (ROOT / "target/bench").mkdir(parents=True, exist_ok=True)


class Web:
    """A simulated web that is served for as long as the `with` lasts; then `audit` says what its visitors did."""

    def __init__(self, folder, *options):
        self.folder, self.options, self.audit = folder, options, {}

    def __enter__(self):
        hosts, seeds = self.folder / "hosts", self.folder / "seeds"
        command = [PROGRAMS / "tamis-sim", *self.options, "--hosts-file", hosts, "--seeds", seeds]
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 120
        while not hosts.exists() or not hosts.read_text().endswith("\n"):
            if time.monotonic() > deadline or self.process.poll() is not None:
                sys.exit("the simulated web does not start")
            time.sleep(0.05)
        self.seed = seeds.read_text().split()[0]
        self.proxy = "http://" + hosts.read_text().split()[0]
        return self

    def __exit__(self, *_):
        out, _ = self.process.communicate()
        self.audit = json.loads(out)
