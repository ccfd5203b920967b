"""Request fingerprints that do not move when w3lib does, and a filter of duplicate requests that keeps them.

In the settings of a project:

    REQUEST_FINGERPRINTER_CLASS = "urlid.scrapy.RequestFingerprinter"
    DUPEFILTER_CLASS = "urlid.scrapy.DupeFilter"
    URLID_FINGERPRINT = "scrapy-2.7/w3lib-2.4"  # what an old job directory holds; by default scrapy-2.7/w3lib-2.5

`URLID_FINGERPRINT` may be any canonical form, such as `page-1+drop-session` or `page-1+rules` with `URLID_RULES = "site.rules"`: requests by one method
and with one body, whose URLs have the same form, are then one request. What is fetched is the URL of the request, never its form.

With `JOBDIR`, the fingerprints are in the seen-set `requests.digests` there, which takes little memory and opens at once, and in `requests.seen`,
which is Scrapy's: a crawl may go back to Scrapy's own filter, and come again. A `requests.seen` that somebody else has written is imported.
The stats `urlid/seen`, `urlid/new` and `urlid/imported` count requests that were seen, those that were not, and fingerprints imported.

The filter replaces Scrapy's own fingerprinter by that of urlid. Any other `REQUEST_FINGERPRINTER_CLASS` is used as it is; the job directory
records its import path, and a crawl with another one is rejected.

A request is pending until its response has arrived, and only then stored; one that is redirected, until the last response has. What is
pending when a crawl is killed is unknown to the next one, so that these requests are made again where they are met again: each is made at
least once. Fingerprints are stored by a thread, many at a time, so that a crawl does not wait for the disk.
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

# The key of `Request.meta` for fingerprints that were answered on the way to a request. Scrapy copies `meta` when it redirects.
_ANSWERED = "urlid_answered"

logger = logging.getLogger(__name__)


class RequestFingerprinter:
    """The fingerprints of Scrapy's own class, or of another canonical form, by the name in the setting `URLID_FINGERPRINT`."""

    def __init__(self, name: str = DEFAULT, rules: Rules | None = None) -> None:
        self._rules = rules
        # An unknown name is an error now. The full name has the steps in their order, and the name of the rules.
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
        """Returns the fingerprint of a request, of 20 bytes: of its method, canonical URL and body."""
        if request.meta.get("verbatim_url"):
            return _of_url(request, request.url)
        if self.name.startswith("scrapy-"):
            return scrapy_fingerprint(request.url, self.name, method=request.method, body=request.body)
        try:
            return _of_url(request, canon(request.url, self.name, rules=self._rules))
        except UrlidError:
            # A URL without a form is only the same as itself; a crawl goes on.
            return _of_url(request, request.url)


class DupeFilter(RFPDupeFilter):
    """Scrapy's filter with its fingerprints in a seen-set: a job directory has one name of fingerprints, which it keeps."""

    # Fingerprints that are stored together, at the latest after a second: a crawl that is killed repeats those that were not.
    _BATCH = 1000

    def __init__(
        self, path: str | None = None, debug: bool = False, *, fingerprinter: RequestFingerprinterProtocol | None = None
    ) -> None:
        super().__init__(None, debug, fingerprinter=fingerprinter or RequestFingerprinter())
        # Of this crawl: with a job directory those that are pending, without one all.
        self._pending: set[bytes] = set()
        self._directory: JobDirectory | None = None
        self._stats: StatsCollector | None = None
        if path:
            self._directory = JobDirectory(Path(path), _name_of(self.fingerprinter), self._BATCH)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DupeFilter:
        """Makes the filter of a project."""
        fingerprinter = crawler.request_fingerprinter
        # Only Scrapy's class itself: a class derived from it may identify requests differently.
        if type(fingerprinter) is _ScrapysFingerprinter:
            fingerprinter = RequestFingerprinter.from_crawler(crawler)
        path, debug = job_dir(crawler.settings), crawler.settings.getbool("DUPEFILTER_DEBUG")
        try:
            dupe_filter = cls(path, debug, fingerprinter=fingerprinter)
        except InUse as error:
            # The command `scrapy` runs nothing but this crawl. A program may run others, which go on.
            if "scrapy.cmdline" in sys.modules and not JobDirectory.open_in_process:
                raise SystemExit(str(error)) from None
            raise
        dupe_filter._begin(crawler)
        return dupe_filter

    def _begin(self, crawler: Crawler) -> None:
        """Begins to count, and says what is known."""
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
        """Returns the fingerprints of requests that are added and not acknowledged. Without a job directory they are not told apart."""
        return list(self._pending)

    def acknowledge(self, request: Request) -> None:
        """Counts a request as done. A crawl does that when the response arrives."""
        self._acknowledge(self.fingerprinter.fingerprint(request))

    def _acknowledge(self, fingerprint: bytes) -> None:
        if self._directory and fingerprint in self._pending:
            self._directory.add(fingerprint)
            self._pending.discard(fingerprint)

    def _on_download(self, request: Request) -> None:
        """Notes a request that was answered, and leaves it pending.

        If it is redirected and the crawl is killed, the next one meets the target again only by this request.
        """
        fingerprint = self.fingerprinter.fingerprint(request)
        if self._directory and fingerprint in self._pending:
            request.meta[_ANSWERED] = {*request.meta.get(_ANSWERED, ()), fingerprint}

    def _on_response(self, request: Request) -> None:
        """Acknowledges a request, and those that were redirected to it: Scrapy sends this signal only for the last response."""
        # Removed, because spiders copy `meta` to requests of their own.
        for fingerprint in request.meta.pop(_ANSWERED, ()):
            self._acknowledge(fingerprint)
        self.acknowledge(request)

    def _count(self, name: str, count: int = 1) -> None:
        if self._stats:
            self._stats.inc_value(f"urlid/{name}", count)

    def close(self, reason: str) -> None:
        """Keeps what was seen: of a crawl that ends by itself nothing is pending, and the queue of one that is stopped is kept by Scrapy."""
        if self._directory:
            try:
                for fingerprint in self._pending:
                    self._directory.add(fingerprint)
            finally:
                self._directory.close()


def _name_of(fingerprinter: RequestFingerprinterProtocol) -> str:
    """Returns the name of urlid's fingerprints, or the import path of another class."""
    if type(fingerprinter) is RequestFingerprinter:
        return fingerprinter.name
    kind = type(fingerprinter)
    return f"{kind.__module__}.{kind.__qualname__}"


def _of_url(request: Request, url: str) -> bytes:
    """Returns the SHA-1 of a request with this URL, as Scrapy makes it of a canonical URL or of one that is taken as it stands."""
    parts = {"body": request.body.hex(), "headers": {}, "method": request.method, "url": url}
    return hashlib.sha1(json.dumps(parts, sort_keys=True).encode(), usedforsecurity=False).digest()
