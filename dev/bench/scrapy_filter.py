"""Scrapy's filter of duplicate requests compared with urlid's, in a job directory: `python scrapy_filter.py [REQUESTS]`.

For a Python that has the wheel and Scrapy. Each filter is a separate process. It receives this many new requests and, as their
responses arrive, the report that they are done. Then it is closed and opened again, and receives the same requests. Prints the CPU
time with threads, in microseconds a request, without the time to make requests; the longest single call, in milliseconds; and the
peak of memory after reopening.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time

from scrapy import Request
from scrapy.dupefilters import RFPDupeFilter

import urlid.scrapy

FILTERS = {"Scrapy": RFPDupeFilter, "urlid": urlid.scrapy.DupeFilter}


def requests(count):
    return (Request(f"https://example.com/{number % 1000}/page?id={number}&x={number * 7919 % 1000}") for number in range(count))


def measure(name, path, count, turn):
    longest, cpu = 0.0, 0.0
    wall = time.monotonic()
    begun = time.process_time()
    made = FILTERS[name](path)
    opened, opened_cpu = time.monotonic() - wall, time.process_time() - begun
    for request in requests(count):
        start, start_cpu = time.monotonic(), time.process_time()
        seen = made.request_seen(request)
        if name == "urlid" and not seen:
            made.acknowledge(request)
        cpu += time.process_time() - start_cpu
        longest = max(longest, time.monotonic() - start)
        assert seen == (turn == "again")
    begun = time.process_time()
    made.close("finished")
    cpu += time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu_us": cpu / count * 1e6, "longest_ms": longest * 1e3, "open_s": opened, "open_cpu_s": opened_cpu, "peak_mib": peak}))


def main():
    count = int(sys.argv[1].replace("_", "")) if len(sys.argv) > 1 else 1_000_000
    if len(sys.argv) > 2:
        measure(sys.argv[2], sys.argv[3], count, sys.argv[4])
        return
    for name in FILTERS:
        with tempfile.TemporaryDirectory(dir=".") as path:
            for turn in ("new", "again"):
                command = [sys.executable, __file__, str(count), name, path, turn]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                figures = ", ".join(f"{what} {value:.3g}" for what, value in json.loads(done.stdout).items())
                print(f"{name}, {count} requests, {turn}: {figures}")


main()
