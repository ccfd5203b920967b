"""Datasets in engines without an extension. A plain comparison reads one or two of twelve row groups, by the engines' own figures.

The statements are from docs/datasets.md, with a different value.
"""

import re
from pathlib import Path

import datafusion
import duckdb
import polars
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import urlid

GROUP_ROWS = 122_880
HOSTS = 5_000
ROWS = 12 * GROUP_ROWS
# Columns and their values. Each value belongs to one host, whose rows are one run of the dataset.
WANTED = [("host", "www.h2500.example2.org"), ("registered_domain", "example1.com")]
ROWS_OF_HOST = {ROWS // HOSTS, ROWS // HOSTS + 1}


def urls():
    # Hosts under two suffixes, so that least and greatest values of `host` and `registered_domain` exclude few row groups and the
    # Bloom filters are needed.
    for row in range(ROWS):
        number = row % HOSTS
        domain = f"example{number % 97 + 2}.{'com' if number % 2 else 'org'}"
        host = {1: "h1.example1.com", 2_500: "www.h2500.example2.org"}.get(number, f"h{number}.{domain}")
        yield f"https://{host}/a/{row * 7919 % ROWS}?q={row}"


def statement(engine, column, value):
    """Returns the statement of the page for an engine, with a different column and value."""
    page = (Path(__file__).parents[3] / "docs/datasets.md").read_text(encoding="utf-8")
    [sql] = re.findall(rf"^-- {engine}\b.*\n(.+);$", page, re.MULTILINE)
    changed, count = re.subn(r"WHERE \w+ = '[^']*'$", f"WHERE {column} = '{value}'", sql)
    assert count == 1
    return changed


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    path = tmp_path_factory.mktemp("engines") / "urls"
    assert urlid.Index.build(path, urls())["rows"] == ROWS
    assert sum(pq.ParquetFile(file).num_row_groups for file in path.glob("*.parquet")) >= 12
    return path


def test_statistics_of_row_groups_hold(dataset):
    checked = set()
    for file in dataset.glob("*.parquet"):
        parquet = pq.ParquetFile(file)
        for number in range(parquet.num_row_groups):
            table = parquet.read_row_group(number)
            for index, name in enumerate(table.column_names):
                statistics = parquet.metadata.row_group(number).column(index).statistics
                if statistics is None:
                    continue
                ends = pc.min_max(table[name])
                assert statistics.null_count == table[name].null_count
                assert statistics.min <= ends["min"].as_py() and ends["max"].as_py() <= statistics.max
                checked.add(name)
    assert checked == {"host_key", "registered_domain", "tld", "scheme"}


def bytes_read(work):
    """Returns the bytes that this process read meanwhile, from files in the page cache or not."""

    def now():
        return int(re.search(r"rchar: (\d+)", Path("/proc/self/io").read_text())[1])

    before = now()
    work()
    return now() - before


@pytest.mark.parametrize(("column", "value"), WANTED)
def test_duckdb(dataset, column, value):
    files = f"{dataset}/*.parquet"

    def rows(statement, *arguments):
        # A separate connection, so that nothing that a previous statement read is in memory.
        with duckdb.connect() as connection:
            return connection.execute(statement, arguments).fetchall()

    probe = "SELECT count(*) FROM parquet_bloom_probe(?, ?, ?) WHERE NOT bloom_filter_excludes"
    assert rows(probe, files, column, value)[0][0] in {1, 2}
    few = statement("DuckDB", column, value).replace("urls/*.parquet", files)
    every = f"SELECT max(url), max({column}) FROM read_parquet('{files}')"
    assert len(rows(few)) in ROWS_OF_HOST
    assert bytes_read(lambda: rows(few)) < bytes_read(lambda: rows(every)) / 4


@pytest.mark.parametrize(("column", "value"), WANTED)
def test_datafusion(dataset, column, value):
    context = datafusion.SessionContext()
    context.register_parquet("urls", str(dataset))
    few = statement("DataFusion", column, value)
    assert context.sql(few).count() in ROWS_OF_HOST
    plan = " ".join(map(str, context.sql(f"EXPLAIN ANALYZE {few}").to_pydict()["plan"]))
    kept = re.search(r"row_groups_pruned_bloom_filter=\d+ total → (\d+) matched", plan)
    assert kept, plan
    assert int(kept[1]) in {1, 2}, plan


@pytest.mark.parametrize(("column", "value"), WANTED)
def test_spark(dataset, spark, column, value):
    selected = spark.sql(statement("Spark", column, value).replace("`urls`", f"`{dataset}`"))
    plan = selected._jdf.queryExecution().executedPlan()
    assert len(plan.executeCollect()) in ROWS_OF_HOST
    # The rows that the scan passed to the filter, by its own metric.
    plans, read = [plan], 0
    while plans:
        plan = plans.pop()
        if plan.nodeName().startswith("Scan"):
            read = plan.metrics().apply("numOutputRows").value()
        plans += [plan.children().apply(index) for index in range(plan.children().size())]
    assert 0 < read <= 2 * GROUP_ROWS < ROWS / 4


def test_polars_by_ranges_of_host_keys(dataset):
    # Polars does not read Bloom filters, but row groups are in the order of `host_key`.
    frame = polars.scan_parquet(dataset / "*.parquet")
    key = polars.col("host_key")
    few = frame.filter(key >= "org.example2.h2500.www", key < "org.example2.h2500.www/").select("url")
    assert len(few.collect()) in ROWS_OF_HOST
    assert bytes_read(few.collect) < bytes_read(frame.select("url", "host_key").collect) / 4
