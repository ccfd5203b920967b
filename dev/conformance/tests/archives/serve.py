"""Serves a page from each collection of the present folder with pywb, and prints the collections that gave it.

Arguments: the time, and for each collection, in the order of their names, a URL and a text that its page has.
"""

import os
import sys
import urllib.request

from server import answer, pywb

when, *wanted = sys.argv[1:]
with pywb() as address:
    for name, url, expected in zip(sorted(os.listdir("collections")), wanted[::2], wanted[1::2], strict=True):
        page = answer(urllib.request.Request(f"{address}/{name}/{when}id_/{url}")).decode()
        print(name if expected in page else f"{name}: {page[:200]!r}")
