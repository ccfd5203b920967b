"""The drop-ins of suffix lists compared with the packages, with the same list, on hosts of every rule of it."""

import importlib.metadata
import inspect
import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import publicsuffix2 as publicsuffix2_package
import pytest
import tld as tld_package
import tld.exceptions as tld_exceptions
import tld.utils as tld_utils
import tldextract as tldextract_package

import urlid
from urlid.compat import publicsuffix2, tld, tldextract
from urlid.compat._suffixes import rules

TEXT = urlid.SuffixList.compiled().text
RULES = [rule for rule, _ in rules(TEXT.splitlines())]

ODD = [
    *("", ".", "..", "com", "COM", "com.", ".com", "a..com", "a.com..", "..a.com", "localhost", "a.local", "b.a.test", "-", "a_b.co.uk"),
    *("*.ck", "1.2.3.4", "1.2.3.4.", "256.1.1.1", "01.2.3.4", "1.2.3", "1.2.3.4.5", "0x7f.1", "2130706433", "1.2.3.com", "١.٢.٣.٤"),
    *("[::1]", "[::1", "::1", "[::ffff:1.2.3.4]", "[v1.a]", "[a.com]", "[1.2.3.4]", "[fe80::1%eth0]", "[]", "[::1]a.com"),
    *("a。co．uk", "a.com。", "www.ＧＩＴＨＵＢ.io", "xn--", "xn--a.com", "a.xn--", "a.xn--com-", "a.XN--P1AI", "a.xn--p1ai."),
    *("xn--zzzzzz.xn--zzzz", "bücher.de", "BÜCHER.DE", "xn--bcher-kva.de", "straße.de", "İ.com", "a b.com", " a.com ", "a.com\n"),
    *("a\tb.co.uk", "\ud800.com", "a.\x00.com", "mailto:a@b.co.uk", "//a.co.uk/b", "http:a.com", "http:/a.com", "://a.com"),
    *("a+b://c.co.uk", "ä://c.co.uk", "a:80", "a.com:", "@", "u@", "http://", "http://u:p@q@a.co.uk", "http://a.co.uk?x//y"),
    *("http://a.co.uk#@b.com", "http://a.com\\b.org/", "a.com/b@c.org", "http://[::1]:80/", "http://[a"),
]
"""Texts that are not a host, or not a host of a rule."""


def puny(host: str) -> str:
    """Returns a host in Punycode."""
    return ".".join(label if label.isascii() else "xn--" + label.encode("punycode").decode() for label in host.split("."))


def spellings(host: str) -> Iterator[str]:
    """Yields a host in Unicode and Punycode, lower and upper case, with dots before and after, and in a URL."""
    for written in dict.fromkeys([host, puny(host)]):
        yield from (written, written.upper(), f"{written}.", f".{written}", f"HTTP://u:p@{written}:8080/a.com?b@c#d")


def hosts() -> Iterator[str]:
    """Yields each rule as a host, with zero to two labels before it, and the parents of rules."""
    for rule in RULES:
        suffix = rule.removeprefix("!").replace("*", "star")
        bases = [suffix] if suffix == rule else [suffix, suffix.partition(".")[2]]
        for base, before in itertools.product(bases, ["", "a.", "www.Bü-b."]):
            yield from spellings(before + base)
    yield from ODD
    yield from (f"https://{odd}/" for odd in ODD)


# All of them if `cargo xtask proof dropins` sets the number of calls. Otherwise one in 7, a number that divides neither the number
# of spellings of a rule nor the number of labels before it.
HOSTS = list(hosts())[:: 1 if "URLID_CASES" in os.environ else 7]


def answer(call: Callable[..., object], *arguments: object, **options: object) -> object:
    """Returns the result, or the name of the error with its text."""
    try:
        return call(*arguments, **options)
    except (ValueError, IndexError, tld_exceptions.TldImproperlyConfigured, tld.TldImproperlyConfigured) as error:
        return type(error).__name__, str(error)


def differences(own: Callable[[str], object], other: Callable[[str], object]) -> list[tuple[str, object, object]]:
    """Returns the hosts with different answers, each with both."""
    assert len(HOSTS) > 30_000
    both = ((host, answer(own, host), answer(other, host)) for host in HOSTS)
    return [(host, mine, theirs) for host, mine, theirs in both if mine != theirs]


