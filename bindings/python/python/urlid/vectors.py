"""Runs files of test vectors over the Python surface: `python -m urlid.vectors FILE…`.

The crate that runs the same files over the Rust library also reads, compares and reports here. This module has one function for
each operation, written with the public functions of `urlid`.

>>> import urlid.vectors
>>> urlid.vectors.run('{"format": 1, "vectors": []}')
(0, [])
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import urlid
from urlid._urlid import FIELDS, SLICES, _run_vectors

Values = dict[str, Any]

CONTEXTS = ("generic", "web", "file", "rfc3986")
CRATE_FORMATS = {"0.1.0": "0", "0.2.0": "0", "1.0.0": "1.0", "1.1.0": "1.1"}


def run(text: str) -> tuple[int, list[tuple[str, str]]]:
    """Runs every vector of a file, given as its text. Returns the number of passed vectors, and the id and the reason of each
    failed one."""

    def call(op: str, given: str) -> str:
        # A null input means an absent input.
        values = {key: value for key, value in json.loads(given).items() if value is not None}
        return json.dumps(OPS[op](values))

    return _run_vectors(text, call)


def theory_valid(given: Values) -> Values:
    urlid.check_tokens(_pairs(given["url"]))
    return {"valid": True}


def theory_upto(given: Values) -> Values:
    url = _reference(given["url"])
    return {"ord": url.ord, "upto": url.upto(given["order"]).tokens}


def theory_goto(given: Values) -> Values:
    return _target(_reference(given["url1"]).goto(_reference(given["url2"])))


def theory_goto_nonstrict(given: Values) -> Values:
    return _target(_reference(given["url1"]).goto_nonstrict(_reference(given["url2"])))


def theory_parse(given: Values) -> Values:
    context = {"context": given["context"]} if "context" in given else {}
    url = urlid.Reference(given["text"], **context)
    if "base" in given:
        url = urlid.Reference(given["base"], **context).goto(url)
    return {"url": url.tokens, "valid": url.is_valid, "ord": url.ord}


def web_parse(given: Values) -> Values:
    url = urlid.Url(given["url"], given.get("base"))
    return {"href": str(url)} | _attributes(url, "username password host port path query fragment")


def hashed_make(given: Values) -> Values:
    keep = {"keep_query": "keep_query", "keep_frag": "keep_fragment", "base": "base"}
    options = {option: given[key] for key, option in keep.items() if key in given}
    form = "hashed-" + given.get("variant", "n").lower()
    canonical = urlid.canon(given["uri"], form, **options)
    options |= {"algorithm": given["alg"]} if "alg" in given else {}
    options |= {"variant": given["variant"].lower()} if "variant" in given else {}
    return {"canonical": canonical, "hashed": str(urlid.HashedUri.encode(given["uri"], **options))}


def hashed_parse(given: Values) -> Values:
    hashed = urlid.HashedUri(given["text"])
    return {
        "alg": hashed.algorithm,
        "digest": hashed.digest.hex(),
        "frag": hashed.keep_fragment,
        "query": hashed.keep_query,
        "known": hashed.is_known,
        "canonical": str(hashed),
    }


def hashed_match(given: Values) -> Values:
    variant = {"variant": given["variant"].lower()} if "variant" in given else {}
    return {"match": urlid.HashedUri(given["hashed"]).matches(given["uri"], **variant)}


def url_hash(given: Values) -> Values:
    url = urlid.Url(given["url"])
    hash_ = urlid.UrlHash.encode(url)
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


def url_hash_crate(given: Values) -> Values:
    digits, words = urlid.crate_url_hash(given["url"])
    return {"canonical": str(urlid.Url(given["url"])), "hex": digits, "display": words}


def sxurl_encode(given: Values) -> Values:
    parts = urlid.Components(given["url"])
    found = _attributes(parts, "scheme tld domain sub port path query fragment")
    return found | {"id": str(urlid.Sxurl.encode(given["url"])), "text": parts.normal_text}


def sxurl_decode(given: Values) -> Values:
    id_ = urlid.Sxurl.from_hex(given["id"])
    found = _attributes(id_, "version scheme port")
    found |= {f"{name}_present": getattr(id_, f"has_{name}") for name in ("sub", "params", "frag", "port")}
    return found | {f"{name}_h": id_.slice_hex(name) for name in SLICES}


def sxurl_slice(given: Values) -> Values:
    digits = urlid.slice_hash(given["label"], given["value"])
    if given["bits"] != 4 * len(digits):
        raise ValueError(f"slice `{given['label']}` has {4 * len(digits)} bits, not {given['bits']}")
    return {"hex": digits}


def sxurl_field(given: Values) -> Values:
    id_ = urlid.Sxurl.encode(given["url"])
    first, end = urlid.field_digits(given["field"])
    return {"hex": str(id_)[first:end], "number": id_.fields()[given["field"]]}


def sxurl_layout(given: Values) -> Values:
    first, end = urlid.field_digits(given["field"])
    total = sum(4 * (end - first) for first, end in map(urlid.field_digits, FIELDS))
    bits = 4 * (end - first)
    return {"hex_range": [first, end], "bits": bits, "values": 1 << bits, "total_bits": total}


def sxurl_match(given: Values) -> Values:
    digits = urlid.Sxurl.encode(given["url"]).slice_hex(given["label"])
    return {"match": digits == urlid.slice_hash(given["label"], given["value"])}


def sxurl_crate(given: Values) -> Values:
    id_ = urlid.CrateSxurl.encode(given["url"], "sxurl-crate-" + CRATE_FORMATS[given["version"]])
    return {"id": str(id_), "host_id": id_.host_id}


def snapshot_parse(given: Values) -> Values:
    snapshot = urlid.Snapshot(given["text"])
    return {"line": str(snapshot), "unicode": snapshot.as_dict()["unicode"]}


def with_rules(given: Values) -> Values:
    return given | {"rules": urlid.Rules(given["rules"])} if "rules" in given else given


def rules(given: Values) -> Values:
    read = urlid.Rules(given["text"])
    return {"name": read.name, "sha256": read.sha256, "canonical": str(read)}


def no_vary_search(given: Values) -> Values:
    field = urlid.NoVarySearch(given.get("field", ""), browsers=given.get("syntax") == "browsers")
    return {"equivalent": field.equivalent(given["a"], given["b"]), "field": str(field), "form": field.form}


def split(given: Values) -> Values:
    parts = [part or None for part in urlid.split(**given)]
    return dict(zip(("sub", "domain", "tld"), parts, strict=True)) | {"registered_domain": urlid.registered_domain(**given)}


def function(given: Values) -> Values:
    arguments = [bytes.fromhex(value["hex"]) if isinstance(value, dict) else value for value in given["arguments"]]
    result = urlid.Function(given["name"])(*arguments)
    return {"result": {"hex": result.hex()} if isinstance(result, bytes) else result}


OPS: dict[str, Callable[[Values], Values]] = {
    "theory.valid": theory_valid,
    "theory.upto": theory_upto,
    "theory.goto": theory_goto,
    "theory.goto_nonstrict": theory_goto_nonstrict,
    "theory.parse": theory_parse,
    "web.parse": web_parse,
    "resolve": lambda given: {"target": urlid.resolve(**given)},
    "generic.normalise": lambda given: {"normal": urlid.normalise(given["uri"])},
    "generic.remove_dot_segments": lambda given: {"path": urlid.remove_dot_segments(given["path"])},
    "canon": lambda given: {"canonical": urlid.canon(**with_rules(given))},
    "no_vary_search": no_vary_search,
    "rules": rules,
    "split": split,
    "detect": lambda given: {"formats": urlid.detect(given["text"])},
    "urlhash": url_hash,
    "urlhash.crate": url_hash_crate,
    "hashed.make": hashed_make,
    "hashed.parse": hashed_parse,
    "hashed.match": hashed_match,
    "sxurl.encode": sxurl_encode,
    "sxurl.decode": sxurl_decode,
    "sxurl.slice": sxurl_slice,
    "sxurl.field": sxurl_field,
    "sxurl.layout": sxurl_layout,
    "sxurl.match": sxurl_match,
    "sxurl.crate": sxurl_crate,
    "snapshot.parse": snapshot_parse,
    "explain": lambda given: urlid.explain(given["text"]),
    "diff": lambda given: urlid.diff(given["a"], given["b"], given.get("form", "web"), rules=with_rules(given).get("rules")),
    "function": function,
}
"""Every operation that is not composed of other operations, by name."""


def _attributes(value: object, names: str) -> Values:
    return {name: getattr(value, name) for name in names.split()}


def _pairs(tokens: list[list[str]]) -> list[tuple[str, str]]:
    return [(kind, text) for kind, text in tokens]


def _reference(tokens: list[list[str]]) -> urlid.Reference:
    """Returns a reference that is read as the tokens, in the first context that has one."""
    for context in CONTEXTS[:-1]:
        try:
            return urlid.Reference.from_tokens(_pairs(tokens), context)
        except urlid.UrlidError:
            continue
    return urlid.Reference.from_tokens(_pairs(tokens), CONTEXTS[-1])


def _target(url: urlid.Reference) -> Values:
    return {"url": url.tokens, "text": str(url), "valid": url.is_valid}


def main(paths: list[str]) -> int:
    """Runs files and prints the failed vectors, then the totals. Returns 1 if a vector failed, 2 without files, 4 if a file cannot
    be read."""
    if not paths:
        print("usage: python -m urlid.vectors FILE…", file=sys.stderr)
        return 2
    texts, unread = {}, False
    for path in paths:
        try:
            texts[path] = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            print(f"{path}: cannot read: {error.strerror if isinstance(error, OSError) else error}", file=sys.stderr)
            unread = True
    results = {path: run(text) for path, text in texts.items()}
    failures = [(path, *failure) for path, (_, failures) in results.items() for failure in failures]
    for path, name, reason in failures:
        print(f"{path}: failed: {name}: {reason}")
    print(f"{sum(passed for passed, _ in results.values())} passed, {len(failures)} failed")
    return 4 if unread else 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
