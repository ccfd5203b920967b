"""Stable identities for URLs.

Parses a URL once, and makes canonical forms and identifiers from it. The results have the same bytes as in the Rust library, the
command line and SQL.

>>> import urlid
>>> str(urlid.Sxurl.encode("https://docs.rs/"))
'1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356'
>>> str(urlid.Url("HTTPS://Example.COM:443/a/../b"))
'https://example.com/b'

The four systems are `Reference` (Theory of URLs), `UrlHash`, `HashedUri` and `Sxurl`. The `encode` of an id makes it from a URL.
Its constructor, `from_hex` and `from_bytes` read an id. `Index` stores URLs in one file and finds them by part. `urlid.arrow` works
on whole columns, and `urlid.spark`, `urlid.duckdb`, `urlid.polars` and `urlid.pandas` provide the same kernels for these libraries.
A rejected text raises `UrlidError`, which has a `code`.
"""

from urlid._decode import decode
from urlid._error import UrlidError
from urlid._explain import diff, explain
from urlid._urlid import (
    Components,
    CrateSxurl,
    FingerprintSet,
    Function,
    HashedUri,
    HiddenList,
    Index,
    NoVarySearch,
    Question,
    Reference,
    Rules,
    SeenSet,
    ShardedList,
    Snapshot,
    SuffixList,
    Sxurl,
    Templates,
    TokenUrl,
    TrackingList,
    Url,
    UrlHash,
    UrlShortHash,
    UrlVeryShortHash,
    __version__,
    canon,
    check_tokens,
    crate_url_hash,
    detect,
    expressions,
    field_digits,
    forms,
    functions,
    goto,
    host,
    key_ranges,
    normalise,
    probe,
    probe_hex,
    redact,
    registered_domain,
    remove_dot_segments,
    resolve,
    scrapy_fingerprint,
    slice_hash,
    snapshot,
    split,
)

__all__ = [
    "Components",
    "CrateSxurl",
    "FingerprintSet",
    "Function",
    "HashedUri",
    "HiddenList",
    "Index",
    "NoVarySearch",
    "Question",
    "Reference",
    "Rules",
    "SeenSet",
    "ShardedList",
    "Snapshot",
    "SuffixList",
    "Sxurl",
    "Templates",
    "TokenUrl",
    "TrackingList",
    "Url",
    "UrlHash",
    "UrlShortHash",
    "UrlVeryShortHash",
    "UrlidError",
    "__version__",
    "canon",
    "check_tokens",
    "crate_url_hash",
    "decode",
    "detect",
    "diff",
    "explain",
    "expressions",
    "field_digits",
    "forms",
    "functions",
    "goto",
    "host",
    "key_ranges",
    "normalise",
    "probe",
    "probe_hex",
    "redact",
    "registered_domain",
    "remove_dot_segments",
    "resolve",
    "scrapy_fingerprint",
    "slice_hash",
    "snapshot",
    "split",
]
