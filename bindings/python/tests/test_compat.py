"""The drop-ins compared with the packages: the same results on generated URLs, with every option. The long form is
URLID_CASES=100000."""

import inspect
import itertools
import os
import pickle
import random
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from urllib.parse import urlparse

import pytest
import surt as surt_package
import url_normalize as url_normalize_package
import w3lib.url as w3lib_package

import urlid
from urlid import compat

CASES = int(os.environ.get("URLID_CASES", "2000"))
SEED = int(os.environ.get("URLID_SEED", "7"))

SESSION = "0123456789abcdefghijklemopqrstuv"
PIECES = [
    *("http://", "https://", "HTTP://", "dns:", "dns://", "mailto:", "file://", "ftps:", "ws://", "foo:", "//", "/"),
    *("www.", "www12.", "Example.com", "google.com", "www.YouTube.com", "bücher.de", "1.2.3.4", "990.991.992.993", "017.1", "39024579298"),
    *("[::1]", "[::0:1]", "[FE80::1%25Eth]", "localhost", "user:pw@", "ü@", ":80", ":443", ":0080", ":0", ":99999", ":x", ":"),
    *("/A/b", "/../", "/./", "..", ".", "index.html", ";p", f"/({SESSION[:24]})/m.aspx", f"/(S({SESSION[:24]}))/mileg.aspx"),
    *("?", "&", "=", ";", "b=1", "A=2", "q=1", "%71=1", "a+b", f"jsessionid={SESSION}", f"PHPSESSID={SESSION}", "CFID=1&CFTOKEN=2"),
    *("#frag", "#!x", "#", "%", "%41", "%2541", "%25", "%C3%A9", "%ff", "%00", "%2f", "%2b", "%3B", "%20"),
    *("é", "e\u0301", "Ä", "ß", "€", "名", "\u3000", "\xa0", "\x85", "\x00", " ", "\t", "\n", "'", "|", "[", "]", "\\", "-", "a", "B"),
]
NO_TEXT = [b"\xff", b"\xe9", b"\x80\x81", b"\xc3", b"\xed\xa0\x80", b"\xa4"]


def cases(name: str) -> Iterator[tuple[random.Random, str]]:
    """Yields texts that look like URLs."""
    random_ = random.Random(f"{SEED} {name}")
    for _ in range(CASES):
        text = "".join(random_.choices(PIECES, k=random_.randint(1, 8)))
        if random_.random() < 0.6:
            text = random_.choice(["http://", "https://www.h.com/", "http://www.", "http://h/?", "dns:", "//google.com/?", "/"]) + text
        yield random_, text


def as_bytes(random_: random.Random, text: str) -> bytes:
    """Returns the text in some encoding, with bytes in it that are not text."""
    url = text.encode(random_.choice(["utf-8", "utf-8", "latin-1", "shift_jis"]), "ignore")
    for _ in range(random_.randrange(3)):
        place = random_.randint(0, len(url))
        url = url[:place] + random_.choice(NO_TEXT) + url[place:]
    return url


