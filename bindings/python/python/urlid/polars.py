"""A namespace `urlid` for expressions and series of Polars. Importing this module registers it.

In addition to the methods below, each function of SQL is a method without `urlid_`: `host`, `tld`, `part`, `decode` …

A type checker does not see the registered namespace. For it, `UrlidExpressions(polars.col("url")).host()` has a type and is the
same as `polars.col("url").urlid.host()`.

>>> import polars
>>> import urlid.polars
>>> frame = polars.DataFrame({"url": ["https://docs.rs/", None, "mailto:x"]})
>>> frame.select(polars.col("url").urlid.slices().struct.field("sx_tld")).to_series().to_list()
[9111, None, None]
>>> frame.select(polars.col("url").urlid.canon("web"))["url"].to_list()
['https://docs.rs/', None, 'mailto:x']
>>> frame.lazy().select(polars.col("url").urlid.registered_domain()).collect()["url"].to_list()
['docs.rs', None, None]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Unpack

from urlid import Rules, SuffixList, TrackingList, UrlidError, arrow, field_digits
from urlid import Question as _Question
from urlid._extra import extra
from urlid._urlid import FIELDS

with extra("polars"):
    import polars
    import pyarrow
    from pyarrow import Array

    from urlid._functions import FUNCTIONS, methods

if TYPE_CHECKING:
    from urlid._types import FunctionMethods, HashedUriOptions, Parts

    _Series = FunctionMethods[polars.Series]
    _Expressions = FunctionMethods[polars.Expr]
else:
    _Series = _Expressions = object

__all__ = ["UrlidExpressions", "UrlidSeries"]

_SLICES = polars.Struct(
    {
        f"sx_{name}": polars.Int32 if end - first < 8 else polars.Int64
        for name, (first, end) in ((name, field_digits(name)) for name in FIELDS)
    }
)
_HOST = polars.Struct({name: polars.String for name in ("sub", "domain", "tld")})


@polars.api.register_series_namespace("urlid")
class UrlidSeries(_Series):
    """The kernels on a series."""

    def __init__(self, series: polars.Series) -> None:
        # Arrow cannot read Polars' type of nulls.
        self._series = series.cast(polars.String) if series.dtype == polars.Null else series

    def sxurl(self, *, suffixes: SuffixList | None = None) -> polars.Series:
        """Returns the SXURL of each URL, 32 bytes."""
        return self._column(arrow.ids(self._series, ["sxurl"], suffixes=suffixes))

    def url_hash(self) -> polars.Series:
        """Returns the url-hash of each URL, 32 bytes."""
        return self._column(arrow.ids(self._series, ["url-hash"]))

    def hashed_uri(self, **options: Unpack[HashedUriOptions]) -> polars.Series:
        """Returns the Hashed URI of each URI. The options are the same as in `urlid.HashedUri.encode`."""
        return self._column(arrow.hashed(self._series, **options))

    def canon(self, form: str = "web", *, tracking: TrackingList | None = None, rules: Rules | None = None) -> polars.Series:
        """Returns each URL in a canonical form. `tracking` and `rules` are the list and the rules that it names."""
        return self._column(arrow.canon(self._series, form, tracking=tracking, rules=rules))

    def matches(self, *, suffixes: SuffixList | None = None, **parts: Unpack[Parts]) -> polars.Series:
        """Returns whether each URL answers a question. See `urlid.Question` for the parts."""
        question = _Question(suffixes=suffixes, **parts)
        return self._column(arrow.matches(self._series, question))

    def slices(self, of: str = "urls", *, suffixes: SuffixList | None = None) -> polars.Series:
        """Returns the typed columns of each URL's SXURL, or of each id, as a struct."""
        return self._struct(arrow.slices(self._series, of, suffixes=suffixes))

    def parts(self, form: str = "web", *, sections: str = "all") -> polars.Series:
        """Returns the parts of each URL as a struct. Suffix and registered domain use all `sections`, or only `icann`."""
        return self._struct(arrow.parts(self._series, form, sections=sections))

    def split_host(self, *, suffixes: SuffixList | None = None) -> polars.Series:
        """Returns `sub`, `domain` and `tld` of each host as a struct."""
        return self._struct(arrow.split_host(self._series, suffixes=suffixes))

    def _column(self, columns: arrow.Columns) -> polars.Series:
        # As a table, because Polars joins the chunks of a single column into one array.
        return polars.DataFrame(columns).to_series().alias(self._series.name)

    def _struct(self, columns: arrow.Columns) -> polars.Series:
        return polars.DataFrame(columns).to_struct(self._series.name)


