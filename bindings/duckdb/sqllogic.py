"""Runs the files of DuckDB's tests that `test/sql` has, as its own runner does: `sqllogic.run(EXTENSION, FILE)`.

Only the parts of the format that the files need are implemented: `require`, `statement ok`, `statement error` and `query`. Anything
else is an error.
"""

import duckdb


def run(extension, path):
    """Runs a file, and returns how many statements it has."""
    con = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    count = 0
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if lines:
            step(con, extension, *lines)
            count += 1
    return count


def step(con, extension, command, *lines):
    text, _, expected = "\n".join(lines).partition("\n----\n")
    match command.split():
        case ["require", "urlid"]:
            con.execute(f"LOAD '{extension}'")
        case ["statement", "ok"]:
            con.execute(text)
        case ["statement", "error"]:
            try:
                con.execute(text)
            except duckdb.Error as error:
                # DuckDB's messages start with the kind of error.
                assert expected in str(error), f"{text}\nfound {error}, expected {expected}"
            else:
                raise AssertionError(f"{text}\nexpected an error: {expected}")
        case ["query", types]:
            rows = con.execute(text).fetchall()
            assert all(len(row) == len(types) for row in rows), f"{text}\nexpected {len(types)} columns"
            # DuckDB itself writes the values as texts.
            found = "\n".join("\t".join(shown(con, value) for value in row) for row in rows)
            assert found == expected, f"{text}\nfound\n{found}\nexpected\n{expected}"
        case _:
            raise AssertionError(f"unknown: {command}")


def shown(con, value):
    if value is None:
        return "NULL"
    [(text,)] = con.execute("SELECT ?::VARCHAR", [value]).fetchall()
    return text or "(empty)"
