"""Keeps one row for each identity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from urlid import arrow
from urlid.spark.columns import with_columns, with_ids

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def dedupe(df: DataFrame, column: str = "url", by: str = "url-hash") -> DataFrame:
    """Keeps one row of all rows with the same URL: the row whose text is first in byte order.

    `by` defines equality. `url-hash` compares all 256 bits of the hash of the WHATWG normal form. A canonical form of
    `urlid.arrow.canon` compares that form; hashed forms keep query and fragment. SXURL slices collide, so `sxurl` compares its
    normal text instead of its id. A text without an identity equals only itself, and all nulls are one row.
    """
    if by == "url-hash":
        marked = with_ids(df, column, ["url-hash"]).withColumnRenamed("url_hash", _KEY)
    else:
        keep = by in ("hashed-none", "hashed-n", "hashed-p")
        marked = with_columns(df, column, lambda urls: arrow.canon(urls, by, keep_query=keep, keep_fragment=keep))
        marked = marked.withColumn(_KEY, F.col("canonical").cast("binary")).drop("canonical")
    # Both are bytes, and a text could equal the key of a different row. The first byte separates them.
    rejected = F.concat(F.lit(b"\0"), F.col(column).cast("binary"))
    marked = marked.withColumn(_KEY, F.coalesce(F.concat(F.lit(b"\1"), F.col(_KEY)), rejected))
    row = F.struct(*(F.col(name) for name in df.columns))
    kept = marked.groupBy(_KEY).agg(F.min_by(row, F.col(column)).alias(_ROW), F.any_value(row).alias(_ANY))
    # min_by returns null for a group of only nulls, of which any row is kept.
    return kept.select(F.coalesce(_ROW, _ANY).alias(_ROW)).select(f"{_ROW}.*")


_KEY, _ROW, _ANY = "__urlid_key", "__urlid_row", "__urlid_any"
