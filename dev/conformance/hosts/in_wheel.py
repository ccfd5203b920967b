"""Answers from only the Python package: `in_wheel.py scalar`, or `in_wheel.py arrow` for columns."""

import sys
from collections.abc import Iterable

import pyarrow
import urlid
from urlid._functions import FUNCTIONS

from host import Call, Scalars, SqlHost, Value, run


class Arrow(SqlHost):
    """Each function for the whole column."""

    def load(self, urls):
        self.urls = pyarrow.array(urls)

    def question(self, statement):
        return None

    def call(self, name, arguments):
        types = FUNCTIONS[name].arguments
        return self.apply(name, [pyarrow.array([argument], of) for argument, of in zip(arguments, types, strict=True)])[0].as_py()

    def apply(self, name: str, arguments: list[pyarrow.Array | str]) -> pyarrow.Array:
        """Calls a function with columns and constants."""
        length = next(len(argument) for argument in arguments if not isinstance(argument, str))
        columns = (pyarrow.repeat(argument, length) if isinstance(argument, str) else argument for argument in arguments)
        return FUNCTIONS[name].call(*columns)

    def column(self, call: Call) -> pyarrow.Array:
        name, *arguments = call
        return self.apply(name, list(map(self.argument, arguments)))

    def argument(self, argument: str | None | Call) -> pyarrow.Array | str:
        if argument is None:
            return self.urls
        return argument if isinstance(argument, str) else self.column(argument)

    def rows(self, calls) -> Iterable[tuple[Value, ...]]:
        return zip(*(self.column(call).to_pylist() for call in calls), strict=True)

    def count(self, call: Call | None) -> None:
        if call:
            self.column(call)


if __name__ == "__main__":
    run(Arrow() if sys.argv[1] == "arrow" else Scalars({function.name: function for function in urlid.functions()}))
