"""Makes the requests in a WARC file again, of pywb, and prints how many got the recorded answer from each collection of the present
folder, and as errors which did not.

Argument: the WARC file.
"""

import os
import sys
import urllib.request

from server import answer, pywb
from warcio.archiveiterator import ArchiveIterator

records = []
with open(sys.argv[1], "rb") as file:
    for record in ArchiveIterator(file):
        records.append((record, record.content_stream().read()))
requests = {record.rec_headers["WARC-Concurrent-To"]: (record, body) for record, body in records if record.rec_type == "request"}
with pywb() as address:
    for name in sorted(os.listdir("collections")):
        found = 0
        for record, expected in records:
            request, body = requests.get(record.rec_headers["WARC-Record-ID"], (None, b""))
            if record.rec_type != "response" or request is None:
                continue
            method, url = request.http_headers.protocol, record.rec_headers["WARC-Target-URI"]
            # The bodies of other methods are not part of their keys.
            again = urllib.request.Request(f"{address}/{name}/id_/{url}", data=body if method in ("POST", "PUT") else None, method=method)
            media_type = request.http_headers["Content-Type"]
            # Without a type, `urllib` declares a form.
            again.add_header("Content-Type", media_type or "")
            got = answer(again)
            if got == expected:
                found += 1
            else:
                print(f"{name}: {method} {url} {media_type}: {got[:200]!r}", file=sys.stderr)
        print(f"{name}: {found}")
