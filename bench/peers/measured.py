"""The line of JSON of a run, as src/measure.rs and src/touch.rs define it."""

import json
import os
import resource
import sys
import time

STRIDE = 4096
MASK = (1 << 64) - 1


def peak_rss_kb():
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def report(tool, payloads):
    """Takes every payload that payloads(path) yields and prints the run. Arguments: TASK FILE."""
    task, path = sys.argv[1:]
    began = time.monotonic()
    records = length = total = 0
    for payload in payloads(path):
        records += 1
        if payload:
            length += len(payload)
            total += (len(payload) << 16) + (payload[-1] << 8) + sum(payload[::STRIDE])
    wall_seconds = time.monotonic() - began
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({
        "tool": tool,
        "task": task,
        "file": os.path.basename(path),
        "records": records,
        "bytes": length,
        "digest": f"{total & MASK:016x}",
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "wall_seconds": wall_seconds,
        "peak_rss_kb": peak_rss_kb(),
    }))
