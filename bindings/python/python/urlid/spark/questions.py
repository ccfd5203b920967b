"""Questions to frames: typed filters where the data is read, then each candidate by its own URL."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Unpack

import pyarrow
from pyspark.sql import functions as F

from urlid import Question, Snapshot, SuffixList, UrlidError, arrow

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from urlid._types import Parts

SNAPSHOT = "urlid.snapshot"
"""The metadata key for the versions that a column of ids depends on."""


def find(
    df: DataFrame, column: str = "url", *, suffixes: SuffixList | None = None, **parts: Unpack[Parts]
) -> DataFrame:
    """Returns the rows whose URLs answer a question: see `urlid.Question` for the parts.

    Where the frame has the typed columns (`sx_tld`, …), they are filtered first, which Parquet files answer by skipping; slices
    collide, by chance and on purpose, so every candidate is then checked by its own URL. Typed columns are null for a URL without an
    SXURL, so such a frame answers for the other URLs; drop the typed columns to search all. A frame whose ids were made under another
    snapshot than the question's is refused (ERR_SNAPSHOT).
    """
    question = Question(suffixes=suffixes, **parts)
    check_snapshot(df, question.suffixes.snapshot)
    for condition in typed_filters(df, question):
        df = df.where(condition)
    return df.where(_matches(question)(F.col(column)))


def typed_filters(df: DataFrame, question: Question) -> list[Column]:
    """Returns what the typed columns of every answer satisfy, for those that the frame has."""
    values = question.columns()
    filters = [F.col(name) == F.lit(value) for name, value in values.items() if name in df.columns]
    if question.header_range is not None and "sx_header" in df.columns:
        first, last = question.header_range
        filters.append(F.col("sx_header").between(first, last))
    return filters


def check_snapshot(df: DataFrame, wanted: Snapshot) -> None:
    """Refuses a frame with ids of another snapshot."""
    for field in df.schema.fields:
        line = (field.metadata or {}).get(SNAPSHOT)
        if line is not None and Snapshot(line) != wanted:
            raise mixed(Snapshot(line), wanted)


def mixed(here: Snapshot, there: Snapshot) -> UrlidError:
    """Returns the error that names what differs between two snapshots."""
    differences = ", ".join(f"{key} {a!r} and {b!r}" for key, a, b in here.differences(there))
    return UrlidError("ERR_SNAPSHOT", f"ids of two snapshots do not mix: found {differences}")


def _matches(question: Question) -> Callable[[Column], Column]:
    """Returns the check of a URL as a function of columns."""

    def matches(urls: pyarrow.Array) -> pyarrow.Array:
        return arrow.matches(urls, question)["matches"].to_pyarrow()

    check: Callable[[Column], Column] = F.arrow_udf(matches, "boolean")  # type: ignore[attr-defined]
    return check
