"""Every vector file through the Python surface. How vectors are read and compared is tested where it is written, in Rust."""

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
    assert urlid.vectors.run(text) == (len(json.loads(text)["vectors"]), [])


def test_the_program_ends_with_the_totals():
    program = [sys.executable, "-m", "urlid.vectors"]
    done = subprocess.run([*program, *map(str, FILES)], capture_output=True, text=True, check=False, timeout=300)
    total = sum(len(json.loads(path.read_text(encoding="utf-8"))["vectors"]) for path in FILES)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, f"{total} passed, 0 failed")
    assert subprocess.run(program, capture_output=True, check=False, timeout=300).returncode == 2


def test_a_file_that_cannot_be_read_is_reported_and_the_others_are_run(tmp_path):
    (tmp_path / "no-utf-8").write_bytes(b"\xff")
    (tmp_path / "empty").write_text('{"format": 1, "vectors": []}')
    program = [sys.executable, "-m", "urlid.vectors"]
    files = [str(tmp_path / name) for name in ("none", ".", "no-utf-8", "empty")]
    done = subprocess.run([*program, *files], capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stdout) == (4, "0 passed, 0 failed\n")
    assert [line.split(": ")[:2] for line in done.stderr.splitlines()] == [[file, "cannot read"] for file in files[:3]]


@pytest.mark.parametrize(
    ("vector", "reason"),
    [
        ({"op": "no.such", "input": {}, "expect": {}}, "op `no.such` is unknown"),
        ({"input": {"url": "http://h"}, "expect": {"hex": "00"}}, "`hex` is "),
        ({"input": {"url": "http://h"}, "error": "ERR_URL_PARSE"}, "gave {"),
        ({"input": {"url": "h"}, "error": "ERR_PORT"}, 'rejected with ERR_URL_PARSE, expected "ERR_PORT"'),
        ({"input": {"url": 1}, "error": "ERR_URL_PARSE"}, "TypeError: "),
        ({"input": {}, "error": "ERR_URL_PARSE"}, "KeyError: 'url'"),
    ],
)
def test_invalid_and_wrong_vectors_fail(vector, reason):
    file = {"format": 1, "vectors": [{"id": "a", "op": "urlhash"} | vector]}
    passed, [(name, found)] = urlid.vectors.run(json.dumps(file))
    assert (passed, name) == (0, "a") and found.startswith(reason)


def test_no_value_comes_from_the_library_instead_of_python(monkeypatch):
    def reject(given):
        raise urlid.UrlidError("ERR_REJECTING", "rejected")

    monkeypatch.setattr(urlid.vectors, "OPS", dict.fromkeys(urlid.vectors.OPS, reject))
    text = (ROOT / "vectors" / "public.json").read_text(encoding="utf-8")
    passed, _ = urlid.vectors.run(text)
    # If a rejection is a result, it can be the expected one.
    assert passed == sum(vector.get("expect", {}).get("valid") is False for vector in json.loads(text)["vectors"])
