"""The scalar values behave like Python values, and are not changed on the way to the library and back."""

import copy
import errno
import json
import pickle
import threading
import time
import traceback
import warnings

import pytest
from conftest import run_cli

import urlid

def test_ids_are_ordered_as_their_bytes():
    urls = ["https://docs.rs/", "http://docs.rs/", "ftp://h/", "https://a.example.com/b?c#d"]
    for make in (urlid.Sxurl.encode, urlid.UrlHash.encode):
        ids = [make(url) for url in urls]
        assert sorted(ids) == sorted(ids, key=bytes)


def test_ids_are_read_from_every_text_and_from_bytes():
    hash_ = urlid.UrlHash.encode("https://docs.rs/")
    hashes = (hash_, hash_.short(), hash_.very_short())
    for made in hashes:
        kind = type(made)
        assert kind.from_hex(made.hex()) == kind(str(made)) == kind.from_bytes(bytes(made)) == made
        assert kind.encode("https://docs.rs/") == kind.encode(urlid.Url("https://docs.rs")) == made
    id_ = urlid.Sxurl.encode("https://docs.rs/")
    assert urlid.Sxurl.from_hex(id_.hex().upper()) == urlid.Sxurl(id_.hex()) == urlid.Sxurl.from_bytes(bytes(id_)) == id_


@pytest.mark.parametrize(
    "url",
    [
        "https://me:x@www.Docs.example.co.uk:8443/a",
        "https://www.a.github.io/",
        "https://github.io/",
        "https://co.uk",
        "http://1.2.3.4/",
        "http://[::1]:80",
        "http://localhost",
        "mailto:a@b.example",
        "file:///etc",
    ],
)
def test_hosts_and_registered_domains_match_sql(url):
    sql = {function.name: function for function in urlid.functions()}
    assert urlid.host(url) == sql["urlid_host"](url)
    assert urlid.registered_domain(url) == sql["urlid_registered_domain"](url)
    of_registries = sql["urlid_split"](url, "registered_domain", "icann")
    assert urlid.registered_domain(url, sections="icann") == of_registries


def test_every_form_has_a_name_that_canon_takes():
    names = urlid.forms()
    assert len(names) == len(set(names)) > 10
    for name in names:
        assert urlid.canon("http://h.example/", name)
    with pytest.raises(ValueError, match="expected surt-0.3.1"):
        urlid.canon("http://h.example/", "surt")


def test_a_form_accepts_only_its_own_options():
    base = "http://h/x/y/z"
    for form, canonical in {"web": "http://h/x/b?q#f", "web+drop-fragment": "http://h/x/b?q", "hashed-n": "http://h/x/b"}.items():
        assert urlid.canon("../b?q#f", form, base=base) == canonical
    assert urlid.canon("http://h/?q#f", "hashed-n", keep_query=True) == "http://h/?q"
    for form in ("generic", "sxurl", "surt-0.3.1"):
        with pytest.raises(urlid.UrlidError, match="ERR_CANON_NAME"):
            urlid.canon("http://h/", form, base=base)
    for form in ("web", "generic", "surt-0.3.1"):
        with pytest.raises(urlid.UrlidError, match="ERR_CANON_NAME"):
            urlid.canon("http://h/", form, keep_query=True)


