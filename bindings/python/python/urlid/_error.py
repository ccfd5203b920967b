"""The exception for every rejected text, id or file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast


class UrlidError(ValueError):
    """A rejected text, id or file.

    `code` is stable, and is the specification's name of the error if it has one. `message` is one line with the text that was
    found, its place, and the expected text. The text of the exception has both. An error of the system is also an `OSError` of the
    class of its `errno`, so a missing file is a `FileNotFoundError`.

    >>> import urlid
    >>> try:
    ...     urlid.Sxurl.encode("mailto:x")
    ... except urlid.UrlidError as error:
    ...     error.code, str(error)
    ('ERR_INVALID_SCHEME', 'ERR_INVALID_SCHEME: scheme is not supported: found `mailto`, expected https, http or ftp')
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


_CLASSES: dict[type[OSError], Any] = {}
"""The classes that are a `UrlidError` and an error of the system, made on demand."""


def os_error(code: str, message: str, errno: int, filename: str | None) -> UrlidError:
    """Returns the exception for a file that the system rejected."""
    kind = type(OSError(errno, message))
    if kind not in _CLASSES:
        members = {"__module__": "urlid", "__doc__": UrlidError.__doc__, "__reduce__": _reduce}
        _CLASSES[kind] = type("UrlidError", (UrlidError, kind), members)
    error: Any = _CLASSES[kind](code, message)
    error.errno, error.filename = errno, filename
    return cast(UrlidError, error)


def _reduce(error: Any) -> tuple[Callable[..., UrlidError], tuple[object, ...]]:
    return os_error, (error.code, error.message, error.errno, error.filename)
