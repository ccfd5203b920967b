"""The cost of the functions of SQL in DuckDB, by the extension and by the wheel, compared with DuckDB's own functions and with the
Arrow kernel in the same process.

Usage: python dev/bench/duckdb_extension.py EXTENSION URLS [RECORD], where URLS is a file with one URL on each line, optionally
compressed by zstd. The Python has duckdb, pyarrow and the wheel, from the same source as the extension. All run in turn over one
table. The figure is the least CPU time of a row in any round, without the scan, which is the time of a query that reads the column
and changes nothing. The extension netquack is not compared, because no registry of packages has it.
"""

import datetime
import json
import pathlib
import sys
import time

import duckdb
import pyarrow
from tables import machine

import urlid.arrow
import urlid.duckdb

ROUNDS = 20
SCAN = "encode(url)"
CALLS = [
    "urlid_sxurl(url)",
    "urlid_slice(urlid_sxurl(url), 'domain')",
    "urlid_host(url)",
    "urlid_registered_domain(url)",
    "urlid_tld(url)",
    "urlid_part(url, 'query')",
    "urlid_canon(url, 'web')",
]
# The calls that the extension computes in half of the time.
TWICE = CALLS[1:4]
# What is nearest among DuckDB's own functions, and does less: neither a parse nor a list of suffixes.
OWN = {
    "urlid_host(url)": "regexp_extract(url, '^https?://([^/?#:]+)', 1)",
    "urlid_registered_domain(url)": "regexp_extract(url, '([^./]+\\.[^./:?#]+)(:[0-9]+)?([/?#]|$)', 1)",
    "urlid_part(url, 'query')": "regexp_extract(url, '\\?([^#]*)', 1)",
}


def connection(urls, extension=None):
    con = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": 1})
    con.execute(f"LOAD '{extension}'") if extension else urlid.duckdb.register(con)
    con.register("arrow", pyarrow.table({"url": urls}))
    con.execute("CREATE TABLE page AS SELECT * FROM arrow")
    return con


def main(extension, path, record=None):
    compression = "zstd" if path.endswith(".zst") else None
    urls = pyarrow.array(pyarrow.input_stream(path, compression=compression).read().decode().splitlines())
    hosts = {"extension": connection(urls, extension), "wheel": connection(urls)}
    works = {("kernel", None): lambda: urlid.arrow.ids(urls, ["sxurl"])}
    for host, con in hosts.items():
        own = OWN.values() if host == "extension" else []
        for call in [SCAN, *CALLS, *own]:
            sql = f"SELECT count({call}) FROM page"
            works[host, call] = lambda con=con, sql=sql: con.execute(sql).fetchall()
    best = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for name, work in works.items():
            start = time.thread_time_ns()
            work()
            best[name] = min(best[name], (time.thread_time_ns() - start) / len(urls))
    cost = {(host, call): best[host, call] - best[host, SCAN] for host, call in works if call not in (SCAN, None)}
    facts = [{"what": "kernel of the wheel, SXURL", "value": round(best["kernel", None], 1), "unit": "ns"}]
    facts += [{"what": f"{host}, {call}".replace("extension, regexp", "DuckDB, regexp"), "value": round(value, 1), "unit": "ns"} for (host, call), value in cost.items()]
    reached = round(best["kernel", None] / cost["extension", CALLS[0]], 2)
    targets = [{"what": "SXURL, kernel by extension", "must": {"AtLeast": 0.8}, "reached": reached}]
    for call in TWICE:
        by = round(cost["wheel", call] / cost["extension", call], 2)
        targets.append({"what": f"{call}, wheel by extension", "must": {"AtLeast": 2.0}, "reached": by})
    for call, own in OWN.items():
        by = round(cost["extension", own] / cost["extension", call], 2)
        targets.append({"what": f"{call}, DuckDB's regexp_extract by extension", "must": {"AtLeast": 1.0}, "reached": by})
    for line in facts + targets:
        print(line)
    if record:
        date = datetime.date.today().isoformat()
        rows = f"{len(urls)} rows of {pathlib.Path(path).name}, DuckDB {duckdb.__version__}, one thread"
        whole = {"verb": "duckdb_extension.py", "date": date, "machine": machine(), "input": rows, "facts": facts, "targets": targets}
        pathlib.Path(record).write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
