from typing import Any, Protocol, overload

from urlid.compat import publicsuffix2 as publicsuffix2
from urlid.compat import tld as tld
from urlid.compat import tldextract as tldextract
from urlid.compat import url_normalize as url_normalize
from urlid.compat import w3lib as w3lib
from urlid.compat.surt import Canonicalizer, Canonicalizers, handyurl

__all__ = ["publicsuffix2", "surt", "tld", "tldextract", "url_normalize", "w3lib"]

class _Surt(Protocol):
    """The module `urlid.compat.surt`, which is its function too."""

    DefaultIAURLCanonicalizer: Canonicalizer
    GoogleURLCanonicalizer: Canonicalizer
    IAURLCanonicalizer: Canonicalizer
    handyurl: type[handyurl]

    @overload
    def __call__(self, url: bytes, canonicalizer: Canonicalizers = None, **options: Any) -> bytes: ...
    @overload
    def __call__(self, url: str | None, canonicalizer: Canonicalizers = None, **options: Any) -> str: ...
    @overload
    def surt(self, url: bytes, canonicalizer: Canonicalizers = None, **options: Any) -> bytes: ...
    @overload
    def surt(self, url: str | None, canonicalizer: Canonicalizers = None, **options: Any) -> str: ...

surt: _Surt
