"""An accessor `urlid` for series of pandas. Importing this module registers it.

In addition to the methods below, each function of SQL is a method without `urlid_`: `host`, `tld`, `part`, `decode` …

A type checker does not see the registered accessor. For it, `UrlidAccessor(urls).host()` has a type and is the same as
`urls.urlid.host()`.

>>> import pandas
>>> import urlid.pandas
>>> urls = pandas.Series(["https://docs.rs/", None, "mailto:x"], index=[7, 8, 9])
>>> urls.urlid.slices()["sx_tld"].to_list()
[9111, <NA>, <NA>]
>>> urls.urlid.canon("web").loc[7]
'https://docs.rs/'
>>> urls.urlid.registered_domain().to_list()
['docs.rs', <NA>, <NA>]
>>> urls.urlid.part("scheme").loc[9]
'mailto'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Unpack

from urlid import Question, Rules, SuffixList, TrackingList, arrow
from urlid._extra import extra

with extra("pandas"):
    import pandas
    import pyarrow
    from pyarrow import Array

    from urlid._functions import methods

if TYPE_CHECKING:
    from urlid._types import FunctionMethods, HashedUriOptions, Parts

    _Accessor = FunctionMethods[pandas.Series]
else:
    _Accessor = object

__all__ = ["UrlidAccessor"]


@pandas.api.extensions.register_series_accessor("urlid")
class UrlidAccessor(_Accessor):
    """The kernels on a series. Results have Arrow's types and keep the index."""

    def __init__(self, series: pandas.Series) -> None:
        self._series = series
        self._column = pyarrow.Array.from_pandas(series)

    def ids(
        self, kinds: list[str] | None = None, *, suffixes: SuffixList | None = None, errors: bool = False
    ) -> pandas.DataFrame:
        """Returns a column for each kind of id."""
        return self._frame(arrow.ids(self._column, kinds or ["sxurl"], suffixes=suffixes, errors=errors))

    def slices(
        self, of: str = "urls", *, suffixes: SuffixList | None = None, errors: bool = False
    ) -> pandas.DataFrame:
        """Returns the typed columns of each URL's SXURL, or of each id."""
        return self._frame(arrow.slices(self._column, of, suffixes=suffixes, errors=errors))

    def parts(self, form: str = "web", *, sections: str = "all", errors: bool = False) -> pandas.DataFrame:
        """Returns the parts of each URL. Suffix and registered domain use all `sections`, or only `icann`."""
        return self._frame(arrow.parts(self._column, form, sections=sections, errors=errors))

    def split_host(self, *, suffixes: SuffixList | None = None, errors: bool = False) -> pandas.DataFrame:
        """Returns `sub`, `domain` and `tld` of each host."""
        return self._frame(arrow.split_host(self._column, suffixes=suffixes, errors=errors))

    def sxurl(self, *, suffixes: SuffixList | None = None) -> pandas.Series:
        """Returns the SXURL of each URL, 32 bytes."""
        return self._column_of(arrow.ids(self._column, ["sxurl"], suffixes=suffixes))

    def hashed_uri(self, **options: Unpack[HashedUriOptions]) -> pandas.Series:
        """Returns the Hashed URI of each URI. The options are the same as in `urlid.HashedUri.encode`."""
        return self._column_of(arrow.hashed(self._column, **options))

    def matches(self, *, suffixes: SuffixList | None = None, **parts: Unpack[Parts]) -> pandas.Series:
        """Returns whether each URL answers a question. See `urlid.Question` for the parts."""
        return self._column_of(arrow.matches(self._column, Question(suffixes=suffixes, **parts)))

    def canon(self, form: str = "web", *, tracking: TrackingList | None = None, rules: Rules | None = None) -> pandas.Series:
        """Returns each URL in a canonical form. `tracking` and `rules` are the list and the rules that it names."""
        return self._column_of(arrow.canon(self._column, form, tracking=tracking, rules=rules))

    def _column_of(self, columns: arrow.Columns) -> pandas.Series:
        return self._frame(columns).iloc[:, 0].rename(self._series.name)

    def _frame(self, columns: arrow.Columns) -> pandas.DataFrame:
        frame = columns.to_pyarrow().to_pandas(types_mapper=pandas.ArrowDtype)
        return frame.set_axis(self._series.index)


def _method(function: Callable[..., Array]) -> Callable[..., pandas.Series]:
    def method(accessor: UrlidAccessor, *others: str | bytes) -> pandas.Series:
        values = pandas.arrays.ArrowExtensionArray(function(accessor._column, *others))
        return pandas.Series(values, index=accessor._series.index, name=accessor._series.name)

    method.__doc__ = function.__doc__
    return method


for _name, _function in methods().items():
    if not hasattr(UrlidAccessor, _name):
        setattr(UrlidAccessor, _name, _method(_function))
