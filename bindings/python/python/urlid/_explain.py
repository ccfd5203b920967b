"""The explanation of one text, as a dictionary."""

from collections.abc import Callable
from functools import partial
from typing import Any

from urlid._error import UrlidError
from urlid._urlid import Components, HashedUri, Reference, Sxurl, Url, UrlHash, canon


def explain(text: str) -> dict[str, Any]:
    """Returns the tokens, canonical forms and ids of a text, each by its own rules; a refusal stands as its code.

    >>> import urlid
    >>> what = urlid.explain("HTTP://Example.com:80/a/../b?q")
    >>> what["forms"]["web"], what["forms"]["sxurl"]
    ('http://example.com/b?q', 'http://example.com:80/a/../b?q')
    >>> what["sxurl"]["domain"], what["sxurl"]["port"]
    ('example', 80)
    >>> urlid.explain("mailto:x")["ids"]["sxurl"]
    'ERR_INVALID_SCHEME'
    """
    reference = Reference(text)
    return {
        "text": text,
        "tokens": reference.tokens,
        "is_valid": reference.is_valid,
        "web": _try(lambda: _attributes(Url(text), _WEB)),
        "sxurl": _try(lambda: _attributes(Components(text), _SXURL)),
        "forms": {
            form: _try(partial(canon, text, form, keep_query=True, keep_fragment=True))
            for form in ("web", "generic", "sxurl", "hashed-none", "hashed-n", "hashed-p")
        },
        "ids": {
            "sxurl": _try(lambda: str(Sxurl.encode(text))),
            "url-hash": _try(lambda: str(UrlHash.encode(text))),
            "hashed-uri": _try(lambda: str(HashedUri.encode(text))),
        },
        "slices": _try(lambda: Sxurl.encode(text).fields()),
    }


_WEB = ("scheme", "username", "password", "host", "host_kind", "port", "path", "query", "fragment")
_SXURL = ("scheme", "sub", "domain", "tld", "port", "path", "query", "fragment", "has_userinfo")


def _attributes(value: object, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}


def _try(make: Callable[[], Any]) -> Any:
    try:
        return make()
    except UrlidError as error:
        return error.code
