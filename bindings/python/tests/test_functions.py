"""The functions of SQL: the vectors that every database runs, through each host of the wheel."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import datafusion
import duckdb
import pandas
import polars
import pyarrow as pa
import pytest

import urlid
import urlid.arrow
import urlid.datafusion
import urlid.duckdb
import urlid.pandas  # noqa: F401  registers the accessor
import urlid.polars  # noqa: F401  registers the namespaces
import urlid.sqlite
from urlid._functions import FUNCTIONS

from conftest import ROOT



def vectors(name):
    return json.loads((ROOT / "vectors" / name).read_text(encoding="utf-8"))["vectors"]


# Keys of pages are vectors of `canon`, which SQL has without rules.
PAGES = [
    {
        "id": page["id"],
        "input": {"name": "urlid_canon", "arguments": [page["input"]["text"], page["input"]["form"]]},
        "expect": {"result": page.get("expect", {}).get("canonical")},
    }
    for page in vectors("page.json")
    if "rules" not in page["input"]
]
VECTORS = vectors("functions.json") + PAGES
ARROW = {"text": pa.string(), "bytes": pa.binary()}
POLARS = {"text": polars.String, "bytes": polars.Binary}
SQL = {"text": "VARCHAR", "bytes": "BLOB"}
BY_NAME = {function.name: function for function in urlid.functions()}


def value(json_value):
    return bytes.fromhex(json_value["hex"]) if isinstance(json_value, dict) else json_value


def arguments(vector):
    return [value(argument) for argument in vector["input"]["arguments"]]


def types(vector):
    return [of for _, of in BY_NAME[vector["input"]["name"]].arguments]


def in_duckdb(con, vector):
    places = ", ".join(f"?::{SQL[of]}" for of in types(vector))
    [(result,)] = con.execute(f"SELECT {vector['input']['name']}({places})", arguments(vector)).fetchall()
    return result


def in_sqlite(con, vector):
    places = ", ".join("?" for _ in types(vector))
    [(result,)] = con.execute(f"SELECT {vector['input']['name']}({places})", arguments(vector)).fetchall()
    return bool(result) if isinstance(vector["expect"]["result"], bool) else result


def in_datafusion(ctx, vector):
    columns = {
        f"c{index}": pa.array([argument], ARROW[of])
        for index, (argument, of) in enumerate(zip(arguments(vector), types(vector), strict=True))
    }
    ctx.deregister_table("one")
    ctx.register_record_batches("one", [[pa.record_batch(columns)]])
    [batch] = ctx.sql(f"SELECT {vector['input']['name']}({', '.join(columns)}) AS result FROM one").collect()
    return batch["result"].to_pylist()[0]


def in_column(_, vector):
    columns = [pa.array([argument], ARROW[of]) for argument, of in zip(arguments(vector), types(vector), strict=True)]
    [result] = FUNCTIONS[vector["input"]["name"]].call(*columns).to_pylist()
    return result


def in_pandas(_, vector):
    first, *others = arguments(vector)
    series = pandas.Series([first], dtype=pandas.ArrowDtype(ARROW[types(vector)[0]]))
    [result] = getattr(series.urlid, method(vector))(*others).to_list()
    return None if result is pandas.NA else result


def in_polars(_, vector):
    first, *others = arguments(vector)
    frame = polars.LazyFrame({"value": [first]}, schema={"value": POLARS[types(vector)[0]]})
    [result] = frame.select(getattr(polars.col("value").urlid, method(vector))(*others)).collect()["value"].to_list()
    return result


def method(vector):
    return vector["input"]["name"].removeprefix("urlid_")


def is_method(vector):
    """Whether a series has the function with these arguments. Constants are not null, and `probe` is not a method of series."""
    return method(vector) != "probe" and None not in arguments(vector)[1:]


HOSTS = {
    "datafusion": (lambda: urlid.datafusion.register(datafusion.SessionContext()), in_datafusion, VECTORS),
    "duckdb": (lambda: urlid.duckdb.register(duckdb.connect()), in_duckdb, VECTORS),
    "sqlite": (lambda: urlid.sqlite.register(sqlite3.connect(":memory:")), in_sqlite, VECTORS),
    "columns": (lambda: None, in_column, VECTORS),
    "pandas": (lambda: None, in_pandas, list(filter(is_method, VECTORS))),
    "polars": (lambda: None, in_polars, list(filter(is_method, VECTORS))),
}


@pytest.mark.parametrize("host", HOSTS)
def test_every_host_gives_what_the_vectors_expect(host):
    connect, run, vectors = HOSTS[host]
    assert len(vectors) > 250
    con = connect()
    wrong = []
    for vector in vectors:
        if "error" in vector:
            errors = (ValueError, duckdb.Error, sqlite3.Error, polars.exceptions.ComputeError)
            # DataFusion does not raise a more precise exception.
            with pytest.raises(Exception if host == "datafusion" else errors):
                run(con, vector)
        elif (found := run(con, vector)) != value(vector["expect"]["result"]):
            wrong.append((vector["id"], found))
    assert wrong == []


def test_duckdb_registers_twice():
    con = urlid.duckdb.register(urlid.duckdb.register(duckdb.connect()))
    assert con.sql("SELECT urlid_host('http://A/')").fetchall() == [("a",)]


@pytest.mark.parametrize(
    "connect",
    [
        lambda _: [con := duckdb.connect(), con.cursor(), con],
        lambda _: [con := duckdb.connect(), con.cursor()][::-1],
        lambda path: [duckdb.connect(path), duckdb.connect(path)],
        lambda _: [duckdb.connect(":memory:shared"), duckdb.connect(":memory:shared")],
    ],
    ids=["cursor", "parent", "file", "memory"],
)
def test_duckdb_registers_with_each_connection_of_a_database(connect, tmp_path):
    for con in map(urlid.duckdb.register, connect(str(tmp_path / "a.db"))):
        assert con.sql("SELECT urlid_host('http://A/')").fetchall() == [("a",)]


def test_duckdb_registers_with_a_cursor_in_each_thread():
    con = duckdb.connect()
    with ThreadPoolExecutor(8) as pool:
        cursors = list(pool.map(urlid.duckdb.register, [con.cursor() for _ in range(8)]))
    assert [cursor.sql("SELECT urlid_host('http://A/')").fetchall() for cursor in cursors] == [[("a",)]] * 8


def test_duckdb_names_a_macro_that_is_in_the_way():
    con = duckdb.connect()
    con.execute("CREATE MACRO urlid_host(url) AS 7")
    with pytest.raises(duckdb.CatalogException, match="urlid_host"):
        urlid.duckdb.register(con)


def test_datafusion_registers_twice_and_accepts_constants():
    ctx = urlid.datafusion.register(urlid.datafusion.register(datafusion.SessionContext()))
    ctx.from_pydict({"url": ["http://A/p", None, "no URL"]}, "page")
    batches = ctx.sql("SELECT urlid_host(url) AS host, urlid_part(url, 'path') AS path FROM page").collect()
    rows = pa.Table.from_batches(batches).to_pylist()
    assert rows == [{"host": "a", "path": "/p"}, {"host": None, "path": None}, {"host": None, "path": None}]


def test_missing_parts_are_null_except_for_two_that_are_empty():
    columns = {"url_sub": "sub", "url_file": "file", "url_query": "query", "url_user": "user", "url_port": "port"}
    urls = {"http://a.com/b/": ["sub", "file"], "http://1.2.3.4/": ["file"], "http://a.b.com/c": [], "mailto:a": []}
    for url, empty in urls.items():
        row = urlid.arrow.parts(pa.array([url])).to_pyarrow().to_pylist()[0]
        for column, part in columns.items():
            found = BY_NAME["urlid_part"](url, part)
            assert (found, row[column]) == ("", None) if part in empty else found == row[column], (url, part)


def test_the_table_says_what_the_functions_are():
    for function in urlid.functions():
        names = ", ".join(name for name, _ in function.arguments)
        assert str(function) == f"{function.name}({names})"
        assert function.about.endswith(".")
    with pytest.raises(TypeError, match="int"):
        BY_NAME["urlid_host"](5)
    with pytest.raises(urlid.UrlidError, match="number of arguments"):
        BY_NAME["urlid_host"]("http://h/", "x")
    with pytest.raises(urlid.UrlidError, match="number of arguments"):
        FUNCTIONS["urlid_hashed"].call(*(pa.array([text]) for text in ("http://h/", "sha1", "n", "x")))
