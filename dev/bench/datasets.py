"""Datasets and the index file: building, sizes and questions of the same lines, by CPU time and by the clock.

    cargo build --release --package urlid-cli --package urlid-generators --example recombine --bin urlid
    python dev/bench/datasets.py target/release crawl_50k.txt [ROWS] [--mixed mixed_100k.txt] [--cores 1,2,4,8,16] [--record FILE]
        [--rehearsal]

`recombine` makes the lines from the lines of the first file, and they are distinct. Everything is read from the page cache. The
times include the start of the program, which is a separate fact; the targets for one host and one URL do not include it. Builds,
and questions to the dataset that read many rows, run on each number of cores of `--cores`. Prints the record. Needs Linux
(`taskset`). `--rehearsal` builds and asks only the dataset, for sizes at which an index file is too slow.
"""

import argparse
import datetime
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path


class Bench:
    """The program, and the results."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.program, self.folder = program, folder
        self.facts: list[dict[str, object]] = []
        self.targets: list[dict[str, object]] = []

    def start(self) -> float:
        """Returns the CPU seconds of the program without work."""
        usual = [resource_of([str(self.program / "urlid"), "--version"]) for _ in range(20)]
        self.fact("start of the program, CPU", min(usual) * 1e3, "ms")
        return min(usual)

    def run(self, *args: object, cores: int = 2, out: Path | None = None) -> tuple[float, float, str, int]:
        """Returns CPU seconds, wall seconds, the output, and the maximum memory in KiB."""
        command = ["taskset", "-c", ",".join(str(core) for core in range(cores)), str(self.program / "urlid")]
        command += [str(arg) for arg in args]
        start = time.monotonic()
        with open(out or os.devnull, "wb") as sink:
            child = subprocess.Popen(command, stdout=sink if out else subprocess.PIPE, stderr=subprocess.DEVNULL, text=not out)
            text = "" if out else child.stdout.read()  # type: ignore[union-attr]
            _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        # 1 is an answer without rows, 3 a rejected line.
        if child.returncode not in (0, 1, 3):
            sys.exit(f"{command}: exit code {child.returncode}")
        return usage.ru_utime + usage.ru_stime, wall, text, usage.ru_maxrss

    def fact(self, what: str, value: float, unit: str) -> None:
        self.facts.append({"what": what, "value": round(value, 4), "unit": unit})
        print(f"{what}: {value:.4g} {unit}", file=sys.stderr, flush=True)

    def target(self, what: str, bound: str, number: float, reached: float) -> None:
        self.targets.append({"what": what, "must": {bound: number}, "reached": round(reached, 4)})

    def build(self, name: str, lines: Path, cores: int, *args: object) -> tuple[Path, dict[str, int], float]:
        """Builds a dataset and records rate, memory and size. Returns its path, its counts, and the rate in M lines/s."""
        path = self.folder / f"dataset-{cores}"
        shutil.rmtree(path, ignore_errors=True)
        cpu, wall, text, memory = self.run("index", "build", path, lines, "--format", "ndjson", *args, cores=cores)
        counts = json.loads(text)
        each = counts["lines"]
        self.fact(f"{name}: build on {cores} core{'s'[:cores != 1]}, CPU", cpu / each * 1e6, "µs a line")
        rate = each / wall / 1e6
        self.fact(f"{name}: build on {cores} core{'s'[:cores != 1]}, by the clock", rate, "M lines/s")
        self.fact(f"{name}: build on {cores} core{'s'[:cores != 1]}, memory", memory / 1024, "MiB")
        self.fact(f"{name}: dataset", counts["bytes"] / counts["rows"], "bytes a URL")
        return path, counts, rate

    def ask(self, name: str, *args: object, cores: int = 2) -> tuple[float, str]:
        """Asks three times, and records the least CPU time and the least wall time."""
        runs = [self.run("index", *args, cores=cores) for _ in range(3)]
        cpu, wall, text, _ = min(runs, key=lambda run: run[0])
        self.fact(f"{name}, CPU", cpu * 1e3, "ms")
        self.fact(f"{name}, by the clock", min(run[1] for run in runs) * 1e3, "ms")
        return cpu, text


def resource_of(command: list[str]) -> float:
    """Returns the CPU seconds of a program."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    cpu = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    name = f"{cpu['model name']} family {cpu['cpu family']} model {cpu['model']}"
    return f"{name}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("crawl", type=Path)
    parser.add_argument("rows", type=lambda text: int(text.replace("_", "")), nargs="?", default=5_000_000)
    parser.add_argument("--mixed", type=Path)
    parser.add_argument("--cores", type=lambda text: [int(count) for count in text.split(",")], default=[1, 2])
    parser.add_argument("--record", type=Path)
    parser.add_argument("--rehearsal", action="store_true")
    args = parser.parse_args()
    recombine = args.folder / "examples" / "recombine"
    with tempfile.TemporaryDirectory(dir=".") as temporary:
        folder = Path(temporary)
        bench = Bench(args.folder, folder)
        lines = folder / "lines"
        with args.crawl.open("rb") as source, lines.open("wb") as sink:
            subprocess.run([recombine, str(args.rows)], stdin=source, stdout=sink, check=True)
        # Otherwise the first measured sync would also write these lines.
        os.sync()
        bench.fact("lines", args.rows, "")
        bench.fact("mean length", lines.stat().st_size / args.rows - 1, "bytes")
        if args.mixed:
            bench.build("mixed", args.mixed, 2)
            bench.target("mixed, bytes a URL", "AtMost", 26, bench.facts[-1]["value"])  # type: ignore[arg-type]
        rates = {}
        for cores in args.cores if not args.rehearsal else args.cores[-1:]:
            dataset, counts, rates[cores] = bench.build("recombined", lines, cores)
        bench.target("recombined, bytes a URL", "AtMost", 20, counts["bytes"] / counts["rows"])
        if 2 in rates:
            bench.target("recombined, M lines/s on 2 cores", "AtLeast", 1.2, rates[2])
        if {1, 16} <= rates.keys():
            bench.target("recombined, times as fast on 16 cores", "AtLeast", 6, rates[16] / rates[1])
        assert counts["rows"] == args.rows, "lines repeat"
        questions(bench, dataset, lines, args.rows, args.cores)
        if not args.rehearsal:
            index_file(bench, lines)
        record = {
            "verb": "datasets.py",
            "date": datetime.date.today().isoformat(),
            "machine": machine(),
            "figures": [],
            "rows": [],
            "facts": bench.facts,
            "targets": bench.targets,
        }
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    print(text)
    if args.record:
        args.record.write_text(text)


