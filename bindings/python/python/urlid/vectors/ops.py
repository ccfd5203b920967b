"""The operations that a vector can name, each with the inputs that it reads, written with the public functions of `urlid`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import urlid
from urlid.vectors import properties, tokens
from urlid.vectors.tokens import Malformed

__all__ = ["OPS", "Malformed", "Op"]

Given = dict[str, Any]
Found = dict[str, Any]

SLICES = ("tld", "domain", "sub", "path", "params", "frag")
FIELDS = ("header", "tld", "domain", "sub", "port", "path", "params", "frag")
CRATE_VERSIONS = {
    "0.1.0": "sxurl-crate-0",
    "0.2.0": "sxurl-crate-0",
    "1.0.0": "sxurl-crate-1.0",
    "1.1.0": "sxurl-crate-1.1",
}


@dataclass(frozen=True)
class Op:
    """An operation and the inputs that it reads; any other would have no effect, so it is a failure."""

    inputs: tuple[str, ...]
    run: Callable[[Given], Found]


def text(given: Given, key: str) -> str:
    """Returns an input that must be a string."""
    value = given.get(key)
    if not isinstance(value, str):
        raise Malformed(f"input `{key}` is {value!r}, expected a string")
    return value


def optional_text(given: Given, key: str) -> str | None:
    """Returns an input that may be missing or null."""
    return None if given.get(key) is None else text(given, key)


def flag(given: Given, key: str) -> bool:
    """Returns an input that must be true or false."""
    value = given.get(key)
    if not isinstance(value, bool):
        raise Malformed(f"input `{key}` is {value!r}, expected true or false")
    return value


def named(given: Given, key: str, names: Any) -> Any:
    """Returns what an input names, among a few things."""
    name = text(given, key)
    if name not in names:
        raise Malformed(f"input `{key}` is `{name}`, which names nothing")
    return names[name] if isinstance(names, dict) else name


def variant(given: Given) -> str:
    """Returns the variant of a Hashed URI, in any case of letters."""
    return named({"variant": text(given, "variant").lower()}, "variant", ("none", "n", "p"))


def theory_valid(given: Given) -> Found:
    try:
        urlid.check_tokens(tokens.read(given.get("url")))
    except urlid.UrlidError:
        return {"valid": False}
    return {"valid": True}


def theory_upto(given: Given) -> Found:
    reference = tokens.to_reference(given.get("url"))
    order = named(given, "order", properties.KINDS)
    return {"ord": reference.ord, "upto": tokens.to_json(reference.upto(order))}


def theory_goto(given: Given) -> Found:
    return _target(tokens.to_reference(given.get("url1")).goto(tokens.to_reference(given.get("url2"))))


def theory_goto_nonstrict(given: Given) -> Found:
    return _target(tokens.to_reference(given.get("url1")).goto_nonstrict(tokens.to_reference(given.get("url2"))))


def _target(target: urlid.Reference) -> Found:
    return {"url": tokens.to_json(target), "text": str(target), "valid": target.is_valid}


def theory_parse(given: Given) -> Found:
    reference = urlid.Reference(text(given, "text"), named(given, "context", tokens.CONTEXTS))
    return {"url": tokens.to_json(reference), "valid": reference.is_valid, "ord": reference.ord}


def web_parse(given: Given) -> Found:
    url = urlid.Url(text(given, "url"), optional_text(given, "base"))
    names = ("username", "password", "host", "port", "path", "query", "fragment")
    return {"href": str(url), **{name: getattr(url, name) for name in names}}


def generic_resolve(given: Given) -> Found:
    mode = named(given, "mode", ("strict", "nonstrict", "rfc2396"))
    return {"target": urlid.resolve(text(given, "base"), text(given, "reference"), mode=mode)}


def generic_normalise(given: Given) -> Found:
    return {"normal": urlid.normalise(text(given, "uri"))}


def generic_dots(given: Given) -> Found:
    return {"path": urlid.remove_dot_segments(text(given, "path"))}


def url_hash(given: Given) -> Found:
    url = urlid.Url(text(given, "url"))
    hash_ = urlid.url_hash(url)
    short, very_short = hash_.short(), hash_.very_short()
    return {
        "canonical": str(url),
        "hex": hash_.hex(),
        "words": hash_.words,
        "display": str(hash_),
        "short_display": str(short),
        "short_hex": short.hex(),
        "very_short_display": str(very_short),
        "very_short_hex": very_short.hex(),
    }


def url_hash_crate(given: Given) -> Found:
    url = text(given, "url")
    digits, words = urlid.crate_url_hash(url)
    return {"canonical": str(urlid.Url(url)), "hex": digits, "display": words}


def hashed_make(given: Given) -> Found:
    uri, base = text(given, "uri"), optional_text(given, "base")
    kept = {"keep_query": flag(given, "keep_query"), "keep_fragment": flag(given, "keep_frag")}
    rules = variant(given)
    hashed = urlid.hashed_uri(uri, base, algorithm=text(given, "alg"), variant=rules, **kept)
    return {"canonical": urlid.canonicalize(uri, base, variant=rules, **kept), "hashed": str(hashed)}


def hashed_parse(given: Given) -> Found:
    hashed = urlid.HashedUri(text(given, "text"))
    return {
        "alg": hashed.algorithm,
        "digest": hashed.digest.hex(),
        "frag": hashed.keep_fragment,
        "query": hashed.keep_query,
        "known": hashed.is_known,
        "canonical": str(hashed),
    }


def hashed_match(given: Given) -> Found:
    hashed = urlid.HashedUri(text(given, "hashed"))
    return {"match": hashed.matches(text(given, "uri"), variant=variant(given))}


def sxurl_encode(given: Given) -> Found:
    parts = urlid.Components(text(given, "url"))
    names = ("scheme", "tld", "domain", "sub", "port", "path", "query", "fragment")
    found = {name: getattr(parts, name) for name in names}
    return {"id": str(urlid.sxurl(text(given, "url"))), "text": parts.normal_text, **found}


def sxurl_decode(given: Given) -> Found:
    id_ = urlid.Sxurl(text(given, "id"))
    return {
        "version": id_.version,
        "scheme": id_.scheme,
        "sub_present": id_.has_sub,
        "params_present": id_.has_params,
        "frag_present": id_.has_frag,
        "port_present": id_.has_port,
        "port": id_.port,
        **{f"{name}_h": id_.slice_hex(name) for name in SLICES},
    }


def sxurl_slice(given: Given) -> Found:
    digits = urlid.slice_hash(named(given, "label", SLICES), text(given, "value"))
    if given.get("bits") != 4 * len(digits):
        raise Malformed(f"slice `{given['label']}` has {4 * len(digits)} bits, not {given.get('bits')}")
    return {"hex": digits}


def sxurl_field(given: Given) -> Found:
    id_ = urlid.sxurl(text(given, "url"))
    field = named(given, "field", FIELDS)
    first, end = urlid.field_digits(field)
    return {"hex": str(id_)[first:end], "number": id_.fields()[field]}


def sxurl_layout(given: Given) -> Found:
    first, end = urlid.field_digits(named(given, "field", FIELDS))
    bits = 4 * (end - first)
    total = sum(4 * (end - first) for first, end in map(urlid.field_digits, FIELDS))
    return {"hex_range": [first, end], "bits": bits, "values": 1 << bits, "total_bits": total}


def sxurl_match(given: Given) -> Found:
    id_ = urlid.sxurl(text(given, "url"))
    label = named(given, "label", SLICES)
    return {"match": id_.slice_hex(label) == urlid.slice_hash(label, text(given, "value"))}


def sxurl_crate(given: Given) -> Found:
    id_ = urlid.crate_sxurl(text(given, "url"), named(given, "version", CRATE_VERSIONS))
    return {"id": str(id_), "host_id": id_.host_id}


def snapshot_parse(given: Given) -> Found:
    snapshot = urlid.Snapshot(text(given, "text"))
    return {"line": str(snapshot), "unicode": snapshot.as_dict()["unicode"]}


def differ(given: Given) -> Found:
    identity = named(given, "system", {"theory": _theory, "urlhash": _urlhash, "hashed": _hashed, "sxurl": _sxurl})
    (a, form_a), (b, form_b) = (identity(given, text(given, key)) for key in "ab")
    same_id = None if a is None or b is None else a == b
    return {"same_form": form_a == form_b, "same_id": same_id, "id": a}


def _theory(given: Given, url: str) -> tuple[None, Any]:
    context = named(given, "context", tokens.CONTEXTS) if given.get("context") is not None else "rfc3986"
    reference, base = urlid.Reference(url, context), optional_text(given, "base")
    if base is not None:
        reference = urlid.Reference(base, context).goto(reference)
    return None, tokens.to_json(reference)


def _urlhash(_: Given, url: str) -> tuple[str, str]:
    return urlid.url_hash(url).hex(), str(urlid.Url(url))


def _hashed(given: Given, url: str) -> tuple[str, Any]:
    kept = {"variant": variant(given), "keep_query": True, "keep_fragment": True}
    base = optional_text(given, "base")
    hashed = urlid.hashed_uri(url, base, **kept)
    return str(hashed), (urlid.canonicalize(url, base, **kept), hashed.keep_query, hashed.keep_fragment)


def _sxurl(_: Given, url: str) -> tuple[str, str]:
    return str(urlid.sxurl(url)), urlid.Components(url).normal_text


OPS: dict[str, Op] = {
    "theory.valid": Op(("url",), theory_valid),
    "theory.upto": Op(("url", "order"), theory_upto),
    "theory.goto": Op(("url1", "url2"), theory_goto),
    "theory.goto_nonstrict": Op(("url1", "url2"), theory_goto_nonstrict),
    "theory.parse": Op(("text", "context"), theory_parse),
    "theory.property": Op(("property", "operation", "url1", "url2", "url3"), properties.check),
    "web.parse": Op(("url", "base"), web_parse),
    "generic.resolve": Op(("base", "reference", "mode"), generic_resolve),
    "generic.normalise": Op(("uri",), generic_normalise),
    "generic.remove_dot_segments": Op(("path",), generic_dots),
    "urlhash": Op(("url",), url_hash),
    "urlhash.crate": Op(("url",), url_hash_crate),
    "hashed.make": Op(("uri", "base", "alg", "keep_query", "keep_frag", "variant"), hashed_make),
    "hashed.parse": Op(("text",), hashed_parse),
    "hashed.match": Op(("hashed", "uri", "variant"), hashed_match),
    "sxurl.encode": Op(("url",), sxurl_encode),
    "sxurl.decode": Op(("id",), sxurl_decode),
    "sxurl.slice": Op(("label", "value", "bits"), sxurl_slice),
    "sxurl.field": Op(("url", "field"), sxurl_field),
    "sxurl.layout": Op(("field",), sxurl_layout),
    "sxurl.match": Op(("url", "label", "value"), sxurl_match),
    "sxurl.crate": Op(("url", "version"), sxurl_crate),
    "snapshot.parse": Op(("text",), snapshot_parse),
    "differ": Op(("system", "a", "b", "base", "context", "variant", "why"), differ),
}
"""Every operation, by system."""
