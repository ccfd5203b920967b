"""Runs the vectors of the functions of SQL through the shared library: `test_vectors.py LIBRARY`."""

import sys
from pathlib import Path

from library import Library, Rejected

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "dev/conformance/hosts"))
from vectors import VECTORS, of_json  # noqa: E402: it lies beside the comparison of hosts


def main():
    library = Library(sys.argv[1])
    for vector in VECTORS:
        function = library.function(vector["input"]["name"])
        try:
            found = function(*map(of_json, vector["input"]["arguments"]))
        except Rejected as error:
            assert error.code == vector.get("error"), (vector, error)
        else:
            assert "error" not in vector and found == of_json(vector["expect"]["result"]), (vector, found)
    print(f"{len(VECTORS)} vectors")


if __name__ == "__main__":
    main()
