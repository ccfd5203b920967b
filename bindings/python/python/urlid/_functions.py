"""The SQL functions, the same names everywhere, as functions of pyarrow arrays.

Spark and DuckDB register these; what is refused is null. Ids are bytes, slices are signed 64-bit integers, a Hashed URI and a
canonical form are texts.
"""

from collections.abc import Callable
from typing import NamedTuple

import pyarrow

import urlid
from urlid import arrow

Array = pyarrow.Array


class Function(NamedTuple):
    """A function with the types of its arguments and of its result, as Arrow names them."""

    call: Callable[..., Array]
    arguments: tuple[pyarrow.DataType, ...]
    result: pyarrow.DataType


def urlid_sxurl(url: Array) -> Array:
    """The SXURL, 32 bytes."""
    return _array(arrow.ids(url, ["sxurl"])["sxurl"])


def urlid_url_hash(url: Array) -> Array:
    """The url-hash, 32 bytes."""
    return _array(arrow.ids(url, ["url-hash"])["url_hash"])


def urlid_hashed(url: Array, algorithm: Array, variant: Array) -> Array:
    """The Hashed URI that keeps neither query nor fragment, a text."""

    def hashed(urls: Array, algorithm: str, variant: str) -> Array:
        return _array(arrow.hashed(urls, algorithm=algorithm, variant=variant.lower())["hashed_uri"])

    return _by_constants(hashed, pyarrow.string(), url, algorithm, variant)


def urlid_slice(id: Array, name: Array) -> Array:
    """A field of a SXURL as a number: `tld`, `domain`, `sub`, `path`, `params`, `frag`, `header` or `port`."""

    def field(ids: Array, name: str) -> Array:
        columns = arrow.slices(ids, of="ids")
        if f"sx_{name}" not in columns.column_names:
            raise ValueError(f"unknown slice: found {name!r}")
        return _array(columns[f"sx_{name}"]).cast(pyarrow.int64())

    return _by_constants(field, pyarrow.int64(), id, name)


def urlid_probe(name: Array, value: Array) -> Array:
    """The hash that a value has in a slice, to compare `urlid_slice` with; null for what no URL can have."""

    def probe(name: str | None, value: str | None) -> int | None:
        try:
            return None if name is None or value is None else urlid.probe(name, value)
        except urlid.UrlidError:
            return None

    pairs = list(zip(_array(name).to_pylist(), _array(value).to_pylist(), strict=True))
    known = {pair: probe(*pair) for pair in set(pairs)}
    return pyarrow.array([known[pair] for pair in pairs], pyarrow.int64())


def urlid_canon(url: Array, form: Array) -> Array:
    """A canonical form: `web`, `generic`, `sxurl`, `hashed-none`, `hashed-n` or `hashed-p`."""

    def canonical(urls: Array, form: str) -> Array:
        return _array(arrow.canon(urls, form)["canonical"])

    return _by_constants(canonical, pyarrow.string(), url, form)


def _array(column: object) -> Array:
    """Returns one array, whatever it came in."""
    if isinstance(column, pyarrow.ChunkedArray):
        column = column.combine_chunks()
    return column if isinstance(column, Array) else pyarrow.array(column)


def _by_constants(call: Callable[..., Array], result: pyarrow.DataType, column: Array, *constants: Array) -> Array:
    """Calls a kernel once for each combination of constants, usually one; rows with a null among them are null."""
    column, *constants = map(_array, (column, *constants))
    rows: dict[tuple[str | None, ...], list[int]] = {}
    for row, key in enumerate(zip(*(constant.to_pylist() for constant in constants), strict=True)):
        rows.setdefault(key, []).append(row)
    if len(rows) == 1 and None not in next(iter(rows)):
        return call(column, *next(iter(rows)))
    rows = {key: indices for key, indices in rows.items() if None not in key}
    parts = [call(column.take(pyarrow.array(indices)), *key) for key, indices in rows.items()]
    places = {row: place for place, row in enumerate(row for indices in rows.values() for row in indices)}
    values = pyarrow.concat_arrays(parts) if parts else pyarrow.nulls(0, result)
    return values.take(pyarrow.array([places.get(row) for row in range(len(column))], pyarrow.int64()))


_TEXT, _BYTES, _NUMBER = pyarrow.string(), pyarrow.binary(), pyarrow.int64()

FUNCTIONS: dict[str, Function] = {
    "urlid_sxurl": Function(urlid_sxurl, (_TEXT,), _BYTES),
    "urlid_url_hash": Function(urlid_url_hash, (_TEXT,), _BYTES),
    "urlid_hashed": Function(urlid_hashed, (_TEXT, _TEXT, _TEXT), _TEXT),
    "urlid_slice": Function(urlid_slice, (_BYTES, _TEXT), _NUMBER),
    "urlid_probe": Function(urlid_probe, (_TEXT, _TEXT), _NUMBER),
    "urlid_canon": Function(urlid_canon, (_TEXT, _TEXT), _TEXT),
}
"""The functions by name."""
