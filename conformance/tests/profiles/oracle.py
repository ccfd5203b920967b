"""Prints what an implementation makes of each line of its input: `python oracle.py NAME`. `\\N` stands for an error."""

import socket
import sys


def refuse(*_: object) -> None:
    raise OSError


# surt resolves names that look like addresses.
socket.gethostbyname = refuse

match sys.argv[1]:
    case "surt-0.3.1":
        from surt import surt as form
    case "w3lib-2.5" | "w3lib-2.4":
        from w3lib.url import canonicalize_url as form
    case "url-normalize-3.1":
        from url_normalize import url_normalize as form
    case "urlcanon-semantic-0.3.1":
        import urlcanon

        def form(url: str) -> str:
            return bytes(urlcanon.semantic(urlcanon.parse_url(url))).decode("utf-8", "surrogateescape")

    case _:
        from scrapy import Request
        from scrapy.utils.request import fingerprint

        def form(url: str) -> str:
            return fingerprint(Request(url)).hex()


for line in sys.stdin.buffer.read().decode().split("\n"):
    try:
        result = form(line)
    except Exception:
        result = "\\N"
    sys.stdout.buffer.write(result.encode("utf-8", "surrogateescape") + b"\n")
