"""Compares the functions of SQL in all hosts: `python dev/conformance/hosts [--built] [URLS]`.

Every host runs `vectors/functions.json`, then each function on each line of a file of URLs, then the questions of docs/sql.md. Its
answers must equal the answers of the first host. With `--built`, nothing is built or tested before.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TextIO

from hosts import HOSTS, ROOT
from vectors import VECTORS

CRAWL = ROOT.parent / "shared/corpus/mixed_100k.txt.zst"
SAMPLE = ROOT / "samples/debian_homepages.txt"
SXURL = ["urlid_sxurl", None]
# Null is the URL.
CALLS = [
    SXURL,
    ["urlid_url_hash", None],
    ["urlid_hashed", None, "sha1", "n"],
    ["urlid_match", ["urlid_hashed", None, "sha1", "n"], None],
    ["urlid_slice", SXURL, "domain"],
    ["urlid_probe", "domain", ["urlid_part", None, "domain"]],
    ["urlid_decode", SXURL, "port"],
    ["urlid_canon", None, "web"],
    ["urlid_host", None],
    ["urlid_tld", None],
    ["urlid_registered_domain", None],
    ["urlid_sub", None],
    ["urlid_part", None, "path"],
    ["urlid_query_param", None, "id"],
]
# A function that is not above is called as in its first vector.
for vector in VECTORS:
    name, arguments = vector["input"]["name"], vector["input"]["arguments"]
    if name not in (call[0] for call in CALLS):
        CALLS.append([name, None, *arguments[1:]])
BOOLEAN = next(column for column, call in enumerate(CALLS) if call[0] == "urlid_match")
COSTS = [SXURL, ["urlid_slice", SXURL, "domain"], ["urlid_host", None], ["urlid_registered_domain", None], ["urlid_canon", None, "web"]]


class Difference(Exception):
    """A host gave a different answer from the first host, or from the vectors."""


def questions() -> list[str]:
    """Returns the statements of docs/sql.md that every dialect of SQL accepts."""
    section = (ROOT / "docs/sql.md").read_text(encoding="utf-8").split("\n## Three questions\n")[1].split("\n## ")[0]
    return [block.split("```")[0].strip().rstrip(";") for block in section.split("```sql\n")[1:]]


def urls_of(path: Path) -> list[str]:
    """Returns the lines that every host can store: UTF-8 without NUL."""
    data = path.read_bytes()
    if path.suffix == ".zst":
        data = subprocess.run(["zstd", "-dc", path], stdout=subprocess.PIPE, check=True).stdout
    lines = data.split(b"\n")
    texts = [line.decode("utf-8", "replace") for line in lines if line and b"\0" not in line]
    return [text for text in texts if "\ufffd" not in text]


def check_vector(vector: dict, answer: dict) -> None:
    if "error" in vector:
        found = answer.get("error")
        # Python's sqlite3 and DuckDB report that a function of Python failed, but not its code.
        if found is None or ("ERR_" in found and vector["error"] not in found):
            raise Difference(f"{vector['id']}: expected {vector['error']}, found {answer}")
        return
    expected, found = vector["expect"]["result"], answer.get("value")
    if "error" in answer or (bool(found) if isinstance(expected, bool) else found) != expected:
        raise Difference(f"{vector['id']}: expected {expected!r}, found {answer}")


def answers(output: TextIO, urls: list[str], first: list[str], asked: list[object]) -> tuple[str, list[float]]:
    """Reads the answers of a host, compares them with the first's, and returns their digest and the costs."""
    for vector in VECTORS:
        check_vector(vector, json.loads(next(output)))
    digest = hashlib.sha256()
    for line, url in enumerate(urls):
        row = json.loads(next(output))
        # Databases without booleans have numbers.
        row[BOOLEAN] = None if row[BOOLEAN] is None else bool(row[BOOLEAN])
        text = json.dumps(row)
        if len(first) <= line:
            first.append(text)
        elif first[line] != text:
            raise Difference(f"line {line + 1}, {url!r}: expected {first[line]}, found {text}")
        digest.update(text.encode() + b"\n")
    end = json.loads(next(output))
    for question, rows in enumerate(end["questions"]):
        asked[question] = asked[question] or rows
        if rows is not None and rows != asked[question]:
            raise Difference(f"question {question + 1}: expected {asked[question]}, found {rows}")
    return digest.hexdigest(), end["costs"]


def main() -> int:
    arguments = sys.argv[1:]
    is_built = "--built" in arguments
    named = [Path(argument) for argument in arguments if argument != "--built"]
    urls = urls_of(named[0] if named else CRAWL if CRAWL.exists() else SAMPLE)
    if not is_built:
        for command in {tuple(host.prepare): None for host in HOSTS}:
            subprocess.run(command, cwd=ROOT, check=True)
    first, differ, statements = [], 0, questions()
    asked: list[object] = [None] * len(statements)
    names = [call[0].removeprefix("urlid_") for call in COSTS]
    counts = f"{len(VECTORS)} vectors, {len(urls)} URLs, {len(CALLS)} calls, {len(statements)} questions"
    print(f"{counts}; ns a row of {', '.join(names)}")
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".json") as file:
        json.dump(urls, file)
        file.flush()
        job = json.dumps({"vectors": [vector["input"] for vector in VECTORS], "urls": file.name, "calls": CALLS, "questions": statements, "costs": COSTS})
        for host in HOSTS:
            with subprocess.Popen(host.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
                program.stdin.write(job)
                program.stdin.close()
                try:
                    digest, costs = answers(program.stdout, urls, first, asked)
                    print(f"{host.name:20} {digest[:16]}  {' '.join(f'{cost:6.0f}' for cost in costs)}", flush=True)
                except (Difference, StopIteration) as error:
                    differ += 1
                    print(f"{host.name:20} differs: {error or 'its program ended'}", flush=True)
                    program.kill()
    return differ > 0


if __name__ == "__main__":
    sys.exit(main())
