"""Hidden lists: the rows of a frame that match a list of hashed URIs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow
from pyspark.sql.types import StringType, StructField, StructType

from urlid import HiddenList, arrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def match(
    df: DataFrame,
    hidden: HiddenList,
    column: str = "url",
    *,
    key: bytes | None = None,
    invalid_as: str = "error",
) -> DataFrame:
    """Appends a column `listed`: the first entry that matches each URI, null where none does.

    The list is broadcast: it goes to each executor once, in its compiled form. A keyed list needs its key, which travels with the task.
    A row without a canonical form may be listed or not: with `invalid_as` `fail` it ends the job, with `block` it counts as listed, by `!`
    and its code in the place of an entry, with `pass` it is null.
    """
    if "listed" in df.columns:
        raise ValueError("the frame has a column listed already")
    arrow.listed(pyarrow.array([], pyarrow.string()), hidden, key=key, invalid_as=invalid_as)  # what does not fit is an error here
    broadcast = df.sparkSession.sparkContext.broadcast(hidden)
    place = df.columns.index(column)

    def append(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            listed = arrow.listed(batch.column(place), broadcast.value, key=key, invalid_as=invalid_as)["listed"]
            arrays = [*batch.columns, listed.to_pyarrow()]
            yield pyarrow.RecordBatch.from_arrays(arrays, names=[*batch.schema.names, "listed"])

    return df.mapInArrow(append, StructType([*df.schema.fields, StructField("listed", StringType())]))
