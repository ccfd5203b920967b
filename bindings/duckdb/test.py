"""Tests of the extension: `test.py FILE`, with a Python that has the packages of requirements-test.txt."""

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

import duckdb
import sqllogic
import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "dev/conformance/hosts"))
from vectors import VectorTests  # noqa: E402: it lies beside the comparison of hosts

EXTENSION = Path(sys.argv.pop(1)).resolve()
FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
URLS = ROOT / "samples" / "debian_homepages.txt"
CORPUS = Path(os.environ["URLID_TEST_CORPUS"])
LOAD = f"LOAD '{EXTENSION}'"
# Each function on a URL, names constant.
CALLS = [
    "urlid_sxurl(url)",
    "urlid_url_hash(url)",
    "urlid_hashed(url, 'sha1', 'n')",
    "urlid_match(urlid_hashed(url, 'sha1', 'n'), url)",
    "urlid_slice(urlid_sxurl(url), 'domain')",
    "urlid_decode(urlid_sxurl(url), 'port')",
    "urlid_canon(url, 'web')",
    "urlid_host(url)",
    "urlid_tld(url)",
    "urlid_registered_domain(url)",
    "urlid_sub(url)",
    "urlid_part(url, 'query')",
    "urlid_query_param(url, 'id')",
    "urlid_probe('domain', urlid_host(url))",
]


def connect():
    con = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    con.execute(LOAD)
    return con