def answer(call: Callable[..., object], *arguments: object, **options: object) -> object:
    """Returns the result with its type, or a mark for an error. For a blank text surt raises an AttributeError."""
    try:
        result = call(*arguments, **options)
    except (ValueError, AttributeError):
        return ValueError
    return type(result), result


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package looks up texts that look like an address. urlid never does."""

    def by_name(host: bytes) -> tuple[None, None, list[str]]:
        try:
            return None, None, [socket.inet_ntoa(socket.inet_aton(host.decode()))]
        except OSError:
            raise socket.gaierror from None

    monkeypatch.setattr(socket, "gethostbyname_ex", by_name)


SURT_OPTIONS = [
    name
    for function in (surt_package.IAURLCanonicalizer.canonicalize, surt_package.handyurl.geturl_bytes)
    for name, parameter in inspect.signature(function).parameters.items()
    if isinstance(parameter.default, bool) and name != "public_suffix"
]


def set_all(url, **_):
    url.authUser, url.authPass, url.host, url.port, url.hash = b"U%41", b":P", url.host or b"H", 443, b"F"
    return url


CANONICALIZERS = {
    "default": lambda package: None,
    "both": lambda package: package.DefaultIAURLCanonicalizer,
    "google": lambda package: package.GoogleURLCanonicalizer.canonicalize,
    "archive": lambda package: package.IAURLCanonicalizer,
    "list": lambda package: [package.IAURLCanonicalizer, set_all, package.GoogleURLCanonicalizer],
    "twice": lambda package: (package.GoogleURLCanonicalizer, package.GoogleURLCanonicalizer.canonicalize),
    "empty": lambda package: [],
    "callable": lambda package: set_all,
}


@pytest.mark.parametrize("name", CANONICALIZERS)
def test_surt_with_every_option(name: str) -> None:
    assert len(SURT_OPTIONS) == 18
    own, other = (CANONICALIZERS[name](package) for package in (compat.surt, surt_package))
    for random_, text in cases(name):
        url = as_bytes(random_, text) if random_.random() < 0.4 else text
        options = {option: random_.random() < 0.5 for option in random_.sample(SURT_OPTIONS, random_.randrange(6))}
        expected = answer(surt_package.surt, url, canonicalizer=other, **options)
        assert answer(compat.surt, url, canonicalizer=own, **options) == expected, (url, options)


@pytest.mark.parametrize("option", [*SURT_OPTIONS, "www_host", "no_such_option"])
@pytest.mark.parametrize("value", [False, True])
def test_each_option_of_surt_by_itself(option: str, value: bool, sample: list[str]) -> None:
    urls = [*sample[:200], *(text for _, text in itertools.islice(cases(option), 300))]
    for url in urls:
        options = {option: value}
        assert answer(compat.surt.surt, url, **options) == answer(surt_package.surt, url, **options), url


FIELDS = ["scheme", "authUser", "authPass", "host", "port", "path", "query", "hash", "last_delimiter"]


def test_handyurl_has_the_parts_of_the_package() -> None:
    for random_, text in cases("handyurl"):
        url = as_bytes(random_, text) if random_.random() < 0.4 else text
        if (expected := answer(surt_package.handyurl.parse, url)) is ValueError:
            assert answer(compat.surt.handyurl.parse, url) is ValueError
            continue
        parts = compat.surt.handyurl.parse(url)
        assert fields_of(parts) == fields_of(expected[1]), url
        assert fields_of(pickle.loads(pickle.dumps(parts))) == fields_of(parts)
        assert answer(parts.geturl) == answer(expected[1].geturl)
        assert answer(parts.geturl_bytes, surt=True) == answer(expected[1].geturl_bytes, surt=True)


def fields_of(url: object) -> dict[str, object]:
    return {name: getattr(url, name) for name in FIELDS}


def test_handyurl_can_be_made_and_changed() -> None:
    made = [package.handyurl(scheme=b"http", authUser=b"u", host=b"www.H", port=8080, path=b"/") for package in (compat.surt, surt_package)]
    for url in made:
        url.query, url.hash, url.authPass, url.port = b"", b"h", None, 80
    assert made[0].geturl() == made[1].geturl() == "http://u@www.H:80/?#h"
    made[0].scheme = None
    with pytest.raises(urlid.UrlidError):
        made[0].geturl()


def test_surt_is_a_module_and_its_function() -> None:
    from urlid.compat import surt
    from urlid.compat.surt import surt as function

    assert surt("http://www.example.com/") == surt.surt("http://www.example.com/") == function("http://www.example.com/") == "com,example)/"
    assert surt(None) == surt("") == "-" and surt(b"") == b"-"
    assert surt("filedesc:\u00e9") == "filedesc:\u00e9" and surt(b"filedesc:\xff", with_scheme=True) == b"filedesc:\xff"
    assert pickle.loads(pickle.dumps(surt)) is surt
    with ProcessPoolExecutor(1) as pool:
        assert list(pool.map(surt, ["http://a.b/", b"http://a.b/"])) == ["b,a)/", b"b,a)/"]
    for wrong in (1, ["http://h/"]):
        with pytest.raises(TypeError):
            surt(wrong)


def test_urls_that_surt_cannot_freeze_are_named() -> None:
    for call in (
        lambda: compat.surt("http://www.example.co.uk/", public_suffix=True),
        lambda: compat.surt.handyurl.parse("http://h/").geturl_bytes(public_suffix=True),
    ):
        with pytest.raises(NotImplementedError, match="public_suffix"):
            call()
    for name in ("getPublicSuffix", "getPublicPrefix"):
        with pytest.raises(NotImplementedError, match=name):
            getattr(compat.surt.handyurl(host=b"www.example.co.uk"), name)()
    assert compat.surt("http://h.b/", public_suffix=False) == "b,h)/"


ENCODINGS = [None, None, "utf-8", "UTF8", "latin-1", "cp1252", "ascii", "shift_jis", "gb18030", "koi8-r", "cp037", "utf-16", "utf-16-le"]
SEPARATORS = ["&", "&", ";", ",", "&&", "=", "%26", " ", "é", "a", ""]


def test_canonicalize_url_with_every_parameter() -> None:
    for random_, text in cases("w3lib"):
        url: object = as_bytes(random_, text) if random_.random() < 0.4 else text
        options: dict[str, object] = {name: random_.random() < 0.5 for name in ("keep_blank_values", "keep_fragments")}
        options |= {"encoding": random_.choice(ENCODINGS), "query_separator": random_.choice(SEPARATORS)}
        expected = answer(w3lib_package.canonicalize_url, url, **options)
        assert answer(compat.w3lib.canonicalize_url, url, **options) == expected, (url, options)


def test_canonicalize_url_of_parts() -> None:
    for random_, text in cases("w3lib of parts"):
        try:
            parts = urlparse(text)
        except ValueError:
            continue
        parts = parts._replace(**random_.choice([{}, {"path": ""}, {"path": "a"}, {"path": "//x"}, {"params": "p;q"}, {"netloc": ""}]))
        expected = answer(w3lib_package.canonicalize_url, parts, True, True)
        assert answer(compat.w3lib.canonicalize_url, parts, True, True) == expected, parts


def test_canonicalize_url_rejects_what_the_package_rejects() -> None:
    for canonicalize_url in (compat.w3lib.canonicalize_url, w3lib_package.canonicalize_url):
        for wrong in (None, 1, urlparse(b"http://h/")):
            with pytest.raises(TypeError):
                canonicalize_url(wrong)
        for url in ("http://h/?q", b"http://h/?q"):
            with pytest.raises(LookupError):
                canonicalize_url(url, encoding="no-such-codec")
        with pytest.raises(UnicodeEncodeError):
            canonicalize_url("http://h/\ud800")


SCHEMES = ["https", "http", "ftp", "HTTP", "mailto", "x", ""]
DOMAINS = [None, "", "example.com", "ü.de", "a/b", "a\tb", "-", "user@h:8"]
ALLOWLISTS = [
    *(None, [], ["q"], ["%71", "a+b", "é"], ["q", "v", ""], {}, {"google.com": ["q"], "www.YouTube.com": ["v"], "[::1]": ["q"]}),
    *({"GOOGLE.com": ["A"]}, {"xn--bcher-kva.de": ["v"], "bücher.de": ["q"]}, {"a b..c": ["q"], "google.com.": ("q",)}, {"google.com:80": ["q"]}),
]


def test_url_normalize_with_every_parameter() -> None:
    for random_, text in cases("url-normalize"):
        choices = {"default_scheme": SCHEMES, "default_domain": DOMAINS, "filter_params": [False, True], "param_allowlist": ALLOWLISTS}
        options = {name: random_.choice(values) for name, values in choices.items() if random_.random() < 0.6}
        expected = answer(url_normalize_package.url_normalize, text, **options)
        assert answer(compat.url_normalize.url_normalize, text, **options) == expected, (text, options)


def test_url_normalize_of_none_and_blank_text() -> None:
    assert compat.url_normalize.url_normalize(None) is None
    assert compat.url_normalize.url_normalize("") == compat.url_normalize.url_normalize(" \n") == ""
    with pytest.raises(TypeError):
        compat.url_normalize.url_normalize(b"http://h/")


SIGNATURES = [
    (compat.surt.surt, surt_package.surt),
    (compat.w3lib.canonicalize_url, w3lib_package.canonicalize_url),
    (compat.url_normalize.url_normalize, url_normalize_package.url_normalize),
]


@pytest.mark.parametrize(("own", "other"), SIGNATURES, ids=lambda function: function.__module__)
def test_parameters_have_the_names_the_order_and_the_defaults_of_the_package(own, other) -> None:
    kinds = [[(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()] for function in (own, other)]
    assert kinds[0] == kinds[1]
