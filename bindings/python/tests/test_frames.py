"""Polars, pandas and DuckDB, the real ones."""

import ast
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow as pa
import pytest

import urlid
import urlid.arrow as ua
import urlid.duckdb
import urlid.pandas
import urlid.polars  # noqa: F401  registers the namespaces

URLS = ["https://docs.rs/serde?a", None, "mailto:x", "https://b.example.co.uk/"]
IDS = ua.ids(pa.array(URLS), ["sxurl", "url-hash"]).to_pyarrow()


@pytest.fixture
def con():
    return urlid.duckdb.register(duckdb.connect())


def test_polars_expressions_run_in_lazy_frames():
    frame = polars.LazyFrame({"url": URLS, "n": range(4)})
    url = polars.col("url").urlid
    out = frame.with_columns(
        id=url.sxurl(),
        hash=url.url_hash(),
        hashed=url.hashed_uri(algorithm="md5"),
        is_docs=url.matches(domain="docs"),
        suffix=url.parts().struct.field("url_tld"),
        slices=url.slices(),
    )
    assert out.collect_schema()["slices"] == out.collect().schema["slices"]
    found = out.collect()
    assert found["id"].to_list() == IDS["sxurl"].to_pylist()
    assert found["hash"].to_list() == IDS["url_hash"].to_pylist()
    assert found["hashed"][0] == str(urlid.HashedUri.encode(URLS[0], algorithm="md5"))
    assert found["is_docs"].to_list() == [True, None, False, False]
    assert found["suffix"].to_list() == ["rs", None, None, "co.uk"]
    again = found.select(polars.col("id").urlid.slices("ids"))["id"]
    assert again.equals(found["slices"].alias("id"))


def test_a_polars_column_of_nulls_alone_is_null():
    frame = polars.DataFrame({"url": [None, None]})
    url = polars.col("url").urlid
    for column in [url.canon("web"), url.sxurl(), url.url_hash(), url.hashed_uri(), url.host()]:
        assert frame.select(column).to_series().to_list() == [None, None]


def test_polars_series_and_groups():
    series = polars.Series("u", URLS)
    assert series.urlid.sxurl().name == "u"
    hosts = polars.Series(["www.example.co.uk", None]).urlid.split_host()
    assert hosts.struct.field("domain").to_list() == ["example", None]
    frame = polars.DataFrame({"url": ["https://a.com/1", "https://a.com/2", "https://b.com/"]})
    counts = frame.group_by(polars.col("url").urlid.slices().struct.field("sx_domain")).len()
    assert sorted(counts["len"].to_list()) == [1, 2]
    with pytest.raises(urlid.UrlidError):
        polars.col("url").urlid.matches(domain="a b")


def test_pandas_series_have_the_methods_of_polars():
    series = pandas.Series(URLS, index=[5, 6, 7, 8], name="u")
    accessor = urlid.pandas.UrlidAccessor(series)
    for found in (accessor.sxurl(), accessor.hashed_uri(algorithm="md5"), accessor.matches(domain="docs")):
        assert (found.name, found.index.to_list()) == ("u", [5, 6, 7, 8])
    assert pa.array(accessor.sxurl()).to_pylist() == IDS["sxurl"].to_pylist()
    assert accessor.hashed_uri(algorithm="md5").loc[5] == str(urlid.HashedUri.encode(URLS[0], algorithm="md5"))
    assert accessor.matches(domain="docs").fillna(False).to_list() == [True, False, False, False]
    with pytest.raises(urlid.UrlidError):
        accessor.matches(domain="a b")


def test_parts_have_the_values_of_common_crawl():
    urls = ["http://h.co.uk:80/a?b#c", None, "no url"]
    expected = ua.parts(pa.array(urls), "cc-host-2026-05").to_pyarrow()
    frame = polars.LazyFrame({"url": urls}).select(polars.col("url").urlid.parts("cc-host-2026-05"))
    assert frame.collect_schema() == frame.collect().schema
    assert frame.collect().unnest("url").rows() == [tuple(row.values()) for row in expected.to_pylist()]
    assert frame.collect()["url"].struct.field("url_port").to_list() == [80, None, None]
    assert pandas.Series(urls).urlid.parts("cc-host-2026-05").columns.to_list() == expected.column_names


