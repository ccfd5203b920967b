"""The vectors of the functions of SQL, and their test in a host with SQL."""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
VECTORS = json.loads((ROOT / "vectors/functions.json").read_text(encoding="utf-8"))["vectors"]
assert len(VECTORS) > 250


def of_json(value: object) -> "str | bytes | int | bool | None":
    """Returns a value: bytes are objects with their hexadecimal digits."""
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


class VectorTests:
    """For a test case whose `query(statement, *parameters)` returns rows, and whose database raises `Error` with the code."""

    Error: type[Exception]

    # Whether the rows of a column may have values of several types, as in SQLite. A value of a wrong type is then rejected like a
    # text that is not a URL, and the result is NULL. Elsewhere the query is wrong, which is an error before a row is read.
    values_have_types = False

    def test_a_value_of_a_wrong_type(self) -> None:
        calls = {vector["input"]["name"]: vector["input"]["arguments"] for vector in VECTORS if "error" not in vector}
        assert len(calls) > 10
        for name, arguments in calls.items():
            for wrong in range(len(arguments)):
                others = [of_json(value) for index, value in enumerate(arguments) if index != wrong]
                statement = f"SELECT {name}({', '.join('5' if index == wrong else '?' for index in range(len(arguments)))})"
                with self.subTest(statement):
                    if self.values_have_types:
                        self.assertEqual(self.query(statement, *others), [(None,)])
                    else:
                        self.assertRaisesRegex(self.Error, name, self.query, statement, *others)

    def test_vectors(self) -> None:
        for vector in VECTORS:
            name, arguments = vector["input"]["name"], list(map(of_json, vector["input"]["arguments"]))
            statement = f"SELECT {name}({', '.join('?' for _ in arguments)})"
            with self.subTest(vector["id"]):
                if "error" in vector:
                    with self.assertRaisesRegex(self.Error, vector["error"]):
                        self.query(statement, *arguments)
                else:
                    self.assertEqual(self.query(statement, *arguments), [(of_json(vector["expect"]["result"]),)])
