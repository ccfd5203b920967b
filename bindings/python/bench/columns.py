"""Measures the Arrow kernels against the Rust batch encoder and against the plain-Python way, in one run on one core.

`python bench/columns.py [--corpus FILE] [--rust PROGRAM] [--json RECORD]`

Every variant goes over the same pieces of the corpus, in turns; of each piece the best round counts, and their sum is the figure
(the estimator of the repository's bench, which a busy machine hardly moves). Ratios are of figures of one run. The Rust encoder is
measured by `bench encoder` of the repository over the same bytes.
"""

import argparse
import hashlib
import json
import os
import platform
import subprocess
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import tldextract
from machine import machine

import urlid
import urlid.arrow

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PIECE = 2000
SMALL_PIECE = 50
"""For what needs microseconds a URL: short enough to pass between two other programs' turns on a busy core."""


def corpus(path: Path) -> list[str]:
    """Returns the lines of a corpus, compressed or not."""
    compression = {".zst": "zstd", ".gz": "gzip"}.get(path.suffix)
    return pa.input_stream(str(path), compression=compression).read().decode().splitlines()


EXTRACT = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


def plain_python(urls: list[str]) -> list[bytes | None]:
    """SXURL the way that one writes it with urllib, hashlib and tldextract: the same slices for plain URLs."""
    ids = []
    for url in urls:
        try:
            parts = urllib.parse.urlsplit(url)
            host, port = parts.hostname, parts.port
            if parts.scheme not in ("http", "https", "ftp") or not host:
                raise ValueError(url)
            split = EXTRACT.extract_str(host.encode("idna").decode())
        except (ValueError, UnicodeError):
            ids.append(None)
            continue
        header = 0x100 | ("https", "http", "ftp").index(parts.scheme) << 5
        header |= bool(split.subdomain) << 4 | bool(parts.query) << 3 | bool(parts.fragment) << 2 | (port is not None) << 1

        def slice_(label: str, value: str, digits: int) -> str:
            return hashlib.sha256(f"{label}\0{value}".encode()).hexdigest()[-digits:]

        digits = (
            f"{header:03x}{slice_('tld', split.suffix, 4)}{slice_('domain', split.domain, 15)}"
            f"{slice_('sub', split.subdomain, 8)}{port or 0:04x}{slice_('path', parts.path or '/', 15)}"
            f"{slice_('params', parts.query, 9)}{slice_('frag', parts.fragment, 6)}"
        )
        ids.append(bytes.fromhex(digits))
    return ids


def cut(urls: list[str], size: int) -> list[list[str]]:
    """Cuts a list into pieces."""
    return [urls[first : first + size] for first in range(0, len(urls), size)]


def variants(urls: list[str]) -> dict[str, tuple[list, Callable]]:
    """Returns what is measured: the pieces as each variant takes them, and the call."""
    columns = [pa.array(piece) for piece in cut(urls, PIECE)]
    lists = cut(urls, SMALL_PIECE)
    return {
        "ids sxurl": (columns, lambda column: urlid.arrow.ids(column, ["sxurl"])),
        "ids url-hash": (columns, lambda column: urlid.arrow.ids(column, ["url-hash"])),
        "slices": (columns, urlid.arrow.slices),
        "canon web": (columns, lambda column: urlid.arrow.canon(column, "web")),
        "parts": (columns, urlid.arrow.parts),
        "matches": (columns, lambda column: urlid.arrow.matches(column, urlid.Question(domain="google", tld="com"))),
        "scalar sxurl": (lists, lambda urls: [scalar(url) for url in urls]),
        "plain Python": (lists, plain_python),
    }


def scalar(url: str) -> bytes | None:
    """One URL at a time, through the scalar function."""
    try:
        return bytes(urlid.Sxurl.encode(url))
    except urlid.UrlidError:
        return None


def measure(urls: list[str], rounds: int) -> dict[str, float]:
    """Returns nanoseconds a URL for each variant."""
    table = variants(urls)
    best = {name: [float("inf")] * len(pieces) for name, (pieces, _) in table.items()}
    for round_ in range(rounds):
        for name, (pieces, call) in table.items():
            if name in ("plain Python", "scalar sxurl") and round_ >= 2:
                continue  # a slow variant needs no many rounds
            for index, piece in enumerate(pieces):
                start = time.perf_counter_ns()
                call(piece)
                best[name][index] = min(best[name][index], time.perf_counter_ns() - start)
    return {name: sum(times) / len(urls) for name, times in best.items()}


def rust(program: str, urls: list[str], rounds: int) -> dict[str, float]:
    """Returns what the Rust encoder needs for the same pieces."""
    done = subprocess.run(
        [program, "encoder", str(PIECE), str(rounds)], input="\n".join(urls) + "\n", capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def main() -> None:
    """Prints the figures; with --json, also writes them to a file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=ROOT / "samples" / "debian_homepages.txt")
    parser.add_argument("--rust", help="the program `bench`, built with `cargo build --profile bench --package bench`")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path, help="where the record goes")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    pa.set_cpu_count(1)

    urls = corpus(options.corpus)
    ids = urlid.arrow.ids(pa.array(urls))["sxurl"].to_pyarrow().to_pylist()
    same = sum(plain == id_ for plain, id_ in zip(plain_python(urls), ids, strict=True))
    figures = {}
    for _ in range(3):  # in turns, so that a busy minute hits both
        for name, ns in measure(urls, options.rounds).items():
            figures[name] = min(ns, figures.get(name, ns))
        for name, ns in (rust(options.rust, urls, options.rounds) if options.rust else {}).items():
            figures[name] = min(ns, figures.get(name, ns))
    record = {
        "what": "python columns",
        **machine(),
        "corpus": options.corpus.name,
        "urls": len(urls),
        "bytes per url": round(sum(len(url.encode()) for url in urls) / len(urls), 1),
        "python": platform.python_version(),
        "urlid": urlid.__version__,
        "ns per url": {name: round(ns, 1) for name, ns in figures.items()},
        "ratios": {
            "ids sxurl against plain Python": round(figures["plain Python"] / figures["ids sxurl"], 1),
            "plain Python ids that are right": round(same / len(urls), 4),
        },
    }
    if options.rust:
        for kernel, kind in (("ids sxurl", "sxurl"), ("ids url-hash", "url-hash"), ("slices", "sxurl")):
            ratio = figures[f"rust encoder {kind}"] / figures[kernel]
            record["ratios"][f"{kernel}, share of the Rust encoder's speed"] = round(ratio, 2)
    print(json.dumps(record, indent=2))
    if options.json:
        options.json.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
