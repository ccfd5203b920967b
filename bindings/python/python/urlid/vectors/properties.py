"""The properties that the Theory of URLs lists: checked for given URLs, or for a finite universe where none are given.

A property is a statement about the two sides of an equation; an undefined side is None. What is known beyond the finite check is
told in docs/spec/theory.md.
"""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import urlid
from urlid.vectors import tokens
from urlid.vectors.tokens import Malformed

KINDS = ("scheme", "authority", "drive", "root", "directory", "file", "query", "fragment")
"""The kinds of tokens in their order."""

Side = urlid.Reference | str | None
Operation = Callable[[urlid.Reference, urlid.Reference], urlid.Reference]

ARITY = {
    "ord": 2,
    "associative": 3,
    "right defined where left is": 3,
    "left defined where right is": 3,
    "left identity": 1,
    "right identity": 1,
    "drops the fragment": 1,
    "postfix": 2,
}

VALUES = (
    ("scheme", "s"),
    ("scheme", "file"),
    ("authority", "h"),
    ("authority", "u@h"),
    ("drive", "c:"),
    ("root", "/"),
    ("directory", "a"),
    ("directory", "b"),
    ("file", "f"),
    ("query", "q"),
    ("fragment", "z"),
)
"""Values that meet every rule about schemes, files and roots."""


def shortest_goto(base: urlid.Reference, reference: urlid.Reference) -> urlid.Reference:
    """goto as the specification words it: the shortest URL with that prefix and that postfix, which may overlap."""
    prefix, postfix = base.upto(reference.ord).tokens, reference.tokens
    for overlap in range(min(len(prefix), len(postfix)), 0, -1):
        if prefix[-overlap:] == postfix[:overlap]:
            try:
                return urlid.Reference.from_tokens(prefix + postfix[overlap:], base.context)
            except urlid.UrlidError:
                continue
    return base.goto(reference)


OPERATIONS: dict[str, Operation] = {
    "goto": urlid.Reference.goto,
    "goto_nonstrict": urlid.Reference.goto_nonstrict,
    "shortest_goto": shortest_goto,
}


def check(given: dict[str, Any]) -> dict[str, Any]:
    """The operation `theory.property`."""
    name, operation = given.get("property"), OPERATIONS.get(given.get("operation"))
    if name not in ARITY or operation is None:
        raise Malformed(f"property {name!r} or operation {given.get('operation')!r} names nothing")
    values = [given[key] for key in ("url1", "url2", "url3") if given.get(key) is not None]
    if not values:
        return {"holds": all(holds(name, *sides(name, operation, urls)) for urls in universe(ARITY[name]))}
    if len(values) != ARITY[name]:
        raise Malformed(f"this property is about {ARITY[name]} URLs")
    left, right = sides(name, operation, tuple(map(tokens.to_reference, values)))
    return {"left": _show(left), "right": _show(right), "holds": holds(name, left, right)}


def sides(name: str, operation: Operation, urls: tuple[urlid.Reference, ...]) -> tuple[Side, Side]:
    """Computes both sides of an equation."""

    def op(a: Side, b: Side) -> Side:
        if a is None or b is None:
            return None
        try:
            return operation(a, b)
        except urlid.UrlidError:
            return None

    first = urls[0]
    empty = urlid.Reference("")
    if name == "ord":
        result = op(first, urls[1])
        least = min(first.ord, urls[1].ord, key=KINDS.index)
        return (None if result is None else result.ord), least
    if name == "left identity":
        return op(empty, first), first
    if name == "right identity":
        return op(first, empty), first
    if name == "drops the fragment":
        return op(first, empty), first.upto("fragment")
    if name == "postfix":
        return op(first, urls[1]), urls[1]
    _, second, third = urls
    return op(op(first, second), third), op(first, op(second, third))


def holds(name: str, left: Side, right: Side) -> bool:
    """Whether the property holds for two sides."""
    if name == "ord":
        return left is None or left == right
    if name == "associative":
        return left is None or right is None or _same(left, right)
    if name == "right defined where left is":
        return left is None or right is not None
    if name == "left defined where right is":
        return right is None or left is not None
    if name == "postfix":
        return left is None or right is None or left.tokens[len(left.tokens) - len(right.tokens) :] == right.tokens
    return left is not None and right is not None and _same(left, right)


def _same(left: urlid.Reference, right: urlid.Reference) -> bool:
    return str(left) == str(right) and left.tokens == right.tokens


def universe(arity: int) -> Iterator[tuple[urlid.Reference, ...]]:
    """Every tuple of URLs of at most four tokens, of two where there are three of them."""
    longest = 2 if arity == 3 else 4
    sequences = itertools.chain.from_iterable(itertools.product(VALUES, repeat=length) for length in range(longest + 1))
    urls = [url for url in map(_url, sequences) if url is not None]
    return itertools.product(urls, repeat=arity)


def _url(sequence: tuple[tuple[str, str], ...]) -> urlid.Reference | None:
    is_file = any(kind == "drive" or text == "file" for kind, text in sequence)
    try:
        return urlid.Reference.from_tokens(list(sequence), "file" if is_file else "generic")
    except urlid.UrlidError:
        return None


def _show(side: Side) -> Any:
    return tokens.to_json(side) if isinstance(side, urlid.Reference) else side