@pytest.mark.parametrize(
    ("rejected", "code"),
    [
        (lambda: urlid.host("h.example"), "ERR_URL_PARSE"),
        (lambda: urlid.registered_domain("http://a b/"), "ERR_URL_PARSE"),
        (lambda: urlid.Url("/relative"), "ERR_URL_PARSE"),
        (lambda: urlid.Sxurl.encode("mailto:x"), "ERR_INVALID_SCHEME"),
        (lambda: urlid.Sxurl.encode("https://127.1/"), "ERR_HOST_NOT_DNS"),
        (lambda: urlid.Sxurl.encode("https:///x"), "ERR_HOST_LEN"),
        (lambda: urlid.Sxurl.encode("https://h:0/"), "ERR_PORT"),
        (lambda: urlid.Sxurl("10"), "ERR_ID_LENGTH"),
        (lambda: urlid.Sxurl.from_bytes(b"\x20" * 32), "ERR_ID_VERSION"),
        (lambda: urlid.Sxurl.from_bytes(b""), "ERR_ID_LENGTH"),
        (lambda: urlid.HashedUri.encode("a/b"), "ERR_RELATIVE"),
        (lambda: urlid.HashedUri.encode("http://h", algorithm="sha256"), "ERR_ALGORITHM"),
        (lambda: urlid.HashedUri.encode("http://h", algorithm="x-hmac-sha256", key=b"short"), "ERR_KEY"),
        (lambda: urlid.HashedUri("sha1=00"), "ERR_HASHED_SCHEME"),
        (lambda: urlid.Reference("http:").goto("file:///c:/").goto("//u@h"), "ERR_NO_URL"),
        (lambda: urlid.SuffixList("a b c\n*.\n"), "ERR_LIST_LINE"),
        (lambda: urlid.TrackingList('{"all": {"queryParams": [1], "topLevelSites": ["*"]}}'), "ERR_LIST_LINE"),
        (lambda: urlid.Snapshot("x"), "ERR_SNAPSHOT"),
        (lambda: urlid.Question(registered_domain="google.com", domain="google"), "ERR_HOST_NOT_DNS"),
        (lambda: urlid.Question(port=65536), "ERR_PORT"),
        (lambda: urlid.Question(port=-1), "ERR_PORT"),
        (lambda: urlid.Question(port=10**40), "ERR_PORT"),
        (lambda: urlid.UrlHash.from_hex("1-2-3-4"), "ERR_ID_LENGTH"),
        (lambda: urlid.UrlHash("0" * 64), "ERR_ID_HEX"),
        (lambda: urlid.Index("/no/such/file"), "ERR_IO"),
        (lambda: urlid.Index(__file__), "ERR_INDEX_FORMAT"),
    ],
)
def test_a_rejection_has_the_code_of_the_specification(rejected, code):
    with pytest.raises(urlid.UrlidError) as caught:
        rejected()
    assert caught.value.code == code
    assert caught.value.message and "\n" not in caught.value.message
    assert str(caught.value) == f"{code}: {caught.value.message}"
    assert traceback.format_exception_only(caught.value) == [f"urlid.UrlidError: {caught.value}\n"]
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, str(again), type(again)) == (code, str(caught.value), type(caught.value))


def test_a_file_that_the_system_rejects_is_an_os_error_of_its_kind(tmp_path):
    absent, closed = tmp_path / "nope.db", tmp_path / "closed"
    closed.touch()
    for call, path, kind in [
        (lambda: urlid.Index(absent), absent, FileNotFoundError),
        (lambda: urlid.Index.load(absent / "x.db", []), absent / "x.db", FileNotFoundError),
        (lambda: urlid.SeenSet(absent / "seen"), absent / "seen", FileNotFoundError),
        (lambda: urlid.Index(closed / "x.db"), closed / "x.db", NotADirectoryError),
    ]:
        with pytest.raises(kind) as caught:
            call()
        for error in (caught.value, pickle.loads(pickle.dumps(caught.value)), copy.deepcopy(caught.value)):
            assert isinstance(error, urlid.UrlidError) and isinstance(error, kind)
            assert (error.code, error.filename) == ("ERR_IO", str(path))
            assert errno.errorcode[error.errno] == {FileNotFoundError: "ENOENT", NotADirectoryError: "ENOTDIR"}[kind]
    urlid.Index.load(tmp_path / "some.db", [])
    with pytest.raises(urlid.UrlidError) as caught:
        urlid.Index(tmp_path)
    assert not isinstance(caught.value, FileNotFoundError)


@pytest.mark.parametrize(
    ("slice_", "value", "code"),
    [
        ("domain", "google.com", "ERR_HOST_NOT_DNS"),
        ("domain", "a b", "ERR_HOST_NOT_DNS"),
        ("tld", "", "ERR_HOST_NOT_DNS"),
        ("tld", "uk.", "ERR_HOST_LEN"),
        ("path", "x", "ERR_URL_PARSE"),
    ],
)
def test_a_probe_for_an_impossible_value_is_rejected(slice_, value, code):
    probes = (urlid.probe, urlid.probe_hex, urlid.Sxurl.encode("https://docs.rs/").matches)
    for probe in probes:
        with pytest.raises(urlid.UrlidError) as caught:
            probe(slice_, value)
        assert caught.value.code == code


