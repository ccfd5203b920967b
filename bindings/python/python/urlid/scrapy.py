"""Request fingerprints that do not move when w3lib does, and a filter of duplicate requests that keeps them.

In the settings of a project:

    REQUEST_FINGERPRINTER_CLASS = "urlid.scrapy.RequestFingerprinter"
    DUPEFILTER_CLASS = "urlid.scrapy.DupeFilter"
    URLID_FINGERPRINT = "scrapy-2.7/w3lib-2.4"  # what an old job directory holds; by default scrapy-2.7/w3lib-2.5

With `JOBDIR`, the fingerprints are in a table of `requests.sqlite` there. A `requests.seen` that Scrapy left is imported.

The filter replaces Scrapy's own fingerprinter by that of urlid. Any other `REQUEST_FINGERPRINTER_CLASS` is used as it is; the job directory
records its import path, and a crawl with another one is refused.

A request is pending until its response has arrived. What is pending when a crawl is killed is forgotten by the next one, so that these
requests are made again where they are met again: each is made at least once.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from urlid import scrapy_fingerprint
from urlid._extra import extra

with extra("scrapy"):
    from scrapy import signals
    from scrapy.dupefilters import RFPDupeFilter
    from scrapy.utils.job import job_dir
    from scrapy.utils.request import RequestFingerprinter as _ScrapysFingerprinter

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.utils.request import RequestFingerprinterProtocol

__all__ = ["DupeFilter", "RequestFingerprinter"]

DEFAULT = "scrapy-2.7/w3lib-2.5"

class RequestFingerprinter:
    """The fingerprints of Scrapy's own class, by the name in the setting `URLID_FINGERPRINT`."""

    def __init__(self, name: str = DEFAULT) -> None:
        scrapy_fingerprint("http://h/", name)  # An unknown name is an error now.
        self.name = name

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RequestFingerprinter:
        """Makes the fingerprinter of a project."""
        return cls(crawler.settings.get("URLID_FINGERPRINT", DEFAULT))

    def fingerprint(self, request: Request) -> bytes:
        """Returns the fingerprint of a request, of 20 bytes: of its method, canonical URL and body."""
        if request.meta.get("verbatim_url"):
            return _of_verbatim_url(request)
        return scrapy_fingerprint(request.url, self.name, method=request.method, body=request.body)


