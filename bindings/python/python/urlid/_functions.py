"""The functions of SQL over pyarrow arrays, which DuckDB and Spark register and series have as methods.

The table is `urlid.functions()`. Ids are bytes, slices are signed 64-bit integers, and rejected values are null.
"""

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import NamedTuple

import pyarrow
from pyarrow import Array

import urlid


class Function(NamedTuple):
    """A function with the types of its arguments and of its result, as Arrow names them."""

    call: Callable[..., Array]
    arguments: tuple[pyarrow.DataType, ...]
    result: pyarrow.DataType


_TYPES = {
    "text": pyarrow.string(),
    "bytes": pyarrow.binary(),
    "integer": pyarrow.int64(),
    "boolean": pyarrow.bool_(),
}


def _function(function: urlid.Function) -> Function:
    def call(*columns: Array) -> Array:
        return pyarrow.array(function.column(*columns))

    # DuckDB and Spark read the number and the types of the arguments from the callable.
    names = [name for name, _ in function.arguments]
    parameters = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=Array) for name in names]
    call.__signature__ = Signature(parameters, return_annotation=Array)  # type: ignore[attr-defined]
    call.__annotations__ = dict.fromkeys([*names, "return"], Array)
    call.__name__, call.__doc__ = function.name, function.about
    return Function(call, tuple(_TYPES[of] for _, of in function.arguments), _TYPES[function.result])


FUNCTIONS: dict[str, Function] = {function.name: _function(function) for function in urlid.functions()}
"""The functions by name."""


def methods() -> dict[str, Callable[..., Array]]:
    """Returns the name of the method on series and the call for each function whose first argument is a column, not a name.

    Other arguments are constants, or columns of the same length.
    """

    def method(function: Function) -> Callable[..., Array]:
        def call(column: Array, *others: Array | str | bytes) -> Array:
            constant = str | bytes
            columns = (pyarrow.repeat(value, len(column)) if isinstance(value, constant) else value for value in others)
            return function.call(column, *columns)

        call.__doc__ = function.call.__doc__
        return call

    return {
        function.name.removeprefix("urlid_"): method(FUNCTIONS[function.name])
        for function in urlid.functions()
        if function.arguments[0][0] != "name"
    }