@pytest.mark.parametrize(
    ("slice_", "value", "hint"),
    [
        ("params", "?q", "params is written without its `[?]`: try params 'q'"),
        ("frag", "#top", "frag is written without its `#`: try frag 'top'"),
        ("domain", "goo*", "`[*]` in domain is an ordinary character, not a wildcard"),
        ("tld", "com.google", "`com.google` is not a public suffix: its suffix is `google`"),
        ("path", "", "an empty path counts as `/`"),
    ],
)
def test_a_probe_warns_where_the_program_has_a_hint(slice_, value, hint):
    for probe in (urlid.probe, urlid.probe_hex):
        with pytest.warns(UserWarning, match=hint):
            probe(slice_, value)
    with warnings.catch_warnings(action="error"):
        assert urlid.probe_hex("tld", "com.google", suffixes=urlid.SuffixList("com.google\n")) == urlid.slice_hash("tld", "com.google")
        assert urlid.probe_hex("sub", "") == urlid.slice_hash("sub", "")


def test_a_wrong_word_is_a_value_error_that_lists_the_right_ones():
    for call in (
        lambda: urlid.Reference("a", "whatwg"),
        lambda: urlid.HashedUri.encode("http://h", variant="q"),
        lambda: urlid.probe("host", "a"),
        lambda: urlid.TokenUrl([("authority", {"hots": "h"})]),
        lambda: urlid.resolve("http://h", "a", mode="loose"),
    ):
        with pytest.raises(ValueError, match="expected one of") as caught:
            call()
        assert not isinstance(caught.value, urlid.UrlidError)


def test_a_misplaced_argument_is_a_type_error():
    # `web` is a form, never a base.
    with pytest.raises(TypeError):
        urlid.HashedUri.encode("http://h", "web")
    assert urlid.canon("HTTP://h", "web") == "http://h/"


def test_one_text_instead_of_several_is_a_type_error_with_a_hint(tmp_path):
    for call in (
        lambda: urlid.Index.load(tmp_path / "urls.db", "https://docs.rs/"),
        lambda: urlid.Index.load(tmp_path / "urls.db", b"https://docs.rs/"),
        lambda: urlid.HiddenList.make("https://docs.rs/"),
    ):
        with pytest.raises(TypeError, match="put it into a list"):
            call()
    assert list(tmp_path.iterdir()) == []


def test_a_text_is_read_in_the_class_of_its_base():
    assert str(urlid.Reference("http://h/a/b").goto(r"\c")) == r"http://h\c"
    assert urlid.Reference("file:///x").goto("/d:").drive == "d:"


def test_hmac_needs_the_key_again():
    key = bytes(range(32))
    hashed = urlid.HashedUri.encode("http://h/a", algorithm="x-hmac-sha256", key=key)
    assert hashed.matches("http://h/a?q", key=key)
    assert not hashed.matches("http://h/a", key=bytes(32))
    with pytest.raises(urlid.UrlidError):
        hashed.matches("http://h/a")


def test_an_index_answers_like_its_urls(tmp_path, sample):
    path = tmp_path / "urls.db"
    counts = urlid.Index.load(path, [*sample[:2000], "", "x"])
    assert (counts["lines"], counts["blank"], counts["rejected"]) == (2002, 1, {"ERR_URL_PARSE": 1})
    index = urlid.Index(path)
    assert len(index) == counts["new"] == len({urlid.Components(url).normal_text for url in sample[:2000]})
    question = urlid.Question(tld="org", scheme="https")
    expected = {urlid.Components(url).normal_text for url in sample[:2000] if question.matches(url)}
    rows = index.find(tld="org", scheme="https")
    assert {url for _, url in rows} == expected and len(rows) == len(expected) > 100
    assert [id_ for id_, _ in rows] == sorted(id_ for id_, _ in rows)
    assert index.count(tld="org", scheme="https") == len(expected)
    assert index.find(limit=3) == index.find()[:3]
    assert sample[0] in index and "https://not.there.example/" not in index
    id_, url = rows[0]
    assert url in index.get(id_)
    assert sum(rows for _, rows in index.group("tld")) == len(index)
    assert index.snapshot == urlid.snapshot()
    assert len(pickle.loads(pickle.dumps(index))) == len(index)


