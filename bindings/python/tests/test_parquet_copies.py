"""Parquet files with new columns. Every other column keeps its writer's type in every reader."""

import datetime
import decimal

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from conftest import run_cli

URLS = ["https://www.example.co.uk/a?b#c", None, "https://docs.rs:8080/"]
NEW = 14


@pytest.fixture
def copy(cli, tmp_path):
    """Returns a function that adds columns to `in.parquet` in a folder, and the paths of both files."""
    before, after = tmp_path / "in.parquet", tmp_path / "out.parquet"

    def add():
        run_cli(cli, "parts", "--column", "url", str(before), "--out", str(after))
        return after

    return before, add


def arrow_table() -> pyarrow.Table:
    day, second = datetime.date(2026, 11, 22), datetime.timedelta(seconds=1)
    moment = datetime.datetime(2026, 11, 22, 12, tzinfo=datetime.timezone.utc)
    columns = {
        "url": pyarrow.array(URLS),
        "large": pyarrow.array(["a", None, "b"], pyarrow.large_string()),
        "view": pyarrow.array(["a", None, "b"], pyarrow.string_view()),
        "fixed": pyarrow.array([b"abc", None, b"def"], pyarrow.binary(3)),
        "category": pyarrow.array(["a", None, "a"]).dictionary_encode(),
        "ordered": pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, None, 1], pyarrow.int8()), ["b", "a"], ordered=True),
        "zone": pyarrow.array([moment, None, moment], pyarrow.timestamp("ns", "Europe/Berlin")),
        "time": pyarrow.array([1, None, 2], pyarrow.time32("s")),
        "date": pyarrow.array([day, None, day], pyarrow.date64()),
        "list": pyarrow.array([[1, 2], None, [3, 4]], pyarrow.list_(pyarrow.int16(), 2)),
        "large_list": pyarrow.array([[1], None, []], pyarrow.large_list(pyarrow.int8())),
        "map": pyarrow.array([[("a", 1)], None, []], pyarrow.map_(pyarrow.string(), pyarrow.uint16())),
        "struct": pyarrow.array([{"d": second}, None, {"d": None}], pyarrow.struct({"d": pyarrow.duration("us")})),
        "decimal": pyarrow.array([decimal.Decimal("1.5"), None, None], pyarrow.decimal256(50, 2)),
        "null": pyarrow.nulls(3),
        "uuid": pyarrow.ExtensionArray.from_storage(pyarrow.uuid(), pyarrow.array([b"0" * 16, None, b"1" * 16], pyarrow.binary(16))),
    }
    for unit in ("s", "ms", "us", "ns"):
        columns[f"duration_{unit}"] = pyarrow.array([1, None, 2], pyarrow.duration(unit))
    fields = [pyarrow.field(name, column.type, metadata={"about": name}) for name, column in columns.items()]
    return pyarrow.table(list(columns.values()), schema=pyarrow.schema(fields, metadata={"own": "kept"}))


def test_pyarrow(copy):
    before, add = copy
    table = arrow_table()
    pyarrow.parquet.write_table(table, before)
    expected, found = pyarrow.parquet.read_table(before), pyarrow.parquet.read_table(add())
    assert found.num_columns == expected.num_columns + NEW
    assert found.select(expected.column_names).equals(expected, check_metadata=False)
    for name in expected.column_names:
        assert found.schema.field(name).equals(expected.schema.field(name), check_metadata=True), name
    assert found.schema.field("url_port").type == pyarrow.int32()
    assert found.schema.field("url_host").type == pyarrow.string()
    assert found["url_host"].to_pylist() == ["www.example.co.uk", None, "docs.rs"]
    # A second copy, of the output of the first one.
    add().rename(before)
    assert pyarrow.parquet.read_schema(before).field("zone").type == expected.schema.field("zone").type


