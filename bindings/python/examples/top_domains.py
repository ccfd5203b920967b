# %% [markdown]
# # From a Parquet of real URLs to ids, slices, a question and the top domains
#
# The same work twice: on this machine with pyarrow and DuckDB, then on a Spark cluster of two executors. The numbers must be the same,
# and the last cell asserts it. Run it as a script, `python top_domains.py [URLS.parquet] [OUTPUT FOLDER]`, or cell by cell in any
# editor that supports `# %%`. Without a Parquet of your own (a column `url`), the homepages that the repository has as samples are used.

# %%
import os
import sys
import tempfile
from pathlib import Path

import duckdb
import matplotlib
import pyarrow as pa
import pyarrow.parquet

import urlid
import urlid.arrow
import urlid.duckdb
import urlid.spark

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  the backend is chosen first

SAMPLES = Path(__file__).resolve().parents[3] / "samples" / "debian_homepages.txt"
OUTPUT = Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp(prefix="urlid-"))
OUTPUT.mkdir(parents=True, exist_ok=True)
if len(sys.argv) > 1:
    URLS = Path(sys.argv[1])
else:
    URLS = OUTPUT / "urls.parquet"
    pyarrow.parquet.write_table(pa.table({"url": SAMPLES.read_text(encoding="utf-8").splitlines()}), URLS)
QUESTION = {"domain": "github", "tld": "com"}

# %% [markdown]
# ## One machine
# Ids and slices are columns; the domain of each URL is a label, and the top domains are a GROUP BY.

# %%
urls = pyarrow.parquet.read_table(URLS, columns=["url"])["url"]
ids = urlid.arrow.ids(urls, ["sxurl"], errors=True).to_pyarrow()
slices = urlid.arrow.slices(urls).to_pyarrow()
parts = urlid.arrow.parts(urls).to_pyarrow()
print(f"{len(urls)} URLs, {ids['sxurl'].null_count} without a SXURL: {ids['error'].value_counts().to_pylist()}")
print(f"first id: {ids['sxurl'][0].as_py().hex()}")

# %% [markdown]
# The slices select candidates, and every candidate is checked by its own URL: slices collide.

# %%
con = urlid.duckdb.register(duckdb.connect())
con.register("url", pa.table({"url": urls, **{name: slices[name] for name in slices.column_names}}))
candidates = con.sql(
    """SELECT url FROM url WHERE sx_domain = urlid_probe('domain', 'github') AND sx_tld = urlid_probe('tld', 'com')"""
).to_arrow_table()["url"]
answers = candidates.filter(urlid.arrow.matches(candidates, urlid.Question(**QUESTION)).to_pyarrow()["matches"])
here = {"urls": len(urls), "ids": len(ids) - ids["sxurl"].null_count, "answers": sorted(answers.to_pylist())}
print(f"{len(answers)} URLs of github.com, of {len(candidates)} candidates")

# %%
con.register("parts", parts)
TOP = """SELECT url_registered_domain AS domain, count(*) AS n FROM parts
         WHERE url_registered_domain IS NOT NULL GROUP BY domain ORDER BY n DESC, domain LIMIT 20"""
here["top"] = [(domain, n) for domain, n in con.sql(TOP).fetchall()]

# %% [markdown]
# ## Two executors
# `local-cluster` starts a master and two workers with a process each: the same code runs on a real cluster (docs/spark.md).

# %%
os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
from pyspark.sql import SparkSession  # noqa: E402  the environment is set first

spark = (
    SparkSession.builder.master("local-cluster[2,1,1024]")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.executor.memory", "512m")
    .config("spark.sql.shuffle.partitions", "4")
    .config("spark.ui.enabled", "false")
    .config("spark.ui.showConsoleProgress", "false")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
df = spark.read.parquet(str(URLS)).select("url")

# %% [markdown]
# The table is written once, sorted and stamped; then questions skip what they cannot find.

# %%
table = str(OUTPUT / "table")
urlid.spark.write_table(df, table, partitions=4, mode="overwrite")
stored = urlid.spark.read_dataset(spark, table)
found = urlid.spark.find(stored, **QUESTION)
there = {
    "urls": stored.count(),
    "ids": stored.where("id IS NOT NULL").count(),
    "answers": sorted(row.url for row in found.select("url").collect()),
}

# %%
urlid.spark.with_parts(stored.select("url")).createOrReplaceTempView("parts")
there["top"] = [(row.domain, row.n) for row in spark.sql(TOP).collect()]
spark.stop()

# %% [markdown]
# ## The same numbers

# %%
assert here == there, "one machine and two executors disagree"
names, counts = zip(*reversed(here["top"]), strict=True)
figure, axes = pyplot.subplots(figsize=(8, 6), layout="constrained")
axes.barh(names, counts, color="#2a6f97")
axes.set_xlabel("URLs")
axes.set_title(f"Top domains of {here['urls']} URLs")
axes.spines[["top", "right"]].set_visible(False)
figure.savefig(OUTPUT / "top_domains.png", dpi=120)
print(f"one machine and two executors agree: {here['ids']} ids, {len(here['answers'])} answers, {len(here['top'])} top domains")
print(f"plot: {OUTPUT / 'top_domains.png'}")
