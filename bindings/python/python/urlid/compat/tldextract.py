"""tldextract 5.4: `from urlid.compat import tldextract` instead of `import tldextract`.

>>> from urlid.compat import tldextract
>>> found = tldextract.extract("https://www.a.github.io/")
>>> found.subdomain, found.domain, found.suffix, found.top_domain_under_public_suffix
('www.a', 'github', 'io', 'github.io')
>>> tldextract.extract("www.a.github.io", include_psl_private_domains=True).top_domain_under_public_suffix
'a.github.io'

The list is `urlid.SuffixList.compiled()`. The drop-in does not fetch anything, and does not read a folder or an environment
variable: `cache_dir`, `cache_fetch_timeout`, `fallback_to_snapshot` and `session` have no effect. Of `suffix_list_urls`, only URLs
with `file://` are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Any
from urllib.parse import ParseResult, SplitResult, scheme_chars, urlsplit
from urllib.request import url2pathname

from urlid._urlid import SuffixList, _SuffixTree
from urlid.compat._suffixes import encode, rules, tree

__all__ = ["ExtractResult", "TLDExtract", "extract"]

DOTS = "\u3002\uff0e\uff61"
"""The characters that count as a dot in addition to the dot."""

SCHEME = frozenset(scheme_chars)


@dataclass(order=True)
class ExtractResult:
    """A host in parts, as written."""

    subdomain: str
    domain: str
    suffix: str
    is_private: bool
    registry_suffix: str = field(repr=False)

    @property
    def fqdn(self) -> str:
        """The parts joined by dots, or an empty text without a suffix or with only an ICANN suffix."""
        if not self.suffix or not (self.domain or self.is_private):
            return ""
        return ".".join(part for part in (self.subdomain, self.domain, self.suffix) if part)

    @property
    def ipv4(self) -> str:
        """The host if it is an IPv4 address, or an empty text."""
        return self.domain if not (self.suffix or self.subdomain) and is_address(IPv4Address, self.domain) else ""

    @property
    def ipv6(self) -> str:
        """The host without its brackets if it is an IPv6 address, or an empty text."""
        return self.domain[1:-1] if not (self.suffix or self.subdomain) and is_bracketed(self.domain) else ""

    @property
    def registered_domain(self) -> str:
        """`top_domain_under_public_suffix` under the name that the package deprecates."""
        return self.top_domain_under_public_suffix

    @property
    def reverse_domain_name(self) -> str:
        """Suffix, domain and the labels of the subdomain from right to left."""
        labels = reversed(self.subdomain.split(".")) if self.subdomain else ()
        return ".".join([part for part in (self.suffix, self.domain) if part] + list(labels))

    @property
    def top_domain_under_registry_suffix(self) -> str:
        """The registered domain by the ICANN suffix, for every requested suffix."""
        domain = self.top_domain_under_public_suffix
        if not domain or not self.is_private:
            return domain
        return ".".join(domain.split(".")[-self.registry_suffix.count(".") - 2 :])

    @property
    def top_domain_under_public_suffix(self) -> str:
        """Domain and suffix, or an empty text if one is missing."""
        return f"{self.domain}.{self.suffix}" if self.suffix and self.domain else ""


class TLDExtract:
    """A function that splits hosts, with its options."""

    def __init__(
        self,
        cache_dir: str | None = None,
        suffix_list_urls: Sequence[str] = (),
        fallback_to_snapshot: bool = True,
        include_psl_private_domains: bool = False,
        extra_suffixes: Sequence[str] = (),
        cache_fetch_timeout: str | float | None = None,
    ) -> None:
        self.suffix_list_urls = tuple(url.strip() for url in suffix_list_urls or () if url.strip())
        for url in self.suffix_list_urls:
            if urlsplit(url).scheme != "file":
                raise NotImplementedError(f"suffix_list_urls: only file:// is read: found {url!r}")
        self.include_psl_private_domains = include_psl_private_domains
        self.extra_suffixes = extra_suffixes

    def __call__(self, url: str, include_psl_private_domains: bool | None = None, session: Any = None) -> ExtractResult:
        """Splits the host of a URL, or a host."""
        if include_psl_private_domains is None:
            include_psl_private_domains = self.include_psl_private_domains
        found = (self._all if include_psl_private_domains else self._icann).extract(url)
        if found is not None:
            return ExtractResult(*found)
        start = url.find("//")
        has_scheme = start >= 2 and url[start - 1] == ":" and SCHEME.issuperset(url[: start - 1])
        rest = url[start + 2 :] if start == 0 or has_scheme else url
        for end in "/?#":
            rest = rest.partition(end)[0]
        return self._extract(rest, include_psl_private_domains)

    extract_str = __call__

    def extract_urllib(
        self, url: ParseResult | SplitResult, include_psl_private_domains: bool | None = None, session: Any = None
    ) -> ExtractResult:
        """Splits the host of a URL that `urllib.parse` has parsed."""
        return self._extract(url.netloc, include_psl_private_domains)

    def update(self, fetch_now: bool = False, session: Any = None) -> None:
        """Raises a `NotImplementedError`, because the list is part of urlid."""
        raise NotImplementedError("update: the list is part of urlid")

    @property
    def tlds(self) -> list[str]:
        """The rules of the list that count."""
        listed = [rule for rule, is_private in self._rules if self.include_psl_private_domains or not is_private]
        return list(dict.fromkeys([*listed, *self.extra_suffixes]))

    @cached_property
    def _rules(self) -> list[tuple[str, bool]]:
        text = SuffixList.compiled().text
        error: OSError | None = None
        for url in self.suffix_list_urls:
            try:
                with open(url2pathname(urlsplit(url).path), encoding="utf-8") as file:
                    text = file.read()
            except OSError as failure:
                error = failure
                continue
            return list(rules(text.splitlines()))
        if error:
            raise error
        return list(rules(text.splitlines()))

    @cached_property
    def _icann(self) -> _SuffixTree:
        return self._tree(False)

    @cached_property
    def _all(self) -> _SuffixTree:
        return self._tree(True)

    def _tree(self, with_private: bool) -> _SuffixTree:
        listed = [(rule, False) for rule, is_private in self._rules if not is_private]
        listed += [(rule, False) for rule in self.extra_suffixes]
        listed += [(rule, True) for rule, is_private in self._rules if is_private and with_private]
        return tree((spelling, is_private) for rule, is_private in listed for spelling in spellings(rule))

    def _extract(self, authority: str, with_private: bool | None) -> ExtractResult:
        host = authority.rpartition("@")[2]
        if host.startswith("[") and "]" in host:
            host = host.partition("]")[0] + "]"
        else:
            host = host.partition(":")[0].strip().rstrip("." + DOTS)
        for dot in DOTS:
            host = host.replace(dot, ".")
        if is_bracketed(host):
            return ExtractResult("", host, "", False, "")

        labels = host.split(".")
        known = self._all if (self.include_psl_private_domains if with_private is None else with_private) else self._icann
        length, is_private, registry_length = known.tldextract(encode(".".join(label.lower() for label in labels)))
        if length is None:
            if is_address(IPv4Address, host):
                return ExtractResult("", host, "", False, "")
            return ExtractResult(".".join(labels[:-1]), labels[-1], "", False, "")
        start, registry_start = len(labels) - length, len(labels) - registry_length
        return ExtractResult(
            ".".join(labels[: max(start - 1, 0)]),
            labels[start - 1] if start else "",
            ".".join(labels[start:]),
            is_private,
            ".".join(labels[registry_start if is_private else start :]),
        )


def spellings(rule: str) -> Iterator[str]:
    """Yields a rule and its Punycode form."""
    yield rule
    if not rule.isascii():
        yield ".".join(label if label.isascii() else "xn--" + label.encode("punycode").decode() for label in rule.split("."))


def is_address(kind: type[IPv4Address] | type[IPv6Address], text: str) -> bool:
    """Returns whether a text is an address."""
    try:
        kind(text)
    except AddressValueError:
        return False
    return True


def is_bracketed(text: str) -> bool:
    """Returns whether a text is an IPv6 address in brackets."""
    return text[:1] == "[" and text[-1:] == "]" and is_address(IPv6Address, text[1:-1])


_EXTRACT = TLDExtract()


def extract(url: str, include_psl_private_domains: bool | None = False, session: Any = None) -> ExtractResult:
    """Splits the host of a URL, or a host, by the ICANN section of the list, or by the whole list."""
    found = (_EXTRACT._all if include_psl_private_domains else _EXTRACT._icann).extract(url)
    return ExtractResult(*found) if found is not None else _EXTRACT(url, include_psl_private_domains)
