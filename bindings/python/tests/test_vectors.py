"""Every vector file through the Python surface."""

import json
import subprocess
import sys

import pytest
from conftest import ROOT

import urlid.vectors

FILES = sorted((ROOT / "vectors").glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_vector_passes(path):
    text = path.read_text(encoding="utf-8")
    report = urlid.vectors.run(text)
    assert report.failures == []
    assert len(report.passed) == len(json.loads(text)["vectors"]) > 0


def test_the_program_ends_with_the_totals():
    program = [sys.executable, "-m", "urlid.vectors"]
    done = subprocess.run([*program, *map(str, FILES)], capture_output=True, text=True, check=False, timeout=300)
    total = sum(len(json.loads(path.read_text(encoding="utf-8"))["vectors"]) for path in FILES)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, f"{total} passed, 0 failed")
    assert subprocess.run(program, capture_output=True, check=False, timeout=300).returncode == 2


@pytest.mark.parametrize(
    "vector",
    [
        {},
        {"id": "a", "op": "no.such", "input": {}, "expect": {}},
        {"id": "a", "op": "urlhash", "input": {"url": "http://h"}},
        {"id": "a", "op": "urlhash", "input": {"url": "http://h"}, "expect": {}},
        {"id": "a", "op": "urlhash", "input": {"url": "http://h"}, "expect": {"hex": "00"}},
        {"id": "a", "op": "urlhash", "input": {"url": "http://h"}, "expect": {"no such": 1}},
        {"id": "a", "op": "urlhash", "input": {"url": "http://h"}, "error": "ERR_URL_PARSE"},
        {"id": "a", "op": "urlhash", "input": {"url": "h"}, "error": "ERR_PORT"},
        {"id": "a", "op": "urlhash", "input": {"url": "http://h", "base": "b"}, "expect": {"canonical": "http://h/"}},
        {"id": "a", "op": "urlhash", "input": {"url": 1}, "error": "ERR_URL_PARSE"},
        {"id": "a", "op": "sxurl.decode", "input": {"id": "1" * 64}, "expect": {"version": True}},
    ],
)
def test_what_cannot_be_checked_or_is_wrong_fails(vector):
    report = urlid.vectors.run(json.dumps({"format": 1, "vectors": [vector]}))
    assert (len(report.passed), len(report.failures)) == (0, 1)


def test_no_mistake_in_a_file_ends_in_no_failure():
    for text in ("", "[]", '{"format": 2, "vectors": []}', '{"format": 1}'):
        assert len(urlid.vectors.run(text).failures) == 1
    twice = {"id": "a", "op": "urlhash", "input": {"url": "http://h"}, "expect": {"canonical": "http://h/"}}
    report = urlid.vectors.run(json.dumps({"format": 1, "vectors": [twice, twice]}))
    assert (len(report.passed), len(report.failures)) == (1, 1)
