"""Runs the vectors of the functions of SQL through the shared library: `test_vectors.py LIBRARY`."""

import json
import sys
from pathlib import Path

from library import Library, Refused

VECTORS = Path(__file__).resolve().parents[2] / "vectors" / "functions.json"


def of_json(value):
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value


def main():
    library = Library(sys.argv[1])
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]
    assert len(vectors) > 250
    for vector in vectors:
        function = library.function(vector["input"]["name"])
        try:
            found = function(*map(of_json, vector["input"]["arguments"]))
        except Refused as error:
            assert error.code == vector.get("error"), (vector, error)
        else:
            assert "error" not in vector and found == of_json(vector["expect"]["result"]), (vector, found)
    print(f"{len(vectors)} vectors")


if __name__ == "__main__":
    main()
