"""Answers by the methods of series of Polars or pandas: `in_frames.py polars`, or `in_frames.py pandas`."""

import sys
from collections.abc import Callable

import pandas
import polars
import pyarrow
import urlid.pandas  # noqa: F401: registers the accessor
import urlid.polars  # noqa: F401: registers the namespace
from urlid._functions import FUNCTIONS

from host import run
from in_wheel import Arrow


def of_polars(column: pyarrow.Array, method: str) -> Callable[..., pyarrow.Array] | None:
    found = getattr(polars.Series(column).urlid, method, None)
    return found and (lambda *others: found(*others).to_arrow())


def of_pandas(column: pyarrow.Array, method: str) -> Callable[..., pyarrow.Array] | None:
    found = getattr(pandas.Series(pandas.arrays.ArrowExtensionArray(column)).urlid, method, None)
    return found and (lambda *others: pyarrow.array(found(*others).array))


class Series(Arrow):
    """Each function that is a method is called as one. Its other arguments are constants, which are not null, or columns."""

    def __init__(self, method_of: Callable[[pyarrow.Array, str], Callable[..., pyarrow.Array] | None]) -> None:
        self.method_of = method_of

    def call(self, name, arguments):
        first, *others = arguments
        if None in others:
            columns = [pyarrow.array([value], of) for value, of in zip(arguments, FUNCTIONS[name].arguments, strict=True)]
            return FUNCTIONS[name].call(*columns)[0].as_py()
        return self.apply(name, [pyarrow.array([first], FUNCTIONS[name].arguments[0]), *others])[0].as_py()

    def apply(self, name, arguments):
        first, *others = arguments
        method = None if isinstance(first, str) else self.method_of(first, name.removeprefix("urlid_"))
        return method(*others) if method else super().apply(name, arguments)


run(Series({"polars": of_polars, "pandas": of_pandas}[sys.argv[1]]))
