"""The package surt 0.3.1. The module itself can be called, so that both spellings of its function work:

>>> from urlid.compat import surt
>>> surt("http://www.example.com/", with_scheme=True, host_massage=False)
'http://(com,example,www)/'
>>> surt.surt(b"http://a.b/\\xff")
b'b,a)/%ff'

It takes every option of the package, and ignores other names as the package does; it never looks up a host. A canonicalizer is one of
the three here, a callable that takes a `handyurl` and the options, or a list of such.
"""

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol, overload

from urlid._urlid import _surt, handyurl

__all__ = ["DefaultIAURLCanonicalizer", "GoogleURLCanonicalizer", "IAURLCanonicalizer", "handyurl", "surt"]


def _google(url: handyurl, **options: Any) -> handyurl:
    url._google()
    return url


def _archive(url: handyurl, **options: Any) -> handyurl:
    url._archive(options)
    return url


def _default(url: handyurl, **options: Any) -> handyurl:
    return _archive(_google(url), **options)


@dataclass(frozen=True)
class Canonicalizer:
    """What the package has as a module with one function, which changes a `handyurl` and returns it."""

    canonicalize: Callable[..., handyurl]


GoogleURLCanonicalizer = Canonicalizer(_google)
"""Escapes, dots and addresses, as Safe Browsing once had them; it has no options."""

IAURLCanonicalizer = Canonicalizer(_archive)
"""What archives leave out: `www.`, case, sessions, the order of the query."""

DefaultIAURLCanonicalizer = Canonicalizer(_default)
"""The one and then the other: the default."""


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
    """Returns the key of a URL: bytes for bytes, otherwise a text."""
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
    """A module that is its function."""

    def __call__(self, url: Any, canonicalizer: Any = None, **options: Any) -> Any:
        return surt(url, canonicalizer, **options)

    def __reduce__(self) -> tuple[Callable[[str], ModuleType], tuple[str]]:
        return importlib.import_module, (self.__name__,)


sys.modules[__name__].__class__ = _CallableModule
