"""Prints the result of an implementation for each line of its input: `python oracle.py NAME`.

A line is a text or an answer, in which `\\\\`, `\\n` and `\\r` stand for a backslash, a line feed and a carriage return. `\\N`
stands for an error.
"""

import re
import socket
import sys
import warnings

if sys.version_info[:2] != (3, 11):
    sys.exit("the forms are frozen as CPython 3.11 gives them")


def reject(*_: object) -> None:
    raise OSError


# surt resolves names that look like addresses.
socket.gethostbyname = reject

match sys.argv[1]:
    case "surt-0.3.1":
        from surt import surt as form
    case "w3lib-2.5" | "w3lib-2.4":
        from w3lib.url import canonicalize_url as form
    case "crawlee-1.11" | "crawlee-1.11-keep-case" as name:
        import logging

        from crawlee._utils import requests

        logging.disable()
        form = requests.compute_unique_key
        if name.endswith("keep-case"):

            class KeepingCase(str):
                def lower(self) -> str:
                    return self

            # The function ends in `str(url).lower()`, which the fix makes `str(url)`.
            requests.str = KeepingCase
    case "host-cpython-3.11":
        from urllib.parse import urlsplit

        def form(url: str) -> str:
            return urlsplit(url).hostname or ""

    case "stix-url-2.1":
        from stix2 import URL

        def form(url: str) -> str:
            return URL(value=url).id

    case "virustotal-url":
        from vt import url_id as form
    case "url-normalize-3.1" | "url-normalize-2.2":
        warnings.simplefilter("ignore", DeprecationWarning)
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


ESCAPED = {"\\\\": "\\", "\\n": "\n", "\\r": "\r"}

for line in sys.stdin.buffer:
    text = line.removesuffix(b"\n").decode()
    if "\\" in text:
        text = re.sub(r"\\[\\nr]", lambda escape: ESCAPED[escape[0]], text)
    try:
        answer = form(text)
    except Exception:
        sys.stdout.buffer.write(b"\\N\n")
        continue
    answer = answer.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    sys.stdout.buffer.write(answer.encode("utf-8", "surrogateescape") + b"\n")
