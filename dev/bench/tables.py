"""The speed of `urlid … --column` compared with DuckDB's COPY of the same table to the same format and codec, on two threads.

Usage: python dev/bench/tables.py PROGRAM URLS ROWS [RECORD], where URLS is a file with one URL on each line. Needs duckdb from
PyPI. A ratio is the least time of COPY divided by the least time of urlid, in turns within one run. The least CPU times next to it
depend less on other load of the machine. Neither waits for the disk. urlid writes to standard output, because a file of `--out` is
synced before it gets its name.
"""

import datetime
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import duckdb

ROUNDS = 5
LEAST = 0.5


def cpu():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def timed(work):
    start, before = time.perf_counter(), cpu()
    work()
    return time.perf_counter() - start, cpu() - before


def machine():
    facts = dict(line.split(":", 1) for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if ":" in line)
    cpu = {key.strip(): value.strip() for key, value in facts.items()}
    name = f"{cpu['model name']} family {cpu['cpu family']} model {cpu['model']}"
    return f"{name}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def run(command, out):
    with out.open("wb") as file:
        subprocess.run(command, stdout=file, check=True)


def main(program, urls, rows, record=None):
    rows = int(rows)
    lines = pathlib.Path(urls).read_text().splitlines()
    con = duckdb.connect()
    con.execute("SET threads = 2")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "urls").write_text("\n".join(lines[row % len(lines)] for row in range(rows)) + "\n")
        con.execute(
            f"""CREATE TABLE t AS SELECT row_number() OVER () AS id, url, 'title, of "page" ' || (id % 1000) AS title,
            TIMESTAMP '2026-01-01' + INTERVAL (id) SECOND AS fetched, [id % 7, id % 11] AS links
            FROM read_csv('{folder}/urls', header = false, names = ['url'], sep = '\t', quote = '', escape = '')"""
        )
        flat = "SELECT id, url, title, fetched FROM"
        con.execute(f"COPY ({flat} t) TO '{folder}/in.csv' (HEADER)")
        con.execute(f"COPY ({flat} t) TO '{folder}/in.ndjson' (FORMAT json)")
        con.execute(f"COPY t TO '{folder}/in.parquet' (FORMAT parquet, COMPRESSION zstd)")
        ratios = {}
        for name, copy in {
            "csv": f"COPY ({flat} '{folder}/in.csv') TO '{folder}/copy.csv' (HEADER)",
            "ndjson": f"COPY ({flat} read_ndjson('{folder}/in.ndjson')) TO '{folder}/copy.ndjson' (FORMAT json)",
            "parquet": f"COPY (FROM '{folder}/in.parquet') TO '{folder}/copy.parquet' (FORMAT parquet, COMPRESSION zstd)",
        }.items():
            for verb in (["id"], ["parts"], ["parts", "--of", "host"]):
                command = [program, *verb, "--column", "url", "--invalid", "ignore", "--quiet"]
                command += [f"{folder}/in.{name}"]
                out = folder / f"out.{name}"
                times = [(timed(lambda: con.execute(copy)), timed(lambda: run(command, out))) for _ in range(ROUNDS)]
                theirs, ours = ([min(kind) for kind in zip(*side)] for side in zip(*times))
                wall, cpus = (round(their / our, 2) for their, our in zip(theirs, ours))
                ratios[f"{' '.join(verb)}, {name}"] = wall, cpus
                print(f"{' '.join(verb)}, {name}: COPY {theirs[0]:.2f} s, urlid {ours[0]:.2f} s: {wall}, CPU {cpus}", flush=True)
        if record:
            targets = [
                {"what": f"{what}, against COPY", "must": {"AtLeast": LEAST}, "reached": ratio}
                for what, (ratio, _) in ratios.items()
            ]
            facts = {
                "verb": "tables.py",
                "date": datetime.date.today().isoformat(),
                "machine": machine(),
                "input": f"{rows} rows of real URLs, DuckDB {duckdb.__version__}, two threads",
                "facts": [
                    {"what": f"{what}, CPU of COPY by that of urlid", "value": ratio, "unit": ""}
                    for what, (_, ratio) in ratios.items()
                ],
                "targets": targets,
            }
            pathlib.Path(record).write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
