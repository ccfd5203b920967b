"""Questions to frames. Columns are filtered where the data is read, and then each candidate is checked by its own URL."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
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
    """Returns the rows whose URLs answer a question. See `urlid.Question` for the parts.

    Filters first by the frame's other columns, for which Parquet files skip rows: `host_key`, `tld`, `registered_domain` and
    `scheme` in a dataset, and the typed columns (`sx_tld`, …) elsewhere. Slices collide, by chance and on purpose, so every
    candidate is then checked by its own URL. Typed columns are null for a URL without an SXURL, so a frame with them and without
    `host_key` answers only for URLs with an SXURL. Drop the typed columns to search all URLs. A frame whose ids were made under a
    snapshot that differs from the question's is rejected (ERR_SNAPSHOT).
    """
    question = Question(suffixes=suffixes, **parts)
    check_snapshot(df, question.suffixes.snapshot)
    for condition in column_filters(df, question):
        df = df.where(condition)
    return df.where(_matches(question)(F.col(column)))


def column_filters(df: DataFrame, question: Question) -> list[Column]:
    """Returns the conditions that the columns of every answer satisfy, for the columns of the frame."""
    filters = [F.col(name) == F.lit(value) for name, value in question.columns().items() if name in df.columns]
    if question.header_range is not None and "sx_header" in df.columns:
        first, last = question.header_range
        filters.append(F.col("sx_header").between(first, last))
    if "host_key" not in df.columns:
        return filters
    # A dataset also has URLs without an SXURL, whose slices are null.
    filters = [condition | F.col("id").isNull() for condition in filters]
    filters += [F.col(name) == F.lit(value) for name, value in question.texts().items() if name in df.columns]
    ranges = [(F.col("host_key") >= first) & (F.col("host_key") < behind) for first, behind in question.host_keys or []]
    return filters + ([reduce(or_, ranges)] if ranges else [])


def check_snapshot(df: DataFrame, wanted: Snapshot) -> None:
    """Rejects a frame with ids of a different snapshot."""
    for field in df.schema.fields:
        line = (field.metadata or {}).get(SNAPSHOT)
        if line is not None and Snapshot(line) != wanted:
            raise mixed(Snapshot(line), wanted)


def mixed(here: Snapshot, there: Snapshot) -> UrlidError:
    """Returns the error that lists the differences between two snapshots."""
    differences = ", ".join(f"{key} {a!r} and {b!r}" for key, a, b in here.differences(there))
    return UrlidError("ERR_SNAPSHOT", f"ids of two snapshots do not mix: found {differences}")


def _matches(question: Question) -> Callable[[Column], Column]:
    """Returns the check of a URL as a function of columns."""

    def matches(urls: pyarrow.Array) -> pyarrow.Array:
        return arrow.matches(urls, question)["matches"].to_pyarrow()

    check: Callable[[Column], Column] = F.arrow_udf(matches, "boolean")  # type: ignore[attr-defined]
    return check
