"""Measures what docs/scale.md takes to billions: rates, shuffle and storage of `urlid.spark` on two executors of this machine.

`python bench/spark_figures.py [--corpus FILE] [--rows N] [--jar FILE] [--json RECORD]`

With `--jar`, from `cargo xtask build spark`, the same ids are also made without Python, in batches and by the function of SQL.

The rate is the processor time of a warm pass over the rows in all processes together: driver, executors and Python workers. It is
the median of three passes, with the ways in turn. It includes scheduling, moving rows and the kernel, and hardly depends on other
programs on the machine. The bytes are measured on the unchanged corpus, because repeated rows would compress away.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
from machine import machine

import urlid
import urlid.spark

ROOT = Path(__file__).resolve().parents[3]


def session(jar):
    """Starts the cluster of the tests, with the jar if there is one."""
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    from pyspark.sql import SparkSession

    builder = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "20000")
    )
    if jar:
        jar = str(jar.resolve())
        builder = builder.config("spark.jars", jar).config("spark.driver.extraClassPath", jar)
        builder = builder.config("spark.sql.extensions", "urlid.spark.Extensions")
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def shuffle_written(spark) -> int:
    """Returns the bytes that all executors have written for shuffles."""
    executors = spark.sparkContext._jsc.sc().statusStore().executorList(False)
    return sum(executors.apply(index).totalShuffleWrite() for index in range(executors.size()))


def processor_seconds() -> float:
    """Returns the processor time that the descendants of this process have used, ended ones included."""
    children: dict[int, list[int]] = {}
    used: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except FileNotFoundError:
            continue  # it ended meanwhile, and its parent has its time
        pid = int(stat.parent.name)
        children.setdefault(int(fields[1]), []).append(pid)
        used[pid] = sum(map(int, fields[11:15]))
    total, waiting = 0, list(children.get(os.getpid(), []))
    while waiting:
        pid = waiting.pop()
        total += used[pid]
        waiting += children.get(pid, [])
    return total / os.sysconf("SC_CLK_TCK")


def with_ids_by_jar(df):
    """Adds the column that `urlid.spark.with_ids` adds, by the batches of the jar."""
    session, context = df.sparkSession, df.sparkSession.sparkContext
    kinds = context._gateway.new_array(context._jvm.java.lang.String, 1)
    kinds[0] = "sxurl"
    return type(df)(context._jvm.urlid.spark.Batches.withIds(df._jdf, "url", kinds), session)


def seconds(ways) -> dict[str, float]:
    """Returns the processor time of each way to make a frame, as the median of three passes after a first one."""
    passes = []
    for _ in range(4):
        times = {}
        for name, make in ways.items():
            start = processor_seconds()
            make().write.format("noop").mode("overwrite").save()
            times[name] = processor_seconds() - start
        passes.append(times)
    return {name: statistics.median(times[name] for times in passes[1:]) for name in ways}


def main() -> None:
    """Prints the figures; with --json, also writes them to a file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=ROOT / "samples" / "debian_homepages.txt")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the timed passes; the corpus is repeated")
    parser.add_argument("--jar", type=Path, help="the jar of bindings/spark")
    parser.add_argument("--json", type=Path, help="where the record goes")
    options = parser.parse_args()
    compression = {".zst": "zstd", ".gz": "gzip"}.get(options.corpus.suffix)
    urls = pa.input_stream(str(options.corpus), compression=compression).read().decode().splitlines()
    spark = session(options.jar)
    with tempfile.TemporaryDirectory() as directory:
        once = f"{directory}/once.parquet"
        pyarrow.parquet.write_table(pa.table({"url": urls}), once, compression="zstd")
        many = f"{directory}/many"
        Path(many).mkdir()
        for part in range(8):
            rows = [urls[row % len(urls)] for row in range(part, options.rows, 8)]
            pyarrow.parquet.write_table(pa.table({"url": rows}), f"{many}/{part}.parquet", compression="zstd")

        df = spark.read.parquet(many)
        ways = {
            "read": lambda: df,
            "read, ids": lambda: urlid.spark.with_ids(df),
            "read, slices": lambda: urlid.spark.with_slices(df),
        }
        if options.jar:
            ways["read, ids in batches of the jar"] = lambda: with_ids_by_jar(df)
            ways["read, ids by urlid_sxurl of the jar"] = lambda: df.selectExpr("url", "urlid_sxurl(url)")
            ways["read, a slice by urlid_slice of the jar"] = lambda: df.selectExpr("url", "urlid_slice(urlid_sxurl(url), 'domain')")
            ways["read, hosts by urlid_host of the jar"] = lambda: df.selectExpr("url", "urlid_host(url)")
        times = seconds(ways)

        before, dataset = shuffle_written(spark), f"{directory}/dataset"
        urlid.spark.write_dataset(spark.read.parquet(once), dataset, partitions=8)
        shuffled = shuffle_written(spark) - before
        stored = sum(file.stat().st_size for file in Path(dataset).glob("*.parquet"))
    spark.stop()
    record = {
        "what": "spark, two executors of one core each",
        **machine(),
        "corpus": options.corpus.name,
        "rows": options.rows,
        "urlid": urlid.__version__,
        "load average": round(os.getloadavg()[0], 1),
        "us of processor time per row": {name: round(time * 1e6 / options.rows, 2) for name, time in times.items()},
        "bytes per row": {
            "text": round(sum(len(url.encode()) for url in urls) / len(urls), 1),
            "shuffle of write_dataset": round(shuffled / len(urls), 1),
            "dataset": round(stored / len(urls), 1),
        },
    }
    print(json.dumps(record, indent=2))
    if options.json:
        options.json.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
