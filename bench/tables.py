"""The speed of `urlid … --column` beside that of DuckDB's COPY of the same table to the same format and codec, on two threads.

Usage: python bench/tables.py PROGRAM URLS ROWS [RECORD], where URLS is a file with a URL a line; needs duckdb from PyPI.
A ratio is the median time of COPY divided by that of urlid, in turns within one run.
"""

import datetime
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import duckdb

ROUNDS = 5


def timed(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


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
        con.execute(f"COPY t TO '{folder}/in.parquet' (FORMAT parquet, COMPRESSION zstd)")
        ratios = {}
        for name, copy in {
            "csv": f"COPY ({flat} '{folder}/in.csv') TO '{folder}/copy.csv' (HEADER)",
            "parquet": f"COPY (FROM '{folder}/in.parquet') TO '{folder}/copy.parquet' (FORMAT parquet, COMPRESSION zstd)",
        }.items():
            for verb in (["id"], ["parts"], ["canon", "--as", "web"], ["split"]):
                command = [program, *verb, "--column", "url", "--on-refused", "report", "--quiet"]
                command += [f"{folder}/in.{name}", "--out", f"{folder}/out.{name}"]
                times = [
                    (timed(lambda: con.execute(copy)), timed(lambda: subprocess.run(command, check=True)))
                    for _ in range(ROUNDS)
                ]
                theirs, ours = (statistics.median(side) for side in zip(*times))
                ratios[f"{' '.join(verb)}, {name}"] = round(theirs / ours, 2)
                print(f"{' '.join(verb)}, {name}: COPY {theirs:.2f} s, urlid {ours:.2f} s, {theirs / ours:.2f} times as fast")
        if record:
            facts = {
                "what": "tables with new columns, against DuckDB's COPY of the same table",
                "date": datetime.date.today().isoformat(),
                "rows": rows,
                "duckdb": duckdb.__version__,
                "threads": 2,
                "times as fast": ratios,
            }
            pathlib.Path(record).write_text(json.dumps(facts, indent=2) + "\n")


main(*sys.argv[1:])
