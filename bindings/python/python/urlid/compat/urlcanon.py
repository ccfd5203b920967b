"""The canonicalizers of urlcanon 0.3.1: `whatwg`, `google`, `semantic_precise`, `semantic` and `aggressive`.

>>> from urlid.compat import urlcanon
>>> str(urlcanon.semantic("a.example:80/b"))
'a.example:80/b'
>>> url = urlcanon.aggressive("https://www.Example.com/A/?sid=0123456789abcdef&b")
>>> str(url), url.host, url.surt(with_scheme=False)
('http://example.com/a?b', b'example.com', b'com,example,)/a?b')

User and password are told apart by the first colon between them, also where `google` has decoded one.

A canonicalizer takes a text, bytes or a `ParsedUrl`, which it changes, and returns a `ParsedUrl`. Parts can be read of what a canonicalizer
has made; those of a URL that is only parsed, and changing them by hand, raise a `NotImplementedError`.
"""

from __future__ import annotations

from collections.abc import Callable

from urlid._urlid import _urlcanon

__all__ = [
    "Canonicalizer",
    "ParsedUrl",
    "aggressive",
    "google",
    "parse_url",
    "semantic",
    "semantic_precise",
    "whatwg",
]


class ParsedUrl:
    """A URL, and its parts once a canonicalizer has made them. All parts are bytes; those that are not there are empty."""

    __slots__ = ("_has_address", "_parts", "_text")

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._parts: list[bytes | None] | None = None
        self._has_address = False

    def __bytes__(self) -> bytes:
        return self._text

    def __str__(self) -> str:
        return self._text.decode()

    def __repr__(self) -> str:
        return f"<ParsedUrl {self._text!r}>"

    def _part(self, index: int) -> bytes | None:
        if self._parts is None:
            raise NotImplementedError("parts of a URL that no canonicalizer has changed: call one of urlcanon's canonicalizers first")
        return self._parts[index]

    def _mark(self, index: int, mark: bytes) -> bytes:
        return b"" if self._part(index) is None else mark

    def _change(self, name: str) -> None:
        self._parts, self._has_address = _urlcanon(name, self._text)
        self._text = b"".join(
            [self.scheme, self.colon_after_scheme, self.slashes, self.authority, self.path]
            + [self.question_mark, self.query, self.hash_sign, self.fragment]
        )

    @property
    def leading_junk(self) -> bytes:
        """What stands before the URL: nothing, for canonicalizers remove it."""
        return self._mark(4, b"")

    @property
    def scheme(self) -> bytes:
        """The scheme."""
        return self._part(0) or b""

    @property
    def colon_after_scheme(self) -> bytes:
        """`:` if there is a scheme."""
        return self._mark(0, b":")

    @property
    def slashes(self) -> bytes:
        """`//` if an authority follows."""
        return self._mark(2, b"//")

    @property
    def userinfo(self) -> bytes:
        """User and password."""
        return self._part(1) or b""

    @property
    def username(self) -> bytes:
        """The user."""
        return self.userinfo.partition(b":")[0]

    @property
    def colon_before_password(self) -> bytes:
        """`:` if there is a password."""
        return self.userinfo.partition(b":")[1]

    @property
    def password(self) -> bytes:
        """The password."""
        return self.userinfo.partition(b":")[2]

    @property
    def at_sign(self) -> bytes:
        """`@` if there is a user."""
        return self._mark(1, b"@")

    @property
    def host(self) -> bytes:
        """The host."""
        return self._part(2) or b""

    @property
    def colon_before_port(self) -> bytes:
        """`:` if there is a port."""
        return self._mark(3, b":")

    @property
    def port(self) -> bytes:
        """The port."""
        return self._part(3) or b""

    @property
    def host_port(self) -> bytes:
        """Host and port."""
        return self.host + self.colon_before_port + self.port

    @property
    def authority(self) -> bytes:
        """User, host and port."""
        return self.userinfo + self.at_sign + self.host_port

    @property
    def path(self) -> bytes:
        """The path."""
        return self._part(4) or b""

    @property
    def question_mark(self) -> bytes:
        """`?` if there is a query, which may be empty."""
        return self._mark(5, b"?")

    @property
    def query(self) -> bytes:
        """The query."""
        return self._part(5) or b""

    @property
    def hash_sign(self) -> bytes:
        """`#` if there is a fragment, which may be empty."""
        return self._mark(6, b"#")

    @property
    def fragment(self) -> bytes:
        """The fragment."""
        return self._part(6) or b""

    @property
    def trailing_junk(self) -> bytes:
        """What stands after the URL: nothing, for canonicalizers remove it."""
        return self._mark(4, b"")

    def surt(self, trailing_comma: bool = True, with_scheme: bool = True) -> bytes:
        """Returns the URL with its host reversed, unless that is an address."""
        before = self.scheme + self.colon_after_scheme + self.slashes if with_scheme else b""
        if self.host:
            host = self._reversed_host(trailing_comma)
            before += (b"(" if with_scheme else b"") + host + self.colon_before_port + self.port + b")"
        return before + self.path + self.question_mark + self.query + self.hash_sign + self.fragment

    def ssurt(self) -> bytes:
        """Returns the parts in the order for sorting: the reversed host first."""
        before = self._reversed_host(True) + self.slashes + self.port + self.colon_before_port + self.scheme + self.at_sign
        before += self.userinfo + self.colon_after_scheme
        return before + self.path + self.question_mark + self.query + self.hash_sign + self.fragment

    def _reversed_host(self, trailing_comma: bool) -> bytes:
        """Returns the labels from right to left, but an address as it is."""
        if not self.host or self.host.startswith(b"[") or self._has_address:
            return self.host
        labels = [label.replace(b",", b".") for label in reversed(self.host.split(b"."))]
        return b",".join([*labels, b""] if trailing_comma else labels)


def parse_url(url: str | bytes) -> ParsedUrl:
    """Returns the URL, for a canonicalizer to change."""
    return ParsedUrl(url if isinstance(url, bytes) else url.encode())


class Canonicalizer:
    """One of the package's canonicalizers, which can be called. Lists of other steps raise a `NotImplementedError`."""

    def __init__(self, steps: list[Callable[[ParsedUrl], None]] | str) -> None:
        if not isinstance(steps, str):
            raise NotImplementedError("Canonicalizer: steps of one's own are not supported")
        self._name = steps

    def __call__(self, url: ParsedUrl | str | bytes) -> ParsedUrl:
        return self.canonicalize(url)

    def canonicalize(self, url: ParsedUrl | str | bytes) -> ParsedUrl:
        """Changes a URL, or parses a text and changes that."""
        parsed = url if isinstance(url, ParsedUrl) else parse_url(url)
        parsed._change(self._name)
        return parsed


whatwg = Canonicalizer("whatwg")
"""The URL Standard, as the package has it."""

google = Canonicalizer("google")
"""Safe Browsing, with the port kept."""

semantic_precise = Canonicalizer("semantic_precise")
"""`semantic` with the fragment."""

semantic = Canonicalizer("semantic")
"""What means the same: the form `urlcanon-semantic-0.3.1`."""

aggressive = Canonicalizer("aggressive")
"""`semantic` without `https`, `www.`, case and sessions."""