class Extension(VectorTests, unittest.TestCase):
    Error = duckdb.Error

    def setUp(self):
        self.con = connect()

    def query(self, sql, *arguments):
        return self.con.execute(sql, arguments).fetchall()

    def pages(self, path):
        columns = "delim = '\\x01', quote = '', escape = '', header = false, columns = {'url': 'VARCHAR'}"
        self.con.execute(f"CREATE TABLE page AS SELECT url FROM read_csv('{path}', {columns})")

    def test_values_of_other_types_are_errors(self):
        for sql in ("SELECT urlid_host(5)", "SELECT urlid_slice(5, 'tld')", "SELECT urlid_host()"):
            with self.subTest(sql), self.assertRaisesRegex(duckdb.BinderException, "urlid_"):
                self.query(sql)

    def test_a_row_has_the_same_result_in_every_kind_of_vector(self):
        self.pages(URLS)
        self.con.execute("INSERT INTO page VALUES (NULL), (''), ('no URL'), ('http://1.2.3.4/'), ('http://h\u00fc.example/')")
        self.con.execute("CREATE TABLE numbered AS SELECT row_number() OVER () AS number, url FROM page")
        few = self.query("SELECT number, url FROM numbered WHERE number % 97 = 0 OR number > (SELECT max(number) - 5 FROM numbered)")
        for call in CALLS:
            with self.subTest(call):
                flat = dict(self.query(f"SELECT number, {call} FROM numbered"))
                self.assertGreater(len(flat), 2048)
                filtered = dict(self.query(f"SELECT number, {call} FROM numbered WHERE number % 3 = 0"))
                self.assertEqual(filtered, {number: flat[number] for number in filtered})
                for number, url in few:
                    [(constant,)] = self.query(f"SELECT {call} FROM (SELECT ?::VARCHAR AS url)", url)
                    self.assertEqual(constant, flat[number], url)

    def test_dictionaries(self):
        urls = ["http://a.example/", None, "https://www.b.example.co.uk/p?id=1", "no URL"]
        self.con.execute("CREATE TABLE url AS SELECT unnest(?::VARCHAR[]) AS url, unnest(range(4)) AS number", [urls])
        self.con.execute("CREATE TABLE visit AS SELECT (range * 7 % 4)::BIGINT AS number FROM range(5000)")
        for call in CALLS:
            with self.subTest(call):
                rows = self.query(f"SELECT number, {call} FROM visit JOIN url USING (number)")
                self.assertEqual((len(rows), len(set(rows))), (5000, 4))
                self.assertEqual(dict(rows), dict(self.query(f"SELECT number, {call} FROM url")))

    def test_dictionaries_of_storage(self):
        with tempfile.TemporaryDirectory() as folder:
            self.con.execute(f"ATTACH '{folder}/pages.db' AS pages")
            values = "['http://a.example/', NULL, 'https://www.b.example.co.uk/p?id=1', 'no URL', 'http://a.example/2']"
            self.con.execute(f"CREATE TABLE pages.visit AS SELECT {values}[range % 5 + 1] AS url, range AS number FROM range(50000)")
            self.con.execute("CHECKPOINT pages")
            [(kinds,)] = self.query("SELECT list(DISTINCT compression) FROM pragma_storage_info('pages.visit') WHERE column_name = 'url' AND segment_type = 'VARCHAR'")
            self.assertRegex(str(kinds), "DICT|Dictionary")
            for call in CALLS:
                with self.subTest(call):
                    sql = f"SELECT url, {call} AS result, count(*) FROM {{}} GROUP BY url, result ORDER BY url, result"
                    found = self.query(sql.format("pages.visit"))
                    self.assertEqual([count for *_, count in found], [10000] * 5)
                    self.assertEqual(found, self.query(sql.format(f"(SELECT unnest({values}) AS url, unnest(range(5)) FROM range(10000))")))

    def test_a_name_may_change_from_row_to_row(self):
        names = "(VALUES (1, 'host'), (2, 'path'), (3, NULL), (4, 'host')) AS part(number, name)"
        rows = self.query(f"SELECT urlid_part('http://h.example/p', name) FROM {names} ORDER BY number")
        self.assertEqual(rows, [("h.example",), ("/p",), (None,), ("h.example",)])

    def test_an_error_of_a_row_ends_the_query_unless_it_is_tried(self):
        names = "(VALUES (1, 'host'), (2, 'wob'), (3, 'path')) AS part(number, name)"
        call = "urlid_part('http://h.example/p', name)"
        with self.assertRaisesRegex(duckdb.InvalidInputException, "ERR_ARGUMENT: unknown part: found \"wob\""):
            self.query(f"SELECT {call} FROM {names}")
        rows = self.query(f"SELECT TRY({call}) FROM {names} ORDER BY number")
        self.assertEqual(rows, [("h.example",), (None,), ("/p",)])
        # The function can be called again.
        self.assertEqual(self.query("SELECT urlid_part('http://h.example/p', 'path')"), [("/p",)])

    def test_short_and_long_texts(self):
        for length in (0, 1, 3, 4, 11, 12, 13, 5000):
            path = "/" + "p" * length
            self.assertEqual(self.query("SELECT urlid_part('http://h' || ?, 'path')", path), [(path,)])

    def test_texts_that_are_more_than_a_megabyte_in_a_vector(self):
        path = "'/' || repeat('p', number % 5 * 700 + number % 20)"
        url = f"CASE WHEN number % 7 > 0 THEN 'http://h' || {path} END"
        sql = f"""SELECT count(*), count(path), sum(CASE WHEN path = {path} THEN 1 END) FROM
            (SELECT number, urlid_part({url}, 'path') AS path FROM range(6000) AS rows(number))"""
        self.assertEqual(self.query(sql), [(6000, 5142, 5142)])

    def test_a_text_with_a_nul(self):
        for text in ("\0", "a\0b", "long enough to be behind a pointer \0 and so on"):
            url = "http://h/?a=" + text.replace("\0", "%00").replace(" ", "+")
            self.assertEqual(self.query("SELECT urlid_query_param(?, 'a')", url), [(text,)])

    def test_real_urls_by_several_threads(self):
        self.pages(CORPUS)
        aggregates = ", ".join(f"count({call}), bit_xor(hash({call}))" for call in CALLS)
        sql = f"SELECT count(*), {aggregates} FROM page"
        self.con.execute("SET threads = 1")
        [one] = self.query(sql)
        self.con.execute("SET threads = 4")
        [four] = self.query(sql)
        self.assertEqual(one, four)
        self.assertGreater(one[0], 25_000)

    def test_it_is_loaded_twice(self):
        self.con.execute(LOAD)
        self.con.cursor().execute(LOAD)
        self.assertEqual(self.query("SELECT urlid_tld('https://docs.rs/')"), [("rs",)])

    def test_functions_match_the_page(self):
        sql = "SELECT function_name, parameters, description FROM duckdb_functions() WHERE function_name LIKE 'urlid%'"
        found = self.query(sql + " ORDER BY function_name")
        # The page is generated from the table of functions.
        page = (ROOT / "docs/sql.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| `(urlid_\w+)\((.*?)\)` \|", page, re.MULTILINE)
        self.assertGreater(len(rows), 10)
        # The interface does not have names of arguments and descriptions, so DuckDB makes up the names.
        self.assertEqual(found, sorted((name, [f"col{index}" for index in range(names.count(",") + 1)], None) for name, names in rows))
        self.assertRaises(duckdb.BinderException, self.query, "SELECT urlid_part(part := 'path', url := 'http://h.example/p')")

    def test_a_function_that_is_registered_already(self):
        con = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        con.create_function("urlid_host", lambda url: "theirs", ["VARCHAR"], "VARCHAR")
        try:
            con.execute(LOAD)
        except duckdb.Error as error:
            self.assertIn("cannot register urlid_host: if urlid.duckdb.register has registered it, load the extension first", str(error))
        else:
            self.assertEqual(con.execute("SELECT urlid_tld('https://docs.rs/')").fetchall(), [("rs",)])

    def test_files_of_duckdb_own_format(self):
        statements = {file.stem: sqllogic.run(EXTENSION, file) for file in (FOLDER / "test/sql").glob("*.test")}
        self.assertTrue(all(count > 2 for count in statements.values()), statements)
        self.assertIn("functions", statements)

    def test_the_shell_loads_it(self):
        shell = Path(sys.executable).with_name("duckdb")
        command = [shell, "-unsigned", "-csv", "-noheader", "-c", f"{LOAD}; SELECT urlid_tld('https://docs.rs/')"]
        ran = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((ran.stdout.split(), ran.stderr), (["rs"], ""))

    def test_node_loads_it(self):
        folder = os.environ.get("URLID_DUCKDB_NODE")
        if not folder:
            self.skipTest("not run: found no npm")
        script = f"""
            const {{ DuckDBInstance }} = require('@duckdb/node-api');
            (async () => {{
                const instance = await DuckDBInstance.create(':memory:', {{ allow_unsigned_extensions: 'true' }});
                const connection = await instance.connect();
                await connection.run({json.dumps(LOAD)});
                const reader = await connection.runAndReadAll("SELECT urlid_tld('https://docs.rs/')");
                console.log(reader.getRows()[0][0]);
            }})();
        """
        ran = subprocess.run(["node", "-e", script], cwd=folder, capture_output=True, text=True, check=True)
        self.assertEqual(ran.stdout.strip(), "rs")


