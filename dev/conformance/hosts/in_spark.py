"""Answers by Spark: `in_spark.py JAR`, or without a jar by `urlid.spark`. Costs are of one task, by the clock."""

import os
import sys
import time

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")

import pyarrow  # noqa: E402: Spark reads the variables when it is imported
from pyspark.sql import SparkSession  # noqa: E402
from urlid._functions import FUNCTIONS  # noqa: E402

from host import SqlHost, run  # noqa: E402

SETTINGS = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "20000",
}


class Spark(SqlHost):
    def __init__(self, jar: str | None) -> None:
        builder = SparkSession.builder.master("local[1]")
        for name, value in SETTINGS.items():
            builder = builder.config(name, value)
        if jar:
            builder = builder.config("spark.jars", jar).config("spark.sql.extensions", "urlid.spark.Extensions")
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("OFF")
        if not jar:
            import urlid.spark

            urlid.spark.register(self.session)

    def execute(self, statement, parameters=()):
        for batch in self.session.sql(statement).toArrow().to_batches():
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    def call(self, name, arguments):
        columns = {
            f"c{index}": pyarrow.array([argument], of)
            for index, (argument, of) in enumerate(zip(arguments, FUNCTIONS[name].arguments, strict=True))
        }
        self.session.createDataFrame(pyarrow.table(columns)).createOrReplaceTempView("one")
        [(value,)] = self.execute(f"SELECT {name}({', '.join(columns)}) FROM one")
        return value

    def load(self, urls):
        page = pyarrow.table({"line": pyarrow.array(range(len(urls))), "url": pyarrow.array(urls)})
        self.session.createDataFrame(page).cache().createOrReplaceTempView("page")

    def seconds(self, call):
        def once() -> float:
            start = time.perf_counter()
            self.count(call)
            return time.perf_counter() - start

        return min(once() for _ in range(3))


run(Spark(sys.argv[1] if len(sys.argv) > 1 else None))
