"""Identifiers and slices in a dataset, read by DuckDB and by pyarrow. The answers are the same as from the program, and most of the
dataset is not read."""

import re
import subprocess
from pathlib import Path

import duckdb
import pyarrow.compute as pc
import pyarrow.parquet
import pytest
from conftest import run_cli

import urlid

# Rows of a row group and of a page, as docs/datasets.md has them.
GROUP, PAGE = 122_880, 8_192
MADE = 260_000
# Two URLs with one identifier, and two public suffixes with one slice.
TWINS = ["https://example.com/item?id=27901", "https://example.com/item?id=107826", "https://a.sc/", "https://a.tax/"]
SLICES = ("header", "tld", "domain", "sub", "port", "path", "params", "frag")

QUESTIONS = [
    {"domain": "google", "tld": "com"},
    {"domain": "made77", "tld": "org"},
    {"domain": "wikipedia"},
    {"tld": "sc"},
    {"tld": "co.uk", "sub": "www"},
    {"domain": "example", "tld": "com", "path": "/item", "query": "id=27901"},
    {"path": "/robots.txt"},
    {"path": "/made/12345"},
    {"domain": "not-there-at-all", "tld": "com"},
]


@pytest.fixture(scope="module")
def dataset(cli, corpus, tmp_path_factory) -> Path:
    """Real URLs, made ones that fill row groups, and the twins."""
    directory = tmp_path_factory.mktemp("ids")
    made = (f"https://www.made{n % 20_011}.org/made/{n}" for n in range(MADE))
    (directory / "urls.txt").write_text("\n".join([*corpus, *made, *TWINS]) + "\n", encoding="utf-8", newline="")
    # Some of the real lines are not URLs.
    run_cli(cli, "index", "build", "--ids", str(directory / "urls"), str(directory / "urls.txt"), codes=(0, 3))
    return directory / "urls"


@pytest.fixture(scope="module")
def part(dataset) -> Path:
    return dataset / "part-00000.parquet"


