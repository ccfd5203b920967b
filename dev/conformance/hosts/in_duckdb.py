"""Answers by DuckDB: `in_duckdb.py EXTENSION`, or without an extension by `urlid.duckdb`."""

import json
import sys
import tempfile

import duckdb

from host import SqlHost, run


class DuckDb(SqlHost):
    def __init__(self, extension: str | None) -> None:
        self.connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": 1})
        if extension:
            self.connection.execute(f"LOAD '{extension}'")
        else:
            import urlid.duckdb

            urlid.duckdb.register(self.connection)

    def execute(self, statement, parameters=()):
        result = self.connection.execute(statement, parameters)
        while rows := result.fetchmany(10_000):
            yield from rows

    def load(self, urls):
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".json") as file:
            file.writelines(json.dumps({"line": line, "url": url}) + "\n" for line, url in enumerate(urls))
            file.flush()
            columns = "columns = {line: 'BIGINT', url: 'VARCHAR'}, format = 'newline_delimited'"
            self.connection.execute(f"CREATE TABLE page AS SELECT * FROM read_json('{file.name}', {columns})")


run(DuckDb(sys.argv[1] if len(sys.argv) > 1 else None))
