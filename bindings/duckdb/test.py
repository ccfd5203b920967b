"""Tests of the extension: `test.py FILE`, with a Python that has the packages of requirements-test.txt."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "conformance/hosts"))
from vectors import VectorTests  # noqa: E402: it lies beside the comparison of hosts

EXTENSION = sys.argv.pop(1)
ROOT = Path(__file__).resolve().parents[2]
URLS = ROOT / "samples" / "debian_homepages.txt"
CORPUS = ROOT.parent / "shared" / "corpus" / "mixed_100k.txt.zst"
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
        path = CORPUS if CORPUS.exists() else URLS
        self.pages(path)
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

    def test_the_shell_loads_it(self):
        shell = Path(sys.executable).with_name("duckdb")
        command = [shell, "-unsigned", "-csv", "-noheader", "-c", f"{LOAD}; SELECT urlid_tld('https://docs.rs/')"]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        self.assertEqual(ran.stdout.split(), ["rs"])

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


if __name__ == "__main__":
    unittest.main()