class DupeFilter(RFPDupeFilter):
    """Scrapy's filter with its fingerprints in SQLite: a job directory has one name of fingerprints, which it keeps."""

    # Changes of one transaction: a crawl that is killed loses at most so many, and repeats their requests.
    _BATCH = 1000

    def __init__(
        self, path: str | None = None, debug: bool = False, *, fingerprinter: RequestFingerprinterProtocol | None = None
    ) -> None:
        super().__init__(None, debug, fingerprinter=fingerprinter or RequestFingerprinter())
        self._uncommitted = 0
        self._seen = sqlite3.connect(Path(path, "requests.sqlite") if path else ":memory:")
        self._seen.execute("PRAGMA journal_mode = WAL")
        with self._seen:
            self._seen.execute("CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
            for table in ("requests", "pending"):
                self._seen.execute(f"CREATE TABLE IF NOT EXISTS {table} (fingerprint BLOB PRIMARY KEY) WITHOUT ROWID")
            self._check_fingerprinter()
            # Requests still pending here were never answered: the crawl was killed. They count as not seen.
            self._seen.execute("DELETE FROM requests WHERE fingerprint IN (SELECT fingerprint FROM pending)")
            self._seen.execute("DELETE FROM pending")
            if path:
                self._import(Path(path, "requests.seen"))

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DupeFilter:
        """Makes the filter of a project."""
        fingerprinter = crawler.request_fingerprinter
        # Only Scrapy's class itself: a class derived from it may identify requests differently.
        if type(fingerprinter) is _ScrapysFingerprinter:
            fingerprinter = RequestFingerprinter.from_crawler(crawler)
        dupe_filter = cls(
            job_dir(crawler.settings), crawler.settings.getbool("DUPEFILTER_DEBUG"), fingerprinter=fingerprinter
        )
        crawler.signals.connect(dupe_filter._on_response, signal=signals.response_received)
        return dupe_filter

    def request_seen(self, request: Request) -> bool:
        """Returns whether the request was seen before, and adds it as pending."""
        fingerprint = self.fingerprinter.fingerprint(request)
        if not self._change("INSERT OR IGNORE INTO requests VALUES (?)", fingerprint):
            return True
        self._change("INSERT OR IGNORE INTO pending VALUES (?)", fingerprint)
        return False

    def pending(self) -> list[bytes]:
        """Returns the fingerprints of requests that are added and not acknowledged."""
        return [row[0] for row in self._seen.execute("SELECT fingerprint FROM pending")]

    def acknowledge(self, request: Request) -> None:
        """Counts a request as done. A crawl does that when the response arrives."""
        self._change("DELETE FROM pending WHERE fingerprint = ?", self.fingerprinter.fingerprint(request))

    def _on_response(self, request: Request) -> None:
        self.acknowledge(request)
        # Scrapy sends this signal only for the last response of a chain of redirections.
        for url in request.meta.get("redirect_urls", ()):
            self.acknowledge(request.replace(url=url))

    def _change(self, statement: str, fingerprint: bytes) -> bool:
        """Runs a statement, and returns whether it changed a row."""
        changed = self._seen.execute(statement, (fingerprint,)).rowcount
        self._uncommitted += changed
        if self._uncommitted >= self._BATCH:
            self._seen.commit()
            self._uncommitted = 0
        return changed > 0

    def close(self, reason: str) -> None:
        """Keeps what was seen: of a crawl that ends by itself nothing is pending, and the queue of one that is stopped is kept by Scrapy."""
        self._seen.execute("DELETE FROM pending")
        self._seen.commit()
        self._seen.close()

    def _check_fingerprinter(self) -> None:
        """Records what the fingerprints are, or compares it with what is recorded."""
        found = _name_of(self.fingerprinter)
        stored = self._get("fingerprint")
        if stored is None:
            self._set("fingerprint", found)
        elif stored != found:
            settings = "REQUEST_FINGERPRINTER_CLASS or URLID_FINGERPRINT"
            raise ValueError(f"the job directory holds fingerprints {stored}, found {found}: set {settings}")

    def _import(self, old: Path) -> None:
        """Adds the fingerprints of Scrapy's own filter, once."""
        if old.exists() and self._get("imported") is None:
            rows = ((fingerprint,) for fingerprint in _read_seen(old.read_bytes()))
            self._seen.executemany("INSERT OR IGNORE INTO requests VALUES (?)", rows)
            self._set("imported", old.name)

    def _get(self, key: str) -> str | None:
        row = self._seen.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def _set(self, key: str, value: str) -> None:
        self._seen.execute("INSERT INTO meta VALUES (?, ?)", (key, value))


def _name_of(fingerprinter: RequestFingerprinterProtocol) -> str:
    """Returns the name of urlid's fingerprints, or the import path of another class."""
    if type(fingerprinter) is RequestFingerprinter:
        return fingerprinter.name
    kind = type(fingerprinter)
    return f"{kind.__module__}.{kind.__qualname__}"


def _read_seen(data: bytes) -> Iterator[bytes]:
    """Reads `requests.seen`: lengths of two bytes and fingerprints, or until Scrapy 2.14 lines of digits."""
    if data[:1] != b"\0":
        for line in data.split():
            try:
                yield bytes.fromhex(line.decode())
            except ValueError:
                return  # Cut off when the crawl was killed.
        return
    start = 0
    while start + 2 <= len(data):
        length = int.from_bytes(data[start : start + 2], "big")
        fingerprint = data[start + 2 : start + 2 + length]
        if len(fingerprint) < length:
            return  # Cut off, as above.
        yield fingerprint
        start += 2 + length


def _of_verbatim_url(request: Request) -> bytes:
    """Requests may demand that their URL is taken as it stands."""
    parts = {"body": request.body.hex(), "headers": {}, "method": request.method, "url": request.url}
    return hashlib.sha1(json.dumps(parts, sort_keys=True).encode(), usedforsecurity=False).digest()
