"""One vector: its operation is run and what comes out is compared with what is expected."""

import json
from typing import Any

from urlid._error import UrlidError
from urlid.vectors.ops import OPS, Malformed
from urlid.vectors.report import Report

INFORMATIVE = {"alt_keep_last_empty", "note", "printed"}
"""Keys of `expect` that inform the reader and are not compared."""


def run(text: str) -> Report:
    """Runs every vector of a file, given as its text. A text that is no such file gives one failure."""
    report = Report()
    try:
        file = json.loads(text)
        if not isinstance(file, dict) or file.get("format") != 1 or not isinstance(file.get("vectors"), list):
            raise ValueError("not a file of vectors: expected format 1 and a list `vectors`")
    except ValueError as error:
        report.record("file", str(error))
        return report
    for vector in file["vectors"]:
        name = vector.get("id") if isinstance(vector, dict) else None
        report.record(name or "", check(vector) if isinstance(name, str) and name else "vector has no id")
    return report


def check(vector: dict[str, Any]) -> str | None:
    """Returns the reason of a failure in one line, or nothing."""
    op = OPS.get(vector.get("op", ""))
    if op is None:
        return f"op `{vector.get('op')}` is not known"
    given = vector.get("input")
    if not isinstance(given, dict):
        return "vector has no input"
    for key in given:
        if key not in op.inputs:
            return f"op `{vector['op']}` does not read the input `{key}`"
    if ("expect" in vector) == ("error" in vector):
        return "vector has both or neither of `expect` and `error`"
    try:
        found = op.run(given)
    except Malformed as fault:
        return str(fault)
    except UrlidError as error:
        if vector.get("error") == error.code:
            return None
        return f"refused with {error.code}, expected {vector.get('error', 'values')}"
    if "error" in vector:
        return f"gave {found}, expected {vector['error']}"
    return compare(found, vector["expect"])


def compare(found: dict[str, Any], expected: Any) -> str | None:
    """Compares every expected value; at least one must be there."""
    if not isinstance(expected, dict):
        return f"`expect` is {expected!r}, expected an object"
    keys = [key for key in expected if key not in INFORMATIVE]
    if not keys:
        return "`expect` has nothing to compare"
    for key in keys:
        if key not in found:
            return f"`{key}` is not among the results of this op"
        # Through JSON, so that a tuple is a list and True is not 1.
        if json.dumps(found[key], sort_keys=True) != json.dumps(expected[key], sort_keys=True):
            return f"`{key}` is {found[key]!r}, expected {expected[key]!r}"
    return None
