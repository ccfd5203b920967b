"""`urlid` compared with cdxj-indexer and FastWARC: the same gzip WARC file, one core, in turns. The least CPU time of each counts.

The index of FastWARC is JSON in the order of the archive, without a SURT key. Its reader is C++ that Python calls for each record.

    cargo xtask oracles && cargo build --release --package urlid-cli
    ~/.cache/urlid/oracles/archives/bin/pip install fastwarc==2.0.1
    ~/.cache/urlid/oracles/archives/bin/python dev/bench/archives.py target/release/urlid samples/debian_homepages.txt

Prints the record. Needs Linux (`taskset`).
"""

import datetime
import io
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

RECORDS = 20_000
BODY_WORDS = 330
ROUNDS = 5
FASTWARC = f"fastwarc {version('fastwarc')}"
CDXJ_INDEXER = f"cdxj-indexer {version('cdxj-indexer')} --sort"
FIELDS = "offset,length,filename,warc-target-uri,warc-date,warc-payload-digest,http:status,http:content-type"
# All records are decompressed, and the URLs of responses printed.
READ = """
import sys
from fastwarc.warc import ArchiveIterator, WarcRecordType
with open(sys.argv[1], "rb") as file:
    for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=False):
        print(record.headers["WARC-Target-URI"])
"""


def make(path: Path, urls: list[str]) -> None:
    """Pages of about 2 KB, a gzip member each."""
    rng = random.Random(1)
    words = [bytes(rng.choices(b"abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 10))) for _ in range(3000)]
    with path.open("wb") as out:
        writer = WARCWriter(out, gzip=True)
        for number in range(RECORDS):
            body = b" ".join(rng.choices(words, k=BODY_WORDS))
            headers = [("Content-Type", "text/html; charset=utf-8"), ("Server", "nginx"), ("Cache-Control", "max-age=3600")]
            http = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1")
            record = writer.create_warc_record(urls[number % len(urls)], "response", payload=io.BytesIO(body), length=len(body),
                                               http_headers=http, warc_headers_dict={"WARC-Date": "2026-01-02T03:04:05Z"})
            writer.write_record(record)


def cpu_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["taskset", "-c", "0", *command], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    cpu = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    name = f"{cpu['model name']} family {cpu['cpu family']} model {cpu['model']}"
    return f"{name}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}"


def main() -> None:
    program, list_of_urls = sys.argv[1:]
    urls = [url for url in Path(list_of_urls).read_text().splitlines() if url.startswith("http")]
    with tempfile.TemporaryDirectory(dir=".") as folder:
        warc, ours, theirs = (Path(folder) / name for name in ("pages.warc.gz", "ours.cdxj", "theirs.cdxj"))
        make(warc, urls)
        bin_folder = Path(sys.executable).parent
        commands = {
            "urlid cdx make": [program, "cdx", "make", str(warc), "--replace", "-o", str(ours)],
            CDXJ_INDEXER: [str(bin_folder / "cdxj-indexer"), "--sort", str(warc), "-o", str(theirs)],
            f"{FASTWARC} index": [str(bin_folder / "fastwarc"), "index", "-f", FIELDS, str(warc), "-o", f"{folder}/fast.json"],
            "urlid canon, the URLs": [program, "canon", str(warc), "-o", f"{folder}/urls.txt"],
            f"{FASTWARC}, the URLs in Python": [sys.executable, "-c", READ, str(warc)],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                times[name].append(cpu_seconds(command))
        assert ours.read_bytes() == theirs.read_bytes(), "the indexes differ"
        micros = {name: min(rounds) / RECORDS * 1e6 for name, rounds in times.items()}
        index, indexer, fast_index, read, fast_read = micros.values()
        record = {
            "verb": "archives.py",
            "date": datetime.date.today().isoformat(),
            "machine": machine(),
            "input": f"{RECORDS} responses, {warc.stat().st_size} bytes stored, a gzip member each",
            "facts": [{"what": name, "value": round(value, 2), "unit": "µs of CPU a record"} for name, value in micros.items()],
            "targets": [
                {"what": what, "must": {"AtLeast": must}, "reached": round(peer / own, 2)}
                for what, must, peer, own in (
                    ("index, times as fast as cdxj-indexer", 10.0, indexer, index),
                    ("index, times as fast as FastWARC", 1.0, fast_index, index),
                    ("read, times as fast as FastWARC", 1.0, fast_read, read),
                )
            ],
        }
        print(json.dumps(record, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
