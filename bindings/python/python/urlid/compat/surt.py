"""The package surt 0.3.1. The module itself can be called, so that both spellings of its function work:

>>> from urlid.compat import surt
>>> surt("http://www.example.com/", with_scheme=True, host_massage=False)
'http://(com,example,www)/'
>>> surt.surt(b"http://a.b/\\xff")
b'b,a)/%ff'

The function accepts every option of the package and ignores other names, as the package does. It never looks up a host. A
canonicalizer is one of the three here, a callable with the parameters `handyurl` and the options, or a list of these.
"""

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol, overload

from urlid._urlid import _handyurl_archive, _handyurl_bytes, _handyurl_google, _handyurl_parse, _surt

__all__ = ["DefaultIAURLCanonicalizer", "GoogleURLCanonicalizer", "IAURLCanonicalizer", "handyurl", "surt"]


@dataclass(eq=False)
class handyurl:
    """A URL as the parts that the canonicalizers of surt change. `parse` leaves out the user and the password.

    >>> from urlid.compat.surt import GoogleURLCanonicalizer, handyurl
    >>> url = handyurl.parse("http://www.Example.com:80/a/../b")
    >>> url.host, url.port, url.path
    (b'www.example.com', 80, b'/a/../b')
    >>> GoogleURLCanonicalizer.canonicalize(url).geturl()
    'http://www.example.com:80/b'
    """

    scheme: bytes | None = None
    authUser: bytes | None = None
    authPass: bytes | None = None
    host: bytes | None = None
    port: int | None = None
    path: bytes | None = None
    query: bytes | None = None
    hash: bytes | None = None
    last_delimiter: bytes | None = None

    @staticmethod
    def parse(url: str | bytes) -> "handyurl":
        """Splits a URL into its parts."""
        made = handyurl()
        made._set(_handyurl_parse(url.encode() if isinstance(url, str) else url))
        return made

    def geturl(self) -> str:
        """Returns the URL as a text."""
        return self.getURLString()

    def getURLString(self, **options: Any) -> str:
        """Returns the URL as a text, with the options of `surt`."""
        return self.geturl_bytes(**options).decode()

    def geturl_bytes(self, **options: Any) -> bytes:
        """Returns the URL as bytes, with the options of `surt`."""
        return _handyurl_bytes(self._parts(), options)

    def getPublicSuffix(self) -> bytes:
        """Raises NotImplementedError: `urlid.SuffixList` splits hosts."""
        raise NotImplementedError("getPublicSuffix: surt takes suffixes from a list that it fetches; see urlid.SuffixList")

    def getPublicPrefix(self) -> str:
        """Raises NotImplementedError: `urlid.SuffixList` splits hosts."""
        raise NotImplementedError("getPublicPrefix: surt takes suffixes from a list that it fetches; see urlid.SuffixList")

    def _parts(self) -> list[bytes | None]:
        port = None if self.port is None else str(self.port).encode()
        return [self.scheme, self.authUser, self.authPass, self.host, port, self.path, self.query, self.hash, self.last_delimiter]

    def _set(self, parts: list[bytes | None]) -> None:
        self.scheme, self.authUser, self.authPass, self.host, port, self.path, self.query, self.hash, self.last_delimiter = parts
        self.port = None if port is None else int(port)


def _google(url: handyurl, **options: Any) -> handyurl:
    url._set(_handyurl_google(url._parts()))
    return url


def _archive(url: handyurl, **options: Any) -> handyurl:
    url._set(_handyurl_archive(url._parts(), options))
    return url


def _default(url: handyurl, **options: Any) -> handyurl:
    return _archive(_google(url), **options)


@dataclass(frozen=True)
class Canonicalizer:
    """Stands in for a module of the package. The module has one function, which changes a `handyurl` and returns it."""

    canonicalize: Callable[..., handyurl]


GoogleURLCanonicalizer = Canonicalizer(_google)
"""Escapes, dots and addresses, as Safe Browsing once wrote them, without options."""

IAURLCanonicalizer = Canonicalizer(_archive)
"""Removes the differences that archives ignore: `www.`, case, sessions, the order of the query."""

DefaultIAURLCanonicalizer = Canonicalizer(_default)
"""The first and then the second, which is the default."""


class _HasCanonicalize(Protocol):
    @property
    def canonicalize(self) -> Callable[..., handyurl]: ...


_One = Callable[..., handyurl] | _HasCanonicalize
_Several = list[_One] | tuple[_One, ...]
Canonicalizers = _One | _Several | None


@overload
def surt(url: bytes, canonicalizer: Canonicalizers = None, **options: Any) -> bytes: ...
@overload
def surt(url: str | None, canonicalizer: Canonicalizers = None, **options: Any) -> str: ...
def surt(url: str | bytes | None, canonicalizer: Canonicalizers = None, **options: Any) -> str | bytes:
    """Returns the key of a URL: bytes for bytes, and otherwise a text."""
    if url is None:
        url = ""
    if canonicalizer is None:
        return _surt(url, options)
    key = _key(url if isinstance(url, bytes) else url.encode(), canonicalizer, {"surt": True, "with_scheme": False} | options)
    return key if isinstance(url, bytes) else key.decode()


def _key(url: bytes, canonicalizer: _One | _Several, options: dict[str, Any]) -> bytes:
    if not url:
        return b"-"
    if url.startswith(b"filedesc"):
        return url
    parts = handyurl.parse(url)
    for one in canonicalizer if isinstance(canonicalizer, list | tuple) else [canonicalizer]:
        parts = (one if callable(one) else one.canonicalize)(parts, **options)
    return parts.geturl_bytes(**options)


class _CallableModule(ModuleType):
    """A module that can be called as its function."""

    def __call__(self, url: Any, canonicalizer: Any = None, **options: Any) -> Any:
        return surt(url, canonicalizer, **options)

    def __reduce__(self) -> tuple[Callable[[str], ModuleType], tuple[str]]:
        return importlib.import_module, (self.__name__,)


sys.modules[__name__].__class__ = _CallableModule
