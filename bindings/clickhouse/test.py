"""Tests of the recipe: `test.py PROGRAM`, with a Python that has chdb."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import chdb

PROGRAM = Path(sys.argv.pop(1)).resolve()
FUNCTIONS = Path(__file__).with_name("urlid_function.xml").resolve()
PAGE = Path(__file__).resolve().parents[2] / "docs/sql.md"
URLS = Path(__file__).resolve().parents[2] / "samples/debian_homepages.txt"
DOCS_RS = "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356"
# How a NULL is written.
NULL = r"\N"

# Values that could be more than one line, or none, and the URLs that they are to a browser.
HOSTILE = [
    (r"'http://h/\na'", "http://h/a"),
    (r"'http://h/\r\na'", "http://h/a"),
    (r"'http://h/\ra'", "http://h/a"),
    (r"'http://h/a\n'", "http://h/a"),
    (r"'\n\n'", NULL),
    (r"'\n'", NULL),
    (r"'http://h/\0a'", "http://h/%00a"),
    (r"'http://h/\ta'", "http://h/a"),
    ("NULL", NULL),
    ("''", NULL),
    (r"'http://h/\'\"\'\"'", "http://h/'%22'%22"),
    (r"'http://h/\\\\n'", "http://h///n"),
    (r"'http://h/?\\'", "http://h/?\\"),
    (r"'{\"url\":\"http://h/\"}'", NULL),
    (r"'http://h/\"}\n{\"url\":\"http://h/b'", "http://h/%22%7D%7B%22url%22:%22http://h/b"),
    (r"unhex('687474703a2f2f682fff')", NULL),
    (r"unhex('687474703a2f2f682fc0af0a')", NULL),
    (r"'http://h/' || char(0xe2, 0x80, 0xa8) || char(0xc2, 0x85)", "http://h/%E2%80%A8%C2%85"),
    ("'http://h/' || repeat('a', 100000)", "http://h/" + "a" * 100_000),
]


class Recipe(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        (Path(cls.folder.name) / "urlid").symlink_to(PROGRAM)
        settings = f"user_scripts_path={cls.folder.name}&user_defined_executable_functions_config={FUNCTIONS}"
        cls.connection = chdb.connect(f":memory:?{settings}")

    @classmethod
    def tearDownClass(cls):
        cls.connection.close()
        cls.folder.cleanup()

    def query(self, sql):
        return str(self.connection.query(sql, "TSVRaw")).split("\n")[:-1]

    def of_program(self, *options):
        command = [PROGRAM, *options, "--invalid", "report", "--quiet", URLS]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
        return [line or NULL for line in lines]

    def test_a_pool_answers_block_after_block_and_query_after_query(self):
        urls = f"SELECT line AS url FROM file('{URLS}', LineAsString)"
        for function, options in [("urlid_sxurl_hex", []), ("urlid_url_hash_hex", ["--kind", "url-hash"])]:
            expected = self.of_program("id", *options)
            for block in (65_536, 1000):
                with self.subTest(function, block=block):
                    sql = f"SELECT {function}(url) FROM ({urls}) SETTINGS max_block_size = {block}, max_threads = 1"
                    self.assertEqual(self.query(sql), expected)

    def test_no_row_changes_the_answer_of_another(self):
        """Whatever a row holds, those around it have the answers that they have alone, in blocks of 65,536 rows."""
        self.query("CREATE TABLE hostile (n UInt64, url Nullable(String)) ENGINE = Memory")
        self.query("CREATE TABLE good (n UInt64, url String) ENGINE = Memory")
        self.query(f"INSERT INTO good SELECT rowNumberInAllBlocks() * 1000, line FROM file('{URLS}', LineAsString)")
        self.query("INSERT INTO hostile SELECT n, url FROM good")
        for number, (value, _) in enumerate(HOSTILE):
            # One in every 200th gap, and many side by side.
            self.query(f"INSERT INTO hostile SELECT n + {number} + 1, {value} FROM good WHERE n % 200000 = 0 OR n BETWEEN 900000 AND 950000")
        for function in ("urlid_sxurl_hex", "urlid_url_hash_hex", "urlid_canon_web", "urlid_registered_domain"):
            alone = f"SELECT n, {function}(url) AS answer FROM good"
            among = f"SELECT n, {function}(url) AS answer FROM (SELECT * FROM hostile ORDER BY n)"
            settings = "SETTINGS max_block_size = 65536, max_threads = 1"
            with self.subTest(function):
                differing = f"SELECT count() FROM ({alone}) AS a FULL JOIN (SELECT * FROM ({among}) WHERE n % 1000 = 0) AS b USING (n)"
                self.assertEqual(self.query(f"{differing} WHERE a.answer IS DISTINCT FROM b.answer {settings}"), ["0"])
                [(count)] = self.query(f"SELECT count() FROM ({among}) WHERE n % 1000 = 0 AND answer IS NOT NULL {settings}")
                self.assertGreater(int(count), 29_000)
                for number, (value, canonical) in enumerate(HOSTILE):
                    found = self.query(f"SELECT DISTINCT answer FROM ({among}) WHERE n % 1000 = {number + 1} {settings}")
                    self.assertEqual(found, self.query(f"SELECT {function}({value})"), value)
                    if function == "urlid_canon_web":
                        self.assertEqual(found, [canonical], value)

    def test_what_is_rejected_and_null_are_null(self):
        urls = "SELECT arrayJoin(['https://docs.rs/', 'mailto:x', '', 'a\\tb', NULL]) AS url"
        ids = self.query(f"SELECT urlid_sxurl_hex(url) FROM ({urls})")
        self.assertEqual(ids, [DOCS_RS, NULL, NULL, NULL, NULL])
        self.assertEqual(self.query("SELECT toTypeName(urlid_sxurl_hex('x'))"), ["Nullable(String)"])

    def test_forms_and_parts(self):
        url = "'HTTPS://WWW.Example.co.uk:443/a/../b'"
        answers = f"urlid_canon_web({url}), urlid_registered_domain({url}), urlid_registered_domain('http://1.2.3.4/')"
        self.assertEqual(self.query(f"SELECT {answers}"), [f"https://www.example.co.uk/b\texample.co.uk\t{NULL}"])

    def test_the_statements_of_the_page_answer(self):
        page = PAGE.read_text(encoding="utf-8").split("\n## ClickHouse\n")[1].split("```sql\n")[1].split("```")[0]
        create, select = page.strip().removesuffix(";").split(";\n")
        self.query("CREATE TABLE page (url String) ENGINE = Memory")
        self.query("INSERT INTO page VALUES ('https://docs.rs/'), ('HTTPS://docs.rs'), ('mailto:x')")
        self.query(create)
        self.assertEqual(sorted(self.query(select)), [f"{DOCS_RS}\t2", f"{NULL}\t1"])
        ids = self.query("SELECT hex(urlid_sxurl(url)) FROM page ORDER BY 1")
        self.assertEqual([found.lower() for found in ids], [DOCS_RS, DOCS_RS, NULL.lower()])

    def test_a_table_function_starts_the_program_once(self):
        urls = f"SELECT line AS url FROM file('{URLS}', LineAsString) SETTINGS max_threads = 1"
        program = "urlid id --column url --input-format ndjson --invalid ignore --quiet -"
        sql = f"SELECT url_sxurl FROM executable('{program}', JSONEachRow, 'url String, url_sxurl Nullable(String)', ({urls}))"
        self.assertEqual(self.query(sql), self.of_program("id"))


if __name__ == "__main__":
    unittest.main()