def questions(bench: Bench, dataset: Path, lines: Path, rows: int, cores: list[int]) -> None:
    """Asks the dataset the questions for which docs/datasets.md promises times."""
    with lines.open() as source:
        urls = [line.rstrip("\n") for _, line in zip(range(100_000), source)]
    host = "docs.python.org" if any("//docs.python.org/" in url for url in urls) else urls[7].split("/")[2]
    start = bench.start()
    cpu, _ = bench.ask("dataset: one host", "find", dataset, "--host", host)
    bench.target("dataset: one host, ms of CPU", "AtMost", 20, (cpu - start) * 1e3)
    cpu, _ = bench.ask("dataset: one URL", "get", dataset, urls[1])
    bench.target("dataset: one URL, ms of CPU", "AtMost", 5, (cpu - start) * 1e3)
    for count in cores:
        cpu, found = bench.ask(f"dataset: count by a path prefix on {count}", "count", dataset, "--path-prefix", "/a", cores=count)
        if count == 2:
            bench.target("dataset: a path prefix, s of CPU for 30 M rows", "AtMost", 4, cpu / rows * 30e6)
        bench.ask(f"dataset: count by tld on {count}", "count", dataset, "--by", "tld", cores=count)
        bench.ask(f"dataset: verify on {count}", "verify", dataset, cores=count)
    bench.fact("dataset: count by a path prefix, rows found", int(found), "")
    asked = bench.folder / "asked"
    asked.write_text("".join(f"{url}\n" for url in random.Random(1).sample(urls, min(len(urls), 50_000))))
    cpu, found = bench.ask("dataset: match of 50,000 URLs", "match", dataset, asked, "--count")
    assert int(found) == min(len(urls), 50_000)


def index_file(bench: Bench, lines: Path) -> None:
    """Makes an index file of the same lines, and asks it."""
    index = bench.folder / "index.db"
    cpu, wall, _, _ = bench.run("index", "add", index, lines)
    bench.fact("index: add, CPU", cpu, "s")
    bench.fact("index: add, by the clock", wall, "s")
    bench.fact("index: size", index.stat().st_size, "bytes")
    bench.ask("index: verify", "verify", index)
    bench.ask("index: count by host", "count", index, "--by", "host")
    bench.ask("index: count by a path prefix", "count", index, "--path-prefix", "/a")
    bench.ask("index: show", "show", index)


if __name__ == "__main__":
    main()
