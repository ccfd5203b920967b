"""Answers by SQLite: `in_sqlite.py EXTENSION`, or without an extension by `urlid.sqlite`."""

import sqlite3
import sys

from host import SqlHost, run


class Sqlite(SqlHost):
    def __init__(self, extension: str | None) -> None:
        self.connection = sqlite3.connect(":memory:")
        if extension:
            self.connection.enable_load_extension(True)
            self.connection.load_extension(extension.removesuffix(".so"))
        else:
            import urlid.sqlite

            urlid.sqlite.register(self.connection)

    def execute(self, statement, parameters=()):
        return self.connection.execute(statement, parameters)

    def load(self, urls):
        self.execute("CREATE TABLE page(line INTEGER PRIMARY KEY, url TEXT)")
        self.connection.executemany("INSERT INTO page VALUES (?, ?)", enumerate(urls))


run(Sqlite(sys.argv[1] if len(sys.argv) > 1 else None))
