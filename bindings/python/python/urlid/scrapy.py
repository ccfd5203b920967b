"""Request fingerprints that do not change with w3lib, and a filter of duplicate requests that stores them.

In the settings of a project:

    REQUEST_FINGERPRINTER_CLASS = "urlid.scrapy.RequestFingerprinter"
    DUPEFILTER_CLASS = "urlid.scrapy.DupeFilter"
    URLID_FINGERPRINT = "scrapy-2.7/w3lib-2.4"  # what an old job directory holds; by default scrapy-2.7/w3lib-2.5

`URLID_FINGERPRINT` may be any canonical form, such as `page-1+drop-session` or `page-1+rules` with `URLID_RULES = "site.rules"`.
Requests with the same method, the same body and URLs with the same form are then one request. A crawl fetches the URL of the
request, never its form.

With `JOBDIR`, the fingerprints are stored twice. The seen-set `requests.digests` uses little memory and opens at once.
`requests.seen` is Scrapy's file, so a crawl can return to Scrapy's own filter and back. A `requests.seen` from a different program
is imported. The stats `urlid/seen`, `urlid/new` and `urlid/imported` count seen requests, new requests and imported fingerprints.

The filter replaces Scrapy's own fingerprinter by urlid's. Any other `REQUEST_FINGERPRINTER_CLASS` is used unchanged. The job
directory records its import path, and rejects a crawl with a different one.

A request is pending until its response has arrived, and is then stored. A redirected request is pending until the last response has
arrived. If a crawl is killed, the next one does not know the pending requests and makes them again when it meets them, so each
request is made at least once. A thread stores many fingerprints at a time, so that a crawl does not wait for the disk.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from urlid import Rules, UrlidError, canon, diff, scrapy_fingerprint
from urlid._extra import extra
from urlid._job_directory import InUse, JobDirectory

with extra("scrapy"):
    from scrapy import signals
    from scrapy.dupefilters import RFPDupeFilter
    from scrapy.utils.job import job_dir
    from scrapy.utils.request import RequestFingerprinter as _ScrapysFingerprinter

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector
    from scrapy.utils.request import RequestFingerprinterProtocol

__all__ = ["DupeFilter", "RequestFingerprinter"]

DEFAULT = "scrapy-2.7/w3lib-2.5"

# The key of `Request.meta` for fingerprints that were answered before a request. Scrapy copies `meta` when it redirects.
_ANSWERED = "urlid_answered"

logger = logging.getLogger(__name__)


class RequestFingerprinter:
    """The fingerprints of Scrapy's own class, or of a different canonical form, by the name in the setting `URLID_FINGERPRINT`."""

    def __init__(self, name: str = DEFAULT, rules: Rules | None = None) -> None:
        self._rules = rules
        # Reports an unknown name now. The full name has the steps in their order, and the name of the rules.
        self.name: str = diff("http://h/", "http://h/", name, rules=rules)["verdict"]["name"]
        if rules is not None and rules.name not in self.name:
            raise ValueError(f"URLID_RULES: {self.name} has no step rules")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RequestFingerprinter:
        """Makes the fingerprinter of a project."""
        path = crawler.settings.get("URLID_RULES")
        rules = Rules(Path(path).read_text(encoding="utf-8")) if path else None
        return cls(crawler.settings.get("URLID_FINGERPRINT", DEFAULT), rules)

    def fingerprint(self, request: Request) -> bytes:
        """Returns the fingerprint of a request, of 20 bytes: a digest of its method, canonical URL and body."""
        if request.meta.get("verbatim_url"):
            return _of_url(request, request.url)
        if self.name.startswith("scrapy-"):
            return scrapy_fingerprint(request.url, self.name, method=request.method, body=request.body)
        try:
            return _of_url(request, canon(request.url, self.name, rules=self._rules))
        except UrlidError:
            # A URL without a form equals only itself, and the crawl continues.
            return _of_url(request, request.url)


