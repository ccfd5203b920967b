"""The Parquet files that `urlid index export` writes, read by DuckDB and by pyarrow: same answers, and most of it not read."""

import re
import subprocess
from pathlib import Path

import duckdb
import pyarrow.compute as pc
import pyarrow.parquet
import pytest
from conftest import run_cli

import urlid

# Rows of a row group, as docs/index-format.md has it.
GROUP = 122_880
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
def index(cli, mixed, tmp_path_factory) -> Path:
    """Real URLs, made ones that fill row groups, and the twins."""
    directory = tmp_path_factory.mktemp("export")
    made = (f"https://www.made{n % 20_011}.org/made/{n}" for n in range(MADE))
    (directory / "urls").write_text("\n".join([*mixed, *made, *TWINS]) + "\n", encoding="utf-8", newline="")
    # Among real lines there are some that are no URLs.
    run_cli(cli, "index", "add", str(directory / "urls.db"), str(directory / "urls"), codes=(0, 3))
    return directory / "urls.db"


@pytest.fixture(scope="module")
def exported(cli, index) -> Path:
    path = index.with_name("urls.parquet")
    run_cli(cli, "index", "export", str(index), "--format", "parquet", "--out", str(path))
    return path


@pytest.fixture(scope="module")
def parts(cli, index) -> list[Path]:
    name = index.with_name("part.parquet")
    run_cli(
        cli, "index", "export", str(index), "--format", "parquet", "--no-id", "--rows-per-file", "100000", "--out", str(name)
    )
    return sorted(index.parent.glob("part-*.parquet"))


