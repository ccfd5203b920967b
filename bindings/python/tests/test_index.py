"""The contents, answers and checks of an index."""

import os
import pickle
import sqlite3
import subprocess
import warnings

import pyarrow
import pytest

import urlid
import urlid.arrow


def test_an_index_keeps_urls_without_an_sxurl(tmp_path):
    path = tmp_path / "urls.db"
    counts = urlid.Index.load(path, ["http://1.2.3.4/a", "mailto:a@b", "wss://www.example.com/", "https://example.com/"])
    assert (counts["taken"], counts["without_sxurl"], counts["rejected"]) == (4, 3, {})
    index = urlid.Index(path)
    assert index.find(host="1.2.3.4") == [(None, "http://1.2.3.4/a")] and "http://1.2.3.4/a" in index
    assert index.find(scheme="mailto") == [(None, "mailto:a@b")]
    assert [url for _, url in index.find(domain="example", tld="com")] == ["https://example.com/", "wss://www.example.com/"]
    assert dict(index.group("registered_domain")) == {"example.com": 2, "": 2}
    assert urlid.Question(host="1.2.3.4").matches("http://1.2.3.4/") and len(index) == 4


def test_an_index_accepts_columns_and_nones(tmp_path):
    urls = ["https://docs.rs/", None, "x", "https://docs.rs/serde"]
    column = pyarrow.chunked_array([pyarrow.array(urls[:2]), pyarrow.array(urls[2:])])
    found = []
    for name, some in [("list", urls), ("column", column), ("dictionary", column.dictionary_encode()), ("table", pyarrow.table({"url": column}))]:
        counts = urlid.Index.load(tmp_path / name, some)
        assert (counts["lines"], counts["blank"], counts["new"], counts["rejected"]) == (4, 1, 2, {"ERR_URL_PARSE": 1}), name
        found.append(urlid.Index(tmp_path / name).find())
    assert all(rows == found[0] for rows in found) and len(found[0]) == 2
    counts = urlid.Index.load(tmp_path / "bytes", pyarrow.array([b"https://docs.rs/", b"\xff"]))
    assert (counts["lines"], counts["taken"], counts["rejected"]) == (2, 1, {"ERR_UTF8": 1})
    with pytest.raises(ValueError, match="not a column of texts: found Int64"):
        urlid.Index.load(tmp_path / "numbers", pyarrow.array([1]))
    assert not (tmp_path / "numbers").exists()


def test_only_texts_that_are_not_utf8_are_rejected(tmp_path):
    texts = ["http://a.example/", "http://h/\udcff"]
    for counts in [urlid.Index.load(tmp_path / "urls.db", texts), urlid.Index.build(tmp_path / "urls", texts)]:
        assert (counts["lines"], counts["taken"], counts["rejected"]) == (2, 1, {"ERR_UTF8": 1})
    assert len(urlid.HiddenList.make(texts, skip_invalid=True).entries()) == 1
    with pytest.raises(urlid.UrlidError, match="text is not UTF-8"):
        urlid.HiddenList.make(texts)


def test_a_dataset_answers_as_an_index_of_the_same_urls_does(tmp_path):
    urls = [f"https://{host}/{directory}?{query}" for host in ["docs.rs", "a.docs.rs", "www.example.co.uk", "1.2.3.4"] for directory in "ab" for query in "xyz"]
    urls += ["mailto:a@b", None, "https://docs.rs/a?x", "no url"]
    column = pyarrow.chunked_array([pyarrow.array(urls[:5]), pyarrow.array(urls[5:])])
    loaded = urlid.Index.load(tmp_path / "file", urls)
    for name, some in [("list", urls), ("column", column)]:
        built = urlid.Index.build(tmp_path / name, some, memory=1)
        assert built.pop("bytes") > 0
        assert built == {"lines": 28, "blank": 1, "taken": 26, "rows": 25, "credentials": 0, "rejected": {"ERR_URL_PARSE": 1}}, name
        assert (built["rows"], built["rejected"]) == (loaded["new"], loaded["rejected"])
    file, dataset = urlid.Index(tmp_path / "file"), pickle.loads(pickle.dumps(urlid.Index(tmp_path / "list")))
    questions = [{}, {"host": "docs.rs"}, {"under": "docs.rs"}, {"tld": "co.uk"}, {"path_prefix": "/a"}, {"query": "x", "domain": "docs"}, {"scheme": "mailto"}, {"host": "no.such"}]
    for question in questions:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert sorted(file.find(**question), key=str) == sorted(dataset.find(**question), key=str), question
            assert file.count(**question) == dataset.count(**question), question
            assert file.group("host", **question) == dataset.group("host", **question), question
    assert len(file) == len(dataset) == 25 and len(dataset.find(limit=3)) == 3
    for url in ["https://docs.rs/a?x", "https://docs.rs/a?w", "mailto:a@b"]:
        assert (url in file) == (url in dataset), url
    id = urlid.Sxurl.encode("https://docs.rs/a?x")
    assert file.get(id) == dataset.get(id) == ["https://docs.rs/a?x"]
    assert (file.snapshot, file.form, file.suffixes) == (dataset.snapshot, dataset.form, dataset.suffixes)
    with pytest.raises(NotImplementedError, match="never changes"):
        dataset.export_sqlite(tmp_path / "copy")
    assert {"column", "file", "list"} >= {name.split("-")[0] for name in os.listdir(tmp_path)}


