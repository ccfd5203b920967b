"""Every class of values: equal values are one in a set, and values survive pickling, copying and the transfer to a different
process."""

import copy
import inspect
import multiprocessing
import pickle
import subprocess
import sys

import pyarrow
import pytest

import urlid
import urlid.arrow
from urlid import _urlid

VALUES = [
    urlid.Sxurl.encode("https://docs.rs/serde?all#top"),
    urlid.Components("http://user@Www.Example.co.uk:80/a?b#c"),
    urlid.Components("https://b.example.com/", suffixes=urlid.SuffixList("com\nexample.com\n")),
    urlid.UrlHash.encode("https://docs.rs/"),
    urlid.UrlHash.encode("https://docs.rs/").short(),
    urlid.UrlHash.encode("https://docs.rs/").very_short(),
    urlid.HashedUri.encode("http://h/a?b", keep_query=True),
    urlid.CrateSxurl.encode("https://docs.rs/", "sxurl-crate-1.1"),
    urlid.Url("HTTP://user:p'w@h:81/a?b#c"),
    urlid.Reference("//h/a", "web"),
    urlid.Reference(r"\\h", "file"),
    urlid.TokenUrl.parse("http://u:p@h:80/a?q"),
    urlid.TokenUrl([("file", "a/b")]),
    urlid.Question(domain="docs", port=443, path=""),
    urlid.Question(suffixes=urlid.SuffixList("com\nexample.com\n"), host="a.b.example.com"),
    urlid.SuffixList.compiled("icann"),
    urlid.SuffixList("com\nexample.com\n", "icann"),
    urlid.snapshot(),
    urlid.TrackingList('{"all": {"queryParams": ["ref"], "topLevelSites": ["*"]}}'),
    urlid.NoVarySearch("except=(\"a\"), key-order"),
    urlid.Rules("urlid-rules 1\n[h.example]\ndrop b a # twice\n"),
    urlid.Templates("urlid-templates 1\n[h.example]\n/a/{} # by hand\n"),
    urlid.HiddenList.make(["http://h/a", "http://h/b?c"], keep_query=True, date="2026-11-21"),
    urlid.Function("urlid_host"),
]

URLS = pyarrow.chunked_array([["https://docs.rs/", None], [], ["mailto:x"]], pyarrow.string())
TABLES = [
    urlid.arrow.ids(URLS, ["sxurl", "hashed-uri"], errors=True),
    urlid.arrow.parts(URLS),
    urlid.arrow.slices(pyarrow.array([], pyarrow.string())),
]
COLUMNS = [table[name] for table in TABLES for name in table.column_names]

HANDLES = {urlid.FingerprintSet, urlid.Index, urlid.SeenSet, urlid.ShardedList}
"""Classes that represent open resources. An index is reopened by its path. A set that adds cannot be shared, and a list in shards
has a function of the caller."""


def test_these_are_all_classes():
    classes = {value for name, value in vars(_urlid).items() if inspect.isclass(value) and not name.startswith("_")}
    assert classes - HANDLES == {type(value) for value in [*VALUES, *TABLES, *COLUMNS]}


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_is_hashable_and_survives_pickling(value):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value
        assert hash(again) == hash(value)
        assert repr(again) == repr(value) and str(again) == str(value)
    for again in (copy.copy(value), copy.deepcopy(value)):
        assert again == value
    assert value != object()
    assert len({value, again}) == 1


@pytest.mark.parametrize("value", [urlid.Url(r"x:a\'"), urlid.Url("x:\\"), urlid.Components(r"http://h.example/a?\'b")], ids=repr)
def test_a_value_is_read_back_as_it_is_shown(value):
    assert eval(repr(value), {"Url": urlid.Url, "Components": urlid.Components}) == value


def parts_of(components):
    return {name: getattr(components, name) for name in dir(components) if not name.startswith("_") and name != "encode"}


@pytest.mark.parametrize("value", VALUES[1:3], ids=["by the compiled list", "by another"])
def test_components_keep_their_parts(value):
    again = pickle.loads(pickle.dumps(value))
    assert parts_of(again) == parts_of(value) and again.encode() == value.encode()


@pytest.mark.parametrize("value", [*TABLES, *COLUMNS], ids=repr)
def test_columns_survive_pickling(value):
    for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert repr(again) == repr(value)
        assert again.to_pyarrow().equals(value.to_pyarrow())
        assert getattr(again, "column_names", None) == getattr(value, "column_names", None)


def same(value):
    return value


def test_values_go_to_a_different_process_and_back():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(same, VALUES) == VALUES
        for value, again in zip([*TABLES, *COLUMNS], pool.map(same, [*TABLES, *COLUMNS]), strict=True):
            assert again.to_pyarrow().equals(value.to_pyarrow())
        with pytest.raises(urlid.UrlidError) as caught:
            pool.apply(urlid.Sxurl.encode, ["mailto:x"])
        assert caught.value.code == "ERR_INVALID_SCHEME"
        with pytest.raises(FileNotFoundError):
            pool.apply(urlid.Index, ["/no/such/file"])


def test_without_pyarrow_columns_say_what_they_need():
    code = """
import pickle, sys, urlid.arrow, polars
columns = urlid.arrow.ids(polars.Series(["https://docs.rs/"]))
sys.modules["pyarrow"] = None
pickle.dumps(columns)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "ModuleNotFoundError" in done.stderr and "pyarrow" in done.stderr


def test_a_handle_is_not_a_value(tmp_path):
    path = tmp_path / "urls.db"
    urlid.Index.load(path, ["https://docs.rs/"])
    index = urlid.Index(path)
    assert len(copy.copy(index)) == len(pickle.loads(pickle.dumps(index))) == 1
    with urlid.SeenSet(tmp_path / "seen") as seen, pytest.raises(TypeError, match="SeenSet"):
        pickle.dumps(seen)
    files = urlid.HiddenList.make(["http://h/a"]).shards(1)
    hidden = urlid.ShardedList(files["index"], lambda number, file: files[file])
    assert hidden.find("http://h/a") and not hidden.find("http://h/b")
    with pytest.raises(TypeError, match="ShardedList"):
        pickle.dumps(hidden)
