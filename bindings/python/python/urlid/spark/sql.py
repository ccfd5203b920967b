"""The SQL functions in Spark, under the same names as in every database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow
from pyspark.sql import functions as F

from urlid._functions import FUNCTIONS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_TYPES = {
    pyarrow.string(): "string",
    pyarrow.binary(): "binary",
    pyarrow.int64(): "bigint",
    pyarrow.bool_(): "boolean",
}


def register(spark: SparkSession) -> SparkSession:
    """Registers the functions of `urlid.functions()` with a session, and returns it."""
    for name, function in FUNCTIONS.items():
        spark.udf.register(name, F.arrow_udf(function.call, _TYPES[function.result]))  # type: ignore[attr-defined]
    return spark
