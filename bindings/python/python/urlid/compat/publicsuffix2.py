"""publicsuffix2: `from urlid.compat.publicsuffix2 import get_sld` instead of `from publicsuffix2 import get_sld`.

>>> from urlid.compat.publicsuffix2 import get_sld, get_tld
>>> get_sld("www.example.co.uk"), get_tld("www.example.co.uk")
('example.co.uk', 'co.uk')

The list is `urlid.SuffixList.compiled()`; the package's list is of 2019. The functions use the list and the spelling of each call.
The package's functions keep the list of the first call for all later calls.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from urlid._urlid import SuffixList
from urlid.compat._suffixes import rules, tree

__all__ = ["PublicSuffixList", "get_public_suffix", "get_sld", "get_tld"]


class PublicSuffixList:
    """A list: urlid's own, a file by its name, or lines. With `idna` its rules are in Punycode, otherwise in Unicode."""

    def __init__(self, psl_file: str | Iterable[str] | None = None, idna: bool = True) -> None:
        if psl_file is None:
            lines: Iterable[str] = SuffixList.compiled().text.splitlines()
        elif isinstance(psl_file, str):
            with open(psl_file, encoding="utf-8") as file:
                lines = file.readlines()
        else:
            lines = psl_file
        self.tlds = [rule.encode("idna").decode() if idna else rule for rule, _ in rules(lines)]
        self._tree = tree((rule.lstrip("."), False) for rule in self.tlds)

    def get_tld(self, domain: str, wildcard: bool = True, strict: bool = False) -> str | None:
        """Returns the public suffix; with `strict`, None for a domain whose last label is not in the list."""
        return self._tree.publicsuffix2(domain, wildcard, strict, False)

    def get_sld(self, domain: str, wildcard: bool = True, strict: bool = False) -> str | None:
        """Returns the registered domain, or the domain if it is a public suffix."""
        return self._tree.publicsuffix2(domain, wildcard, strict, True)

    def get_public_suffix(self, domain: str, wildcard: bool = True, strict: bool = False) -> str | None:
        """Returns the same as `get_sld`."""
        return self.get_sld(domain, wildcard, strict)


@cache
def compiled(idna: bool) -> PublicSuffixList:
    """Returns the list of urlid."""
    return PublicSuffixList(idna=idna)


def get_sld(
    domain: str, psl_file: str | Iterable[str] | None = None, wildcard: bool = True, idna: bool = True, strict: bool = False
) -> str | None:
    """Returns the registered domain, or the domain if it is a public suffix. Every call reads `psl_file`."""
    names = compiled(bool(idna)) if psl_file is None else PublicSuffixList(psl_file, idna)
    return names._tree.publicsuffix2(domain, wildcard, strict, True)


def get_tld(
    domain: str, psl_file: str | Iterable[str] | None = None, wildcard: bool = True, idna: bool = True, strict: bool = False
) -> str | None:
    """Returns the public suffix. Every call reads `psl_file`."""
    names = compiled(bool(idna)) if psl_file is None else PublicSuffixList(psl_file, idna)
    return names._tree.publicsuffix2(domain, wildcard, strict, False)


def get_public_suffix(
    domain: str, psl_file: str | Iterable[str] | None = None, wildcard: bool = True, idna: bool = True, strict: bool = False
) -> str | None:
    """Returns the same as `get_sld`. The package issues a warning for this name."""
    return get_sld(domain, psl_file, wildcard, idna, strict)
