"""Datasets made by a cluster have the same rows, order and answers as a dataset that one machine makes."""

import shutil
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from conftest import killing_once, run_cli
from pyarrow import fs
from test_spark import scanned_rows

import urlid
import urlid.spark

ODD = [None, "", "not a URL", "http://[::1]/", "foo://www.google.com/x", "http://www.google.com./x", "mailto:a@b"]
ODD += ["http://u:p@h.example/", "ftp://ftp.example.org/pub/"]


@pytest.fixture(scope="module")
def lines(corpus) -> list[str | None]:
    """Real URLs, some twice, and texts of every other kind."""
    return corpus[::4] + corpus[:4000:4] + ODD * 3


@pytest.fixture(scope="module")
def df(spark, lines):
    return spark.createDataFrame([(url,) for url in lines], "link string").repartition(6)


@pytest.fixture(scope="module")
def here(lines, tmp_path_factory) -> urlid.Index:
    path = tmp_path_factory.mktemp("here") / "urls"
    urlid.Index.build(path, lines)
    return urlid.Index(path)


@pytest.fixture(scope="module")
def dataset(df, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("there") / "a folder" / "urls"
    urlid.spark.write_dataset(df, str(path), column="link", partitions=5)
    return path


def names(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.iterdir())


def test_the_folder_matches_a_build_on_one_machine(dataset, here, cli, lines):
    parts = [f"part-{number:05}.parquet" for number in range(5)]
    assert names(dataset) == ["_public_suffix_list.dat.zst", "_urlid.json", *parts]
    assert urlid.Index(dataset).find() == here.find()
    run_cli(cli, "index", "verify", str(dataset))
    assert run_cli(cli, "index", "count", str(dataset)) == [str(len(here))]
    assert run_cli(cli, "index", "find", str(dataset), "--host", "www.bbc.co.uk", codes=(0, 1)) == [
        url for _, url in here.find(host="www.bbc.co.uk")
    ]
    schema = pyarrow.parquet.read_schema(dataset / parts[0])
    assert schema.names == ["url", "host_key", "host", "registered_domain", "tld", "scheme"]
    # Files that a task made have the same metadata as the program's files.
    assert {b"urlid.format", b"urlid.tool", b"urlid.snapshot", b"urlid.pages"} <= schema.metadata.keys()


def test_counts_match_one_machine(df, lines, tmp_path):
    there = urlid.spark.write_dataset(df, str(tmp_path / "there"), column="link")
    here = urlid.Index.build(tmp_path / "here", lines)
    # Files have other beginnings and ends, so sizes differ.
    assert there.pop("bytes") > 0 and here.pop("bytes") > 0
    assert there == here
    assert there["blank"] == 6 and there["rejected"]["ERR_URL_PARSE"] >= 3 and there["rows"] < there["taken"]


QUESTIONS = [
    {"domain": "google", "tld": "com"},
    {"domain": "google"},
    {"domain": "wikipedia"},
    {"registered_domain": "bbc.co.uk"},
    {"host": "www.bbc.co.uk"},
    {"host": "[::1]"},
    {"under": "google.com"},
    {"tld": "co.uk", "scheme": "https"},
    {"sub": "", "tld": "org"},
    {"scheme": "foo"},
    {"scheme": "ftp"},
    {"path_prefix": "/a"},
    {"query": "", "fragment": "", "path": "/", "tld": "org"},
    {"port": 8080},
    {"domain": "not-there-at-all", "tld": "com"},
]


@pytest.fixture(scope="module")
def with_ids(df, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("ids") / "urls"
    urlid.spark.write_dataset(df, str(path), column="link", partitions=3, ids=True)
    return path


@pytest.mark.parametrize("parts", QUESTIONS, ids=str)
def test_answers_match_the_index(spark, dataset, with_ids, here, parts):
    expected = sorted(url for _, url in here.find(**parts))
    for path in (dataset, with_ids):
        found = urlid.spark.find(urlid.spark.read_dataset(spark, str(path)), **parts)
        assert sorted(row.url for row in found.select("url").collect()) == expected
    assert bool(expected) == ("not-there-at-all" not in parts.values())


def test_a_host_is_found_without_reading_the_rest(spark, tmp_path):
    # Large enough for several pages.
    df = spark.range(60_000).selectExpr("concat('https://h', id % 300, '.example.com/', id) AS url")
    path = str(tmp_path / "urls")
    urlid.spark.write_dataset(df, path, partitions=2)
    found = urlid.spark.find(urlid.spark.read_dataset(spark, path), host="h7.example.com")
    assert len(found.collect()) == 200 <= scanned_rows(found) < 60_000 / 2


def test_forms_and_lists_are_recorded(df, lines, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    options = {"form": "web+drop-fragment", "suffixes": urlid.SuffixList.compiled("icann")}
    urlid.spark.write_dataset(df, str(there), column="link", partitions=3, **options)
    urlid.Index.build(here, lines, **options)
    here, there = urlid.Index(here), urlid.Index(there)
    assert there.find() == here.find()
    assert (there.form, there.snapshot) == (here.form, here.snapshot)


def test_existing_files_are_not_replaced(df, dataset):
    before = {entry.name: entry.stat() for entry in dataset.iterdir()}
    with pytest.raises(urlid.UrlidError, match="already") as caught:
        urlid.spark.write_dataset(df, str(dataset), column="link")
    assert caught.value.code == "ERR_IO"
    assert {entry.name: entry.stat() for entry in dataset.iterdir()} == before


def test_a_failed_job_leaves_no_files(spark, df, tmp_path):
    broken = df.selectExpr("IF(link = '', raise_error('broken'), link) AS url")
    with pytest.raises(Exception, match="broken"):
        urlid.spark.write_dataset(broken, str(tmp_path / "urls"))
    with pytest.raises(urlid.UrlidError) as caught:
        urlid.spark.write_dataset(df, str(tmp_path / "urls"), column="link", form="not-a-form")
    assert caught.value.code == "ERR_CANON_NAME"
    assert names(tmp_path) == []


def test_an_executor_killed_in_mid_job_changes_nothing(spark, df, here, tmp_path):
    killed = tmp_path / "killed"
    urlid.spark.write_dataset(killing_once(df, killed), str(tmp_path / "urls"), column="link", partitions=4)
    assert killed.exists()
    assert urlid.Index(tmp_path / "urls").find() == here.find()
    assert not [name for name in names(tmp_path / "urls") if name.startswith("_temporary")]


def test_another_file_system_gets_copies(df, here, tmp_path):
    # A file system other than the disk's, over a folder of the disk.
    elsewhere = fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem())
    urlid.spark.write_dataset(df, "urls", column="link", partitions=3, filesystem=elsewhere)
    assert urlid.Index(tmp_path / "urls").find() == here.find()
    assert names(tmp_path / "urls")[:2] == ["_public_suffix_list.dat.zst", "_urlid.json"]
    with pytest.raises(urlid.UrlidError, match="already"):
        urlid.spark.write_dataset(df, "urls", column="link", filesystem=elsewhere)


@pytest.mark.parametrize("change", ["missing", "foreign", "cut", "description"])
def test_a_changed_folder_is_rejected(spark, dataset, tmp_path, change):
    path = tmp_path / "urls"
    shutil.copytree(dataset, path)
    part = path / "part-00001.parquet"
    if change == "missing":
        part.unlink()
    elif change == "foreign":
        shutil.copy(part, path / "other.parquet")
    elif change == "cut":
        part.write_bytes(part.read_bytes()[:-1])
    else:
        (path / "_urlid.json").write_text("[]")
    with pytest.raises(urlid.UrlidError) as caught:
        urlid.spark.read_dataset(spark, str(path))
    assert caught.value.code == "ERR_INDEX_DAMAGED"


def test_an_empty_frame_is_an_empty_dataset(spark, tmp_path):
    counts = urlid.spark.write_dataset(spark.createDataFrame([], "url string"), str(tmp_path / "urls"))
    assert counts["rows"] == len(urlid.Index(tmp_path / "urls")) == 0
    assert urlid.spark.read_dataset(spark, str(tmp_path / "urls")).count() == 0


def test_datasets_of_two_snapshots_are_rejected(spark, df, dataset, tmp_path):
    icann = str(tmp_path / "icann")
    urlid.spark.write_dataset(df.limit(10), icann, column="link", suffixes=urlid.SuffixList.compiled("icann"))
    with pytest.raises(urlid.UrlidError) as caught:
        urlid.spark.read_dataset(spark, str(dataset), icann)
    assert caught.value.code == "ERR_SNAPSHOT"
    with pytest.raises(urlid.UrlidError) as caught:
        urlid.spark.find(urlid.spark.read_dataset(spark, icann), host="docs.rs")
    assert caught.value.code == "ERR_SNAPSHOT"
    assert urlid.spark.snapshot_of(spark, str(dataset)) == urlid.snapshot()
