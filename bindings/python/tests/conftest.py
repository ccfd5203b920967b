"""The common part of the tests: the location of outside data, the command line's program, a cluster of two executors."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow
import pytest

ROOT = Path(__file__).resolve().parents[3]

# Otherwise tldextract fetches its list. It reads this variable when it is imported.
os.environ["TLDEXTRACT_PUBLIC_SUFFIX_LIST_URLS"] = ""


def not_run(reason: str) -> None:
    """Skips a test whose data is missing, and records that for the end of the run. If data is required, fails the test."""
    if notes := os.environ.get("URLID_NOTES"):
        with open(notes, "a", encoding="utf-8") as file:
            file.write(f"not run: {reason}\n")
    if os.environ.get("URLID_REQUIRE_DATA") == "1":
        pytest.fail(f"required: {reason}")
    pytest.skip(f"not run: {reason}")


@pytest.fixture(scope="session")
def corpus_file() -> Path:
    """The file of the lines that tests share, some of which are not URLs. `cargo xtask corpus` makes it."""
    path = os.environ.get("URLID_TEST_CORPUS")
    if not path:
        not_run("no corpus: URLID_TEST_CORPUS names none")
    return Path(path)


@pytest.fixture(scope="session")
def corpus(corpus_file: Path) -> list[str]:
    """60,000 distinct lines: URLs of every scheme and script, and texts that are not URLs."""
    # `splitlines` would also cut at characters that are text in a URL.
    return corpus_file.read_text(encoding="utf-8").split("\n")[:-1]


@pytest.fixture(scope="session")
def sample() -> list[str]:
    """The real URLs that the repository has itself."""
    return (ROOT / "samples" / "debian_homepages.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="session")
def cli() -> str:
    """The program `urlid`."""
    path = os.environ.get("URLID_CLI") or shutil.which("urlid")
    if not path:
        not_run("no program `urlid`: URLID_CLI names none")
    return path


def run_cli(cli: str, *args: str, codes: tuple[int, ...] = (0,)) -> list[str]:
    """Returns the lines that the program prints."""
    done = subprocess.run([cli, *args], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode in codes, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    """A session on a cluster of two executor processes, on this machine's loopback and on ports that are free."""
    scratch = str(tmp_path_factory.mktemp("spark"))
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_DIRS": scratch, "PYSPARK_PYTHON": sys.executable}
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .appName("urlid-tests")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.executor.memory", "512m")
        .config("spark.executor.extraJavaOptions", f"-Djava.io.tmpdir={scratch}")
        .config("spark.locality.wait", "0s")  # no executor waits for work that could be nearer to the other
        .config("spark.task.maxFailures", "8")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "20000")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    # A starting cluster gives all tasks to the executor that came first.
    tracker, deadline = session.sparkContext._jsc.sc().statusTracker(), time.monotonic() + 300
    while len(tracker.getExecutorInfos()) < 3:  # the driver is one of them
        assert time.monotonic() < deadline, "the two executors did not come up"
        time.sleep(0.1)
    yield session
    session.stop()


def killing_once(df, killed: Path):
    """Returns a frame whose first task creates the file `killed` and then kills its executor after a batch."""

    def kill_once(batches):
        for batch in batches:
            yield batch
            try:
                os.close(os.open(killed, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            with open(f"/proc/{os.getppid()}/stat") as stat:
                os.kill(int(stat.read().rsplit(")", 1)[1].split()[1]), signal.SIGKILL)
            time.sleep(30)  # the rest of this task dies with its executor

    return df.mapInArrow(kill_once, df.schema)


@pytest.fixture(scope="session")
def urls_df(spark, corpus, tmp_path_factory):
    """The corpus with its line numbers, as a table of Parquet files that both executors can read."""
    import pyarrow.parquet

    directory = tmp_path_factory.mktemp("urls")
    for part in range(8):
        rows = range(part, len(corpus), 8)
        table = pyarrow.table({"line": pyarrow.array(rows, pyarrow.int64()), "url": [corpus[row] for row in rows]})
        pyarrow.parquet.write_table(table, directory / f"part-{part}.parquet")
    return spark.read.parquet(str(directory))
