"""Tests of the extension: `test.py FILE`, with a Python whose `sqlite3` can load extensions."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from importlib.machinery import PathFinder
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "dev/conformance/hosts"))
from vectors import VectorTests  # noqa: E402: it lies beside the comparison of hosts

EXTENSION = Path(sys.argv.pop(1)).with_suffix("")
PROGRAM = os.environ.get("URLID_CLI", "urlid")


def connect(path=":memory:"):
    con = sqlite3.connect(path)
    con.enable_load_extension(True)
    con.load_extension(str(EXTENSION))
    return con


def program(*arguments, text=None):
    ran = subprocess.run([PROGRAM, *map(str, arguments)], input=text, capture_output=True, text=True, check=True)
    return ran.stdout


class Extension(VectorTests, unittest.TestCase):
    Error = sqlite3.Error
    values_have_types = True

    def setUp(self):
        self.con = connect()

    def query(self, sql, *arguments):
        return self.con.execute(sql, arguments).fetchall()

    def test_a_value_of_the_wrong_type_is_null(self):
        other = ("5", "5.5", "x'00'", "x'687474703a2f2f682f'", "CAST(x'687474703a2f2fff' AS TEXT)", "NULL")
        for value in other:
            for call in (
                "urlid_host({})",
                "urlid_sxurl({})",
                "urlid_canon({}, 'web')",
                "urlid_canon('http://h/', {})",
                "urlid_query_param('http://h/?5=a', {})",
                "urlid_match({}, 'http://h/')",
                "urlid_probe('domain', {})",
            ):
                with self.subTest(call, value=value):
                    self.assertEqual(self.query("SELECT " + call.format(value)), [(None,)])
        for value in ("'00'", "''", "5", "x'00'", "zeroblob(33)"):
            with self.subTest(value):
                self.assertEqual(self.query(f"SELECT urlid_slice({value}, 'tld'), urlid_decode({value}, 'tld')"), [(None, None)])
        with self.assertRaisesRegex(sqlite3.Error, "wrong number of arguments"):
            self.query("SELECT urlid_host()")

    def test_one_value_that_is_not_text_does_not_stop_the_rest(self):
        self.con.executescript(
            """CREATE TABLE page(url, host TEXT GENERATED ALWAYS AS (urlid_host(url)) STORED);
               INSERT INTO page(url) VALUES ('http://a.example/'), (5), (x'ff'), (CAST(x'ff' AS TEXT)), (NULL), (1.5), ('http://b.example/');
               CREATE INDEX page_id ON page(urlid_sxurl(url));
               INSERT INTO page(url) VALUES (x'00');
               CREATE TABLE probe(tld, domain);
               INSERT INTO probe VALUES ('example', 'a'), (5, 'a'), ('example', x'00'), (NULL, NULL);"""
        )
        self.assertEqual(self.query("SELECT host FROM page WHERE host IS NOT NULL"), [("a.example",), ("b.example",)])
        self.assertEqual(self.query("SELECT count(*), count(urlid_part(url, 'host')) FROM page"), [(8, 2)])
        self.assertEqual(self.query("SELECT urlid_count_hosts(url) FROM page"), [(2,)])
        joined = "FROM probe AS p JOIN urlid_ranges(p.tld, p.domain) AS r JOIN page ON urlid_sxurl(url) BETWEEN r.first AND r.last"
        self.assertEqual(self.query(f"SELECT host {joined}"), [("a.example",)])

    def test_a_name_may_change_from_row_to_row(self):
        rows = self.query(
            "SELECT urlid_part('http://h.example/p', column1) FROM (VALUES ('host'), ('path'), (NULL), ('host'))"
        )
        self.assertEqual(rows, [("h.example",), ("/p",), (None,), ("h.example",)])

    def test_indexes_and_generated_columns(self):
        self.con.executescript(
            """CREATE TABLE page(url TEXT, host TEXT GENERATED ALWAYS AS (urlid_host(url)) STORED);
               CREATE INDEX page_domain ON page(urlid_registered_domain(url));
               INSERT INTO page(url) VALUES ('http://www.example.co.uk/'), ('http://b.example/'), ('no URL');"""
        )
        condition = "urlid_registered_domain(url) = 'example.co.uk'"
        self.assertEqual(self.query(f"SELECT host FROM page WHERE {condition}"), [("www.example.co.uk",)])
        [(*_, plan)] = self.query(f"EXPLAIN QUERY PLAN SELECT * FROM page WHERE {condition}")
        self.assertIn("USING INDEX page_domain", plan)

    def test_ranges_find_a_domain_by_the_primary_key(self):
        self.con.execute("CREATE TABLE url(id BLOB, url TEXT, PRIMARY KEY(id, url)) WITHOUT ROWID")
        urls = [f"https://{sub}{domain}/{n}" for sub in ("", "a.") for domain in ("docs.rs", "docs.com", "b.rs") for n in "123"]
        self.con.executemany("INSERT INTO url VALUES (urlid_sxurl(?1), ?1)", [(url,) for url in urls])
        join = "FROM urlid_ranges('rs', 'Docs') AS range JOIN url ON url.id BETWEEN range.first AND range.last"
        found = {url for (url,) in self.query(f"SELECT url {join}")}
        self.assertEqual(found, {url for url in urls if "docs.rs" in url})
        plan = [step for *_, step in self.query(f"EXPLAIN QUERY PLAN SELECT url {join}")]
        self.assertTrue(any("SEARCH url USING PRIMARY KEY" in step for step in plan), plan)
        self.assertEqual(self.query("SELECT count(*) FROM urlid_ranges('rs', 'docs')"), [(48,)])
        self.assertEqual(self.query("SELECT count(*) FROM urlid_ranges('a b', 'docs')"), [(0,)])
        self.assertEqual(self.query("SELECT count(*) FROM urlid_ranges(NULL, 'docs')"), [(0,)])
        self.assertEqual(self.query("SELECT count(*) FROM urlid_ranges('docs', NULL)"), [(0,)])
        [(count,)] = self.query("SELECT count(*) " + join.replace(", 'Docs'", ""))
        self.assertEqual(count, sum(".rs/" in url for url in urls))
        with self.assertRaisesRegex(sqlite3.Error, "tld, domain"):
            self.query("SELECT * FROM urlid_ranges")
        pairs = "(SELECT 'rs' AS suffix, 'docs' AS name UNION SELECT 'com', 'docs')"
        self.assertEqual(self.query(f"SELECT count(*) FROM {pairs} JOIN urlid_ranges(suffix, name)"), [(96,)])

    def test_find_answers_as_the_program_does(self):
        with tempfile.TemporaryDirectory() as folder:
            index = Path(folder) / "urls.db"
            urls = [f"https://{sub}debian.{tld}/{path}" for sub in ("", "www.") for tld in ("org", "com") for path in ("", "a?q")]
            urls += ["http://1.2.3.4/", "mailto:a@debian.org", "wss://debian.org/", "http://debian.org:8080/"]
            program("index", "add", index, "-", text="\n".join(urls))
            questions = [
                {"tld": "org", "domain": "debian"},
                {"domain": "debian"},
                {"host": "1.2.3.4"},
                {"scheme": "wss"},
                {"port": "8080", "domain": "debian"},
                {"path-prefix": "/a", "has": "query"},
                {"sub": "www"},
                {},
            ]
            attached = connect()
            attached.execute("ATTACH ? AS \"my urls\"", (str(index),))
            con = connect(index)
            for question in questions:
                with self.subTest(question):
                    options = [f"--{name}={value}" for name, value in question.items()]
                    expected = program("index", "find", index, *options).splitlines()
                    self.assertTrue(expected)
                    where = " AND ".join([f"{name.replace('-', '_')} = ?" for name in question] or ["true"])
                    values = list(question.values())
                    rows = con.execute(f"SELECT url, id = urlid_sxurl(url) FROM urlid_find('main') WHERE {where}", values)
                    found = rows.fetchall()
                    self.assertEqual([url for url, _ in found], expected)
                    self.assertNotIn((0,), [(is_its,) for _, is_its in found])
                    rows = attached.execute(f"SELECT url FROM urlid_find('my urls') WHERE {where} LIMIT 2 OFFSET 1", values)
                    self.assertEqual([url for (url,) in rows], expected[1:3])
                    [(count,)] = con.execute(f"SELECT count(*) FROM urlid_find WHERE {where} AND url LIKE '%a%' LIMIT 1", values)
                    self.assertEqual(count, sum("a" in url.lower() for url in expected))
            self.assertEqual(con.execute("SELECT * FROM urlid_find WHERE port = 8080").fetchall()[0][1], urls[-1])
            self.assertEqual(con.execute("SELECT * FROM urlid_find WHERE domain = NULL").fetchall(), [])
            pairs = "(SELECT 'org' AS suffix UNION SELECT 'com')"
            joined = f"SELECT count(*) FROM {pairs} JOIN urlid_find('main') ON tld = suffix WHERE domain = 'debian'"
            self.assertEqual(con.execute(joined).fetchall(), [(10,)])
            # Values are compared unchanged: hosts are in lower case, and a domain is one label.
            for value in ("Debian", "debian.org"):
                self.assertEqual(con.execute("SELECT * FROM urlid_find WHERE domain = ?", [value]).fetchall(), [])
            with self.assertRaisesRegex(sqlite3.Error, "ERR_INDEX_FORMAT: main is not an index"):
                self.query("SELECT * FROM urlid_find")

    def test_aggregates_count_each_once(self):
        self.con.execute("CREATE TABLE page(section, url)")
        rows = [("a", "http://x.b.example/"), ("a", "http://y.b.example/"), ("a", None), ("b", "no URL"), ("c", 5)]
        self.con.executemany("INSERT INTO page VALUES (?, ?)", rows)
        counts = "urlid_count_hosts(url), urlid_count_domains(url)"
        self.assertEqual(
            self.query(f"SELECT section, {counts} FROM page GROUP BY 1"), [("a", 2, 1), ("b", 0, 0), ("c", 0, 0)]
        )
        self.assertEqual(self.query(f"SELECT {counts} FROM page WHERE 0"), [(0, 0)])

    def test_its_name_differs_from_the_package(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(EXTENSION.with_suffix(".so"), folder)
            self.assertIsNone(PathFinder.find_spec("urlid", [folder]))

    def test_the_shell_loads_it(self):
        ran = subprocess.run(
            ["sqlite3", ":memory:", "-cmd", f".load {EXTENSION}", "SELECT urlid_tld('https://docs.rs/')"],
            capture_output=True,
            text=True,
            check=True,
        )
        self.assertEqual(ran.stdout, "rs\n")


if __name__ == "__main__":
    unittest.main()