@pytest.fixture(scope="module")
def list_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The list of urlid as a file."""
    path = tmp_path_factory.mktemp("list") / "public_suffix_list.dat"
    path.write_text(TEXT, encoding="utf-8")
    return path


PARTS = [
    *("subdomain", "domain", "suffix", "is_private", "registry_suffix", "fqdn", "ipv4", "ipv6", "reverse_domain_name"),
    *("top_domain_under_public_suffix", "top_domain_under_registry_suffix"),
]


def parts(found: object) -> list[object]:
    """Returns everything that a result of tldextract shows."""
    return [repr(found), *(getattr(found, name) for name in PARTS)]


@pytest.mark.parametrize("options", [{}, {"include_psl_private_domains": True}, {"extra_suffixes": ["a.com", "bü-b.test"]}], ids=str)
def test_tldextract_on_every_rule(list_file: Path, options: dict[str, object]) -> None:
    own = tldextract.TLDExtract(**options)
    other = tldextract_package.TLDExtract(cache_dir=None, suffix_list_urls=[list_file.as_uri()], fallback_to_snapshot=False, **options)
    assert differences(lambda url: parts(own(url)), lambda url: parts(other(url))) == []
    assert set(own.tlds) == set(other.tlds)


def test_tldextract_on_parsed_urls_and_by_its_function(list_file: Path) -> None:
    own = tldextract.TLDExtract(suffix_list_urls=[list_file.as_uri()])
    other = tldextract_package.TLDExtract(cache_dir=None, suffix_list_urls=[list_file.as_uri()])
    for url in ["http://u@a.github.io:80/b", "//a.co.uk", "a.co.uk", "http://[::1]/"]:
        split = urlsplit(url)
        assert parts(own.extract_urllib(split)) == parts(other.extract_urllib(split))
        for with_private in (None, False, True):
            found = other(url, include_psl_private_domains=with_private)
            assert parts(own(url, include_psl_private_domains=with_private)) == parts(found)
            assert parts(tldextract.extract(url, with_private)) == parts(found)
        with pytest.deprecated_call():
            assert own(url).registered_domain == other(url).registered_domain
    assert sorted([own("b.com"), own("a.com")]) == [own("a.com"), own("b.com")]


def test_tldextract_fetches_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotImplementedError, match="suffix_list_urls"):
        tldextract.TLDExtract(suffix_list_urls=["https://publicsuffix.org/list/public_suffix_list.dat"])
    with pytest.raises(NotImplementedError, match="update"):
        tldextract.TLDExtract().update()
    with pytest.raises(FileNotFoundError):
        tldextract.TLDExtract(suffix_list_urls=[(tmp_path / "none").as_uri()])("a.com")
    assert tldextract.TLDExtract(cache_dir=str(tmp_path), cache_fetch_timeout=1)("a.com").suffix == "com"
    assert list(tmp_path.iterdir()) == []


TLD_OPTIONS = [{}, {"search_private": False}, {"search_public": False}, {"search_private": False, "search_public": False}]


@pytest.mark.parametrize("options", TLD_OPTIONS, ids=str)
def test_tld_on_every_rule(list_file: Path, options: dict[str, bool]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for parser in (tld_utils.MozillaTLDSourceParser, tld_utils.MozillaPublicOnlyTLDSourceParser):
            # The parsers read different parts of the list, and are cached by its name.
            link = list_file.with_name(parser.uid)
            link.write_text(TEXT, encoding="utf-8")
            patch.setattr(parser, "local_path", str(link))

        def every(package: object, url: str) -> list[object]:
            calls = [answer(package.get_tld, url, fix_protocol=fix, as_object=True, **options) for fix in (False, True)]
            shown = [getattr(found, "__dict__", found) for found in calls]
            return [*shown, answer(package.get_fld, url, fail_silently=True, fix_protocol=True, **options)]

        assert differences(lambda url: every(tld, url), lambda url: every(tld_package, url)) == []
        for url in ODD:
            for call in ("get_tld", "get_fld", "parse_tld", "is_tld"):
                assert answer(getattr(tld, call), url, **options) == answer(getattr(tld_package, call), url, **options), url
        tld_package.reset_tld_names()


def test_tld_lacks_other_lists() -> None:
    with pytest.raises(NotImplementedError, match="parser_class"):
        tld.get_fld("http://a.com/", parser_class=tld_utils.MozillaTLDSourceParser)
    with pytest.raises(tld.TldImproperlyConfigured):
        tld.get_fld("http://a.com/", as_object=True)
    found = tld.get_tld("http://www.a.com/", as_object=True)
    assert (str(found), found.suffix, found.extension, found.fld) == ("com", "com", "com", "a.com")


@pytest.mark.parametrize("idna", [True, False])
def test_publicsuffix2_on_every_rule(list_file: Path, idna: bool) -> None:
    own, other = (package.PublicSuffixList(str(list_file), idna) for package in (publicsuffix2, publicsuffix2_package))
    assert own.tlds == other.tlds == publicsuffix2.PublicSuffixList(idna=idna).tlds

    def every(names: object, host: str) -> list[object]:
        return [call(host, *options) for call in (names.get_sld, names.get_tld) for options in itertools.product([True, False], repeat=2)]

    assert differences(lambda host: every(own, host), lambda host: every(other, host)) == []


def test_publicsuffix2_by_its_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = TEXT.splitlines()
    for idna, host in itertools.product([True, False], ["www.a.co.uk", "a.公司.cn", "com", "b.a.test", None]):
        for name in ("get_sld", "get_tld"):
            monkeypatch.setattr(publicsuffix2_package, "_PSL", None)
            expected = getattr(publicsuffix2_package, name)(host, lines, idna=idna)
            assert getattr(publicsuffix2, name)(host, idna=idna) == getattr(publicsuffix2, name)(host, lines, idna=idna) == expected
    assert publicsuffix2.get_public_suffix("www.a.co.uk") == "a.co.uk"


def test_the_differences_of_the_packages_from_the_list() -> None:
    """The answers of publicsuffix.org's algorithm compared with the answers that packages and drop-ins share, by the reasons in the
    documentation."""
    split = urlid.SuffixList.compiled().split
    # tldextract with only the ICANN section, by default.
    assert split("a.github.io")[2] == "github.io" and tldextract.extract("a.github.io").suffix == "io"
    # tldextract: a label that is not in the list is not a suffix.
    assert split("b.a.test")[2] == "test" and tldextract.extract("b.a.test").suffix == ""
    # tld treats the parent of an exception as a rule.
    assert split("kobe.jp") == ("", "kobe", "jp") and tld.get_tld("http://kobe.jp") == "kobe.jp"
    # tld: a second label in Punycode is not found.
    assert split("a.xn--55qx5d.cn")[2] == "xn--55qx5d.cn" and tld.get_tld("http://a.xn--55qx5d.cn") == "cn"
    # publicsuffix2: each label of a rule counts as a rule.
    assert split("a.amazonaws.com")[2] == "com" and publicsuffix2.get_tld("a.amazonaws.com") == "amazonaws.com"


def test_the_list_of_2019_in_publicsuffix2_lacks_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    assert importlib.metadata.version("publicsuffix2") == "2.20191221"
    monkeypatch.setattr(publicsuffix2_package, "_PSL", None)
    assert publicsuffix2_package.get_sld("a.pages.dev") == "pages.dev"
    assert publicsuffix2.get_sld("a.pages.dev") == "a.pages.dev"
    old = set(publicsuffix2_package.PublicSuffixList(idna=False).tlds)
    assert len(set(RULES) - old) > 2_000


SIGNATURES = [
    *((getattr(tld, name), getattr(tld_package, name)) for name in ("get_tld", "get_fld", "parse_tld", "is_tld")),
    *((getattr(publicsuffix2, name), getattr(publicsuffix2_package, name)) for name in publicsuffix2.__all__),
    (tldextract.extract, tldextract_package.extract),
    (tldextract.TLDExtract.__call__, tldextract_package.TLDExtract.__call__),
]


@pytest.mark.parametrize(("own", "other"), SIGNATURES, ids=lambda function: f"{function.__module__}.{function.__qualname__}")
def test_parameters_have_the_names_and_the_order_of_the_package(own: object, other: object) -> None:
    assert list(inspect.signature(own).parameters) == list(inspect.signature(other).parameters)
