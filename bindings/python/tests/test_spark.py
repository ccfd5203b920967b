"""Spark on two executor processes gives the command line's bytes, also if an executor is killed."""

import os

import pyarrow as pa
import pytest
from conftest import killing_once, run_cli

import urlid
import urlid.spark


def scanned_rows(df) -> int:
    """Returns the rows that the scans of a frame gave when it was last collected."""
    plan = df._jdf.queryExecution().executedPlan()
    rows, stack = 0, [plan]
    while stack:
        node = stack.pop()
        name = node.nodeName()
        if name == "AdaptiveSparkPlan":
            stack.append(node.executedPlan())
            continue
        if "QueryStage" in name:
            stack.append(node.plan())
            continue
        if name.startswith("Scan parquet"):
            rows += node.metrics().apply("numOutputRows").value()
        children = node.children()
        stack += [children.apply(index) for index in range(children.size())]
    return rows


@pytest.fixture(scope="module")
def expected(cli, corpus_file) -> list[str]:
    """The ids that the command line prints for the corpus, one a line, empty where rejected."""
    kinds = "sxurl,url-hash"
    return run_cli(cli, "id", "--kind", kinds, "--format", "text", str(corpus_file), codes=(0, 3))


def as_lines(rows) -> list[str]:
    """Prints rows of line number, SXURL and url-hash as the command line does."""
    ids = sorted((row.line, row.sxurl, row.url_hash) for row in rows)
    return ["\t".join("" if id_ is None else id_.hex() for id_ in (sxurl, hash_)) for _, sxurl, hash_ in ids]


def test_ids_are_the_command_lines_bytes(urls_df, expected):
    df = urlid.spark.with_ids(urls_df, "url", ["sxurl", "url-hash"]).select("line", "sxurl", "url_hash")
    assert as_lines(df.collect()) == expected
    assert len(expected) == 60_000


def test_two_executor_processes_share_the_work(spark, urls_df):
    def where(batches):
        # The parent of a Python worker's daemon is the executor's JVM.
        with open(f"/proc/{os.getppid()}/stat") as stat:
            executor = int(stat.read().rsplit(")", 1)[1].split()[1])
        for batch in batches:
            ids = urlid.arrow.ids(batch.column("url"))["sxurl"].to_pyarrow()
            yield pa.record_batch({"executor": [executor], "rows": [len(ids) - ids.null_count]})

    rows = urls_df.repartition(8).mapInArrow(where, "executor long, rows long").groupBy("executor").sum("rows").collect()
    executors = {row["executor"]: row["sum(rows)"] for row in rows}
    assert len(executors) == 2
    assert min(executors.values()) > 0
    for pid in executors:
        assert b"CoarseGrainedExecutorBackend" in open(f"/proc/{pid}/cmdline", "rb").read()


def test_an_executor_killed_in_mid_job_changes_nothing(spark, urls_df, expected, tmp_path):
    killed = tmp_path / "killed"
    df = killing_once(urls_df.repartition(8, "line"), killed)
    df = urlid.spark.with_ids(df, "url", ["sxurl", "url-hash"]).select("line", "sxurl", "url_hash")
    assert as_lines(df.collect()) == expected
    assert killed.exists()


def test_columns_are_appended_to_any_others(spark):
    df = spark.sql(
        """SELECT * FROM VALUES (1, 'https://docs.rs/', array(1, 2)), (2, NULL, NULL), (3, 'mailto:x', array())
           AS t(n, link, more)"""
    )
    rows = urlid.spark.with_slices(df, "link", errors=True).orderBy("n").collect()
    assert [row.error for row in rows] == [None, None, "ERR_INVALID_SCHEME"]
    assert rows[0].more == [1, 2] and rows[0].sx_domain == urlid.Sxurl.encode("https://docs.rs/").slice("domain")
    parts = urlid.spark.with_parts(df, "link").orderBy("n").collect()
    assert [row.url_registered_domain for row in parts] == ["docs.rs", None, None]
    types = dict(urlid.spark.with_slices(df, "link").dtypes)
    assert [types[name] for name in urlid.arrow.SLICES] == "int int bigint bigint int bigint bigint int".split()
    with pytest.raises(ValueError, match="sxurl"):
        urlid.spark.with_ids(urlid.spark.with_ids(df, "link"), "link")


def test_sql_functions_have_the_names_and_bytes_of_every_surface(spark, urls_df):
    urlid.spark.register(spark)
    urls_df.createOrReplaceTempView("urls")
    rows = spark.sql(
        """SELECT url, urlid_sxurl(url) id, urlid_url_hash(url) hash, urlid_hashed(url, 'md5', 'P') hashed,
                  urlid_slice(urlid_sxurl(url), 'path') path, urlid_canon(url, 'web') web
           FROM urls WHERE urlid_slice(urlid_sxurl(url), 'domain') = urlid_probe('domain', 'google')"""
    ).collect()
    assert len(rows) > 10
    for row in rows:
        id_ = urlid.Sxurl.encode(row.url)
        assert urlid.Question(domain="google").matches(row.url)
        assert (bytes(row.id), row.path) == (bytes(id_), id_.slice("path"))
        assert bytes(row.hash) == bytes(urlid.UrlHash.encode(row.url))
        assert row.hashed == hashed_or_none(row.url)
        assert row.web == str(urlid.Url(row.url))
    assert any(row.hashed is not None for row in rows)
    null = spark.sql("SELECT urlid_sxurl(CAST(NULL AS STRING)) a, urlid_probe('domain', 'a b') b").collect()[0]
    assert (null.a, null.b) == (None, None)


def test_a_broadcast_list_matches_what_it_matches_here(urls_df, corpus):
    hidden = urlid.HiddenList.make(corpus[::500], covers="directory", skip_invalid=True)
    rows = urlid.spark.match(urls_df, hidden, invalid_as="match").where("listed IS NOT NULL").select("line", "listed").collect()
    here = urlid.arrow.listed(pa.array(corpus), hidden, invalid_as="match")["listed"].to_pyarrow().to_pylist()
    assert {row.line: row.listed for row in rows} == {n: entry for n, entry in enumerate(here) if entry is not None}
    assert len(rows) > 100
    with pytest.raises(urlid.UrlidError):
        urlid.spark.match(urls_df, hidden, key=bytes(32))


def test_one_row_of_each_identity_stays(spark):
    urls = ["http://h/b/../a", "HTTP://h/a", "http://h/a", "http://h/a", "x", "x", "y", None, None]
    df = spark.createDataFrame(list(enumerate(urls)), "n int, url string").repartition(4)
    kept = urlid.spark.dedupe(df).collect()
    assert sorted((row.url is not None, row.url or "") for row in kept) == [
        (False, ""),
        (True, "HTTP://h/a"),
        (True, "x"),
        (True, "y"),
    ]
    by_text = urlid.spark.dedupe(df, by="sxurl").collect()
    assert {row.url for row in by_text} >= {"http://h/b/../a"} and len(by_text) == 5
    assert df.columns == urlid.spark.dedupe(df).columns


def test_dedupe_keeps_as_many_as_there_are_normal_forms(urls_df, corpus):
    forms = {str(urlid.Url(url)) if is_url(url) else f"rejected {url}" for url in corpus}
    assert urlid.spark.dedupe(urls_df).count() == len(forms)


def hashed_or_none(url: str) -> str | None:
    try:
        return str(urlid.HashedUri.encode(url, algorithm="md5", variant="p"))
    except urlid.UrlidError:
        return None


def is_url(url: str) -> bool:
    try:
        urlid.Url(url)
    except urlid.UrlidError:
        return False
    return True
