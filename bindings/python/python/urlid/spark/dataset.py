"""Datasets made by a cluster: the same folder as from `urlid index build` (docs/datasets.md), which the program and `urlid.Index`
read.

Rows are divided into ranges of sort keys, so that equal URLs are in the same range. Each task makes a small dataset of its range,
and writes its files into a folder inside the target whose name starts with `_`, which engines ignore. The driver then gives the
files their names and writes the description last. A folder without it is not a dataset. Only the reports of successful tasks are
used, so tasks can be repeated.
"""

from __future__ import annotations

import json
import os
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pyarrow
from pyarrow import fs
from pyspark import TaskContext

from urlid import Index, Rules, SuffixList, TrackingList, UrlidError, arrow
from urlid._urlid import _join_datasets
from urlid.spark.columns import with_columns
from urlid.spark.reading import DESCRIPTION, hadoop_path

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SUFFIXES = "_public_suffix_list.dat.zst"
RULES = "_rules.zst"
"""The name of the suffix list in the folder of a dataset."""

Batches = Iterator[pyarrow.RecordBatch]
Build = Callable[[str, pyarrow.RecordBatchReader], dict[str, Any]]


def write_dataset(
    df: DataFrame,
    path: str,
    *,
    column: str = "url",
    partitions: int | None = None,
    form: str | None = None,
    suffixes: SuffixList | None = None,
    tracking: TrackingList | None = None,
    rules: Rules | None = None,
    ids: bool = False,
    memory: int = 256 << 20,
    filesystem: fs.FileSystem | None = None,
) -> dict[str, Any]:
    """Makes a dataset of the URLs in a column, each once, and returns the counts of `urlid.Index.build`.

    The path must not exist. `partitions` is the number of tasks that build, by default Spark's number of shuffle partitions. Each
    task makes a file, or several for more than 15.7 million rows. `form`, `suffixes`, `tracking`, `rules` and `ids` are the same as
    in `urlid.Index.build`, and `memory` is the number of bytes for sorting in each task. Other columns of the frame are dropped;
    `write_table` keeps them.

    Files are written through `filesystem`, by default through pyarrow's file system for `path`, which may have different
    credentials from Spark's (docs/spark.md). A job that fails or is cancelled leaves no files.
    """
    filesystem, root = (filesystem, path) if filesystem else _place(df.sparkSession, path)

    def keys(urls: pyarrow.Array) -> arrow.Columns:
        # As bytes, because texts of Spark may be invalid UTF-8.
        return arrow.sort_keys(urls.cast(pyarrow.binary()), form=form, suffixes=suffixes, tracking=tracking, rules=rules)

    def build(path: str, urls: pyarrow.RecordBatchReader) -> dict[str, Any]:
        return Index.build(
            path, urls, form=form, suffixes=suffixes, tracking=tracking, rules=rules, ids=ids, memory=memory, threads=1
        )

    keyed = with_columns(df.select(column), column, keys)
    ranges = keyed.repartitionByRange(*(() if partitions is None else (partitions,)), "sort_key")
    _make_folder(filesystem, root)
    staging = f"{root}/_temporary-{uuid.uuid4().hex}"
    try:
        filesystem.create_dir(staging)
        work = _in_task(filesystem, staging, build)
        tasks = ranges.mapInArrow(work, "folder string, description binary, counts string").collect()
        _publish(filesystem, root, staging, [(task.folder, bytes(task.description)) for task in tasks])
    except BaseException:
        filesystem.delete_dir(root)
        raise
    return _sum(json.loads(task.counts) for task in tasks)


def _place(spark: SparkSession, path: str) -> tuple[fs.FileSystem, str]:
    """Returns pyarrow's file system for a path of Spark, and the path there."""
    system, place = hadoop_path(spark, path)
    uri = system.makeQualified(place).toString()
    scheme, _, rest = uri.partition(":")
    if scheme == "file":
        # Hadoop does not escape paths, and pyarrow expects escaped blanks.
        return fs.LocalFileSystem(), "/" + rest.lstrip("/")
    # Hadoop has its own names for the file systems of S3.
    found: tuple[fs.FileSystem, str] = fs.FileSystem.from_uri(f"s3:{rest}" if scheme in ("s3a", "s3n") else uri)
    return found