def test_several_datasets_are_asked_as_one(tmp_path):
    urls = [f"https://{host}/{number}" for host in ("docs.rs", "a.docs.rs", "b.example") for number in range(5)]
    paths = [tmp_path / name for name in "abc"]
    for path, some in zip(paths, (urls[:7], urls[5:], urls[3:9]), strict=True):
        urlid.Index.build(path, some)
    urlid.Index.build(tmp_path / "all", urls)
    one, several = urlid.Index(tmp_path / "all"), urlid.Index(paths[0], also=paths[1:])
    for index in (several, pickle.loads(pickle.dumps(several))):
        for question in ({}, {"under": "docs.rs"}, {"host": "b.example"}, {"path": "/3"}):
            assert index.find(**question) == one.find(**question), question
            assert index.count(**question) == one.count(**question), question
        assert len(index) == len(one) == 15 and urls[4] in index and urls[14] in index
    urlid.Index.build(tmp_path / "other", urls, form="web+drop-fragment")
    urlid.Index.load(tmp_path / "file", urls)
    for other in ("other", "file", "none"):
        with pytest.raises((urlid.UrlidError, OSError)):
            urlid.Index(paths[0], also=[tmp_path / other])


def test_a_dataset_keeps_to_its_form_and_its_name(tmp_path):
    path = tmp_path / "urls"
    assert urlid.Index.build(path, ["HTTP://Example.com:80/#f", "http://example.com/#g"], form="web+drop-fragment")["rows"] == 1
    index = urlid.Index(path)
    assert index.form == "web+drop-fragment" and "http://example.com/#h" in index
    with pytest.raises(urlid.UrlidError, match="already"):
        urlid.Index.build(path, ["https://docs.rs/"])
    with pytest.raises(ZeroDivisionError):
        urlid.Index.build(tmp_path / "failed", (1 / 0 for _ in "x"))
    assert os.listdir(tmp_path) == ["urls"]
    part = next(path.glob("*.parquet"))
    part.rename(tmp_path / "away")
    with pytest.raises(urlid.UrlidError) as caught:
        urlid.Index(path)
    assert isinstance(caught.value, FileNotFoundError) and part.name in str(caught.value)


def test_an_index_keeps_to_its_canonical_form(tmp_path):
    path = tmp_path / "urls.db"
    urlid.Index.load(path, ["HTTP://Example.com:80/#f"], form="web+drop-fragment")
    index = urlid.Index(path)
    assert index.form == "web+drop-fragment" and "http://example.com/#g" in index
    assert urlid.Index.load(path, ["http://example.com/#h"])["new"] == 0
    for form, code in [("web", "ERR_CANON_MIXED"), ("surt-0.3.1", "ERR_CANON_NAME"), ("x", "ERR_CANON_NAME")]:
        with pytest.raises(urlid.UrlidError) as caught:
            urlid.Index.load(path, [], form=form)
        assert caught.value.code == code


def test_an_index_needs_the_list_that_its_form_names(tmp_path):
    path = tmp_path / "urls.db"
    tracking = urlid.TrackingList('{"all": {"queryParams": ["ref"], "topLevelSites": ["*"]}}')
    form = f"web+drop-tracking@{tracking.name}"
    urlid.Index.load(path, ["https://docs.rs/?ref=1&q"], form=form, tracking=tracking)
    index = pickle.loads(pickle.dumps(urlid.Index(path, tracking=tracking)))
    assert "https://docs.rs/?q&ref=2" in index
    with pytest.raises(urlid.UrlidError) as caught:
        "https://docs.rs/?q" in urlid.Index(path)  # noqa: B015
    assert caught.value.code == "ERR_CANON_NAME"


def test_an_index_that_is_open_notices_a_migration(tmp_path):
    path, old = tmp_path / "urls.db", tmp_path / "old.dat"
    old.write_text(
        "// ===BEGIN ICANN DOMAINS===\ncom\nio\n// ===END ICANN DOMAINS===\n"
        "// ===BEGIN PRIVATE DOMAINS===\n// ===END PRIVATE DOMAINS===\n"
    )
    suffixes = urlid.SuffixList(old.read_text())
    urlid.Index.load(path, ["https://a.github.io/x", "ws://b.github.io/"], suffixes=suffixes)
    index = urlid.Index(path)
    assert index.count(domain="github") == 2 and index.snapshot == suffixes.snapshot
    subprocess.run([os.environ["URLID_CLI"], "index", "migrate", str(path)], check=True, capture_output=True)
    assert index.count(domain="github") == 0 and index.snapshot == urlid.snapshot()
    assert [url for _, url in index.find(domain="a", tld="github.io")] == ["https://a.github.io/x"]
    assert "https://a.github.io/x" in index and len(index) == 2


def test_the_sqlite_export_has_readable_columns(tmp_path):
    path, out = tmp_path / "urls.db", tmp_path / "readable.db"
    urlid.Index.load(path, ["https://www.example.co.uk/", "http://1.2.3.4/"])
    assert urlid.Index(path).export_sqlite(out) == 2
    rows = sqlite3.connect(out).execute("SELECT id, host, registered_domain, sxurl FROM urls ORDER BY id").fetchall()
    id_ = str(urlid.Sxurl.encode("https://www.example.co.uk/"))
    assert rows == [(1, "www.example.co.uk", "example.co.uk", id_), (2, "1.2.3.4", None, None)]
    with pytest.raises(urlid.UrlidError) as caught:
        urlid.Index(path).export_sqlite(out)
    assert caught.value.code == "ERR_IO"