def find(cli: str, dataset: Path, question: dict[str, str]) -> set[str]:
    arguments = [word for name, value in question.items() for word in (f"--{name}", value)]
    # Splitting into lines would also cut at characters that are not line ends: CR is text in a URL.
    done = subprocess.run([cli, "index", "find", str(dataset), *arguments], capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    # Identifiers and slices are null for a URL without an SXURL, such as a URL of a different scheme.
    return {url for url in done.stdout.decode().split("\n")[:-1] if has_sxurl(url)}


def has_sxurl(url: str) -> bool:
    try:
        urlid.Sxurl.encode(url)
    except urlid.UrlidError:
        return False
    return True


def conditions(question: dict[str, str]) -> dict[str, int]:
    """The question by slices."""
    slices = {"query": "params", "fragment": "frag"}
    return {f"sx_{slices.get(name, name)}": urlid.probe(slices.get(name, name), value) for name, value in question.items()}


def answers(urls: list[str], question: dict[str, str]) -> set[str]:
    """The candidates whose own parts match the question."""
    return {
        url for url in urls if all(getattr(urlid.Components(url), name) == value for name, value in question.items())
    }


def duckdb_reads(source: Path, where: str) -> tuple[list[str], tuple[int, int]]:
    """The rows, and how many row groups of how many were read."""
    con = duckdb.connect()
    con.execute("SET threads = 1")
    query = f"SELECT url FROM '{source}' WHERE {where}"
    urls = [url for (url,) in con.execute(query).fetchall()]
    [(_, plan)] = con.execute(f"EXPLAIN ANALYZE {query}").fetchall()
    groups = re.search(r"Row Groups Scanned:\s*(\d+)\s*/\s*(\d+)", plan)
    assert groups, plan
    return urls, (int(groups[1]), int(groups[2]))


def by_slices(question: dict[str, str]) -> str:
    return " AND ".join(f"{column} = {number}" for column, number in conditions(question).items())


def groups_that_can_answer(path: Path, question: dict[str, str]) -> list[int]:
    """The row groups whose statistics do not exclude the question."""
    metadata = pyarrow.parquet.read_metadata(path)
    left = []
    for group in range(metadata.num_row_groups):
        columns = {column.path_in_schema: column for column in map(metadata.row_group(group).column, range(metadata.num_columns))}
        ranges = {name: columns[name].statistics for name in conditions(question)}
        if all(ranges[name].has_min_max for name in ranges) and all(ranges[name].min <= number <= ranges[name].max for name, number in conditions(question).items()):
            left.append(group)
    return left


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_duckdb_answers_as_find_does(cli, dataset, part, question):
    expected = find(cli, dataset, question)
    assert bool(expected) == ("not-there-at-all" not in question.values())
    urls, (read, of) = duckdb_reads(part, by_slices(question))
    assert answers(urls, question) == expected
    assert len(urls) == len(set(urls)) and expected <= set(urls)
    assert of == pyarrow.parquet.read_metadata(part).num_row_groups >= 3
    # Hosts with one suffix are neighbours, and here all of a suffix are in one row group. The filters rule out the others.
    if "tld" in question:
        assert read == bool(expected)


def test_filters_rule_out_what_ranges_cannot(part):
    # The path is in the range of every row group.
    where = by_slices({"path": "/made/12345"})
    urls, (read, of) = duckdb_reads(part, where)
    assert urls == ["https://www.made12345.org/made/12345"]
    assert (read, len(groups_that_can_answer(part, {"path": "/made/12345"}))) == (1, of)
    assert duckdb_reads(part, by_slices({"path": "/not/there/at/all"}))[1][0] == 0


@pytest.mark.parametrize("url", ["https://www.made12345.org/made/12345", *TWINS])
def test_an_identifier_is_exact(part, url):
    urls, (read, _) = duckdb_reads(part, f"id = from_hex('{urlid.Sxurl.encode(url)}')")
    # Two of the twins have one identifier.
    assert set(urls) == {twin for twin in [url, *TWINS] if urlid.Sxurl.encode(twin) == urlid.Sxurl.encode(url)}
    assert read == 1
    assert duckdb_reads(part, f"id = from_hex('{'10' * 32}')")[1][0] == 0


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_pyarrow_answers_as_find_does(cli, dataset, part, question):
    expected = find(cli, dataset, question)
    filters = [(column, "=", number) for column, number in conditions(question).items()]
    table = pyarrow.parquet.read_table(dataset, filters=filters, columns=["url"])
    assert answers(table["url"].to_pylist(), question) == expected
    # The row groups that the statistics leave hold all answers.
    file = pyarrow.parquet.ParquetFile(part)
    groups = groups_that_can_answer(part, question)
    left = set(file.read_row_groups(groups, columns=["url"])["url"].to_pylist()) if groups else set()
    assert expected <= left


def test_a_file_says_what_it_holds(dataset, part):
    file = pyarrow.parquet.ParquetFile(part)
    texts = ["url", "host_key", "host", "registered_domain", "tld", "scheme"]
    assert file.schema_arrow.names == [*texts, "id", *(f"sx_{name}" for name in SLICES)]
    small = {"header", "tld", "port", "frag"}
    types = {"id": "binary"} | {f"sx_{name}": "int32" if name in small else "int64" for name in SLICES}
    assert {field.name: str(field.type) for field in file.schema_arrow} == types | dict.fromkeys(texts, "string")
    assert file.schema_arrow.metadata[b"urlid.snapshot"].decode() == str(urlid.Index(dataset).snapshot)
    for group in range(file.metadata.num_row_groups):
        rows = file.metadata.row_group(group)
        columns = {column.path_in_schema: column for column in map(rows.column, range(rows.num_columns))}
        assert {name for name, column in columns.items() if not column.has_column_index} == {"url", "host", "id"}
        # A group ends with a page.
        assert rows.num_rows < GROUP + PAGE and (rows.num_rows >= GROUP or group + 1 == file.metadata.num_row_groups)


def test_identifiers_and_slices_match_the_urls(part):
    table = pyarrow.parquet.read_table(part)
    step = table.num_rows // 500
    for row in table.take(list(range(0, table.num_rows, step))).to_pylist():
        if row["id"] is None:
            with pytest.raises(urlid.UrlidError):
                urlid.Sxurl.encode(row["url"])
            assert all(row[f"sx_{name}"] is None for name in SLICES)
            continue
        id = urlid.Sxurl.encode(row["url"])
        assert bytes(id) == row["id"]
        assert {name: row[f"sx_{name}"] for name in SLICES} == {name: id.fields()[name] for name in SLICES}


def test_files_that_pyarrow_writes_are_added(cli, dataset, part, tmp_path):
    """Its defaults (snappy, dictionaries), large strings and nulls."""
    table = pyarrow.parquet.read_table(part, columns=["url", "id"])
    urls, others = table["url"], pc.is_null(table["id"])
    with_nulls = pc.if_else(pc.equal(pc.bit_wise_and(pyarrow.array(range(len(urls))), 7), 7), None, urls)
    missing = with_nulls.null_count
    for name, column, options in [
        ("plain", urls, {}),
        ("nulls", with_nulls, {"data_page_version": "2.0"}),
        ("large", urls.cast("large_string"), {"compression": "zstd", "use_dictionary": False, "row_group_size": 1000}),
        ("delta", with_nulls, {"use_dictionary": False, "column_encoding": {"page": "DELTA_BYTE_ARRAY"}, "compression": "none"}),
    ]:
        path, made = tmp_path / f"{name}.parquet", tmp_path / name
        pyarrow.parquet.write_table(pyarrow.table({"n": range(len(column)), "page": column}), path, **options)
        [_, report] = run_cli(cli, "index", "add", str(made), str(path), "--column", "page", "--format", "csv")
        blank = missing if column is with_nulls else 0
        rows = len(urls) - blank
        without_sxurl = pc.sum(pc.and_(others, pc.is_valid(column))).as_py()
        assert report == f"{len(urls)},{blank},0,{rows},{rows},{without_sxurl},0", name
        if not blank:
            assert find(cli, made, {}) == find(cli, dataset, {})