def test_a_question_without_answers_warns_where_the_program_has_a_hint(tmp_path):
    path = tmp_path / "urls.db"
    urlid.Index.load(path, ["https://example.co.uk/?q"])
    index = urlid.Index(path)
    for parts, hint in [
        ({"query": "?q"}, "query is written without its `[?]`: try query 'q'"),
        ({"domain": "exam*"}, "`[*]` in domain is an ordinary character, not a wildcard"),
        ({"tld": "uk", "domain": "co"}, "`co.uk` is a public suffix: try tld co.uk"),
        ({"path_prefix": "/*\0"}, "`[*]` in path_prefix is an ordinary character, not a wildcard"),
    ]:
        with pytest.warns(UserWarning, match=hint):
            assert index.find(**parts) == []
        with pytest.warns(UserWarning, match=hint):
            assert index.count(**parts) == 0
    with warnings.catch_warnings(action="error"):
        assert index.find(tld="org") == [] == index.find(query="?q", limit=0)


def test_a_stopped_load_leaves_no_index(tmp_path):
    def urls():
        yield "https://docs.rs/"
        raise RuntimeError("the source broke")

    with pytest.raises(RuntimeError, match="the source broke"):
        urlid.Index.load(tmp_path / "urls.db", urls())
    assert list(tmp_path.iterdir()) == []


