"""Datasets of URLs: Parquet in the order in which questions skip most, stamped with what the ids depend on.

The layout is that of docs/index-format.md, "Parquet": columns `id`, `url` and the typed slices, sorted by public suffix, domain and so
on with the header last, so that a domain is one run. Every file says its snapshot, in the metadata of its column `id`; a dataset
whose files disagree is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from urlid import Snapshot, SuffixList, UrlidError
from urlid.arrow import SLICES
from urlid.spark.columns import with_ids, with_slices
from urlid.spark.questions import SNAPSHOT, check_snapshot, mixed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ORDER = ("sx_tld", "sx_domain", "sx_sub", "sx_port", "sx_path", "sx_params", "sx_frag", "sx_header")
"""The sort order: by host, then by the rest; the header last, for it would cut a domain into 48 runs."""

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
"""How the files are written; measured in docs/scale.md."""

ROW_METADATA = "org.apache.spark.sql.parquet.row.metadata"
"""Where Spark keeps a schema, with the metadata of its columns, in a Parquet file."""


def write_dataset(
    df: DataFrame,
    path: str,
    *,
    column: str = "url",
    partitions: int | None = None,
    mode: str = "errorifexists",
    suffixes: SuffixList | None = None,
) -> None:
    """Writes a frame with its ids and typed columns, range-partitioned and sorted.

    The columns of the frame are kept; `id` and the typed slices are added, null where a URL has none. `partitions` is the number of
    files, else Spark's number of shuffle partitions. With `mode` "append" the dataset must have the same snapshot (ERR_SNAPSHOT).
    """
    snapshot = (suffixes or SuffixList.compiled()).snapshot
    spark = df.sparkSession
    if mode == "append":
        for found in _snapshots(spark, [path]):
            if found != snapshot:
                raise mixed(found, snapshot)
    rows = with_ids(df, column, suffixes=suffixes).withColumnRenamed("sxurl", "id")
    rows = with_slices(rows, "id", of="ids")
    rows = rows.select("id", *df.columns, *SLICES).withMetadata("id", {SNAPSHOT: str(snapshot)})
    rows = rows.repartitionByRange(*(() if partitions is None else (partitions,)), *ORDER)
    rows.sortWithinPartitions(*ORDER).write.mode(mode).options(**OPTIONS).parquet(path)


def read_dataset(spark: SparkSession, *paths: str) -> DataFrame:
    """Reads datasets of one snapshot, as one frame.

    The files are those of `write_dataset`, or of `urlid index export`. The footer of every file is read first: a file without a
    snapshot, or two that differ, are refused (ERR_SNAPSHOT).
    """
    snapshot = snapshot_of(spark, *paths)
    df = spark.read.parquet(*paths)
    check_snapshot(df, snapshot)
    # An export may be without ids, since the slices have the same bits.
    return df.withMetadata("id" if "id" in df.columns else "sx_header", {SNAPSHOT: str(snapshot)})


def snapshot_of(spark: SparkSession, *paths: str) -> Snapshot:
    """Returns the snapshot that all files of datasets have."""
    first = None
    for found in _snapshots(spark, list(paths)):
        if first is not None and found != first:
            raise mixed(first, found)
        first = found
    if first is None:
        raise UrlidError("ERR_SNAPSHOT", f"no snapshot: found no Parquet file in {', '.join(paths)}")
    return first


def _snapshots(spark: SparkSession, paths: list[str]) -> Iterator[Snapshot]:
    """Yields the snapshot of every file, each different one once."""
    with ThreadPoolExecutor(16) as pool:
        lines = {line: name for line, name in pool.map(lambda file: _snapshot_line(spark, file), _files(spark, paths))}
    for line, name in sorted(lines.items(), key=lambda item: item[1]):
        if not line:
            raise UrlidError("ERR_SNAPSHOT", f"no snapshot: found none in {name}, expected one in every file")
        yield Snapshot(line)


def _files(spark: SparkSession, paths: list[str]) -> Iterator[Any]:
    """Yields the data files as Hadoop's file system lists them."""
    hadoop = spark._jvm.org.apache.hadoop.fs  # type: ignore[union-attr]
    for path in map(hadoop.Path, paths):
        system = path.getFileSystem(spark._jsc.hadoopConfiguration())
        if not system.exists(path):
            continue
        files = system.listFiles(path, True)
        while files.hasNext():
            file = files.next()
            if not file.getPath().getName().startswith(("_", ".")):
                yield file


def _snapshot_line(spark: SparkSession, file: Any) -> tuple[str, str]:
    """Returns the snapshot in a file's footer, empty if there is none, and the file's name."""
    parquet = spark._jvm.org.apache.parquet.hadoop  # type: ignore[union-attr]
    source = parquet.util.HadoopInputFile.fromStatus(file, spark._jsc.hadoopConfiguration())
    reader = parquet.ParquetFileReader.open(source)
    try:
        pairs = reader.getFooter().getFileMetaData().getKeyValueMetaData()
        line = pairs.get(SNAPSHOT) or _from_row_metadata(pairs.get(ROW_METADATA))
    finally:
        reader.close()
    return line, file.getPath().toString()


def _from_row_metadata(schema: str | None) -> str:
    """Returns the snapshot that a schema of Spark's has in a column's metadata."""
    fields = json.loads(schema)["fields"] if schema else []
    return next((field["metadata"][SNAPSHOT] for field in fields if SNAPSHOT in field["metadata"]), "")
