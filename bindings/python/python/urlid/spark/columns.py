"""Columns that are appended to a frame by the kernels, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import pyarrow
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from urlid import SuffixList, arrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Kernel = Callable[[pyarrow.Array], arrow.Columns]


def with_ids(
    df: DataFrame,
    column: str = "url",
    kinds: Sequence[str] = ("sxurl",),
    *,
    suffixes: SuffixList | None = None,
    errors: bool = False,
) -> DataFrame:
    """Appends a column for each kind of id. See `urlid.arrow.ids`."""
    kinds = list(kinds)
    return with_columns(df, column, lambda urls: arrow.ids(urls, kinds, suffixes=suffixes, errors=errors))


def with_slices(
    df: DataFrame,
    column: str = "url",
    of: str = "urls",
    *,
    suffixes: SuffixList | None = None,
    errors: bool = False,
) -> DataFrame:
    """Appends the typed columns of SXURLs, from a column of URLs or of `ids`. See `urlid.arrow.slices`."""
    return with_columns(df, column, lambda urls: arrow.slices(urls, of, suffixes=suffixes, errors=errors))


def with_parts(df: DataFrame, column: str = "url", *, sections: str = "all", errors: bool = False) -> DataFrame:
    """Appends the parts of URLs. Suffix and registered domain use all `sections`, or only `icann`. See `urlid.arrow.parts`."""
    return with_columns(df, column, lambda urls: arrow.parts(urls, sections=sections, errors=errors))


def with_columns(df: DataFrame, column: str, kernel: Kernel) -> DataFrame:
    """Appends the results of a kernel for a column. A column name that exists already is an error."""
    made = from_arrow_schema(kernel(pyarrow.array([], pyarrow.string())).to_pyarrow().schema)
    taken = sorted(set(df.columns) & set(made.names))
    if taken:
        raise ValueError(f"the frame has these columns already: {', '.join(taken)}")
    place = df.columns.index(column)

    def append(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            table = kernel(batch.column(place)).to_pyarrow().combine_chunks()
            arrays = [*batch.columns, *(chunk for name in made.names for chunk in _one(table[name]))]
            yield pyarrow.RecordBatch.from_arrays(arrays, names=[*batch.schema.names, *made.names])

    return df.mapInArrow(append, StructType([*df.schema.fields, *made.fields]))


def _one(column: pyarrow.ChunkedArray) -> list[pyarrow.Array]:
    """Returns the single chunk of a column, or an empty chunk."""
    return column.chunks or [pyarrow.array([], column.type)]
