"""`canonicalize_url` of w3lib 2.5: `from urlid.compat.w3lib import canonicalize_url` instead of `from w3lib.url import canonicalize_url`.

>>> from urlid.compat.w3lib import canonicalize_url
>>> canonicalize_url("http://h/?q=\\u00e9&a", encoding="latin-1")
'http://h/?a=&q=%E9'
>>> canonicalize_url("http://h/?b;a=1", keep_blank_values=False, query_separator=";")
'http://h/?a=1'
"""

import codecs
from urllib.parse import ParseResult, quote_from_bytes

from urlid._urlid import _canonicalize_url, _unparse_url

__all__ = ["canonicalize_url"]


def canonicalize_url(
    url: str | bytes | ParseResult,
    keep_blank_values: bool = True,
    keep_fragments: bool = False,
    encoding: str | None = None,
    *,
    query_separator: str = "&",
) -> str:
    """Returns the canonical form of a URL. An `encoding` that lacks one of its characters counts as UTF-8."""
    text = _unparse_url(*url) if isinstance(url, ParseResult) else url

    def canonicalize(codec: str) -> str:
        decoded = text.decode(codec, _PERCENT_ENCODE) if isinstance(text, bytes) else text
        other = None if codec == "utf-8" else codec
        return _canonicalize_url(decoded, bool(keep_blank_values), bool(keep_fragments), query_separator, other)

    try:
        return canonicalize(encoding or "utf-8")
    except UnicodeEncodeError:
        return canonicalize("utf-8")


_PERCENT_ENCODE = "urlid.percent-encode"


def _percent_encode(error: UnicodeError) -> tuple[str | bytes, int]:
    """Escapes the bytes that are not text."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return quote_from_bytes(error.object[error.start : error.end], safe=""), error.end


codecs.register_error(_PERCENT_ENCODE, _percent_encode)
