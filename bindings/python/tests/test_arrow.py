"""The kernels: every Arrow type and library as input, the bytes of the scalar functions as output, and nulls and rejections in
their rows."""

import pyarrow as pa
import pyarrow.csv
import pytest
from conftest import run_cli

import urlid
import urlid.arrow as ua

URLS = [
    "https://docs.rs/",
    None,
    "HTTP://user@Www.Bücher.example.co.uk:80/a/../b?q=1#f",
    "mailto:x",
    "",
    "https://127.0.0.1:8080/p",
    "ftp://ftp.example.com",
    "https://h:0/",
    "https://github.io/",
    "a\nb",
]


def one(make, url):
    """Returns bytes and code of one URL, as the scalar functions have them."""
    if url is None:
        return None, None
    try:
        return bytes(make(url)), None
    except urlid.UrlidError as error:
        return None, error.code


MAKERS = {
    "sxurl": urlid.Sxurl.encode,
    "url-hash": urlid.UrlHash.encode,
    "url-short-hash": lambda url: urlid.UrlHash.encode(url).short(),
    "url-very-short-hash": lambda url: urlid.UrlHash.encode(url).very_short(),
    "hashed-uri": lambda url: str(urlid.HashedUri.encode(url)).encode(),
    "url-hash-0.1": lambda url: bytes.fromhex(urlid.crate_url_hash(url)[0]),
    "url-short-hash-0.1": lambda url: bytes.fromhex(urlid.crate_url_hash(url, "url-short-hash-0.1")[0]),
    "url-very-short-hash-0.1": lambda url: bytes.fromhex(urlid.crate_url_hash(url, "url-very-short-hash-0.1")[0]),
    "sxurl-crate-0": lambda url: urlid.CrateSxurl.encode(url, "sxurl-crate-0"),
    "sxurl-crate-1.0": lambda url: urlid.CrateSxurl.encode(url, "sxurl-crate-1.0"),
    "sxurl-crate-1.1": lambda url: urlid.CrateSxurl.encode(url, "sxurl-crate-1.1"),
    "scrapy-2.7/w3lib-2.5": lambda url: urlid.scrapy_fingerprint(url, "scrapy-2.7/w3lib-2.5"),
    "scrapy-2.7/w3lib-2.4": lambda url: urlid.scrapy_fingerprint(url, "scrapy-2.7/w3lib-2.4"),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_ids_match_the_scalar_functions(kind, sample):
    urls = URLS + sample[:3000]
    table = ua.ids(pa.array(urls), [kind], errors=True).to_pyarrow()
    name = kind.replace("-", "_").replace(".", "_").replace("/", "_")
    assert table.column_names == [name, "error"]
    expected = [one(MAKERS[kind], url) for url in urls]
    assert table[name].cast(pa.binary()).to_pylist() == [id_ for id_, _ in expected]
    assert table["error"].to_pylist() == [code for _, code in expected]


def test_several_kinds_in_one_pass_are_the_same_as_one_by_one():
    kinds = list(MAKERS)
    together = ua.ids(pa.array(URLS), kinds).to_pyarrow()
    for kind, column in zip(kinds, together.columns, strict=True):
        alone = ua.ids(pa.array(URLS), [kind]).to_pyarrow().column(0)
        assert column.equals(alone)


def test_numbers_for_joins_are_the_first_bytes_of_url_hashes():
    table = ua.ids(pa.array(URLS), ["url-very-short-hash-int64", "url-hash"]).to_pyarrow()
    assert table.schema.field(0).type == pa.int64()
    hashes = table["url_hash"].cast(pa.binary()).to_pylist()
    assert table.column(0).to_pylist() == [hash_ and int.from_bytes(hash_[:8], "little", signed=True) for hash_ in hashes]


def test_every_line_of_the_corpus_has_the_scalar_ids(corpus):
    table = ua.ids(pa.array(corpus), ["sxurl", "url-hash"]).to_pyarrow()
    for url, id_, hash_ in zip(corpus, *(column.to_pylist() for column in table.columns), strict=True):
        assert (id_, hash_) == (one(urlid.Sxurl.encode, url)[0], one(urlid.UrlHash.encode, url)[0])


@pytest.mark.parametrize(
    "type_",
    [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.binary(),
        pa.large_binary(),
        pa.binary_view(),
        pa.dictionary(pa.int32(), pa.string()),
        pa.dictionary(pa.int8(), pa.large_string()),
    ],
    ids=str,
)
def test_every_type_of_text_is_read(type_):
    expected = ua.ids(pa.array(URLS), ["sxurl"], errors=True).to_pyarrow()
    column = pa.array(URLS)
    column = column.dictionary_encode().cast(type_) if pa.types.is_dictionary(type_) else column.cast(type_)
    assert ua.ids(column, ["sxurl"], errors=True).to_pyarrow().equals(expected)
    # A slice starts in the middle of the buffers.
    assert ua.ids(column[2:7], ["sxurl"], errors=True).to_pyarrow().equals(expected.slice(2, 5))


def test_bytes_under_a_null_or_outside_a_slice_are_not_rows():
    text = b"https://docs.rs/https://a.example/mailto:x"
    offsets, validity = pa.py_buffer(pa.array([0, 16, 34, 34, 42], pa.int32()).buffers()[1]), pa.py_buffer(b"\x0d")
    column = pa.Array.from_buffers(pa.string(), 4, [validity, offsets, pa.py_buffer(text)])
    assert column.to_pylist() == ["https://docs.rs/", None, "", "mailto:x"]
    for kind, make in (("sxurl", urlid.Sxurl.encode), ("url-hash", urlid.UrlHash.encode)):
        expected = [one(make, url) for url in column.to_pylist()]
        table = ua.ids(column, [kind], errors=True).to_pyarrow()
        assert [tuple(row.values()) for row in table.to_pylist()] == expected
        table = ua.ids(column[1:3], [kind], errors=True).to_pyarrow()
        assert [tuple(row.values()) for row in table.to_pylist()] == expected[1:3]


def test_the_null_rows_of_a_struct_are_null_rows_of_its_column():
    for type_ in [pa.string(), pa.large_binary(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]:
        urls = pa.array(["http://a/", "http://b/", None], pa.string()).cast(type_)
        rows = pa.StructArray.from_arrays([urls], names=["url"], mask=pa.array([False, True, False]))
        for column, expected in [(rows, ["http://a/", None, None]), (rows.slice(1), [None, None])]:
            assert ua.canon(column)["canonical"].to_pyarrow().to_pylist() == expected, type_


def test_chunks_stay_chunks_and_an_empty_column_is_empty():
    chunked = pa.chunked_array([URLS[:3], [], URLS[3:]], pa.string())
    table = ua.canon(chunked).to_pyarrow()
    assert table["canonical"].num_chunks == 3
    assert table["canonical"].to_pylist() == ua.canon(pa.array(URLS))["canonical"].to_pyarrow().to_pylist()
    for kernel in (ua.ids, ua.slices, ua.canon, ua.parts, ua.split_host, ua.hashed):
        assert len(kernel(pa.array([], pa.string()))) == 0
        assert kernel(pa.nulls(3)).to_pyarrow().num_rows == 3
        assert kernel(pa.nulls(3)).to_pyarrow().column(0).null_count == 3


def test_bytes_that_are_not_text_are_rejected():
    column = pa.array([b"https://docs.rs/", b"https://docs.rs/\xff", None])
    for kernel in (ua.ids, ua.slices, ua.canon, ua.parts, ua.split_host, ua.hashed):
        assert kernel(column, errors=True)["error"].to_pyarrow().to_pylist()[1:] == ["ERR_UTF8", None]
    assert ua.matches(column, urlid.Question())["matches"].to_pyarrow().to_pylist() == [True, False, None]


def test_a_value_that_is_not_a_text_column_is_an_error():
    with pytest.raises(ValueError, match="Int64"):
        ua.ids(pa.array([1, 2]))
    with pytest.raises(ValueError, match="2 columns"):
        ua.ids(pa.table({"a": ["x"], "b": ["y"]}))
    with pytest.raises(ValueError, match="kind of id"):
        ua.ids(pa.array(["x"]), ["md5"])
    with pytest.raises(ValueError, match="twice"):
        ua.ids(pa.array(["x"]), ["sxurl", "sxurl"])
    with pytest.raises(ValueError, match="__arrow_c_array__"):
        ua.ids(["https://docs.rs/"])


def test_slices_are_the_fields_of_the_ids(sample):
    urls = URLS + sample[:2000]
    ids = ua.ids(pa.array(urls))["sxurl"].to_pyarrow()
    table = ua.slices(pa.array(urls), errors=True).to_pyarrow()
    assert tuple(table.column_names[:8]) == ua.SLICES
    widths = [pa.int32(), pa.int32(), pa.int64(), pa.int64(), pa.int32(), pa.int64(), pa.int64(), pa.int32()]
    assert [field.type for field in table.schema][:8] == widths
    for id_, row in zip(ids.to_pylist(), table.drop(["error"]).to_pylist(), strict=True):
        fields = {name: None for name in row}
        if id_ is not None:
            fields = {f"sx_{name}": bits for name, bits in urlid.Sxurl.from_bytes(id_).fields().items()}
        assert row == fields
    of_ids = ua.slices(ids, of="ids").to_pyarrow()
    assert of_ids.equals(table.drop(["error"]))
    assert ua.slices(ids.cast(pa.large_binary()), of="ids").to_pyarrow().equals(of_ids)
    bad = ua.slices(pa.array([b"short", bytes(32)]), of="ids", errors=True)
    assert bad["error"].to_pyarrow().to_pylist() == ["ERR_ID_LENGTH", "ERR_ID_VERSION"]


FORMS = {
    "web": lambda url: str(urlid.Url(url)),
    "generic": urlid.normalise,
    "sxurl": lambda url: urlid.Components(url).normal_text,
    "hashed-none": lambda url: urlid.canon(url, "hashed-none"),
    "hashed-n": lambda url: urlid.canon(url, "hashed-n"),
    "hashed-p": lambda url: urlid.canon(url, "hashed-p"),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_match_the_scalar_functions(form, sample):
    urls = URLS + sample[:2000]
    table = ua.canon(pa.array(urls), form, errors=True).to_pyarrow()
    expected = [one(lambda url: FORMS[form](url).encode(), url) for url in urls]
    assert table["canonical"].cast(pa.binary()).to_pylist() == [text for text, _ in expected]
    assert table["error"].to_pylist() == [code for _, code in expected]


def test_an_empty_form_is_not_null():
    table = ua.canon(pa.array([" ", "http://h:\u00b2/", None]), "url-normalize-3.1", errors=True).to_pyarrow()
    assert table["canonical"].to_pylist() == ["", None, None]
    assert table["error"].to_pylist() == [None, "ERR_PORT", None]
    assert urlid.canon(" ", "url-normalize-3.1") == ""


def test_hashed_uris_follow_their_options(sample):
    options = {"algorithm": "x-hmac-sha256", "variant": "p", "keep_query": True, "keep_fragment": True, "key": bytes(32)}
    found = ua.hashed(pa.array(sample[:500]), **options)["hashed_uri"].to_pyarrow().to_pylist()
    assert [text and text.encode() for text in found] == [
        one(lambda url: str(urlid.HashedUri.encode(url, **options)).encode(), url)[0] for url in sample[:500]
    ]


def test_part_names_start_with_the_column_name():
    url = "https://user@WWW.octocat.github.io:8443/a/./b?q=1#frag"
    row = ua.parts(pa.array([url])).to_pyarrow().to_pylist()[0]
    assert list(row.items()) == [
        ("url_scheme", "https"),
        ("url_user", "user"),
        ("url_host", "www.octocat.github.io"),
        ("url_host_kind", "domain"),
        ("url_port", 8443),
        ("url_sub", "www"),
        ("url_domain", "octocat"),
        ("url_tld", "github.io"),
        ("url_registered_domain", "octocat.github.io"),
        ("url_path", "/a/b"),
        ("url_file", "b"),
        ("url_query", "q=1"),
        ("url_fragment", "frag"),
        ("url_origin", "https://www.octocat.github.io:8443"),
    ]
    row = ua.parts(pa.array([url]), sections="icann").to_pyarrow().to_pylist()[0]
    assert [row[f"url_{name}"] for name in ("sub", "domain", "tld", "registered_domain")] == [
        "www.octocat", "github", "io", "github.io"
    ]  # fmt: skip
    with pytest.raises(ValueError, match="unknown sections"):
        ua.parts(pa.array([url]), sections="private")


@pytest.mark.parametrize(("sections", "option"), [("all", []), ("icann", ["--psl-sections", "icann"])])
def test_parts_are_the_columns_of_the_program(sections, option, cli, sample, tmp_path):
    urls = [*sample[:1000], *(url for url in URLS if url and "\n" not in url), "http://1.2.3.4:80/?#", "mailto:x", "file:///a/", "http://h?"]
    pa.csv.write_csv(pa.table({"url": urls}), tmp_path / "urls.csv")
    printed = run_cli(cli, "parts", "--column", "url", "--invalid", "ignore", "--quiet", *option, str(tmp_path / "urls.csv"), codes=(0, 1))
    options = pa.csv.ConvertOptions(strings_can_be_null=True, null_values=[""], quoted_strings_can_be_null=False)
    text = "\n".join(printed).encode()
    names = text.split(b"\n")[0].decode().replace('"', "").split(",")
    found = ua.parts(pa.array(urls), sections=sections).to_pyarrow()
    assert names == ["url", *found.column_names]
    options.column_types = {name: found.schema.field(name).type for name in names[1:]}
    program = pa.csv.read_csv(pa.BufferReader(text), convert_options=options)
    by_url = {row["url"]: row for row in program.to_pylist()}
    for url, row in zip(urls, found.to_pylist(), strict=True):
        # An empty query is a value here, and a missing one there is written alike.
        assert {name: value or None for name, value in row.items()} == {
            name: value or None for name, value in by_url[url].items() if name != "url"
        }, url


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://octocat.github.io/", ("io", "github.io", "github.io", "octocat.github.io")),
        ("https://github.io/", ("io", "github.io", "github.io", None)),
        ("https://example.com./", ("com", "example.com", "com", "example.com")),
        ("https://127.0.0.1/", (None, None, None, None)),
        ("https://[::1]/", (None, None, None, None)),
        ("mailto:x", (None, None, None, None)),
        ("https://localhost/", ("localhost", None, "localhost", None)),
        ("http://h:80/", ("h", None, "h", None)),
    ],
)
def test_hosts_have_a_suffix_and_a_registered_domain_by_both_sections(url, expected):
    found = []
    for sections in ["icann", "all"]:
        row = ua.parts(pa.array([url]), sections=sections).to_pyarrow().to_pylist()[0]
        found += [row[f"url_{name}"] for name in ("tld", "registered_domain")]
        assert row["url_port"] is None
    assert tuple(found) == expected


def test_parts_can_also_have_the_values_of_common_crawl():
    columns = ua.parts(pa.array(["http://A.B.github.io:80/", None, "x y"]), "cc-host-2026-05", errors=True).to_pyarrow()
    assert columns["url_host_private_domain"].to_pylist() == ["b.github.io", None, None]
    assert columns["url_port"].to_pylist() == [80, None, None]
    assert columns["error"].to_pylist() == [None, None, "ERR_CANON"]


def test_hosts_are_mapped_and_split_by_the_list_that_is_given():
    hosts = pa.array(["WWW.Bücher.example", "b.example.com", "co.uk", "a..b", None, "a b"])
    own = urlid.SuffixList("example\nexample.com\n")
    table = ua.split_host(hosts, suffixes=own, errors=True).to_pyarrow()
    assert table.to_pylist()[:2] == [
        {"sub": "www", "domain": "xn--bcher-kva", "tld": "example", "error": None},
        {"sub": None, "domain": "b", "tld": "example.com", "error": None},
    ]
    assert table["error"].to_pylist()[3:] == ["ERR_HOST_LEN", None, "ERR_HOST_NOT_DNS"]
    # The list also decides the slices.
    url = pa.array(["https://b.example.com/"])
    assert ua.ids(url, suffixes=own)["sxurl"].to_pyarrow()[0].as_py() == bytes(
        urlid.Sxurl.encode("https://b.example.com/", suffixes=own)
    )
    assert not ua.ids(url, suffixes=own).to_pyarrow().equals(ua.ids(url).to_pyarrow())


def test_candidates_are_checked_by_their_own_urls(sample):
    question = urlid.Question(tld="org", scheme="https", path="/")
    found = ua.matches(pa.array(sample), question)["matches"].to_pyarrow().to_pylist()
    assert found == [question.matches(url) for url in sample]
    assert 0 < sum(found) < len(sample)


def test_listed_rows_are_those_that_a_list_matches(sample):
    hidden = urlid.HiddenList.make(sample[:200:2], covers="directory", skip_invalid=True)
    table = ua.listed(pa.array([*sample[:400], None, "no uri"]), hidden, errors=True).to_pyarrow()
    for url, entry, code in zip(sample[:400], *(column.to_pylist() for column in table.columns), strict=False):
        try:
            found = hidden.find(url)
        except urlid.UrlidError as error:
            assert (entry, code) == (None, error.code)
        else:
            assert (entry, code) == (found and found[0], None)
    assert 100 <= 400 - table["listed"].slice(0, 400).null_count < 400
    assert table["listed"].to_pylist()[400:] == [None, None]
    assert table["error"].to_pylist()[400] is None and table["error"].to_pylist()[401] is not None
    with pytest.raises(urlid.UrlidError):
        ua.listed(pa.array(["x"]), hidden, key=bytes(32))
    with pytest.raises(urlid.UrlidError):
        ua.listed(pa.array([""]), hidden)


def test_rows_that_are_rejected_are_never_taken_for_unlisted_in_silence():
    hidden = urlid.HiddenList.make(["http://h/a"])
    rows = pa.array(["http://h/a", "no url", None, "http://h/b"])
    listed = [hidden.entries()[0], None, None, None]
    with pytest.raises(urlid.UrlidError) as caught:
        ua.listed(rows, hidden)
    assert caught.value.code == "ERR_URL_PARSE"
    table = ua.listed(rows, hidden, errors=True).to_pyarrow()
    assert (table["listed"].to_pylist(), table["error"].to_pylist()) == (listed, [None, "ERR_URL_PARSE", None, None])
    assert ua.listed(rows, hidden, invalid_as="no-match")["listed"].to_pyarrow().to_pylist() == listed
    blocked = ua.listed(rows, hidden, invalid_as="match")["listed"].to_pyarrow().to_pylist()
    assert blocked == [listed[0], "!ERR_URL_PARSE", None, None]


def test_results_are_handed_to_other_libraries_without_pyarrow_in_between():
    import polars

    columns = ua.ids(polars.Series(URLS), ["sxurl", "hashed-uri"])
    frame = polars.DataFrame(columns)
    assert frame.columns == ["sxurl", "hashed_uri"] == columns.column_names
    assert frame["sxurl"].to_list() == [one(urlid.Sxurl.encode, url)[0] for url in URLS]
    assert polars.Series(columns["sxurl"]).to_list() == frame["sxurl"].to_list()
    with pytest.raises(KeyError):
        columns["no such"]


def test_results_are_returned_without_a_copy():
    columns = ua.ids(pa.array(URLS * 1000))
    first, second = (columns["sxurl"].to_pyarrow() for _ in range(2))
    assert first.buffers()[2].address == second.buffers()[2].address
