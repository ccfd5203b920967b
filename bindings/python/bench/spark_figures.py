"""Measures what docs/scale.md takes to billions: rates, shuffle and storage of `urlid.spark` on two executors of this machine.

`python bench/spark_figures.py [--corpus FILE] [--rows N] [--json RECORD]`

The rate is the processor time of a second, warm pass over the rows, in all processes together: driver, executors, Python workers. It counts
scheduling, Arrow between Spark and Python, and the kernel, and other programs on the machine hardly move it. Bytes are those of the corpus
as it is, for repeated rows would compress away.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
from machine import machine

import urlid
import urlid.spark

ROOT = Path(__file__).resolve().parents[3]


def session():
    """Starts the cluster of the tests."""
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    from pyspark.sql import SparkSession

    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "20000")
        .getOrCreate()
    )
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


def seconds(act) -> float:
    """Returns the processor time of the second of two passes."""
    act()
    start = processor_seconds()
    act()
    return processor_seconds() - start


def main() -> None:
    """Prints the figures; with --json, also writes them to a file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=ROOT / "samples" / "debian_homepages.txt")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the timed passes; the corpus is repeated")
    parser.add_argument("--json", type=Path, help="where the record goes")
    options = parser.parse_args()
    compression = {".zst": "zstd", ".gz": "gzip"}.get(options.corpus.suffix)
    urls = pa.input_stream(str(options.corpus), compression=compression).read().decode().splitlines()
    spark = session()
    with tempfile.TemporaryDirectory() as directory:
        once = f"{directory}/once.parquet"
        pyarrow.parquet.write_table(pa.table({"url": urls}), once)
        many = f"{directory}/many"
        Path(many).mkdir()
        for part in range(8):
            rows = [urls[row % len(urls)] for row in range(part, options.rows, 8)]
            pyarrow.parquet.write_table(pa.table({"url": rows}), f"{many}/{part}.parquet")

        df = spark.read.parquet(many)
        plain = seconds(lambda: df.write.format("noop").mode("overwrite").save())
        ids = seconds(lambda: urlid.spark.with_ids(df).write.format("noop").mode("overwrite").save())
        slices = seconds(lambda: urlid.spark.with_slices(df).write.format("noop").mode("overwrite").save())

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
        "us of processor time per row": {
            "read": round(plain * 1e6 / options.rows, 2),
            "read, ids": round(ids * 1e6 / options.rows, 2),
            "read, slices": round(slices * 1e6 / options.rows, 2),
        },
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
