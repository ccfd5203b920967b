"""The types of the package's API: this file is checked by `mypy --strict` and never run."""

from typing import assert_type

import pandas
import polars

import urlid
import urlid.arrow
import urlid.pandas
import urlid.polars
from urlid.compat import surt, url_normalize, w3lib
from urlid.compat.surt import GoogleURLCanonicalizer, handyurl


def scalar(url: str) -> None:
    assert_type(urlid.Sxurl.encode(url), urlid.Sxurl)
    assert_type(urlid.UrlHash.encode(url).short(), urlid.UrlShortHash)
    assert_type(urlid.HashedUri.encode(url, algorithm="md5", keep_query=True).digest, bytes)
    assert_type(urlid.Url(url).port, int | None)
    assert_type(urlid.Reference(url).tokens, list[tuple[str, str]])
    assert_type(urlid.Question(domain="docs", port=443).columns(), dict[str, int])
    assert_type(urlid.Index("urls.db").find(domain="docs"), list[tuple[urlid.Sxurl | None, str]])
    assert_type(urlid.SeenSet("seen", at_least_once=True).pending(), list[str])
    assert_type(urlid.HiddenList.make([url]).find(url), tuple[str, str] | None)
    assert_type(urlid.registered_domain(url, sections="icann"), str | None)
    assert_type(urlid.forms(), list[str])
    assert_type(urlid.snapshot() == urlid.Snapshot(""), bool)
    assert_type(urlid.UrlidError("ERR_PORT", "").code, str)
    assert_type(urlid.expressions(url, "v5"), list[tuple[str, bytes]])
    assert_type(urlid.scrapy_fingerprint(url, method="POST", body=b""), bytes)


def drop_ins(url: str) -> None:
    assert_type(surt(url, with_scheme=True), str)
    assert_type(surt.surt(b"http://h/", [surt.IAURLCanonicalizer, lambda url, **options: url]), bytes)
    assert_type(GoogleURLCanonicalizer.canonicalize(handyurl.parse(url)).host, bytes | None)
    assert_type(w3lib.canonicalize_url(url, encoding="latin-1"), str)
    assert_type(url_normalize.url_normalize(url, param_allowlist={"google.com": ["q"]}), str)
    assert_type(url_normalize.url_normalize(None), None)


def columns(column: urlid.arrow.ArrowArray) -> None:
    found = urlid.arrow.ids(column, ["sxurl"], errors=True)
    assert_type(found, urlid.arrow.Columns)
    assert_type(found["sxurl"], urlid.arrow.Column)


def series(urls: pandas.Series) -> None:
    accessor = urlid.pandas.UrlidAccessor(urls)
    assert_type(accessor.matches(domain="docs", port=443), pandas.Series)
    assert_type(accessor.registered_domain(), pandas.Series)


def frames(urls: polars.Series, suffixes: urlid.SuffixList) -> None:
    series = urlid.polars.UrlidSeries(urls)
    assert_type(series.matches(suffixes=suffixes, domain="docs", port=443), polars.Series)
    assert_type(series.hashed_uri(algorithm="md5"), polars.Series)
    assert_type(series.host(), polars.Series)
    assert_type(urlid.polars.UrlidExpressions(polars.col("url")).part("path"), polars.Expr)