@polars.api.register_expr_namespace("urlid")
class UrlidExpressions(_Expressions):
    """The kernels in expressions, including lazy frames."""

    def __init__(self, expression: polars.Expr) -> None:
        self._expression = expression

    def sxurl(self, *, suffixes: SuffixList | None = None) -> polars.Expr:
        """Returns the SXURL of each URL, 32 bytes."""
        return self._map(lambda urls: urls.sxurl(suffixes=suffixes), polars.Binary)

    def url_hash(self) -> polars.Expr:
        """Returns the url-hash of each URL, 32 bytes."""
        return self._map(lambda urls: urls.url_hash(), polars.Binary)

    def hashed_uri(self, **options: Unpack[HashedUriOptions]) -> polars.Expr:
        """Returns the Hashed URI of each URI. The options are the same as for series."""
        return self._map(lambda urls: urls.hashed_uri(**options), polars.String)

    def canon(self, form: str = "web", *, tracking: TrackingList | None = None, rules: Rules | None = None) -> polars.Expr:
        """Returns each URL in a canonical form. `tracking` and `rules` are the list and the rules that it names."""
        return self._map(lambda urls: urls.canon(form, tracking=tracking, rules=rules), polars.String)

    def matches(self, *, suffixes: SuffixList | None = None, **parts: Unpack[Parts]) -> polars.Expr:
        """Returns whether each URL answers a question. See `urlid.Question` for the parts."""
        _Question(suffixes=suffixes, **parts)  # what no URL can have is rejected now, not when the frame is collected
        return self._map(lambda urls: urls.matches(suffixes=suffixes, **parts), polars.Boolean)

    def slices(self, of: str = "urls", *, suffixes: SuffixList | None = None) -> polars.Expr:
        """Returns the typed columns of each URL's SXURL, or of each id, as a struct."""
        return self._map(lambda urls: urls.slices(of, suffixes=suffixes), _SLICES)

    def parts(self, form: str = "web", *, sections: str = "all") -> polars.Expr:
        """Returns the parts of each URL as a struct. Suffix and registered domain use all `sections`, or only `icann`."""
        return self._map(lambda urls: urls.parts(form, sections=sections), _parts_type(form, sections))

    def split_host(self, *, suffixes: SuffixList | None = None) -> polars.Expr:
        """Returns `sub`, `domain` and `tld` of each host as a struct."""
        return self._map(lambda hosts: hosts.split_host(suffixes=suffixes), _HOST)

    def _map(self, call: Callable[[UrlidSeries], polars.Series], result: polars.DataType | type[polars.DataType]) -> polars.Expr:
        def checked(series: polars.Series) -> polars.Series:
            # Polars raises its own exception with only the text, which contains the code.
            try:
                return call(UrlidSeries(series))
            except UrlidError as error:
                raise polars.exceptions.ComputeError(str(error)) from error

        return self._expression.map_batches(checked, return_dtype=result, is_elementwise=True)


def _parts_type(form: str, sections: str) -> polars.Struct:
    """Returns the kernel's type of the parts."""
    nothing = polars.Series([], dtype=polars.String)
    return polars.Struct(polars.DataFrame(arrow.parts(nothing, form, sections=sections)).schema)


_TYPES = {
    pyarrow.string(): polars.String,
    pyarrow.binary(): polars.Binary,
    pyarrow.int64(): polars.Int64,
    pyarrow.bool_(): polars.Boolean,
}


def _add_method(name: str, function: Callable[..., Array]) -> None:
    """Adds a function of SQL to both namespaces."""

    def on_series(series: UrlidSeries, *others: str | bytes) -> polars.Series:
        return polars.Series(series._series.name, function(series._series.to_arrow(), *others))

    def on_expression(expression: UrlidExpressions, *others: str | bytes) -> polars.Expr:
        return expression._map(lambda series: on_series(series, *others), _TYPES[FUNCTIONS[f"urlid_{name}"].result])

    for namespace, method in ((UrlidSeries, on_series), (UrlidExpressions, on_expression)):
        if not hasattr(namespace, name):
            method.__doc__ = function.__doc__
            setattr(namespace, name, method)


for _name, _function in methods().items():
    _add_method(_name, _function)
