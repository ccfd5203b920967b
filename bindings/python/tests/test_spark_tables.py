"""Tables: the rows that a question reads and finds, and the separation of snapshots."""

import shutil

import pyarrow
import pyarrow.parquet
import pytest
from test_spark import scanned_rows

import urlid
import urlid.arrow
import urlid.spark
from urlid.spark import ORDER

ICANN = urlid.SuffixList.compiled("icann")


@pytest.fixture(scope="module")
def table(urls_df, tmp_path_factory) -> str:
    path = str(tmp_path_factory.mktemp("table") / "urls")
    urlid.spark.write_table(urls_df.select("url"), path, partitions=8)
    return path


@pytest.fixture(scope="module")
def index(corpus, tmp_path_factory) -> urlid.Index:
    """The lines whose unchanged text has an SXURL. The typed columns of the others are null, and questions do not find them."""
    path = tmp_path_factory.mktemp("index") / "urls.db"
    ids = urlid.arrow.ids(pyarrow.array(corpus))["sxurl"].to_pyarrow().to_pylist()
    urlid.Index.load(path, [url for url, id_ in zip(corpus, ids, strict=True) if id_ is not None])
    return urlid.Index(path)


@pytest.fixture
def small(spark):
    return spark.createDataFrame([(f"https://example{n}.com/{n}",) for n in range(50)], "url string")


QUESTIONS = [
    {"domain": "google", "tld": "com"},
    {"domain": "wikipedia"},
    {"host": "www.bbc.co.uk"},
    {"tld": "co.uk", "scheme": "https"},
    {"scheme": "ftp"},
    {"path": "/robots.txt"},
    {"query": "", "fragment": "", "path": "/", "tld": "org"},
    {"port": 8080},
    {"domain": "not-there-at-all", "tld": "com"},
]

UNANSWERED = (QUESTIONS[-1],)


@pytest.mark.parametrize("parts", QUESTIONS, ids=str)
def test_answers_match_an_index(spark, table, index, parts):
    df = urlid.spark.find(urlid.spark.read_dataset(spark, table), **parts)
    found = {urlid.Components(row.url).normal_text for row in df.select("url").collect()}
    assert found == {url for _, url in index.find(**parts)}
    assert bool(found) == (parts not in UNANSWERED)


def test_a_domain_is_found_without_reading_the_rest(spark, table, corpus):
    df = urlid.spark.find(urlid.spark.read_dataset(spark, table), domain="wikipedia", tld="org")
    answers = df.collect()
    assert 0 < len(answers) <= scanned_rows(df) < len(corpus) / 5
    plain = urlid.spark.read_dataset(spark, table).where("url LIKE '%wikipedia.org%'")
    plain.collect()
    assert scanned_rows(plain) == len(corpus)


def test_a_candidate_that_only_collides_is_dropped(spark, table):
    df = urlid.spark.read_dataset(spark, table)
    # Rows with the slices of wikipedia.org and a different URL, like a collision.
    lying = df.where(df.sx_domain == urlid.probe("domain", "wikipedia")).selectExpr(
        "id", "'https://liar.example/' AS url", *urlid.arrow.SLICES
    )
    assert lying.count() > 0
    assert urlid.spark.find(lying, domain="wikipedia").count() == 0
    assert urlid.spark.find(df.unionByName(lying), domain="wikipedia").count() == urlid.spark.find(
        df, domain="wikipedia"
    ).count()


def test_a_frame_without_typed_columns_is_also_searched(urls_df, corpus):
    question = urlid.Question(tld="org", path="/")
    assert urlid.spark.find(urls_df, tld="org", path="/").count() == sum(map(question.matches, corpus)) > 0


