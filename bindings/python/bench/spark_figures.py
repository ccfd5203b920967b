"""Measures what docs/scale.md takes to billions: rates, shuffle and storage of `urlid.spark` on two executors of this machine.

`python bench/spark_figures.py [--corpus FILE] [--rows N] [--json RECORD]`

The rate is that of a second, warm pass over the rows, all of it counted: scheduling, Arrow between Spark and Python, the kernel. Bytes are
those of the corpus as it is, for repeated rows would compress away.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet

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


def seconds(act) -> float:
    """Returns how long the second of two passes takes."""
    act()
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def main() -> None:
    """Prints the figures, and writes them as a record where asked."""
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
        "what": "spark, two executors of one core each on one machine",
        "corpus": options.corpus.name,
        "rows": options.rows,
        "urlid": urlid.__version__,
        "load average": round(os.getloadavg()[0], 1),
        "us per row and core": {
            "read": round(plain * 2e6 / options.rows, 2),
            "read, ids": round(ids * 2e6 / options.rows, 2),
            "read, slices": round(slices * 2e6 / options.rows, 2),
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
