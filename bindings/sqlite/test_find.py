"""Tests of the table functions: `test_find.py FILE`, with a Python whose `sqlite3` can load extensions.

`urlid_find` is a table. Every query on it has the same answer as on a plain table of the same rows.
"""

import itertools
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from shapes import VALUES, Shapes, literal

EXTENSION = Path(sys.argv.pop(1)).with_suffix("")
PROGRAM = os.environ.get("URLID_CLI", "urlid")
SEED = int(os.environ.get("URLID_SEED", "7"))
MIXED = int(os.environ.get("URLID_CASES", "600"))

NAMES = ("url", "scheme", "host", "tld", "domain", "registered_domain", "sub", "port", "path", "query", "fragment")
# The stored text of each URL and its parts. A missing part is NULL, but the labels before a domain are an empty text.
ROWS = [
    ("https://www.s3.co.uk/", "https", "www.s3.co.uk", "co.uk", "s3", "s3.co.uk", "www", None, "/", None, None),
    ("ws://www.s3.co.uk/#f", "ws", "www.s3.co.uk", "co.uk", "s3", "s3.co.uk", "www", None, "/", None, "f"),
    ("https://a.b.c.s3.co.uk:8080/a/b/c?d=e#f", "https", "a.b.c.s3.co.uk", "co.uk", "s3", "s3.co.uk", "a.b.c", 8080, "/a/b/c", "d=e", "f"),
    ("https://s4.com/", "https", "s4.com", "com", "s4", "s4.com", "", None, "/", None, None),
    ("https://s4.com/p", "https", "s4.com", "com", "s4", "s4.com", "", None, "/p", None, None),
    ("http://s4.com/a", "http", "s4.com", "com", "s4", "s4.com", "", None, "/a", None, None),
    ("http://a.com./", "http", "a.com.", "com", "a", "a.com", "", None, "/", None, None),
    ("http://com/x", "http", "com", "com", None, None, "", None, "/x", None, None),
    ("https://github.io/", "https", "github.io", "github.io", None, None, "", None, "/", None, None),
    ("https://a.github.io/A", "https", "a.github.io", "github.io", "a", "a.github.io", "", None, "/A", None, None),
    ("https://www.b.example.com:443/a/b?007#7", "https", "www.b.example.com", "com", "example", "example.com", "www.b", 443, "/a/b", "007", "7"),
    ("https://360.cn/?7", "https", "360.cn", "cn", "360", "360.cn", "", None, "/", "7", None),
    ("https://0360.cn/", "https", "0360.cn", "cn", "0360", "0360.cn", "", None, "/", None, None),
    ("https://x.com/'%_", "https", "x.com", "com", "x", "x.com", "", None, "/'%_", None, None),
    ("https://xn--bcher-kva.example/", "https", "xn--bcher-kva.example", "example", "xn--bcher-kva", "xn--bcher-kva.example", "", None, "/", None, None),
    ("http://h:8080/A", "http", "h", "h", None, None, "", 8080, "/A", None, None),
    ("http://1.2.3.4/", "http", "1.2.3.4", None, None, None, None, None, "/", None, None),
    ("http://[::1]:8080/a", "http", "[::1]", None, None, None, None, 8080, "/a", None, None),
    ("ssh://GitHub.com:22/x", "ssh", "GitHub.com", "com", "github", "github.com", "", 22, "/x", None, None),
    ("ssh://github.com/x", "ssh", "github.com", "com", "github", "github.com", "", None, "/x", None, None),
    ("foo://a%62.com/", "foo", "a%62.com", "com", "a%62", "a%62.com", "", None, "/", None, None),
    ("foo://h", "foo", "h", "h", None, None, "", None, "", None, None),
    ("foo:", "foo", None, None, None, None, None, None, "", None, None),
    ("mailto:A@b.com?subject=x", "mailto", None, None, None, None, None, None, "A@b.com", "subject=x", None),
    ("file:///etc/x", "file", None, None, None, None, None, None, "/etc/x", None, None),
    ("data:text/plain,x", "data", None, None, None, None, None, None, "text/plain,x", None, None),
]
ROWS = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
# The contents of the second index, which is attached.
SOME = ROWS[::3]

# The arguments that are not parts, as conditions on the parts.
PRESENT = {"sub": "coalesce(f.sub, '') <> ''", "query": "f.query IS NOT NULL", "fragment": "f.fragment IS NOT NULL", "port": "f.port IS NOT NULL"}
ARGUMENTS = [("path_prefix", prefix, f"substr(f.path, 1, {len(prefix)}) = '{prefix}'") for prefix in ("/", "/a", "/a/b/", "/A")]
for parts in itertools.chain.from_iterable(itertools.combinations(PRESENT, count) for count in (1, 2, 4)):
    ARGUMENTS.append(("has", ",".join(parts), " AND ".join(f"({PRESENT[part]})" for part in parts)))
    ARGUMENTS.append(("lacks", ",".join(parts), " AND ".join(f"NOT ({PRESENT[part]})" for part in parts)))