def test_an_index_can_be_queried_from_many_threads(tmp_path, sample):
    urlid.Index.load(tmp_path / "urls.db", sample[:5000])
    index = urlid.Index(tmp_path / "urls.db")
    expected = index.find(tld="org")
    found = []
    threads = [threading.Thread(target=lambda: found.append(index.find(tld="org"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_explain_returns_what_the_program_prints(cli):
    for text in ["HTTP://Example.com:80/a/../b?q#f", "mailto:x", str(urlid.Sxurl.encode("https://docs.rs/")), "hashed:sha1=" + 40 * "0"]:
        (printed,) = run_cli(cli, "explain", "--format", "json", text)
        assert urlid.explain(text) == json.loads(printed), text
    with pytest.raises(urlid.UrlidError) as rejected:
        urlid.explain("no url")
    assert rejected.value.code == "ERR_URL_PARSE"


def test_diff_returns_what_the_program_prints(cli):
    pairs = [("http://www.h.example/a/", "http://h.example/a"), ("HTTP://H:80/?b&a#f", "http://h/?a&b"), ("no url", "http://h/"), ("", "")]
    for a, b in pairs:
        for form in ["web", "surt-0.3.1", "web+drop-fragment"]:
            (printed,) = run_cli(cli, "diff", "--format", "json", "--as", form, a, b, codes=(0, 1, 3))
            assert urlid.diff(a, b, form) == json.loads(printed), (a, b, form)
    assert urlid.diff("http://h/", "http://H/")["verdict"]["same"] is True
    with pytest.raises(urlid.UrlidError, match="canonical form is unknown") as error:
        urlid.diff("http://h/", "http://h/", "no form")
    assert error.value.code == "ERR_CANON_NAME"


def test_the_error_for_an_unknown_form_has_a_code_and_one_message():
    with pytest.raises(urlid.UrlidError) as error:
        urlid.canon("http://h/", "nope")
    assert error.value.code == "ERR_CANON_NAME"
    assert "unknown form" not in str(error.value)


@pytest.mark.parametrize(
    "call",
    [
        *(urlid.Url, urlid.host, urlid.registered_domain, urlid.canon, urlid.redact, urlid.explain, urlid.normalise),
        *(urlid.Sxurl.encode, urlid.UrlHash.encode, urlid.HashedUri.encode, urlid.Components, urlid.Reference, urlid.detect, urlid.scrapy_fingerprint),
        *(urlid.UrlHash, urlid.UrlShortHash.from_hex, urlid.Sxurl, urlid.HashedUri, urlid.crate_url_hash, urlid.remove_dot_segments, urlid.key_ranges),
        *(lambda text: urlid.CrateSxurl.encode(text, "sxurl-crate-1.1"), lambda text: urlid.probe("path", text), lambda text: urlid.Question(path=text)),
        *(urlid.SuffixList.compiled().split, lambda text: urlid.Url("http://h/").join(text), lambda text: urlid.resolve("http://h/", text)),
    ],
)
def test_a_lone_surrogate_is_an_error_with_a_code(call):
    with pytest.raises(urlid.UrlidError, match="text has a lone surrogate at character 17: expected Unicode") as error:
        call("http://h.example/\udce9")
    assert error.value.code == "ERR_UTF8"


def test_places_in_an_explanation_count_characters():
    text = "http://\u00e4@www.B\u00fccher\U0001f600.de/\u00e4?q"
    parts = {part["name"]: part for part in urlid.explain(text)["parts"]}
    values = {name: text[part["start"] : part["end"]] for name, part in parts.items() if "start" in part}
    assert values == {"header": "http", "user": "\u00e4", "sub": "www", "domain": "B\u00fccher\U0001f600", "tld": "de", "path": "/\u00e4", "params": "q"}


def test_a_panic_is_an_error_like_others():
    caught = None
    try:
        urlid._urlid._panic()
    except Exception as error:  # what derives from BaseException alone is not caught
        caught = error
    assert isinstance(caught, RuntimeError) and str(caught) == "of a test"


def test_kernels_give_up_the_lock(sample):
    import pyarrow

    import urlid.arrow

    urls = pyarrow.array(sample * 20)
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    urlid.arrow.parts(urls)
    end = time.perf_counter()
    done.set()
    thread.join()
    # With the lock held, no tick would occur between the first and the last moments of the call.
    margin = (end - start) / 4
    assert any(start + margin < moment < end - margin for moment in ticks)


def test_a_hidden_list_recognises_urls_without_revealing_them():
    hidden = urlid.HiddenList.make(["http://example.com/secret/", "http://h/a?b"], keep_query=True, covers="subdomains")
    assert (len(hidden), hidden.covers, hidden.variant, hidden.algorithms) == (2, "subdomains", "n", ["sha1"])
    entry, canonical = hidden.find("http://www.EXAMPLE.com:80/secret/deep/page")
    assert entry in hidden.entries() and canonical == "http://example.com/secret/"
    assert hidden.find("http://h/a") is None
    assert all("secret" not in entry for entry in hidden.entries())
    with pytest.raises(urlid.UrlidError) as caught:
        urlid.HiddenList.make(["no uri"])
    assert caught.value.code == "ERR_URL_PARSE"
    assert len(urlid.HiddenList.make(["no uri", "http://h/"], skip_invalid=True)) == 1
    for text in ("", hidden.to_text() + "x\n", hidden.to_text().replace("count: 2", "count: 3")):
        with pytest.raises(urlid.UrlidError) as caught, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            urlid.HiddenList(text)
        assert caught.value.code == "ERR_LIST_HEADER"


def test_a_list_in_shards_asks_for_those_that_a_uri_could_be_in():
    hidden = urlid.HiddenList.make([f"http://h.example/{number}" for number in range(0, 400, 2)])
    files = hidden.shards(4, pad=True)
    assert len(files) == 17 and len({len(content) for name, content in files.items() if name != "index"}) == 1
    fetched = []

    def shard(number, file):
        fetched.append(file)
        return files[file]

    sharded = urlid.ShardedList(files["index"], shard)
    assert len(sharded) == len(hidden) == 200
    for number in range(400):
        uri = f"http://h.example/{number}"
        assert [file for _, file in sharded.asks(uri)] == [f"{sharded.asks(uri)[0][0]:x}.shard"]
        assert sharded.find(uri) == hidden.find(uri)
    # Each shard was fetched once, and only when it was asked for.
    assert len(fetched) == len(set(fetched)) == 16
    other = urlid.ShardedList(files["index"], lambda number, file: files[f"{number ^ 1:x}.shard"])
    with pytest.raises(urlid.UrlidError) as caught:
        other.find("http://h.example/0", invalid_as="no-match")
    assert caught.value.code == "ERR_LIST_SHARD"
    with pytest.raises(KeyError):
        urlid.ShardedList(files["index"], lambda number, file: {}[file]).find("http://h.example/0")
    assert sharded.find("no url", invalid_as="no-match") is None
    assert sharded.find("no url", invalid_as="match") == ("!ERR_URL_PARSE", "no url")


def test_a_list_with_bad_lines_is_read_without_them_and_says_so():
    hidden = urlid.HiddenList.make(["http://h/a", "http://h/b"])
    assert hidden.rejected == []
    lines = hidden.to_text().splitlines()
    with pytest.warns(UserWarning, match=f"left out: {len(lines)}$"):
        damaged = urlid.HiddenList("\n".join([*lines[:-1], "hashed:sha1=xyz"]))
    assert [(number, code) for number, code, _ in damaged.rejected] == [(len(lines), "ERR_LIST_LINE")]
    assert damaged.entries() == hidden.entries()[:1]


def test_the_caller_decides_whether_a_rejected_candidate_matches():
    hidden = urlid.HiddenList.make(["http://evil.example/?|"], variant="n")
    assert (hidden.intake, hidden.find("http://evil.example/?|") is not None) == ("web", True)
    strict = urlid.HiddenList.make(["http://evil.example/"], intake="rfc3986")
    for uri in ("http://evil.example/?|", "http://evil.example/\tx"):
        with pytest.raises(urlid.UrlidError) as caught:
            strict.find(uri)
        assert caught.value.code == "ERR_NOT_URI"
        assert strict.find(uri, invalid_as="match") == ("!ERR_NOT_URI", uri)
        assert strict.find(uri, invalid_as="no-match") is None
    with pytest.raises(ValueError, match="invalid_as"):
        strict.find("http://h/", invalid_as="ignore")


def test_lists_are_merged_compared_and_audited():
    old, new = (urlid.HiddenList.make(uris) for uris in (["http://a.org/", "http://b.org/"], ["http://b.org/", "http://www.c.org/"]))
    merged = urlid.HiddenList.merge([old, new])
    assert merged == urlid.HiddenList.make(["http://a.org/", "http://b.org/", "http://www.c.org/"])
    removed, added = old.differences(new)
    assert (len(removed), len(added)) == (1, 1) and set(removed + added) < set(merged.entries())
    with pytest.raises(urlid.UrlidError):
        urlid.HiddenList.merge([old, urlid.HiddenList.make([], variant="p")])
    findings = merged.audit(["c.org", "a.org"], domains=True)
    assert sorted(findings["revealed"].values()) == ["http://a.org/", "http://www.c.org/"]
    assert (findings["entries"], findings["candidates"], findings["home_pages"]) == (3, 8, 2)
    assert merged.audit(["http://b.org/", "no url"], skip_invalid=True)["candidates"] == 1


def test_a_keyed_list_is_of_no_use_without_its_key():
    key = bytes(range(32))
    hidden = urlid.HiddenList.make(["http://h/a"], algorithms=["x-hmac-sha256"], key=key)
    assert hidden.find("http://h/a", key=key) and hidden.key_id
    for wrong in (None, bytes(32)):
        with pytest.raises(urlid.UrlidError) as caught:
            hidden.find("http://h/a", key=wrong)
        assert caught.value.code == "ERR_KEY"


def test_questions_in_the_words_of_people():
    url = "https://www.a.co.uk/"
    for conditions in ({"under": "co.uk"}, {"under": ".A.co.uk"}, {"registered_domain": "a.co.uk"}, {"domain": "a.co.uk"}):
        assert urlid.Question(**conditions).matches(url), conditions
    for conditions in ({"under": "b.co.uk"}, {"registered_domain": "www.a.co.uk"}, {"tld": "uk"}):
        assert not urlid.Question(**conditions).matches(url), conditions