def _make_folder(filesystem: fs.FileSystem, root: str) -> None:
    """Makes the folder of a dataset, which must not exist."""
    try:
        if filesystem.get_file_info(root).type != fs.FileType.NotFound:
            raise FileExistsError
        if isinstance(filesystem, fs.LocalFileSystem):
            # If two jobs have the same path, one fails here. Other file systems cannot tell them apart.
            os.makedirs(os.path.dirname(root), exist_ok=True)
            os.mkdir(root)
        else:
            filesystem.create_dir(root)
    except FileExistsError as error:
        raise UrlidError("ERR_IO", f"dataset cannot be created: {root} exists already") from error


def _in_task(filesystem: fs.FileSystem, staging: str, build: Build) -> Callable[[Batches], Batches]:
    """Returns the work of a task, which builds a dataset of its rows in a separate folder."""

    def work(batches: Batches) -> Batches:
        context = TaskContext.get()
        assert context is not None
        # A task that is repeated, or runs twice at once, has a different number.
        folder = f"{staging}/{context.partitionId():05}-{context.taskAttemptId()}"
        schema = pyarrow.schema([("url", pyarrow.binary())])
        urls = (pyarrow.record_batch([batch.column(0).cast(pyarrow.binary())], schema=schema) for batch in batches)
        with tempfile.TemporaryDirectory(prefix="urlid-") as local:
            # On this machine's disk the files are made in their final file system, and the driver only renames them.
            is_local = isinstance(filesystem, fs.LocalFileSystem)
            made = folder if is_local else os.path.join(local, "urls")
            counts = build(made, pyarrow.RecordBatchReader.from_batches(schema, urls))
            if not is_local:
                filesystem.create_dir(folder)
                fs.copy_files(made, folder, destination_filesystem=filesystem)
            with open(os.path.join(made, DESCRIPTION), "rb") as file:
                description = file.read()
        yield pyarrow.record_batch({"folder": [folder], "description": [description], "counts": [json.dumps(counts)]})

    return work


def _publish(filesystem: fs.FileSystem, root: str, staging: str, tasks: list[tuple[str, bytes]]) -> None:
    """Gives the tasks' files their names in one dataset, and writes its description."""
    files, description = _join_datasets([description for _, description in tasks])
    folders = [folder for folder, _ in tasks]
    moves = [(f"{folders[task]}/{old}", f"{root}/{new}") for task, old, new in files]
    moves.append((f"{folders[0]}/{SUFFIXES}", f"{root}/{SUFFIXES}"))
    if "rules_sha256" in json.loads(description):
        moves.append((f"{folders[0]}/{RULES}", f"{root}/{RULES}"))
    # In object stores each is a copy.
    with ThreadPoolExecutor(8) as pool:
        for _ in pool.map(lambda move: filesystem.move(*move), moves):
            pass
    # Written to a temporary name and renamed, so that the description is never partial.
    with filesystem.open_output_stream(f"{staging}/{DESCRIPTION}") as stream:
        stream.write(description.encode())
    _sync(filesystem, f"{staging}/{DESCRIPTION}")
    _sync(filesystem, root)
    filesystem.move(f"{staging}/{DESCRIPTION}", f"{root}/{DESCRIPTION}")
    _sync(filesystem, root)
    filesystem.delete_dir(staging)


def _sync(filesystem: fs.FileSystem, path: str) -> None:
    """Syncs a file or a folder on a disk of this machine. Tasks sync their own files, and object stores keep acknowledged files."""
    if isinstance(filesystem, fs.LocalFileSystem) and os.name == "posix":
        opened = os.open(path, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _sum(counts: Iterator[dict[str, Any]]) -> dict[str, Any]:
    """Returns the sums of the counts of tasks."""
    numbers: Counter[str] = Counter()
    rejected: Counter[str] = Counter()
    for count in counts:
        rejected.update(count.pop("rejected"))
        numbers.update(count)
    return {**numbers, "rejected": dict(rejected)}
