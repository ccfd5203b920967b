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
        command = [PROGRAM, "id", *options, "--on-refused", "report", "--quiet", URLS]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]

    def test_a_pool_answers_block_after_block_and_query_after_query(self):
        urls = f"SELECT line AS url FROM file('{URLS}', LineAsString)"
        for function, options in [("urlid_sxurl_hex", []), ("urlid_url_hash_hex", ["--kind", "url-hash", "--hex"])]:
            expected = self.of_program(*options)
            for block in (65_536, 1000):
                with self.subTest(function, block=block):
                    sql = f"SELECT {function}(url) FROM ({urls}) SETTINGS max_block_size = {block}, max_threads = 1"
                    self.assertEqual(self.query(sql), expected)

    def test_a_url_that_is_refused_has_an_empty_id(self):
        urls = "SELECT arrayJoin(['https://docs.rs/', 'mailto:x', '', 'a\\tb']) AS url"
        ids = self.query(f"SELECT urlid_sxurl_hex(url) FROM ({urls})")
        self.assertEqual(ids, ["1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356", "", "", ""])

    def test_the_statements_of_the_page_answer(self):
        page = PAGE.read_text(encoding="utf-8").split("\n## ClickHouse\n")[1].split("```sql\n")[1].split("```")[0]
        create, select = page.strip().removesuffix(";").split(";\n")
        self.query("CREATE TABLE page (url String) ENGINE = Memory")
        self.query("INSERT INTO page VALUES ('https://docs.rs/'), ('HTTPS://docs.rs'), ('mailto:x')")
        self.query(create)
        identifier = "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356"
        self.assertEqual(sorted(self.query(select)), ["\t1", f"{identifier}\t2"])
        ids = self.query("SELECT hex(urlid_sxurl(url)) FROM page ORDER BY 1 DESC")
        self.assertEqual([found.lower() for found in ids], [identifier, identifier, ""])

    def test_a_table_function_starts_the_program_once(self):
        urls = f"SELECT line FROM file('{URLS}', LineAsString) SETTINGS max_threads = 1"
        program = "urlid id --on-refused report --quiet -"
        sql = f"SELECT id FROM executable('{program}', TabSeparatedRaw, 'id String', ({urls}))"
        self.assertEqual(self.query(sql), self.of_program())


if __name__ == "__main__":
    unittest.main()
