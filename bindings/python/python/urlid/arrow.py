"""Kernels for whole columns: from URLs to ids, slices, canonical forms, parts and answers.

A column is any object with the Arrow PyCapsule interface: an array or a chunked array of pyarrow, a series of Polars or of pandas
3, a relation of DuckDB, or a table with one column. It has strings, or bytes that are UTF-8. Inputs are not copied, nulls stay
null, and a rejected row is null. Results are `Columns`, which have the same interface:

>>> import pyarrow
>>> import urlid.arrow
>>> urls = pyarrow.array(["https://docs.rs/", None, "mailto:x"])
>>> table = pyarrow.table(urlid.arrow.ids(urls, ["sxurl"], errors=True))
>>> table["error"].to_pylist()
[None, None, 'ERR_INVALID_SCHEME']
>>> table["sxurl"][0].as_py().hex()[:7]
'1002397'
>>> urlid.arrow.canon(urls, "web")["canonical"].to_pyarrow().to_pylist()
['https://docs.rs/', None, 'mailto:x']
>>> urlid.arrow.slices(urls)["sx_tld"].to_pyarrow().to_pylist()
[9111, None, None]
>>> keys = urlid.arrow.sort_keys(pyarrow.array(["http://b.example/1", "http://www.a.example/2"]))["sort_key"]
>>> keys.to_pyarrow().to_pylist() == sorted(keys.to_pyarrow().to_pylist(), reverse=True)
True
>>> urlid.arrow.split_host(pyarrow.array(["WWW.example.co.uk"])).to_pyarrow().to_pylist()
[{'sub': 'www', 'domain': 'example', 'tld': 'co.uk'}]
>>> urlid.arrow.parts(urls)["url_registered_domain"].to_pyarrow().to_pylist()
['docs.rs', None, None]
>>> urlid.arrow.matches(urls, urlid.Question(domain="docs"))["matches"].to_pyarrow().to_pylist()
[True, None, False]
"""

from typing import TYPE_CHECKING

from urlid._urlid import FIELDS, Column, Columns, hashed, ids, listed, matches, parts, slices, sort_keys, split_host
from urlid._urlid import canon_column as canon

if TYPE_CHECKING:
    from urlid._urlid import ArrowArray as ArrowArray

__all__ = ["SLICES", "Column", "Columns", "canon", "hashed", "ids", "listed", "matches", "parts", "slices", "sort_keys", "split_host"]

SLICES = tuple(f"sx_{name}" for name in FIELDS)
"""The names of the typed columns, in the order of the layout."""