def test_files_are_sorted_disjoint_and_complete(table, corpus):
    files = sorted(file for file in pyarrow.parquet.ParquetDataset(table).files)
    assert len(files) > 1
    parts = [pyarrow.parquet.read_table(file) for file in files]
    assert parts[0].column_names == ["id", "url", *urlid.arrow.SLICES]
    ends = []
    for part in parts:
        keys = list(zip(*(part[name].to_pylist() for name in ORDER), strict=True))
        present = [key for key in keys if key[0] is not None]
        # Rows without an id are first.
        assert keys[len(keys) - len(present) :] == present == sorted(present)
        if present:
            ends.append((present[0], present[-1]))
    ends.sort()
    assert all(last <= first for (_, last), (first, _) in zip(ends, ends[1:], strict=False))
    assert sorted(url for part in parts for url in part["url"].to_pylist()) == sorted(corpus)
    for part in parts:
        ids = urlid.arrow.ids(part["url"])["sxurl"].to_pyarrow()
        assert part["id"].combine_chunks().cast("binary").equals(ids)


def test_files_have_the_statistics_that_readers_skip_by(table):
    # Rows without an id, whose columns have no statistics, are in the first file.
    file = pyarrow.parquet.ParquetFile(sorted(pyarrow.parquet.ParquetDataset(table).files)[-1])
    group = file.metadata.row_group(0)
    columns = {group.column(index).path_in_schema: group.column(index) for index in range(group.num_columns)}
    assert all(columns[name].statistics.has_min_max and columns[name].has_column_index for name in urlid.arrow.SLICES)
    assert columns["url"].compression == "ZSTD"
    assert file.schema.column(0).physical_type == "BYTE_ARRAY" and file.schema.column(0).name == "id"


def test_a_table_says_what_its_ids_depend_on(spark, table):
    assert urlid.spark.snapshot_of(spark, table) == urlid.snapshot()
    df = urlid.spark.read_dataset(spark, table)
    assert df.schema["id"].metadata["urlid.snapshot"] == str(urlid.snapshot())


def test_two_snapshots_are_rejected_wherever_they_meet(spark, small, tmp_path):
    all_, icann = str(tmp_path / "all"), str(tmp_path / "icann")
    urlid.spark.write_table(small, all_, partitions=2)
    urlid.spark.write_table(small, icann, partitions=2, suffixes=ICANN)

    def rejected(call, *words):
        with pytest.raises(urlid.UrlidError) as caught:
            call()
        assert caught.value.code == "ERR_SNAPSHOT"
        assert all(word in str(caught.value) for word in words)

    rejected(lambda: urlid.spark.read_dataset(spark, all_, icann), "psl_sections", "'all'", "'icann'")
    rejected(lambda: urlid.spark.write_table(small, all_, mode="append", suffixes=ICANN), "'icann'")
    rejected(lambda: urlid.spark.find(urlid.spark.read_dataset(spark, icann), domain="example1"), "'icann'")
    assert urlid.spark.find(urlid.spark.read_dataset(spark, icann), domain="example1", suffixes=ICANN).count() == 1
    # A file that someone puts into the folder of a different dataset.
    stray = next(file for file in pyarrow.parquet.ParquetDataset(icann).files)
    shutil.copy(stray, f"{all_}/stray.parquet")
    rejected(lambda: urlid.spark.read_dataset(spark, all_), "'icann'")


def test_a_folder_without_a_snapshot_is_rejected(spark, small, tmp_path):
    small.write.parquet(str(tmp_path / "plain"))
    for path in (tmp_path / "plain", tmp_path / "nothing"):
        with pytest.raises(urlid.UrlidError, match="no snapshot") as caught:
            urlid.spark.read_dataset(spark, str(path))
        assert caught.value.code == "ERR_SNAPSHOT"


def test_appending_under_the_same_snapshot_adds_rows(spark, small, tmp_path):
    path = str(tmp_path / "urls")
    urlid.spark.write_table(small, path, partitions=2)
    urlid.spark.write_table(small, path, partitions=2, mode="append")
    assert urlid.spark.read_dataset(spark, path).count() == 100