class Community(unittest.TestCase):
    """What DuckDB's community repository asks for, by its schema of descriptions."""

    def test_the_description(self):
        crate = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]
        description = yaml.safe_load((FOLDER / "description.yml").read_text(encoding="utf-8"))
        extension, repo, docs = description["extension"], description["repo"], description["docs"]
        self.assertEqual(set(description), {"extension", "repo", "docs"})
        self.assertEqual((extension["name"], extension["language"], extension["build"]), ("urlid", "Rust", "cargo"))
        self.assertEqual((extension["version"], extension["license"]), (crate["version"], crate["license"]))
        self.assertTrue(extension["description"] and extension["maintainers"])
        self.assertEqual(repo["ref"], f"v{crate['version']}")
        if not crate["repository"].startswith("https://example.org/"):  # the placeholder
            self.assertRegex(repo["github"], r"^[a-zA-Z0-9_-]+/[a-zA-Z0-9_.-]+$")
        self.assertEqual(set(extension["requires_toolchains"].split(";")), {"rust", "python3"})
        con = connect()
        names = {name for (name,) in con.execute("SELECT function_name FROM duckdb_functions()").fetchall()}
        named = set(re.findall(r"`(urlid_\w+)`", docs["extended_description"]))
        self.assertGreater(len(named), 10)
        self.assertLessEqual(named, names)
        for statement in docs["hello_world"].splitlines():
            [(result,)] = con.execute(statement).fetchall()
            self.assertTrue(result, statement)

    def test_one_interface_everywhere(self):
        [version] = re.findall(r"^TARGET_DUCKDB_VERSION=(v.*)$", (FOLDER / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        footer = EXTENSION.read_bytes()[-512:]
        self.assertEqual([footer[start : start + 32].rstrip(b"\0").decode() for start in (96, 160)], ["C_STRUCT", version])


if __name__ == "__main__":
    unittest.main()
