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
    """Appends a column `listed` with the first entry that matches each URI, or null.

    The list is broadcast to each executor once, in its compiled form. A keyed list needs its key, which is sent with the task. It
    is unknown whether a row without a canonical form is listed, so `invalid_as` decides. With `error` the row ends the job. With
    `match` it counts as listed, and `!` and its code replace the entry. With `no-match` it is null.
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
