"""The hosts that call the functions of SQL, with their programs and the required builds.

A host is one entry. Its program reads a job and writes answers as `host.py` describes, in whatever language.
"""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[3]
CACHE = Path(os.environ.get("URLID_CACHE", Path.home() / ".cache/urlid"))
FOLDER = Path(__file__).resolve().parent


class Host(NamedTuple):
    """A host. `prepare` is a command that builds and tests it, and `command` returns the command of its program."""

    name: str
    prepare: list[str]
    command: Callable[[], list[str | Path]]


def built(name: str) -> str:
    """Builds a binding and returns the path of the result."""
    command = ["cargo", "xtask", "build", name]
    environment = os.environ
    if name == "spark" and "SPARK_HOME" not in environment:
        [home] = (CACHE / "python").glob("venv-*/lib/python3*/site-packages/pyspark")
        environment = {**environment, "SPARK_HOME": str(home)}
    made = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return made.stdout.splitlines()[-1]


def wheel(program: str, *arguments: str) -> Callable[[], list[str | Path]]:
    """Returns a command with the Python that has the wheel."""

    def command() -> list[str | Path]:
        [python] = (CACHE / "python").glob("venv-*/bin/python")
        return [python, FOLDER / program, *arguments]

    return command


WHEEL = ["bash", "bindings/python/run-tests", "tests/test_functions.py"]
SQLITE = ["bash", "bindings/sqlite/run-tests"]
DUCKDB = ["bash", "bindings/duckdb/run-tests"]
POSTGRES = ["bash", "bindings/postgres/run-tests"]
SPARK = ["bash", "bindings/spark/run-tests"]
JS = ["bash", "bindings/js/run-tests", "--edge"]
IN_POSTGRES = ["env", f"URLID_POSTGRES_PROGRAM={FOLDER / 'in_postgres.py'}", "bash", ROOT / "bindings/postgres/run-tests"]

# The others are compared with the first.
HOSTS = [
    Host("Python", WHEEL, wheel("in_wheel.py", "scalar")),
    Host("Arrow", WHEEL, wheel("in_wheel.py", "arrow")),
    Host("SQLite, wheel", WHEEL, wheel("in_sqlite.py")),
    Host("SQLite, extension", SQLITE, lambda: ["/usr/bin/python3", FOLDER / "in_sqlite.py", built("sqlite")]),
    Host("DuckDB, wheel", WHEEL, wheel("in_duckdb.py")),
    Host(
        "DuckDB, extension",
        DUCKDB,
        lambda: [CACHE / "duckdb/venv/bin/python", FOLDER / "in_duckdb.py", built("duckdb")],
    ),
    Host("DataFusion", WHEEL, wheel("in_datafusion.py")),
    Host("Polars", WHEEL, wheel("in_frames.py", "polars")),
    Host("pandas", WHEEL, wheel("in_frames.py", "pandas")),
    Host("Spark, wheel", WHEEL, wheel("in_spark.py")),
    Host("Spark, jar", SPARK, lambda: [*wheel("in_spark.py")(), built("spark")]),
    Host("C", ["bash", "bindings/c/run-tests"], lambda: ["python3.11", FOLDER / "in_c.py", f"{built('c')}/lib/liburlid.so"]),
    Host("PostgreSQL", POSTGRES, lambda: IN_POSTGRES),
    Host("JavaScript", JS, lambda: ["node", FOLDER / "in_node.mjs", CACHE / "js/project"]),
    Host("workerd", JS, lambda: ["node", FOLDER / "in_workerd.mjs", CACHE / "js/project"]),
]
