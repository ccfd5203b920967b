"""tld 0.13: `from urlid.compat.tld import get_fld` instead of `from tld import get_fld`; its errors are here too.

>>> from urlid.compat.tld import get_fld, get_tld, parse_tld
>>> get_fld("https://www.a.github.io/")
'a.github.io'
>>> get_tld("https://www.a.github.io/", search_private=False)
'io'
>>> parse_tld("www.example.co.uk", fix_protocol=True)
('co.uk', 'example', 'www')

The list is the one of `urlid.SuffixList.compiled()`. A `parser_class`, which names another, raises a `NotImplementedError`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Literal, overload
from urllib.parse import SplitResult, urlsplit

from urlid._urlid import SuffixList
from urlid.compat._suffixes import PRIVATE, Node, rules

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
    """A host in parts. `str` of it is the suffix."""

    __slots__ = ("domain", "fld", "parsed_url", "subdomain", "tld")

    def __init__(self, tld: str, domain: str, subdomain: str, parsed_url: SplitResult) -> None:
        self.tld = tld
        self.domain = domain or tld
        self.subdomain = subdomain
        self.parsed_url = parsed_url
        self.fld = f"{domain}.{tld}" if domain else tld

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
def tree(with_private: bool) -> Node:
    """Returns the rules as the package reads them.

    What an exception is an exception to is a rule too, and Punycode is only known of what the list has in a comment, `// xn--…`.
    """
    root, text = Node(), SuffixList.compiled().text
    for rule, is_private in rules(text.splitlines()):
        if with_private or not is_private:
            root.add(rule, is_private)
            if rule.startswith("!"):
                root.add(rule.partition(".")[2], is_private)
    for line in text.partition(PRIVATE)[0].splitlines():
        if line.startswith("// xn--"):
            root.add(line.split()[1])
    return root


def find(
    url: str | SplitResult, fail_silently: bool, fix_protocol: bool, search_public: bool, search_private: bool, parser_class: object
) -> tuple[list[str], int, SplitResult] | None:
    """Returns the labels of a host and the index of its suffix. Raises the errors of the package, or returns None to fail silently."""
    if parser_class:
        raise NotImplementedError("parser_class: the list is part of urlid")
    if not (search_public or search_private):
        raise TldImproperlyConfigured("Either `search_public` or `search_private` (or both) shall be set to True.")
    try:
        if not isinstance(url, SplitResult) and fix_protocol and not SCHEME.match(url.lower()):
            url = f"https://{url}"
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
    labels = host.split(".")

    node, length, last = tree(bool(search_private)), 0, None
    for index in range(len(labels) - 1, -1, -1):
        if "!" + labels[index] in node.children:
            break
        child = node.children.get(labels[index]) or node.children.get("*")
        if child is None:
            break
        node = child
        if node.is_rule:
            length, last = len(labels) - index, node
    if last is None or not (search_private if last.is_private else search_public):
        if fail_silently:
            return None
        raise TldDomainNotFound(host)
    # A host that is a suffix itself is returned as it is written, with its last dot.
    return ([written], 0, parsed) if length == len(labels) else (labels, len(labels) - length, parsed)


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
    labels, start, parsed = found
    suffix = ".".join(labels[start:])
    if not as_object:
        return suffix
    return Result(suffix, labels[start - 1] if start else "", ".".join(labels[: max(start - 1, 0)]), parsed)


def get_fld(
    url: str | SplitResult,
    fail_silently: bool = False,
    fix_protocol: bool = False,
    search_public: bool = True,
    search_private: bool = True,
    parser_class: Any = None,
    **kwargs: Any,
) -> str | None:
    """Returns the registered domain of a URL's host, or the host if it is a suffix itself."""
    if "as_object" in kwargs:
        raise TldImproperlyConfigured("`as_object` argument is deprecated for `get_fld`. Use `get_tld` instead.")
    found = find(url, fail_silently, fix_protocol, search_public, search_private, parser_class)
    return ".".join(found[0][max(found[1] - 1, 0) :]) if found else None


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
        found = get_tld(url, fail_silently, True, fix_protocol, search_public, search_private, parser_class)
    except (TldBadUrl, TldDomainNotFound, TldImproperlyConfigured):
        found = None
    return (found.tld, found.domain, found.subdomain) if isinstance(found, Result) else (None, None, None)


def is_tld(value: str | SplitResult, search_public: bool = True, search_private: bool = True, parser_class: Any = None) -> bool:
    """Returns whether a host is a public suffix."""
    return value == get_tld(value, True, False, True, search_public, search_private, parser_class)
