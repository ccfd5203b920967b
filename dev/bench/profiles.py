"""Measures one work of `bench profiles` in Python: `profiles.py WORK`.

Standard input has the number of lines, the lines, and then pairs of numbers, which are ranges of lines to process. Standard output
has the nanoseconds of CPU for each range. Wall time would include other work of a busy machine. An exception of a package is an
answer like others.
"""

import gc
import socket
import sys
import time
from collections.abc import Callable


def reject(*_: object) -> None:
    raise OSError


def each(form: Callable[[str], object]) -> Callable[[list[str]], None]:
    def work(urls: list[str]) -> None:
        for url in urls:
            try:
                form(url)
            except Exception:  # noqa: BLE001: any of them
                pass

    return work


match sys.argv[1]:
    case "surt":
        from surt import surt

        # surt resolves names that look like addresses.
        socket.gethostbyname = reject
        work = each(surt)
    case "w3lib":
        from w3lib.url import canonicalize_url

        work = each(canonicalize_url)
    case "scrapy":
        from scrapy import Request
        from scrapy.utils.request import fingerprint

        work = each(lambda url: fingerprint(Request(url)))
    case "urlid-calls":
        import urlid

        work = each(lambda url: urlid.canon(url, "surt-0.3.1"))
    case "urlid-list":
        import pyarrow
        import urlid.arrow

        def work(urls: list[str]) -> None:
            urlid.arrow.canon(pyarrow.array(urls), "surt-0.3.1")["canonical"].to_pyarrow().to_pylist()


lines = [next(sys.stdin).rstrip("\n") for _ in range(int(next(sys.stdin)))]
gc.disable()
for line in sys.stdin:
    first, end = map(int, line.split())
    urls = lines[first:end]
    start = time.process_time_ns()
    work(urls)
    print(time.process_time_ns() - start, flush=True)
