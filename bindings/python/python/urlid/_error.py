"""The exception of every refused text, id or file."""

from __future__ import annotations

import functools
from typing import Any


class UrlidError(ValueError):
    """A text, an id or a file that was refused.

    `code` is stable and is the specification's name of the error where it has one; `message` is one line that says what
    was found, where, and what was expected. The text of the exception is both. What the system refused is an `OSError` too,
    of the class that its `errno` has: a file that is not there is a `FileNotFoundError`.

    >>> import urlid
    >>> try:
    ...     urlid.Sxurl.encode("mailto:x")
    ... except urlid.UrlidError as error:
    ...     error.code, str(error)
    ('ERR_INVALID_SCHEME', 'ERR_INVALID_SCHEME: only https, http, ftp: found scheme `mailto`')
    >>> try:
    ...     urlid.Index("no/such/file")
    ... except FileNotFoundError as error:
    ...     isinstance(error, urlid.UrlidError), error.filename
    (True, 'no/such/file')
    """

    code: str
    message: str

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


UrlidError.__module__ = "urlid"


def os_error(code: str, message: str, errno: int, filename: str | None) -> UrlidError:
    """Returns the exception of a file that the system refused."""
    error = _class_of(type(OSError(errno, message)))(code, message)
    error.errno, error.filename = errno, filename
    return error


@functools.cache
def _class_of(kind: type[OSError]) -> Any:
    """Returns the class that is a `UrlidError` and of this kind."""

    def reduce(self: Any) -> tuple[Any, tuple[object, ...]]:
        return os_error, (self.code, self.message, self.errno, self.filename)

    return type("UrlidError", (UrlidError, kind), {"__module__": "urlid", "__doc__": UrlidError.__doc__, "__reduce__": reduce})
