"""`url_normalize` of url-normalize 3.1. Change only the import: `from urlid.compat.url_normalize import url_normalize`.

>>> from urlid.compat.url_normalize import url_normalize
>>> url_normalize("/a?b=1&c", default_domain="example.com", filter_params=True, param_allowlist=["c"])
'https://example.com/a?c'
"""

from collections.abc import Iterable, Mapping
from typing import overload

from urlid._urlid import _url_normalize

__all__ = ["url_normalize"]

_Allowlist = list[str] | Mapping[str, Iterable[str]]


@overload
def url_normalize(
    url: str,
    *,
    default_scheme: str = "https",
    default_domain: str | None = None,
    filter_params: bool = False,
    param_allowlist: _Allowlist | None = None,
) -> str: ...
@overload
def url_normalize(
    url: None,
    *,
    default_scheme: str = "https",
    default_domain: str | None = None,
    filter_params: bool = False,
    param_allowlist: _Allowlist | None = None,
) -> None: ...
def url_normalize(
    url: str | None,
    *,
    default_scheme: str = "https",
    default_domain: str | None = None,
    filter_params: bool = False,
    param_allowlist: _Allowlist | None = None,
) -> str | None:
    """Returns the normal form of a URL, or None for None.

    With `filter_params`, only the fields of the query in `param_allowlist` are kept. It is a list of names, or a dictionary of
    lists by domain. For None it is the package's own dictionary.
    """
    if url is None:
        return None
    return _url_normalize(url, default_scheme, default_domain, bool(filter_params), _names(param_allowlist))


def _names(allowlist: _Allowlist | None) -> list[str] | list[tuple[str, list[str]]] | None:
    if allowlist is None or isinstance(allowlist, list):
        return allowlist
    return [(domain, list(names)) for domain, names in allowlist.items()]
