"""Datasets in engines, without any extension: plain SQL reads one or two row groups, shown by the engines' own figures.

The dataset has twelve row groups or more. Of each engine the bytes or row groups that a selective query reads are compared with those
that a full scan reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import urlid

pq = pytest.importorskip("pyarrow.parquet")

GROUP_ROWS = 122_880
HOSTS = 5_000
ROWS = 12 * GROUP_ROWS
WANTED_HOST = "www.h2500.example2.org"
WANTED_DOMAIN = "example1.com"


def urls() -> Iterator[str]:
    # Hosts under two suffixes, so that least and greatest values of `host` and `registered_domain` exclude few row groups. The wanted
    # domain has one host, in the middle of the others.
    for row in range(ROWS):
        number = row % HOSTS
        tld = "com" if number % 2 else "org"
        domain = f"example{number % 97 + 2}.{tld}" if number != 1 else WANTED_DOMAIN
        host = WANTED_HOST if number == 2_500 else f"h{number}.{domain}"
        yield f"https://{host}/a/{row * 7919 % ROWS}?q={row}"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("engines") / "urls"
    built = urlid.Index.build(path, urls())
    assert built["rows"] == ROWS
    return path


@pytest.fixture(scope="module")
def files(dataset: Path) -> str:
    return str(dataset / "*.parquet")


def groups(dataset: Path) -> int:
    return sum(pq.ParquetFile(file).num_row_groups for file in sorted(dataset.glob("*.parquet")))


ROWS_OF_HOST = ROWS // HOSTS
QUERIES = [
    ("host", WANTED_HOST),
    ("registered_domain", WANTED_DOMAIN),
]


def test_duckdb_reads_one_or_two_row_groups(dataset: Path, files: str) -> None:
    duckdb = pytest.importorskip("duckdb")
    con = duckdb.connect()
    con.execute("SET threads = 2")
    all_groups = groups(dataset)
    assert all_groups >= 12
    for column, value in QUERIES:
        # The filter is asked for each row group; those that it may be in are counted.
        may = con.execute(
            "SELECT count(*) FROM parquet_bloom_probe(?, ?, ?) WHERE NOT bloom_filter_excludes", [files, column, value]
        ).fetchone()[0]
        assert 1 <= may <= 2, (column, may)
        sql = f"SELECT count(*) FROM read_parquet('{files}') WHERE {column} = '{value}'"
        read, all_read = duckdb_rows(con, sql), ROWS
        assert con.sql(sql).fetchone()[0] in (ROWS_OF_HOST, ROWS_OF_HOST + 1)
        assert read <= 2 * GROUP_ROWS < all_read / 4, (column, read)


def duckdb_rows(con: Any, sql: str) -> int:
    """Returns how many rows the scan of a statement read, by the profile of DuckDB."""
    con.execute("SET enable_profiling = 'no_output'")
    con.execute("SET profiling_mode = 'detailed'")
    con.execute("SET custom_profiling_settings = '{\"OPERATOR_ROWS_SCANNED\": \"true\", \"OPERATOR_TYPE\": \"true\"}'")
    con.execute(sql).fetchall()
    profile = json.loads(con.get_profiling_information(format="json"))
    con.execute("PRAGMA disable_profiling")

    def walk(node: dict[str, Any]) -> Iterator[int]:
        yield int(node.get("operator_rows_scanned", 0))
        for child in node.get("children", []):
            yield from walk(child)

    return max(walk(profile))


def test_datafusion_prunes_by_its_metrics(dataset: Path, files: str) -> None:
    datafusion = pytest.importorskip("datafusion")
    context = datafusion.SessionContext()
    context.register_parquet("urls", str(dataset))
    all_groups = groups(dataset)
    for column, value in QUERIES:
        plan = context.sql(f"EXPLAIN ANALYZE SELECT count(url) FROM urls WHERE {column} = '{value}'").to_pydict()
        text = " ".join(str(line) for line in plan["plan"])
        matched = pruned(text, "row_groups_pruned_bloom_filter")
        assert matched is not None and 1 <= matched <= 2 < all_groups, text


def pruned(text: str, metric: str) -> int | None:
    """Returns how many row groups a step of DataFusion keeps, by its metrics, in either of the two notations."""
    new = re.search(metric + r"=(?:[\d.]+ \w*)?\s*total\s*→\s*(\d+) matched", text)
    if new:
        return int(new.group(1))
    old = re.search(metric.replace("pruned", "matched") + r"=(\d+)", text)
    return int(old.group(1)) if old else None


def test_polars_reads_a_range_of_host_keys(dataset: Path, files: str) -> None:
    pl = pytest.importorskip("polars")
    first, behind = "org.example2.h2500", "org.example2.h2500/"
    frame = pl.scan_parquet(files)
    wanted = frame.filter((pl.col("host_key") >= first) & (pl.col("host_key") < behind))
    # Row groups are skipped by least and greatest values of `host_key`, which is in order.
    kept = 0
    for file in sorted(dataset.glob("*.parquet")):
        metadata = pq.ParquetFile(file).metadata
        column = metadata.schema.names.index("host_key")
        for group in range(metadata.num_row_groups):
            statistics = metadata.row_group(group).column(column).statistics
            kept += statistics.min < behind and first <= statistics.max
    assert 1 <= kept <= 2
    everything, selected = bytes_read(frame.select("url")), bytes_read(wanted.select("url"))
    assert wanted.select(pl.len()).collect().item() >= 0
    assert selected < everything / 4, (selected, everything)


def bytes_read(frame: Any) -> int:
    """Returns the bytes that this process read while a frame was collected, from files in the page cache or not."""

    def now() -> int:
        return int(re.search(r"rchar: (\d+)", Path("/proc/self/io").read_text())[1])  # type: ignore[index]

    before = now()
    frame.collect()
    return now() - before


def test_spark_reads_few_rows(dataset: Path) -> None:
    pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        frame = spark.read.parquet(str(dataset))
        for column, value in QUERIES:
            selected = frame.where(f"{column} = '{value}'").select("url", column)
            read = spark_rows(selected)
            assert selected.count() in (ROWS_OF_HOST, ROWS_OF_HOST + 1)
            assert 0 < read <= 2 * GROUP_ROWS < ROWS / 4, (column, read)
    finally:
        spark.stop()


def spark_rows(frame: Any) -> int:
    """Returns the rows that the scan of a frame gave to its filter, by Spark's metrics."""
    execution = frame._jdf.queryExecution()
    execution.executedPlan().executeCollect()
    stack, rows = [execution.executedPlan()], 0
    while stack:
        plan = stack.pop()
        metrics = plan.metrics()
        if metrics.contains("numOutputRows") and plan.nodeName().startswith("Scan"):
            rows = max(rows, metrics.apply("numOutputRows").value())
        children = plan.children()
        stack += [children.apply(index) for index in range(children.size())]
    return rows
