"""Frames with all their columns, as Parquet in the order of the typed slices, stamped with the data versions of the ids.

Tables have the columns `id`, `url` and the typed slices, in the order of docs/spark.md, "Tables". Every file has its snapshot in
the metadata of its column `id`.
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
"""The options for writing files: row groups of a dataset's size, and pages that skip well."""


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

    All columns of the frame are kept, and so are rows with equal URLs. `id` and the typed slices are added, with nulls for a URL
    without an SXURL. `partitions` is the number of files, by default Spark's number of shuffle partitions. With `mode` "append" the
    existing files must have the same snapshot (ERR_SNAPSHOT). `write_dataset` needs less space if only the URLs are wanted.
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
