"""One row of each identity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from urlid import arrow
from urlid.spark.columns import with_columns, with_ids

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def dedupe(df: DataFrame, column: str = "url", by: str = "url-hash") -> DataFrame:
    """Keeps one row of all whose URLs are the same: the one whose text comes first in byte order.

    `by` says what the same is: `url-hash` (all 256 bits of it) for the WHATWG normal form, or a canonical form of
    `urlid.arrow.canon`, those of a Hashed URI with query and fragment kept. SXURL slices collide, so `sxurl` compares its normal
    text, not its id. A text that has no identity is the same as itself only; nulls are one row.
    """
    if by == "url-hash":
        marked = with_ids(df, column, ["url-hash"]).withColumnRenamed("url_hash", _KEY)
    else:
        keep = by in ("hashed-none", "hashed-n", "hashed-p")
        marked = with_columns(df, column, lambda urls: arrow.canon(urls, by, keep_query=keep, keep_fragment=keep))
        marked = marked.withColumn(_KEY, F.col("canonical").cast("binary")).drop("canonical")
    # Both are bytes, and a text could equal the key of another row. The first byte keeps them apart.
    rejected = F.concat(F.lit(b"\0"), F.col(column).cast("binary"))
    marked = marked.withColumn(_KEY, F.coalesce(F.concat(F.lit(b"\1"), F.col(_KEY)), rejected))
    row = F.struct(*(F.col(name) for name in df.columns))
    kept = marked.groupBy(_KEY).agg(F.min_by(row, F.col(column)).alias(_ROW), F.any_value(row).alias(_ANY))
    # min_by returns null for a group of only nulls, of which any row is kept.
    return kept.select(F.coalesce(_ROW, _ANY).alias(_ROW)).select(f"{_ROW}.*")


_KEY, _ROW, _ANY = "__urlid_key", "__urlid_row", "__urlid_any"
