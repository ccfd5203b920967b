"""Columns with more text than 32-bit offsets can count are several arrays, and nothing panics."""

import os

import polars
import pyarrow as pa
import pytest

import urlid
import urlid.arrow as ua
import urlid.pandas
import urlid.polars
from urlid import _urlid

URLS = [f"https://www.example.co.uk/{'p' * (index % 7)}?{index}" for index in range(64)] + [None, "no url", ""] * 2


HASHED = str(urlid.HashedUri.encode("https://www.example.co.uk/pp"))


LISTED = urlid.HiddenList.make([url for url in URLS[:64] if url], keep_query=True)


@pytest.fixture
def small():
    """An array holds few bytes, as if the columns were large."""
    before = _urlid._set_most_bytes(200)
    yield
    _urlid._set_most_bytes(before)


KERNELS = {
    "canon": lambda urls: ua.canon(urls, errors=True),
    "surt": lambda urls: ua.canon(urls, "surt-0.3.1"),
    "parts": lambda urls: ua.parts(urls, errors=True),
    "parts of Common Crawl": lambda urls: ua.parts(urls, "cc-host-2026-05", errors=True),
    "hashed": lambda urls: ua.hashed(urls, errors=True),
    "split_host": lambda urls: ua.split_host(urls, errors=True),
    "ids": lambda urls: ua.ids(urls, ["sxurl", "hashed-uri"], errors=True),
    "listed": lambda urls: ua.listed(urls, LISTED, errors=True),
}


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_large_result_is_several_arrays_with_the_same_rows(kernel, small):
    rows = pa.array([url and url.partition("//")[2].partition("/")[0] for url in URLS] if kernel == "split_host" else URLS)
    found = KERNELS[kernel](rows).to_pyarrow()
    _urlid._set_most_bytes(2**31 - 1)
    expected = KERNELS[kernel](rows).to_pyarrow()
    assert found.equals(expected) and found.schema == expected.schema
    texts = [found[name] for name in found.column_names if found[name].type == pa.string() and name != "error"]
    assert all(sum(len(text) for text in chunk.to_pylist() if text) <= 200 for column in texts for chunk in column.chunks)
    assert max(column.num_chunks for column in texts) > 1 == expected.column(0).num_chunks


def test_one_array_of_all_rows_has_offsets_of_64_bits(small):
    column = ua.canon(pa.array(URLS))["canonical"]
    whole = pa.array(column)
    assert whole.type == pa.large_string() == column.to_pyarrow().type
    assert whole.to_pylist() == pa.chunked_array(column).to_pylist()
    assert pa.array(ua.canon(pa.array(URLS[:2]))["canonical"]).type == pa.string()
    ids = ua.ids(pa.chunked_array([URLS, URLS]))["sxurl"].to_pyarrow()
    assert ids.type == pa.large_binary() and len(ids) == 2 * len(URLS)


@pytest.mark.parametrize("name", ["urlid_canon", "urlid_registered_domain", "urlid_match", "urlid_sxurl"])
def test_functions_of_large_columns_match_the_functions_of_each_row(name, small):
    function = urlid.Function(name)
    urls = pa.chunked_array([URLS[:30], URLS[30:]])
    arguments = {"url": urls, "text": urls, "form": pa.array(["web"] * len(URLS)), "hashed": pa.array([HASHED] * len(URLS))}
    columns = [arguments[argument] for argument, _ in function.arguments]
    found = pa.array(function.column(*columns)).to_pylist()
    assert found == [function(*row) for row in zip(*(column.to_pylist() for column in columns), strict=True)]
    assert len(set(found)) > 1


def test_columns_of_different_lengths_are_rejected_wherever_they_end(small):
    canonical = urlid.Function("urlid_canon")
    for length in (0, 1, 30, 31):
        with pytest.raises(ValueError, match="differ in length"):
            canonical.column(pa.chunked_array([URLS[:30], URLS[30:32]]), pa.array(["web"] * length, pa.string()))
    assert len(canonical.column(pa.array([], pa.string()), pa.array([], pa.string()))) == 0


def test_polars_and_pandas_accept_large_results(small):
    urls = polars.Series("url", URLS)
    expected = [url if url is None else urlid.Function("urlid_canon")(url, "web") for url in URLS]
    assert urls.urlid.canon().to_list() == expected
    assert urls.to_frame().select(polars.col("url").urlid.canon())["url"].to_list() == expected
    assert urls.urlid.canon("web").to_list() == expected
    import pandas

    assert pandas.Series(URLS).urlid.canon().array.to_numpy(na_value=None).tolist() == expected


def test_a_result_of_one_row_that_is_too_large_is_an_error(small):
    for kernel in (ua.canon, ua.parts):
        with pytest.raises(ValueError, match="result of one row is too large for a column: found 3.. bytes, expected at most 200"):
            kernel(pa.array(["https://docs.rs/", "https://docs.rs/" + "a" * 300]))


def test_rows_of_a_dictionary_are_read_where_they_stand():
    values = pa.array(["https://docs.rs/" + "a" * 1000, None, "HTTP://h"])
    column = pa.DictionaryArray.from_arrays(pa.array([0, 2, None, 1, 0], pa.int8()), values)
    expected = [values[0].as_py(), "http://h/", None, None, values[0].as_py()]
    assert ua.canon(column)["canonical"].to_pyarrow().to_pylist() == expected
    assert ua.canon(column.slice(1, 2))["canonical"].to_pyarrow().to_pylist() == expected[1:3]
    nothing = pa.DictionaryArray.from_arrays(pa.array([None, None], pa.int32()), pa.array([], pa.string()))
    for kernel in (ua.canon, ua.ids, ua.parts, ua.slices):
        assert kernel(nothing).to_pyarrow().column(0).to_pylist() == [None, None]
    binary = pa.DictionaryArray.from_arrays(pa.array([0, 0, 1]), pa.array([b"HTTP://h", b"\xff"]))
    assert ua.canon(binary, errors=True)["error"].to_pyarrow().to_pylist() == [None, None, "ERR_UTF8"]
    expected = ua.ids(pa.array(["HTTP://h", "HTTP://h"]))["sxurl"].to_pyarrow()
    assert ua.ids(binary.slice(0, 2))["sxurl"].to_pyarrow().equals(expected)


def test_a_column_of_more_than_two_gigabytes():
    """70 rows of 32 MiB, from a dictionary, so that only the results need the memory."""
    if os.environ.get("URLID_LONG") != "1":
        pytest.skip("needs 8 GiB of memory: URLID_LONG=1 runs it")
    url = "https://docs.rs/" + "a" * (32 << 20)
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 70, pa.int8()), pa.array([url]))
    canonical = ua.canon(column)["canonical"]
    chunks = pa.chunked_array(canonical).chunks
    assert len(chunks) > 1 and sum(len(chunk) for chunk in chunks) == 70
    assert all(chunk[-1].as_py() == url for chunk in chunks)
    del chunks
    whole = pa.array(canonical)
    assert whole.type == pa.large_string() and whole[69].as_py() == url
    del whole
    assert polars.DataFrame(ua.canon(column))["canonical"].n_chunks() > 1