def index_of(path, rows):
    text = "\n".join(row["url"] for row in rows)
    subprocess.run([PROGRAM, "index", "add", "--quiet", path, "-"], input=text, check=True, text=True, capture_output=True)


def tables():
    """Returns statements that make the plain tables, and the table to join with."""
    for name, rows in (("plain", ROWS), ("plain_some", SOME)):
        columns = ", ".join(f"{column} {'INTEGER' if column == 'port' else 'TEXT'}" for column in NAMES)
        yield f"CREATE TEMP TABLE {name}({columns})"
        for row in rows:
            yield f"INSERT INTO {name} VALUES ({', '.join(literal(row[column]) for column in NAMES)})"
    yield "CREATE TEMP TABLE v(d TEXT, n INTEGER, x)"
    for value in VALUES:
        yield f"INSERT INTO v VALUES ({value}, {value}, {value})"


# A number as SQL, or a column that has some.
NUMBERS = r"(?<![\w'.])-?\d|\.[nx]\b|SELECT [nx] |AS INTEGER"


class Find(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.main, cls.some = (Path(folder.name) / name for name in ("urls.db", "some.db"))
        index_of(cls.main, ROWS)
        index_of(cls.some, SOME)
        cls.con = sqlite3.connect(cls.main)
        cls.addClassCleanup(cls.con.close)
        cls.con.enable_load_extension(True)
        cls.con.load_extension(str(EXTENSION))
        cls.con.execute("ATTACH ? AS \"my urls\"", (str(cls.some),))
        for statement in tables():
            cls.con.execute(statement)
        cls.statements = list(Shapes(ROWS, SEED).all(MIXED))

    def rows(self, sql, in_order=False):
        rows = self.con.execute(sql).fetchall()
        return rows if in_order else sorted(rows, key=repr)

    def compare(self, found, expected, in_order=False):
        """Returns whether there is an answer. Only a comparison of a text column with a number may have none."""
        with self.subTest(found):
            try:
                self.assertEqual(self.rows(found, in_order), self.rows(expected, in_order))
            except sqlite3.Error as error:
                self.assertIn("is compared with a number", str(error))
                self.assertRegex(found, NUMBERS)
                return False
        return True

    def test_every_shape_has_the_answer_of_a_plain_table(self):
        self.assertGreater(len(self.statements), 5000)
        answered = 0
        for statement, in_order in self.statements:
            expected = statement.format(t="plain", bare="plain")
            answered += self.compare(statement.format(t="urlid_find('main')", bare="urlid_find"), expected, in_order)
        self.assertGreater(answered, 0.97 * len(self.statements))

    def test_columns_have_the_values_that_the_program_counts_and_exports(self):
        copy = self.main.with_name("readable.db")
        subprocess.run([PROGRAM, "index", "export", self.main, "--format", "sqlite", "--out", copy], check=True, capture_output=True)
        self.con.execute("ATTACH ? AS copy", (str(copy),))
        for name in NAMES[1:-3]:
            by = [PROGRAM, "index", "count", self.main, "--by", name.replace("_", "-")]
            lines = subprocess.run(by, check=True, text=True, capture_output=True).stdout.splitlines()
            counted = {(value, int(count)) for value, count in (line.rsplit("\t", 1) for line in lines)}
            found = f"SELECT CAST(coalesce({name}, '') AS TEXT), count(*) FROM urlid_find('main') GROUP BY 1"
            self.assertEqual(set(self.con.execute(found)), counted)
            if name != "domain":
                self.compare(f"SELECT url, {name} FROM urlid_find('main')", f"SELECT url_text, {name} FROM copy.urls")
        # The rows of the plain tables opened a transaction, in which the copy stays in use.
        self.con.commit()
        self.con.execute("DETACH copy")

    def test_an_index_that_is_attached(self):
        for statement, in_order in self.statements[::3]:
            if "{bare}" not in statement:
                self.compare(statement.format(t="urlid_find('my urls')"), statement.format(t="plain_some"), in_order)

    def test_two_indexes_in_one_statement(self):
        for name in ("host", "domain", "port", "query"):
            for kind in ("JOIN", "LEFT JOIN", "FULL JOIN"):
                joined = f"SELECT a.url, b.url FROM {{}} AS a {kind} {{}} AS b ON a.{name} = b.{name}"
                self.compare(joined.format("urlid_find('main')", "urlid_find('my urls')"), joined.format("plain", "plain_some"))
        both = "SELECT f.url, s.i FROM (SELECT 'main' AS i UNION SELECT 'my urls') AS s JOIN urlid_find(s.i) AS f WHERE f.tld = 'com'"
        expected = "SELECT url, 'main' FROM plain WHERE tld = 'com' UNION ALL SELECT url, 'my urls' FROM plain_some WHERE tld = 'com'"
        self.compare(both, expected)

    def test_arguments_that_are_not_parts(self):
        shapes = Shapes(ROWS, SEED)
        for name, value, meaning in ARGUMENTS:
            for condition in ["true", *(shapes.tree(2) for _ in range(8))]:
                where = f"f.{name} = '{value}' AND {condition}"
                expected = f"SELECT f.url FROM plain AS f WHERE {meaning} AND {condition}"
                self.compare(f"SELECT f.url FROM urlid_find('main') AS f WHERE {where}", expected)
        where = "f.path_prefix = '/a' AND f.has = 'port' AND f.lacks = 'sub'"
        self.compare(f"SELECT url, f.has FROM urlid_find AS f WHERE {where}", "SELECT 'http://[::1]:8080/a', 'port'")
        prefixes = "(SELECT '/a' AS p UNION SELECT '/p')"
        joined = f"SELECT p, url FROM {prefixes} LEFT JOIN urlid_find('main') AS f ON f.path_prefix = p AND f.scheme = 'http'"
        expected = f"SELECT p, url FROM {prefixes} LEFT JOIN plain AS f ON substr(path, 1, 2) = p AND f.scheme = 'http'"
        self.compare(joined, expected)

    def test_an_argument_elsewhere_is_an_error_or_has_its_answer(self):
        shapes = Shapes(ROWS, SEED)
        errors = 0
        for name, value, meaning in ARGUMENTS:
            is_so = f"f.{name} = '{value}'"
            for make in (
                "{} OR f.tld = 'com'",
                "f.tld = 'com' AND ({} OR f.port = 8080)",
                "NOT ({})",
                "({}) IS TRUE",
                "({} AND f.tld = 'com') OR ({} AND f.scheme = 'ssh')",
                "{} OR " + shapes.tree(1),
            ):
                for table, plain in (("urlid_find('main')", "plain"), ("urlid_find('my urls')", "plain_some"), ("urlid_find", "plain")):
                    sql = f"SELECT f.url FROM {table} AS f WHERE {make.replace('{}', is_so)}"
                    expected = f"SELECT f.url FROM {plain} AS f WHERE {make.replace('{}', f'({meaning})')}"
                    with self.subTest(sql):
                        try:
                            found = self.rows(sql)
                        except sqlite3.Error as error:
                            self.assertIn("no query solution", str(error))
                            errors += 1
                        else:
                            self.assertEqual(found, self.rows(expected))
        self.assertGreater(errors, 100)
        for sql in (
            "SELECT * FROM urlid_find WHERE has LIKE 'q%'",
            "SELECT * FROM urlid_find WHERE lower(\"index\") = 'main'",
            "SELECT has FROM urlid_find",
            "SELECT url FROM v RIGHT JOIN urlid_find('my urls') ON domain = d",
        ):
            with self.subTest(sql), self.assertRaisesRegex(sqlite3.Error, "no query solution"):
                self.rows(sql)
        for sql, message in [
            ("SELECT * FROM urlid_find WHERE has = 'path'", "has names an unknown part"),
            ("SELECT * FROM urlid_find WHERE has = 'sub' AND lacks = 'sub'", "has and lacks name the same part"),
            ("SELECT * FROM urlid_find WHERE path_prefix = 'a'", "path-prefix is not a path"),
            ("SELECT * FROM urlid_find('nothing')", "unknown database"),
        ]:
            with self.subTest(sql), self.assertRaisesRegex(sqlite3.Error, message):
                self.rows(sql)
        for sql in ("SELECT * FROM urlid_find(NULL)", "SELECT * FROM urlid_find(5)", "SELECT * FROM urlid_find(x'00') WHERE has = NULL"):
            self.assertEqual(self.rows(sql), [])

    def test_the_shell_has_the_same_answers(self):
        script = [f".load {EXTENSION}", *(f"{statement};" for statement in tables()), ".mode quote"]
        for statement, _ in self.statements:
            for sql in (statement.format(t="urlid_find('main')", bare="urlid_find"), statement.format(t="plain", bare="plain")):
                script += ["SELECT 'statement';", f"{sql};"]
        ran = subprocess.run(["sqlite3", self.main], input="\n".join(script), capture_output=True, text=True)
        # The numbers of lines that have no answer, or a part of one.
        errors = {int(line): why for line, why in re.findall(r"error near line (\d+): (.*)", ran.stderr)}
        answers = [sorted(answer.split("\n")) for answer in ran.stdout.split("'statement'\n")[1:]]
        self.assertEqual(len(answers), 2 * len(self.statements))
        for number, (statement, _) in enumerate(self.statements):
            with self.subTest(statement):
                # Two lines each: one that announces the statement, and the statement.
                error = errors.get(len(script) - 4 * (len(self.statements) - number) + 2)
                if error:
                    self.assertIn("is compared with a number", error)
                    self.assertRegex(statement, NUMBERS)
                else:
                    self.assertEqual(answers[2 * number], answers[2 * number + 1])

    def test_columns_are_the_conditions_of_the_program(self):
        usage = subprocess.run([PROGRAM, "index", "find", "--help"], capture_output=True, text=True, check=True).stdout
        columns = {row[1] for row in self.con.execute("PRAGMA table_xinfo(urlid_find)")}
        conditions = re.split(r"\n(?=\S)", usage.split("\nConditions:\n")[1])[0]
        names = re.findall(r"^ +--([a-z-]+) <", conditions, re.MULTILINE)
        self.assertGreaterEqual(len(names), 12)
        self.assertLessEqual({name.replace("-", "_") for name in names}, columns)

    def test_equalities_narrow_the_rows_that_are_read(self):
        for where, is_narrow in [("tld = 'com' AND domain = 's4'", True), ("lower(domain) = 's4'", False), ("host = 's4.com'", True)]:
            *_, plan = self.con.execute(f"EXPLAIN QUERY PLAN SELECT * FROM urlid_find WHERE {where}").fetchone()
            with self.subTest(where):
                self.assertEqual(bool(plan.split("INDEX 0:")[1]), is_narrow)


class Ranges(unittest.TestCase):
    def setUp(self):
        self.con = sqlite3.connect(":memory:")
        self.addCleanup(self.con.close)
        self.con.enable_load_extension(True)
        self.con.load_extension(str(EXTENSION))

    def rows(self, sql):
        return self.con.execute(sql).fetchall()

    def test_every_shape_has_its_answer(self):
        for sql, expected in [
            ("SELECT count(*) FROM urlid_ranges('com', 'a') WHERE tld = 'com'", 48),
            ("SELECT count(*) FROM urlid_ranges('com', 'a') WHERE lower(tld) = 'com'", 48),
            ("SELECT count(*) FROM urlid_ranges('com', 'a') WHERE tld = 'org'", 0),
            ("SELECT count(*) FROM urlid_ranges('com', 'a') WHERE tld = 'org' OR domain = 'a'", 48),
            ("SELECT count(*) FROM urlid_ranges('com', 'a') WHERE tld = 'org' OR domain = 'b'", 0),
            ("SELECT count(*) FROM urlid_ranges WHERE tld IN ('com', 'org') AND domain = 'a'", 96),
            ("SELECT count(*) FROM urlid_ranges WHERE (tld = 'com' OR tld = 'org') AND domain = 'a'", 96),
            ("SELECT count(*) FROM urlid_ranges WHERE (tld = 'com' AND domain = 'a') OR (tld = 'org' AND domain = 'b')", 96),
            ("SELECT count(*) FROM urlid_ranges WHERE (tld = 'com' AND domain = 'a') OR (tld = 'com' AND domain = 'a')", 48),
            ("SELECT count(DISTINCT tld || domain) FROM urlid_ranges WHERE tld IN ('com', 'org') AND domain IN ('a', 'b')", 4),
            ("SELECT count(*) FROM (SELECT 'com' AS t UNION SELECT NULL UNION SELECT 5 UNION SELECT x'00') LEFT JOIN urlid_ranges(t, 'a')", 51),
            ("SELECT count(*) FROM (SELECT 'com' AS t UNION SELECT 'org') JOIN urlid_ranges('com', 'a') ON tld = t", 48),
            ("SELECT count(*) FROM urlid_ranges('com', 'a') AS x JOIN urlid_ranges('com', 'a') AS y USING (first, last)", 48),
            ("SELECT count(*) FROM urlid_ranges('com', NULL)", 0),
            ("SELECT count(*) FROM urlid_ranges('com', 5)", 0),
            ("SELECT count(*) FROM urlid_ranges('com')", 48),
        ]:
            with self.subTest(sql):
                self.assertEqual(self.rows(sql), [(expected,)])

    def test_half_of_the_arguments_is_an_error(self):
        for sql in (
            "SELECT * FROM urlid_ranges",
            "SELECT * FROM urlid_ranges WHERE lower(tld) = 'com'",
            "SELECT * FROM urlid_ranges WHERE domain = 'a'",
            "SELECT * FROM urlid_ranges('com') WHERE lower(domain) = 'a'",
            "SELECT * FROM urlid_ranges('com') WHERE domain LIKE 'a' OR first IS NULL",
        ):
            with self.subTest(sql), self.assertRaisesRegex(sqlite3.Error, "no query solution|expected tld, domain"):
                self.rows(sql)


if __name__ == "__main__":
    unittest.main()
