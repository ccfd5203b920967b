"""Fingerprinters and a filter of projects, by their import paths."""

import hashlib
import time

import scrapy.utils.request
from scrapy.utils.request import fingerprint

import urlid.scrapy


class WithHeaders:
    """Requests that differ by a header are different."""

    def fingerprint(self, request):
        return fingerprint(request, include_headers=["X-Page"])


class Longer:
    """Fingerprints of a different length."""

    def fingerprint(self, request):
        return hashlib.sha256(request.url.encode()).digest()


class OfScrapys(scrapy.utils.request.RequestFingerprinter):
    """Derives from Scrapy's own class, and differs."""

    def fingerprint(self, request):
        return b"scrapy" + super().fingerprint(request)


class OfUrlids(urlid.scrapy.RequestFingerprinter):
    """Derives from urlid's own class, and differs."""

    def fingerprint(self, request):
        return b"urlid" + super().fingerprint(request)


class FilterThatKeepsAll(urlid.scrapy.DupeFilter):
    """Commits each fingerprint before the crawl goes on."""

    _BATCH = 1

    def acknowledge(self, request):
        super().acknowledge(request)
        while self._directory._waiting and not self._directory._failure:
            time.sleep(0.001)
