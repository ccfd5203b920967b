"""Datasets and tables as frames, stamped with the data versions that their ids depend on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from urlid import Snapshot, UrlidError
from urlid.spark.questions import SNAPSHOT, check_snapshot, mixed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

DESCRIPTION = "_urlid.json"
"""The name of the description in the folder of a dataset."""

ROW_METADATA = "org.apache.spark.sql.parquet.row.metadata"
"""Where Spark keeps a schema, with the metadata of its columns, in a Parquet file."""


def read_dataset(spark: SparkSession, *paths: str) -> DataFrame:
    """Reads datasets of one snapshot, as one frame.

    The paths are datasets of `write_dataset` or `urlid index build`, or tables of `write_table`. A dataset that lacks a file, or
    has a file that its description does not list, is rejected (ERR_INDEX_DAMAGED). For tables, the footer of every file is read
    first. Data without a snapshot, or with two different ones, is rejected (ERR_SNAPSHOT).
    """
    snapshot = snapshot_of(spark, *paths)
    df = spark.read.parquet(*paths)
    check_snapshot(df, snapshot)
    # A dataset may be without ids.
    stamped = next((name for name in ("id", "host_key") if name in df.columns), df.columns[0])
    return df.withMetadata(stamped, {SNAPSHOT: str(snapshot)})


def snapshot_of(spark: SparkSession, *paths: str) -> Snapshot:
    """Returns the snapshot that all files of datasets have."""
    first = None
    for found in snapshots(spark, list(paths)):
        if first is not None and found != first:
            raise mixed(first, found)
        first = found
    if first is None:
        raise UrlidError("ERR_SNAPSHOT", f"no snapshot: found no Parquet file in {', '.join(paths)}")
    return first


def snapshots(spark: SparkSession, paths: list[str]) -> Iterator[Snapshot]:
    """Yields the different snapshots of all datasets and of all files of other folders."""
    lines: dict[str, str] = {}
    for path in paths:
        files = list(_files(spark, path))
        described = _described(spark, path, files)
        if described is not None:
            lines[described] = path
            continue
        with ThreadPoolExecutor(16) as pool:
            lines |= {line: name for line, name in pool.map(lambda file: _snapshot_line(spark, file), files)}
    for line, name in sorted(lines.items(), key=lambda item: item[1]):
        if not line:
            raise UrlidError("ERR_SNAPSHOT", f"no snapshot: found none in {name}, expected one in every file")
        yield Snapshot(line)


def hadoop_path(spark: SparkSession, path: str) -> tuple[Any, Any]:
    """Returns Hadoop's file system for a path, and Hadoop's form of the path."""
    place = spark._jvm.org.apache.hadoop.fs.Path(path)  # type: ignore[union-attr]
    return place.getFileSystem(spark._jsc.hadoopConfiguration()), place


def _described(spark: SparkSession, path: str, files: list[Any]) -> str | None:
    """Returns the snapshot in the description of a dataset with exactly the listed files. Returns None for other folders."""
    system, folder = hadoop_path(spark, path)
    place = spark._jvm.org.apache.hadoop.fs.Path(folder, DESCRIPTION)  # type: ignore[union-attr]
    if not system.exists(place):
        return None
    stream = system.open(place)
    try:
        description = json.loads(bytes(stream.readAllBytes()))
        expected = {file["name"]: file["bytes"] for file in description["files"]}
        snapshot = str(description["snapshot"])
    except (KeyError, TypeError, ValueError) as error:
        raise UrlidError("ERR_INDEX_DAMAGED", f"dataset is damaged: malformed description in {place.toString()}") from error
    finally:
        stream.close()
    found = {file.getPath().getName(): file.getLen() for file in files}
    for name in sorted(found.keys() | expected.keys()):
        if found.get(name) != expected.get(name):
            size = f"{found[name]} bytes" if name in found else "no file"
            wanted = f"{expected[name]} bytes" if name in expected else "no file"
            raise UrlidError("ERR_INDEX_DAMAGED", f"dataset is damaged: {size}, expected {wanted} in {path}/{name}")
    return snapshot


def _files(spark: SparkSession, path: str) -> Iterator[Any]:
    """Yields the data files as Hadoop's file system lists them."""
    system, folder = hadoop_path(spark, path)
    if not system.exists(folder):
        return
    files = system.listFiles(folder, True)
    while files.hasNext():
        file = files.next()
        if not file.getPath().getName().startswith(("_", ".")):
            yield file


def _snapshot_line(spark: SparkSession, file: Any) -> tuple[str, str]:
    """Returns the snapshot in a file's footer, or an empty text, and the file's name."""
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
    """Returns the snapshot that a schema of Spark has in a column's metadata."""
    fields = json.loads(schema)["fields"] if schema else []
    return next((field["metadata"][SNAPSHOT] for field in fields if SNAPSHOT in field["metadata"]), "")