class DupeFilter(RFPDupeFilter):
    """Scrapy's filter with its fingerprints in a seen-set. A job directory has one name of fingerprints, which it keeps."""

    # The number of fingerprints that are stored together, at the latest after a second. A killed crawl repeats the requests that
    # were not stored.
    _BATCH = 1000

    def __init__(
        self, path: str | None = None, debug: bool = False, *, fingerprinter: RequestFingerprinterProtocol | None = None
    ) -> None:
        super().__init__(None, debug, fingerprinter=fingerprinter or RequestFingerprinter())
        # The fingerprints of this crawl: the pending ones with a job directory, and all of them without one.
        self._pending: set[bytes] = set()
        self._directory: JobDirectory | None = None
        self._stats: StatsCollector | None = None
        if path:
            self._directory = JobDirectory(Path(path), _name_of(self.fingerprinter), self._BATCH)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DupeFilter:
        """Makes the filter of a project."""
        fingerprinter = crawler.request_fingerprinter
        # Only Scrapy's own class, because a derived class may identify requests differently.
        if type(fingerprinter) is _ScrapysFingerprinter:
            fingerprinter = RequestFingerprinter.from_crawler(crawler)
        path, debug = job_dir(crawler.settings), crawler.settings.getbool("DUPEFILTER_DEBUG")
        try:
            dupe_filter = cls(path, debug, fingerprinter=fingerprinter)
        except InUse as error:
            # The command `scrapy` runs only this crawl. A program may run other crawls, which continue.
            if "scrapy.cmdline" in sys.modules and not JobDirectory.open_in_process:
                raise SystemExit(str(error)) from None
            raise
        dupe_filter._begin(crawler)
        return dupe_filter

    def _begin(self, crawler: Crawler) -> None:
        """Starts to count, and logs the number of known fingerprints."""
        crawler.signals.connect(self._on_download, signal=signals.response_downloaded)
        crawler.signals.connect(self._on_response, signal=signals.response_received)
        self._stats = crawler.stats
        known, imported = (self._directory.known, self._directory.imported) if self._directory else (0, 0)
        for name, count in (("seen", 0), ("new", 0), ("imported", imported)):
            self._count(name, count)
        if self._directory:
            logger.info("%d requests are known from %s, %d of them imported", known, self._directory.path, imported)

    def request_seen(self, request: Request) -> bool:
        """Returns whether the request was seen before, and adds it as pending."""
        fingerprint = self.fingerprinter.fingerprint(request)
        if fingerprint in self._pending or (self._directory and fingerprint in self._directory):
            self._count("seen")
            return True
        self._pending.add(fingerprint)
        self._count("new")
        return False

    def pending(self) -> list[bytes]:
        """Returns the fingerprints of requests that are added and not acknowledged. Without a job directory this is all of them."""
        return list(self._pending)

    def acknowledge(self, request: Request) -> None:
        """Counts a request as done. A crawl calls this when the response arrives."""
        self._acknowledge(self.fingerprinter.fingerprint(request))

    def _acknowledge(self, fingerprint: bytes) -> None:
        if self._directory and fingerprint in self._pending:
            self._directory.add(fingerprint)
            self._pending.discard(fingerprint)

    def _on_download(self, request: Request) -> None:
        """Records an answered request, and leaves it pending.

        If the request is redirected and the crawl is killed, only this request leads the next crawl to the target.
        """
        fingerprint = self.fingerprinter.fingerprint(request)
        if self._directory and fingerprint in self._pending:
            request.meta[_ANSWERED] = {*request.meta.get(_ANSWERED, ()), fingerprint}

    def _on_response(self, request: Request) -> None:
        """Acknowledges a request and the requests that were redirected to it. Scrapy sends this signal only for the last response."""
        # Removed, because spiders copy `meta` to their own requests.
        for fingerprint in request.meta.pop(_ANSWERED, ()):
            self._acknowledge(fingerprint)
        self.acknowledge(request)

    def _count(self, name: str, count: int = 1) -> None:
        if self._stats:
            self._stats.inc_value(f"urlid/{name}", count)

    def close(self, reason: str) -> None:
        """Stores the seen requests. A crawl that ends by itself has no pending requests, and Scrapy keeps the queue of a stopped
        crawl."""
        if self._directory:
            try:
                for fingerprint in self._pending:
                    self._directory.add(fingerprint)
            finally:
                self._directory.close()


def _name_of(fingerprinter: RequestFingerprinterProtocol) -> str:
    """Returns the name of urlid's fingerprints, or the import path of a different class."""
    if type(fingerprinter) is RequestFingerprinter:
        return fingerprinter.name
    kind = type(fingerprinter)
    return f"{kind.__module__}.{kind.__qualname__}"


def _of_url(request: Request, url: str) -> bytes:
    """Returns the SHA-1 of a request with this URL, as Scrapy makes it for a canonical or an unchanged URL."""
    parts = {"body": request.body.hex(), "headers": {}, "method": request.method, "url": url}
    return hashlib.sha1(json.dumps(parts, sort_keys=True).encode(), usedforsecurity=False).digest()
