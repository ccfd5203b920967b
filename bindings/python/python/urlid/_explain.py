"""The explanation of one text, and the comparison of two, as dictionaries."""

import json
from typing import Any, cast

from urlid._urlid import Rules, SuffixList, TrackingList, _diff, _explain


def explain(text: str) -> dict[str, Any]:
    """Returns the parts, forms and identifiers of a text, as `urlid explain --format json` prints and `explain` of the npm package
    returns.

    The offsets of parts in the text, `start` and `end`, count characters. A rejected value has its code and a message.

    >>> import urlid
    >>> what = urlid.explain("HTTP://Example.com:80/a/../b?q")
    >>> what["kind"], what["web"], what["sxurl-text"]
    ('url', 'http://example.com/b?q', 'http://example.com:80/a/../b?q')
    >>> {part["name"]: part["value"] for part in what["parts"]}["domain"]
    'example'
    >>> urlid.explain("mailto:x")["sxurl"]["error"]
    'ERR_INVALID_SCHEME'
    """
    return cast(dict[str, Any], json.loads(_explain(text)))


def diff(
    a: str,
    b: str,
    as_: str = "web",
    *,
    suffixes: SuffixList | None = None,
    tracking: TrackingList | None = None,
    rules: Rules | None = None,
) -> dict[str, Any]:
    """Compares two texts, as `urlid diff --format json` prints and `diff` of the npm package returns.

    `as_` is the canonical form of the verdict. A rejected value has its code and a message, and `same` is then None.

    >>> import urlid
    >>> verdict = urlid.diff("http://www.h.example/a/", "http://h.example/a")["verdict"]
    >>> verdict["same"], verdict["differs"]
    (False, ['www.', 'trailing slash'])
    >>> urlid.diff("http://www.h.example/a/", "http://h.example/a", "surt-0.3.1")["verdict"]["same"]
    True
    """
    return cast(dict[str, Any], json.loads(_diff(a, b, as_, suffixes, tracking, rules)))
