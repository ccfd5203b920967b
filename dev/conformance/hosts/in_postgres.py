"""Answers by PostgreSQL: `in_postgres.py ROOT MAJOR EXTENSION`, which `bindings/postgres/run-tests` starts. Costs are of one session."""

import json
import re
import sys
import time
from pathlib import Path

import host

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bindings/postgres"))
from server import Server, literal  # noqa: E402: it lies beside the binding


class Rejected(Exception):
    """The server's error, whose message starts with the code."""

    def __init__(self, message):
        super().__init__(message)
        self.code = next(iter(re.findall("ERR_[A-Z_]+", message)), "")


class Postgres(host.SqlHost):
    def __init__(self):
        self.server = Server(*sys.argv[1:4])
        self.server.script("CREATE EXTENSION urlid;")

    def execute(self, statement, parameters=()):
        try:
            rows = self.server.sql(statement)
        except RuntimeError as error:
            raise Rejected(str(error)) from error
        return [[value(each) for each in row] for row in rows]

    def call(self, name, arguments):
        of_host = [{"hex": each.hex()} if isinstance(each, bytes) else each for each in arguments]
        [[found]] = self.execute(f"SELECT {name}({', '.join(map(literal, of_host))})")
        return found

    def load(self, urls):
        path = self.server.folder / "urls.json"
        path.write_text("".join(json.dumps({"line": line, "url": url}) + "\n" for line, url in enumerate(urls)), encoding="utf-8")
        path.chmod(0o644)
        self.server.script(
            f"""CREATE TABLE page(line integer PRIMARY KEY, url text);
                CREATE TEMP TABLE lines(line text);
                COPY lines FROM '{path}' WITH (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02');
                INSERT INTO page SELECT (line::json->>'line')::integer, line::json->>'url' FROM lines;
                ANALYZE page;"""
        )

    def rows(self, calls):
        columns = ", ".join(f"{host.sql(call)} AS c{column}" for column, call in enumerate(calls))
        return self.execute(f"SELECT {columns} FROM page ORDER BY line")

    def seconds(self, call):
        counted = host.sql(call) if call else "url"
        script = f"SET max_parallel_workers_per_gather = 0;\nEXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) SELECT count({counted}) FROM page;"
        return min(json.loads(self.server.script(script))[0]["Execution Time"] / 1e3 for _ in range(3))


def value(found):
    """Returns a value of PostgreSQL, whose bytes are texts in JSON. Parts of URLs do not start like such texts."""
    return bytes.fromhex(found[2:]) if isinstance(found, str) and found.startswith("\\x") else found


postgres = Postgres()
try:
    host.run(postgres)
finally:
    postgres.server.stop()
