"""The functions of SQL in the standard library's SQLite, in every Python.

>>> import sqlite3
>>> import urlid.sqlite
>>> con = urlid.sqlite.register(sqlite3.connect(":memory:"))
>>> con.execute("SELECT urlid_host('HTTP://WWW.Example.com'), urlid_tld('http://1.2.3.4/')").fetchall()
[('www.example.com', None)]

A value whose type differs from its argument's gives NULL. For a text that is not UTF-8, Python's SQLite raises an error before the
function is called.

If a function fails, Python's SQLite reports only the fact. A connection of the class here reports the error:

>>> con = sqlite3.connect(":memory:", factory=urlid.sqlite.Connection)
>>> con.execute("SELECT urlid_canon('http://h/', 'wob')")
Traceback (most recent call last):
    ...
sqlite3.OperationalError: ERR_CANON_NAME: canonical form is unknown: found `wob`, expected web

The extension of SQLite has the same functions and is about three times as fast.
"""

import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

import urlid

__all__ = ["Connection", "Cursor", "register"]

Result = TypeVar("Result")
TYPES = {"text": str, "bytes": bytes}


def register(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Registers the functions of `urlid.functions()` with a connection, and returns it.

    They are deterministic, so indexes and generated columns can use them.
    """
    errors = connection._errors if isinstance(connection, Connection) else None
    for function in urlid.functions():
        call = _function(function, errors)
        connection.create_function(function.name, len(function.arguments), call, deterministic=True)
    return connection


def _function(function: urlid.Function, errors: list[urlid.UrlidError] | None) -> Callable[..., Any]:
    """Returns a function for values of any type, which keeps its last error."""
    types = [TYPES[of] for _, of in function.arguments]

    def call(*values: Any) -> Any:
        if not all(map(isinstance, values, types)):
            return None
        try:
            return function(*values)
        except urlid.UrlidError as error:
            if errors is not None:
                errors[:] = [error]
            raise

    return call


class Cursor(sqlite3.Cursor):
    """A cursor of `Connection`. The errors of the functions have their code and message."""

    def execute(self, *arguments: Any) -> "Cursor":
        self._with_errors(super().execute, *arguments)
        return self

    def executemany(self, *arguments: Any) -> "Cursor":
        self._with_errors(super().executemany, *arguments)
        return self

    def executescript(self, *arguments: Any) -> "Cursor":
        self._with_errors(super().executescript, *arguments)
        return self

    def fetchone(self) -> Any:
        return self._with_errors(super().fetchone)

    def fetchmany(self, *arguments: Any, **named: Any) -> list[Any]:
        return self._with_errors(super().fetchmany, *arguments, **named)

    def fetchall(self) -> list[Any]:
        return self._with_errors(super().fetchall)

    def __next__(self) -> Any:
        return self._with_errors(super().__next__)

    def _with_errors(self, call: Callable[..., Result], *arguments: Any, **named: Any) -> Result:
        errors: list[urlid.UrlidError] = getattr(self.connection, "_errors", [])
        errors.clear()
        try:
            return call(*arguments, **named)
        except sqlite3.OperationalError as error:
            if not errors:
                raise
            raise type(error)(str(errors[0])) from errors.pop()


class Connection(sqlite3.Connection):
    """A connection with the functions, for the argument `factory` of `sqlite3.connect`."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        # The functions refer to this list instead of the connection. The connection refers to them, and a cycle through SQLite is
        # never freed.
        self._errors: list[urlid.UrlidError] = []
        register(self)

    def cursor(self, factory: Any = Cursor) -> Any:
        return super().cursor(factory)

    # These methods of the standard library do not call `cursor`.
    def execute(self, *arguments: Any) -> Any:
        return self.cursor().execute(*arguments)

    def executemany(self, *arguments: Any) -> Any:
        return self.cursor().executemany(*arguments)

    def executescript(self, *arguments: Any) -> Any:
        return self.cursor().executescript(*arguments)
