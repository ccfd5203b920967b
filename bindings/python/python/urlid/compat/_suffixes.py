"""The rules of suffix lists, for the drop-ins that look up hosts like their packages.

`urlid.SuffixList` splits by the algorithm of publicsuffix.org. Each package deviates from it differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from urlid._urlid import _SuffixTree

PRIVATE = "===BEGIN PRIVATE DOMAINS==="


def tree(rules: Iterable[tuple[str, bool]]) -> _SuffixTree:
    """Returns the tree of rules, each of which may be private."""
    return _SuffixTree([(encode(rule), is_private) for rule, is_private in rules])


def encode(text: str) -> bytes:
    """Returns a rule or a host in the tree's encoding."""
    return text.encode("utf-8", "surrogatepass")


def rules(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yields each rule of a list, and whether it is in the private section."""
    is_private = False
    for line in lines:
        is_private = is_private or PRIVATE in line
        words = line.split()
        if words and not words[0].startswith("//"):
            yield words[0], is_private
