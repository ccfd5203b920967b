"""What type checkers cannot see: keyword arguments that several functions take, and the methods of frames."""

from typing import Generic, TypedDict, TypeVar

Column = TypeVar("Column")


class Parts(TypedDict, total=False):
    """The parts of a URL that a question names: see `urlid.Question`."""

    scheme: str | None
    host: str | None
    under: str | None
    registered_domain: str | None
    tld: str | None
    domain: str | None
    sub: str | None
    port: int | None
    path: str | None
    path_prefix: str | None
    query: str | None
    fragment: str | None
    has: str | None
    lacks: str | None


class HashedUriOptions(TypedDict, total=False):
    """What a Hashed URI is made with: see `urlid.HashedUri.encode`."""

    algorithm: str
    variant: str
    keep_query: bool
    keep_fragment: bool
    key: bytes | None


class FunctionMethods(Generic[Column]):
    """The methods that series and expressions have from the table of functions, `urlid.functions()`."""

    def sxurl(self) -> Column: ...
    def url_hash(self) -> Column: ...
    def hashed(self, algorithm: str, variant: str, /) -> Column: ...
    def match(self, url: str, /) -> Column: ...
    def slice(self, name: str, /) -> Column: ...
    def decode(self, field: str, /) -> Column: ...
    def canon(self, form: str, /) -> Column: ...
    def template(self, templates: str, /) -> Column: ...
    def assume(self, scheme: str, /) -> Column: ...
    def redact(self) -> Column: ...
    def host(self) -> Column: ...
    def hosts_agree(self) -> Column: ...
    def tld(self) -> Column: ...
    def registered_domain(self) -> Column: ...
    def sub(self) -> Column: ...
    def part(self, part: str, /) -> Column: ...
    def query_param(self, name: str, /) -> Column: ...
    # The table ends here.
