"""tld 0.13: `from urlid.compat.tld import get_fld` instead of `from tld import get_fld`. Its errors are also here.

>>> from urlid.compat.tld import get_fld, get_tld, parse_tld
>>> get_fld("https://www.a.github.io/")
'a.github.io'
>>> get_tld("https://www.a.github.io/", search_private=False)
'io'
>>> parse_tld("www.example.co.uk", fix_protocol=True)
('co.uk', 'example', 'www')

The list is `urlid.SuffixList.compiled()`. A `parser_class`, which selects a different list, raises a `NotImplementedError`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Literal, overload
from urllib.parse import SplitResult, urlsplit

from urlid._urlid import SuffixList, _SuffixTree
from urlid.compat import _suffixes
from urlid.compat._suffixes import PRIVATE, rules

__all__ = ["Result", "TldBadUrl", "TldDomainNotFound", "TldImproperlyConfigured", "get_fld", "get_tld", "is_tld", "parse_tld"]

SCHEME = re.compile("[a-z0-9.+:-]*//")


class TldBadUrl(ValueError):
    """A URL without a host."""

    def __init__(self, url: object) -> None:
        super().__init__(f"Is not a valid URL {url}!")


class TldDomainNotFound(ValueError):
    """A host that no rule matches."""

    def __init__(self, domain_name: object) -> None:
        super().__init__(f"Domain {domain_name} didn't match any existing TLD name!")


class TldImproperlyConfigured(Exception):
    """Options that exclude each other."""


class Result:
    """A host in parts. Its `str` is the suffix."""

    __slots__ = ("_url", "domain", "fld", "subdomain", "tld")

    def __init__(self, tld: str, domain: str, subdomain: str, parsed_url: SplitResult | str) -> None:
        self.tld = tld
        self.domain = domain or tld
        self.subdomain = subdomain
        self._url = parsed_url
        self.fld = f"{domain}.{tld}" if domain else tld

    @property
    def parsed_url(self) -> SplitResult:
        """The URL in parts, which are computed at the first access."""
        if isinstance(self._url, str):
            self._url = urlsplit(self._url)
        return self._url

    @property
    def suffix(self) -> str:
        """The suffix, as `tld`."""
        return self.tld

    extension = suffix

    def __str__(self) -> str:
        return self.tld

    __repr__ = __str__

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        return {name: getattr(self, name) for name in ("tld", "domain", "subdomain", "fld", "parsed_url")}


@cache
def tree(with_private: bool) -> _SuffixTree:
    """Returns the rules as the package reads them.

    The parent of an exception is also a rule, and Punycode is known only from the comments of the list, `// xn--…`.
    """
    text = SuffixList.compiled().text
    listed = []
    for rule, is_private in rules(text.splitlines()):
        if with_private or not is_private:
            listed.append((rule, is_private))
            if rule.startswith("!"):
                listed.append((rule.partition(".")[2], is_private))
    comments = [line for line in text.partition(PRIVATE)[0].splitlines() if line.startswith("// xn--")]
    return _suffixes.tree([*listed, *((line.split()[1], False) for line in comments)])


def find(
    url: str | SplitResult, fail_silently: bool, fix_protocol: bool, search_public: bool, search_private: bool, parser_class: object
) -> tuple[str, str | None, str] | None:
    """Returns subdomain, domain and suffix of a URL's host. The domain is missing if the host is a suffix.

    Raises the errors of the package, or returns None to fail silently.
    """
    if parser_class:
        raise NotImplementedError("parser_class: the list is part of urlid")
    if not (search_public or search_private):
        raise TldImproperlyConfigured("Either `search_public` or `search_private` (or both) shall be set to True.")
    known = tree(bool(search_private))
    found = known.split_url(url, bool(fix_protocol), bool(search_public), bool(search_private))
    if found is not None:
        return found
    try:
        url = complete(url, fix_protocol)
        parsed = url if isinstance(url, SplitResult) else urlsplit(url)
    except ValueError:
        if fail_silently:
            return None
        raise
    written = parsed.hostname
    if not written:
        if fail_silently:
            return None
        raise TldBadUrl(url)
    host = written.lower().rstrip(".")
    length, is_private = known.tld(_suffixes.encode(host)) or (0, False)
    if length == 0 or not (search_private if is_private else search_public):
        if fail_silently:
            return None
        raise TldDomainNotFound(host)
    labels = host.split(".")
    if length == len(labels):
        # A host that is a suffix is returned as written, with its last dot.
        return "", None, written
    start = len(labels) - length
    return ".".join(labels[: start - 1]), labels[start - 1], ".".join(labels[start:])


def complete(url: str | SplitResult, fix_protocol: bool) -> str | SplitResult:
    """Returns a URL, with a scheme if it lacks one and `fix_protocol` is set."""
    is_complete = isinstance(url, SplitResult) or not fix_protocol or SCHEME.match(url.lower())
    return url if is_complete else f"https://{url}"


@overload
def get_tld(
    url: str | SplitResult,
    fail_silently: bool = False,
    as_object: Literal[False] = False,
    fix_protocol: bool = False,
    search_public: bool = True,
    search_private: bool = True,
    parser_class: Any = None,
) -> str | None: ...
@overload
def get_tld(
    url: str | SplitResult,
    fail_silently: bool = False,
    as_object: bool = False,
    fix_protocol: bool = False,
    search_public: bool = True,
    search_private: bool = True,
    parser_class: Any = None,
) -> str | Result | None: ...
def get_tld(
    url: str | SplitResult,
    fail_silently: bool = False,
    as_object: bool = False,
    fix_protocol: bool = False,
    search_public: bool = True,
    search_private: bool = True,
    parser_class: Any = None,
) -> str | Result | None:
    """Returns the public suffix of a URL's host, or a `Result`."""
    found = find(url, fail_silently, fix_protocol, search_public, search_private, parser_class)
    if found is None:
        return None
    subdomain, domain, suffix = found
    return Result(suffix, domain or "", subdomain, complete(url, fix_protocol)) if as_object else suffix


def get_fld(
    url: str | SplitResult,
    fail_silently: bool = False,
    fix_protocol: bool = False,
    search_public: bool = True,
    search_private: bool = True,
    parser_class: Any = None,
    **kwargs: Any,
) -> str | None:
    """Returns the registered domain of a URL's host, or the host if it is a suffix."""
    if "as_object" in kwargs:
        raise TldImproperlyConfigured("`as_object` argument is deprecated for `get_fld`. Use `get_tld` instead.")
    found = find(url, fail_silently, fix_protocol, search_public, search_private, parser_class)
    if found is None:
        return None
    _, domain, suffix = found
    return suffix if domain is None else f"{domain}.{suffix}"


def parse_tld(
    url: str | SplitResult,
    fail_silently: bool = False,
    fix_protocol: bool = False,
    search_public: bool = True,
    search_private: bool = True,
    parser_class: Any = None,
) -> tuple[None, None, None] | tuple[str, str, str]:
    """Returns suffix, domain and subdomain of a URL's host, or three times None."""
    try:
        found = find(url, fail_silently, fix_protocol, search_public, search_private, parser_class)
    except (TldBadUrl, TldDomainNotFound, TldImproperlyConfigured):
        found = None
    if found is None:
        return None, None, None
    subdomain, domain, suffix = found
    return suffix, domain or suffix, subdomain


def is_tld(value: str | SplitResult, search_public: bool = True, search_private: bool = True, parser_class: Any = None) -> bool:
    """Returns whether a host is a public suffix."""
    return value == get_tld(value, True, False, True, search_public, search_private, parser_class)
