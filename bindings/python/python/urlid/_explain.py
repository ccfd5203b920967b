"""The explanation of one text, as a dictionary."""

import json
from typing import Any, cast

from urlid._urlid import _explain


def explain(text: str) -> dict[str, Any]:
    """Returns what a text is and what becomes of it: what `urlid explain --format json` prints, and `explain` of the npm package.

    The places of parts in the text, `start` and `end`, count characters. What is refused has its code and a message.

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
