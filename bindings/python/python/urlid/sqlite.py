"""The functions of SQL in the standard library's SQLite, whatever Python it belongs to.

>>> import sqlite3
>>> import urlid.sqlite
>>> con = urlid.sqlite.register(sqlite3.connect(":memory:"))
>>> con.execute("SELECT urlid_host('HTTP://WWW.Example.com'), urlid_tld('http://1.2.3.4/')").fetchall()
[('www.example.com', None)]

The extension of SQLite has the same functions, and is about three times as fast.
"""

import sqlite3

import urlid

__all__ = ["register"]


def register(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Registers the functions of `urlid.functions()` with a connection, and returns it.

    They are deterministic, so indexes and generated columns may use them.
    """
    for function in urlid.functions():
        connection.create_function(function.name, len(function.arguments), function, deterministic=True)
    return connection
