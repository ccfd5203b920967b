"""Functions of other packages under their names, with the same results whatever is installed.

>>> from urlid.compat import surt
>>> surt("http://www.Example.com:80/a/../b?d&c")
'com,example)/b?c&d'
>>> surt("http://www.example.com/", with_scheme=True, host_massage=False)
'http://(com,example,www)/'
"""

from urlid._urlid import _surt

__all__ = ["surt"]


def surt(
    url: str | bytes | None,
    *,
    with_scheme: bool = False,
    trailing_comma: bool = False,
    reverse_ipaddr: bool = True,
    host_massage: bool = True,
    path_lowercase: bool = True,
    query_lowercase: bool = True,
) -> str:
    """Returns what `surt.surt(url, **options)` of surt 0.3.1 does, with these options of it; it never looks up a host."""
    if url is None:
        return "-"
    return _surt(
        url.decode() if isinstance(url, bytes) else url,
        with_scheme,
        trailing_comma,
        reverse_ipaddr,
        host_massage,
        path_lowercase,
        query_lowercase,
    )
