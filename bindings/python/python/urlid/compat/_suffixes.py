"""The rules of a suffix list as a tree of labels, for the drop-ins that look up hosts as their packages do.

`urlid.SuffixList` splits by the algorithm of publicsuffix.org; the packages deviate from it, each in its own way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

PRIVATE = "===BEGIN PRIVATE DOMAINS==="


class Node:
    """The rules that end with the same labels. `is_rule` says that the labels are a rule themselves."""

    __slots__ = ("children", "is_private", "is_rule")

    def __init__(self) -> None:
        self.children: dict[str, Node] = {}
        self.is_rule = False
        self.is_private = False

    def add(self, rule: str, is_private: bool = False) -> None:
        """Adds a rule, whose `!` or `*` is part of its first label."""
        node = self
        for label in reversed(rule.split(".")):
            node = node.children.setdefault(label, Node())
        node.is_rule = True
        node.is_private = is_private


def rules(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yields each rule of a list, and whether it is in the private section."""
    is_private = False
    for line in lines:
        is_private = is_private or PRIVATE in line
        words = line.split()
        if words and not words[0].startswith("//"):
            yield words[0], is_private
