"""The SQL functions in Spark, under the names that they have everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow
from pyspark.sql import functions as F

from urlid._functions import FUNCTIONS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_TYPES = {pyarrow.string(): "string", pyarrow.binary(): "binary", pyarrow.int64(): "bigint"}


def register(spark: SparkSession) -> SparkSession:
    """Makes the functions known to a session, and returns it.

    `urlid_sxurl(url)`, `urlid_url_hash(url)`, `urlid_hashed(url, algorithm, variant)`, `urlid_slice(id, name)`,
    `urlid_probe(name, value)` and `urlid_canon(url, form)`. What is refused is NULL.
    """
    for name, function in FUNCTIONS.items():
        spark.udf.register(name, F.arrow_udf(function.call, _TYPES[function.result]))
    return spark