def test_polars(copy):
    before, add = copy
    seconds = polars.Series([datetime.timedelta(seconds=1), None, datetime.timedelta(microseconds=5)])
    frame = polars.DataFrame(
        {
            "url": URLS,
            "duration_ms": seconds.cast(polars.Duration("ms")),
            "duration_ns": seconds.cast(polars.Duration("ns")),
            "int128": polars.Series([1, None, 2**100], dtype=polars.Int128),
            "int8": polars.Series([1, None, -2], dtype=polars.Int8),
            "enum": polars.Series(["b", None, "a"], dtype=polars.Enum(["a", "b", "c"])),
            "categorical": polars.Series(["b", None, "a"], dtype=polars.Categorical),
            "array": polars.Series([[1, 2], None, [3, 4]], dtype=polars.Array(polars.UInt16, 2)),
            "zone": polars.Series([0, None, 1]).cast(polars.Datetime("us", "Asia/Tokyo")),
            "time": polars.Series([datetime.time(1), None, datetime.time(2)]),
            "struct": polars.Series([{"a": 1}, None, {"a": None}], dtype=polars.Struct({"a": polars.Int8})),
        }
    )
    frame.write_parquet(before)
    expected, found = polars.read_parquet(before), polars.read_parquet(add())
    assert found.width == expected.width + NEW
    assert found.select(expected.columns).schema == expected.schema
    assert found.select(expected.columns).equals(expected)


def test_pandas(copy):
    before, add = copy
    frame = pandas.DataFrame(
        {
            "url": URLS,
            "category": pandas.Categorical(["b", None, "a"], categories=["a", "b", "c"], ordered=True),
            "delta": pandas.to_timedelta([1, None, 2], unit="s"),
            "zone": pandas.to_datetime([0, None, 1], unit="s", utc=True).tz_convert("Europe/Berlin"),
            "number": pandas.array([1, None, 3], dtype="Int16"),
            "period": pandas.period_range("2026-01", periods=3, freq="M"),
        },
        index=pandas.Index(["x", "y", "z"], name="row"),
    )
    frame.to_parquet(before)
    expected, found = pandas.read_parquet(before), pandas.read_parquet(add())
    pandas.testing.assert_frame_equal(found[expected.columns], expected)


def test_duckdb(copy):
    before, add = copy
    interval = "SELECT *, INTERVAL 3 DAY AS i, 170141183460469231731687303715884105727::HUGEINT AS h, TIMESTAMP '2026-11-22' AS t, 'a'::ENUM('a', 'b') AS e"
    duckdb.sql(f"COPY ({interval} FROM (VALUES ('https://docs.rs/')) v(url)) TO '{before}'")
    after = add()
    describe = "SELECT column_name, column_type FROM (DESCRIBE FROM '{}')"
    expected, found = (duckdb.sql(describe.format(path)).fetchall() for path in (before, after))
    assert found[: len(expected)] == expected
    assert len(found) == len(expected) + NEW
    names = ", ".join(name for name, _ in expected)
    assert duckdb.sql(f"SELECT {names} FROM '{after}'").fetchall() == duckdb.sql(f"FROM '{before}'").fetchall()


def test_spark(copy, spark, tmp_path):
    """Spark reads its own schema: intervals, and the comments of columns."""
    folder = tmp_path / "spark"
    rows = spark.createDataFrame([(url,) for url in URLS], "url string")
    rows.selectExpr(
        "url",
        "INTERVAL '3' DAY AS day",
        "INTERVAL '1-2' YEAR TO MONTH AS month",
        "CAST('a' AS CHAR(3)) AS text",
        "TIMESTAMP_NTZ '2026-11-22 00:00:00' AS local",
    ).coalesce(1).write.parquet(str(folder))
    before, add = copy
    next(folder.glob("*.parquet")).rename(before)
    after = add()
    expected, found = spark.read.parquet(str(before)), spark.read.parquet(str(after))
    assert found.schema.fields[: len(expected.schema.fields)] == expected.schema.fields
    assert len(found.columns) == len(expected.columns) + NEW
    # Python has no type for intervals of months.
    texts = [f"CAST({name} AS STRING)" for name in expected.columns]
    assert found.selectExpr(*texts).collect() == expected.selectExpr(*texts).collect()
    assert [row[0] for row in found.select("url_port").collect()] == [None, None, 8080]