def find(cli: str, index: Path, question: dict[str, str]) -> set[str]:
    arguments = [word for name, value in question.items() for word in (f"--{name}", value)]
    # Lines would be cut at characters that are no line ends: CR is text in a URL.
    done = subprocess.run([cli, "index", "find", str(index), *arguments], capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return set(done.stdout.decode().split("\n")[:-1])


def conditions(question: dict[str, str]) -> dict[str, int]:
    """The question by slices."""
    slices = {"query": "params", "fragment": "frag"}
    return {f"sx_{slices.get(name, name)}": urlid.probe(slices.get(name, name), value) for name, value in question.items()}


def answers(urls: list[str], question: dict[str, str]) -> set[str]:
    """The candidates whose own parts are those of the question."""
    return {
        url for url in urls if all(getattr(urlid.Components(url), name) == value for name, value in question.items())
    }


def duckdb_reads(con: duckdb.DuckDBPyConnection, source: str, question: dict[str, str]) -> tuple[list[str], tuple[int, int]]:
    """The candidates, and how many row groups of how many were read."""
    where = " AND ".join(f"{column} = {number}" for column, number in conditions(question).items())
    query = f"SELECT url FROM read_parquet({source}) WHERE {where}"
    urls = [url for (url,) in con.execute(query).fetchall()]
    [(_, plan)] = con.execute(f"EXPLAIN ANALYZE {query}").fetchall()
    groups = re.search(r"Row Groups Scanned:\s*(\d+)\s*/\s*(\d+)", plan)
    assert groups, plan
    return urls, (int(groups[1]), int(groups[2]))


def groups_that_can_answer(path: Path, question: dict[str, str]) -> list[int]:
    """The row groups whose statistics do not rule the question out."""
    metadata = pyarrow.parquet.read_metadata(path)
    left = []
    for group in range(metadata.num_row_groups):
        columns = {column.path_in_schema: column for column in map(metadata.row_group(group).column, range(metadata.num_columns))}
        ranges = {name: columns[name].statistics for name in conditions(question)}
        # URLs without an SXURL are in groups of their own, where all slices are null.
        if all(ranges[name].has_min_max for name in ranges) and all(ranges[name].min <= number <= ranges[name].max for name, number in conditions(question).items()):
            left.append(group)
    return left


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_duckdb_answers_as_find_does(cli, index, exported, parts, question):
    expected = find(cli, index, question)
    assert bool(expected) == ("not-there-at-all" not in question.values())
    con = duckdb.connect()
    con.execute("SET threads = 1")
    whole, (read, of) = duckdb_reads(con, f"'{exported}'", question)
    assert answers(whole, question) == expected
    assert len(whole) == len(set(whole)) and expected <= set(whole)
    assert of == pyarrow.parquet.read_metadata(exported).num_row_groups >= 3
    if {"tld", "domain"} <= question.keys():
        # Rows are in the order of tld and domain: a domain of few rows is in one row group, or lies over the border of two.
        assert read <= 2
    together, _ = duckdb_reads(con, str([str(part) for part in parts]), question)
    assert sorted(together) == sorted(whole)


def test_bloom_filters_rule_out_what_ranges_cannot(exported):
    con = duckdb.connect()
    con.execute("SET threads = 1")
    # The domain alone is in the range of every group with more than one suffix, and the path of all.
    urls, (read, of) = duckdb_reads(con, f"'{exported}'", {"path": "/made/12345"})
    assert urls == ["https://www.made12345.org/made/12345"]
    # The last group has no slices.
    assert (read, len(groups_that_can_answer(exported, {"path": "/made/12345"}))) == (1, of - 1)
    _, (read, _) = duckdb_reads(con, f"'{exported}'", {"path": "/not/there/at/all"})
    assert read == 0


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_pyarrow_answers_as_find_does(cli, index, exported, parts, question):
    expected = find(cli, index, question)
    filters = [(column, "=", number) for column, number in conditions(question).items()]
    for source in (exported, parts):
        table = pyarrow.parquet.read_table(source, filters=filters, columns=["url"])
        assert answers(table["url"].to_pylist(), question) == expected
    # The row groups that the statistics leave hold all answers, and not all rows if tld and domain are given.
    file = pyarrow.parquet.ParquetFile(exported)
    groups = groups_that_can_answer(exported, question)
    left = set(file.read_row_groups(groups, columns=["url"])["url"].to_pylist()) if groups else set()
    assert expected <= left
    if {"tld", "domain"} <= question.keys():
        assert len(groups) < file.num_row_groups


def test_a_file_says_what_it_holds(index, exported, parts):
    file = pyarrow.parquet.ParquetFile(exported)
    hosts = ["host", "tld", "registered_domain"]
    names = ["id", "url", *(f"sx_{name}" for name in SLICES), *hosts]
    assert file.schema_arrow.names == names
    small = {"header", "tld", "port", "frag"}
    types = {"id": "binary", "url": "string"} | {f"sx_{name}": "int32" if name in small else "int64" for name in SLICES}
    types |= dict.fromkeys(hosts, "string")
    assert {field.name: str(field.type) for field in file.schema_arrow} == types
    assert pyarrow.parquet.read_schema(parts[0]).names == names[1:]
    metadata = file.schema_arrow.metadata
    assert metadata[b"urlid.snapshot"].decode() == str(urlid.Index(index).snapshot)
    assert metadata[b"urlid.identifier"] == b"sxurl"
    rows = [pyarrow.parquet.read_metadata(part).num_rows for part in parts]
    assert rows[:-1] == [100_000] * (len(parts) - 1) and sum(rows) == file.metadata.num_rows
    for group in range(file.metadata.num_row_groups):
        columns = {
            column.path_in_schema: column
            for column in map(file.metadata.row_group(group).column, range(file.metadata.num_columns))
        }
        assert {name for name, column in columns.items() if not column.has_column_index} == {"url"}
        # The last group with SXURLs and the one without are as large as they come.
        rows = file.metadata.row_group(group).num_rows
        assert rows <= GROUP if group + 2 >= file.metadata.num_row_groups else rows == GROUP


def test_identifiers_and_slices_are_those_of_the_urls(exported):
    table = pyarrow.parquet.read_table(exported)
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
    order = [f"sx_{name}" for name in (*SLICES[1:], SLICES[0])]
    keys = list(zip(*(table[name].to_pylist() for name in order)))
    rows = sum(key[0] is not None for key in keys)
    assert keys[:rows] == sorted(keys[:rows]) and set(keys[rows:]) == {(None,) * len(order)}


def test_what_pyarrow_writes_is_added(cli, index, exported, tmp_path):
    """Its defaults (snappy, dictionaries), large strings and nulls."""
    table = pyarrow.parquet.read_table(exported, columns=["url", "id"])
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
            assert find(cli, made, {}) == find(cli, index, {})
