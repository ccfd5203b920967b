"""Answers from the shared library for C, through ctypes: `in_c.py LIBRARY`. Its costs are mostly the costs of ctypes."""

import sys
from pathlib import Path

from host import Scalars, run

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bindings/c"))
from library import Library  # noqa: E402: it lies beside the binding


class Functions(dict):
    """Each function by its name, made when it is first called."""

    library = Library(sys.argv[1])

    def __missing__(self, name):
        self[name] = self.library.function(name)
        return self[name]


run(Scalars(Functions()))
