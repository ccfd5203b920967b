"""The kernels in Apache Spark, on columns and datasets larger than one machine.

Everything runs in Spark's own Python workers through Arrow, so the wheel must be installed there (docs/spark.md). Ids and answers
have the same bytes as on one machine.

- `with_ids`, `with_slices`, `with_parts` append columns to a frame.
- `write_dataset` makes a dataset, which the program and `urlid.Index` can read; `write_table` keeps all columns of a frame.
- `read_dataset` reads both, and `find` selects URLs by part. Columns are filtered where the data is read, and each candidate is
checked by its own URL.
- `dedupe` keeps one row of each identity.
- `match` finds the rows that a hidden list names.
- `register` adds the SQL functions to a session.
"""

from urlid._extra import extra

with extra("spark"):
    from urlid.spark.columns import with_ids, with_parts, with_slices
    from urlid.spark.dataset import write_dataset
    from urlid.spark.distinct import dedupe
    from urlid.spark.lists import match
    from urlid.spark.questions import find
    from urlid.spark.reading import read_dataset, snapshot_of
    from urlid.spark.sql import register
    from urlid.spark.tables import ORDER, write_table

__all__ = [
    "ORDER",
    "dedupe",
    "find",
    "match",
    "read_dataset",
    "register",
    "snapshot_of",
    "with_ids",
    "with_parts",
    "with_slices",
    "write_dataset",
    "write_table",
]