def test_series_accept_a_list_of_tracking_parameters():
    tracking = urlid.TrackingList('{"all": {"queryParams": ["ref"], "topLevelSites": ["*"]}}')
    form, url = f"web+drop-tracking@{tracking.name}", "https://docs.rs/?ref=1&q"
    frame = polars.LazyFrame({"url": [url]}).select(polars.col("url").urlid.canon(form, tracking=tracking))
    assert frame.collect()["url"].to_list() == ["https://docs.rs/?q"]
    assert pandas.Series([url]).urlid.canon(form, tracking=tracking).to_list() == ["https://docs.rs/?q"]
    with pytest.raises(ValueError, match="not given"):
        pandas.Series([url]).urlid.canon(form)


def test_pandas_series_keep_their_index():
    series = pandas.Series(URLS, index=list("wxyz"), name="u")
    ids = series.urlid.ids(["sxurl", "url-hash"], errors=True)
    assert list(ids.index) == list("wxyz")
    assert ids.loc["w", "sxurl"] == IDS["sxurl"][0].as_py()
    assert ids["error"].to_list()[2] == "ERR_INVALID_SCHEME"
    assert pandas.isna(ids.loc["x", "sxurl"])
    assert series.urlid.canon("sxurl").name == "u"
    assert series.urlid.parts().loc["z", "url_registered_domain"] == "example.co.uk"
    assert series.urlid.split_host().shape == (4, 3)
    assert series.urlid.slices().loc["w", "sx_port"] == 0
    # The kernels also accept the series itself.
    assert ua.ids(series, ["sxurl", "url-hash"]).to_pyarrow().equals(IDS)


def test_duckdb_has_the_functions_of_every_sql_surface(con):
    con.register("t", pa.table({"url": URLS}))
    rows = con.sql(
        """SELECT urlid_sxurl(url), urlid_url_hash(url), urlid_hashed(url, 'sha1', 'N'),
                  urlid_slice(urlid_sxurl(url), 'domain'), urlid_canon(url, 'sxurl') FROM t"""
    ).fetchall()
    for url, id_, hash_, row in zip(URLS, IDS["sxurl"].to_pylist(), IDS["url_hash"].to_pylist(), rows, strict=True):
        hashed = None if url is None else str(urlid.HashedUri.encode(url))
        domain = None if id_ is None else urlid.Sxurl.from_bytes(id_).slice("domain")
        text = None if id_ is None else urlid.Components(url).normal_text
        assert row == (id_, hash_, hashed, domain, text)


def test_duckdb_finds_a_domain_by_its_hash(con, sample):
    con.register("t", pa.table({"url": sample}))
    found = con.sql(
        """SELECT url FROM t
           WHERE urlid_slice(urlid_sxurl(url), 'domain') = urlid_probe('domain', 'GitHub')
             AND urlid_slice(urlid_sxurl(url), 'tld') = urlid_probe('tld', 'com')"""
    ).fetchall()
    question = urlid.Question(domain="github", tld="com")
    assert {url for (url,) in found} == {url for url in sample if question.matches(url)} != set()


def test_duckdb_arguments_may_change_from_row_to_row(con):
    con.sql("CREATE TABLE t AS SELECT * FROM (VALUES ('tld'), ('domain'), (NULL), ('tld')) v(name)")
    rows = con.sql("SELECT name, urlid_slice(urlid_sxurl('https://docs.rs/'), name) FROM t").fetchall()
    id_ = urlid.Sxurl.encode("https://docs.rs/")
    assert rows == [(name, None if name is None else id_.slice(name)) for name, _ in rows] and len(rows) == 4
    with pytest.raises(duckdb.Error, match="unknown slice"):
        con.sql("SELECT urlid_slice(urlid_sxurl('https://docs.rs/'), 'host')").fetchall()
    nulls = con.sql("SELECT urlid_probe('domain', 'a b'), urlid_canon(NULL, 'web'), urlid_canon('x', NULL)")
    assert nulls.fetchall() == [(None, None, None)]


def test_a_duckdb_relation_is_a_column(con):
    relation = con.sql("SELECT 'https://docs.rs/' || range AS url FROM range(5000)")
    ids = ua.ids(relation)
    assert len(ids) == 5000
    assert con.sql("SELECT count(DISTINCT sxurl) FROM ids").fetchall() == [(5000,)]


def test_type_checkers_see_every_method_of_the_table():
    stub = Path(urlid.__file__).with_name("_types.pyi").read_text()
    (found,) = (one for one in ast.parse(stub).body if getattr(one, "name", None) == "FunctionMethods")
    declared = {one.name: len(one.args.posonlyargs) or 1 for one in found.body if isinstance(one, ast.FunctionDef)}
    wanted = {
        function.name.removeprefix("urlid_"): len(function.arguments)
        for function in urlid.functions()
        if function.arguments[0][0] != "name"
    }
    assert declared == wanted
