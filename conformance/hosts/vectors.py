"""The vectors of the functions of SQL, and their test in a host with SQL."""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VECTORS = json.loads((ROOT / "vectors/functions.json").read_text(encoding="utf-8"))["vectors"]
assert len(VECTORS) > 250


def of_json(value: object) -> "str | bytes | int | bool | None":
    """Returns a value: bytes are objects with their hexadecimal digits."""
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


class VectorTests:
    """For a test case whose `query(statement, *parameters)` returns rows, and whose database raises `Error` with the code."""

    Error: type[Exception]

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
