"""Answers by the Python package alone: `in_wheel.py scalar`, or `in_wheel.py arrow` for columns."""

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
        columns = [pyarrow.array([argument], of) for argument, of in zip(arguments, types, strict=True)]
        return FUNCTIONS[name].call(*columns)[0].as_py()

    def column(self, call: Call) -> pyarrow.Array:
        name, *arguments = call
        return FUNCTIONS[name].call(*map(self.argument, arguments))

    def argument(self, argument: str | None | Call) -> pyarrow.Array:
        if argument is None:
            return self.urls
        return pyarrow.repeat(argument, len(self.urls)) if isinstance(argument, str) else self.column(argument)

    def rows(self, calls) -> Iterable[tuple[Value, ...]]:
        return zip(*(self.column(call).to_pylist() for call in calls), strict=True)

    def count(self, call: Call | None) -> None:
        if call:
            self.column(call)


if sys.argv[1] == "scalar":
    run(Scalars({function.name: function for function in urlid.functions()}))
else:
    run(Arrow())
