"""Frames with all their columns, as Parquet in the order of the typed slices, stamped with what the ids depend on.

Columns `id`, `url` and the typed slices; the order is that of docs/spark.md, "Tables". Every file says its snapshot, in the metadata of its
column `id`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlid import SuffixList
from urlid.arrow import SLICES
from urlid.spark.columns import with_ids, with_slices
from urlid.spark.questions import SNAPSHOT, mixed
from urlid.spark.reading import snapshots

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ORDER = ("sx_tld", "sx_domain", "sx_sub", "sx_port", "sx_path", "sx_params", "sx_frag", "sx_header")
"""The sort order (docs/spark.md)."""

OPTIONS = {
    "compression": "zstd",
    "parquet.block.row.count.limit": "122880",
    "parquet.page.row.count.limit": "8192",
    "parquet.bloom.filter.enabled#sx_domain": "true",
    "parquet.bloom.filter.enabled#sx_path": "true",
    "parquet.bloom.filter.adaptive.enabled": "true",
    "parquet.enable.dictionary#id": "false",
    "parquet.enable.dictionary#sx_path": "false",
    "parquet.enable.dictionary#sx_params": "false",
}
"""How the files are written: row groups of a dataset's size, and pages that skip well."""


def write_table(
    df: DataFrame,
    path: str,
    *,
    column: str = "url",
    partitions: int | None = None,
    mode: str = "errorifexists",
    suffixes: SuffixList | None = None,
) -> None:
    """Writes a frame with its ids and typed columns, range-partitioned and sorted.

    The columns of the frame are kept, and so is each of equal URLs; `id` and the typed slices are added, null where a URL has none.
    `partitions` is the number of files, else Spark's number of shuffle partitions. With `mode` "append" the files that are there must
    have the same snapshot (ERR_SNAPSHOT). `write_dataset` takes less room where only the URLs are wanted.
    """
    snapshot = (suffixes or SuffixList.compiled()).snapshot
    if mode == "append":
        for found in snapshots(df.sparkSession, [path]):
            if found != snapshot:
                raise mixed(found, snapshot)
    rows = with_ids(df, column, suffixes=suffixes).withColumnRenamed("sxurl", "id")
    rows = with_slices(rows, "id", of="ids")
    rows = rows.select("id", *df.columns, *SLICES).withMetadata("id", {SNAPSHOT: str(snapshot)})
    rows = rows.repartitionByRange(*(() if partitions is None else (partitions,)), *ORDER)
    rows.sortWithinPartitions(*ORDER).write.mode(mode).options(**OPTIONS).parquet(path)
