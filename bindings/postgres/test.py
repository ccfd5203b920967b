"""Tests of the extension: `test.py ROOT MAJOR EXTENSION`, with the folder in which PostgreSQL was unpacked, and the built extension."""

import json
import sys
import unittest
from pathlib import Path

from server import Server, literal

VECTORS = Path(__file__).resolve().parents[2] / "vectors" / "functions.json"
SERVER = sys.argv[1:4]


def text(value):
    """Returns a result as PostgreSQL prints it."""
    if isinstance(value, dict):
        return rf"\x{value['hex']}"
    if isinstance(value, bool):
        return str(value).lower()
    return None if value is None else str(value)


# Returns the result as a text, or the state and the message of the error.
ATTEMPT = """
CREATE FUNCTION attempt(query text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
    EXECUTE 'SELECT (' || query || ')::text' INTO result;
    RETURN ARRAY[result];
EXCEPTION WHEN OTHERS THEN
    RETURN ARRAY[SQLSTATE, SQLERRM];
END $$;
"""


class Extension(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(*SERVER)
        cls.addClassCleanup(cls.server.stop)
        cls.server.script("CREATE EXTENSION urlid;\n" + ATTEMPT)

    def sql(self, script, **options):
        return self.server.sql(script, **options)

    def test_vectors(self):
        vectors = json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]
        self.assertGreater(len(vectors), 250)
        calls = []
        for vector in vectors:
            arguments = ", ".join(map(literal, vector["input"]["arguments"]))
            calls.append(literal(f"{vector['input']['name']}({arguments})"))
        values = ",\n".join(f"({number}, {call})" for number, call in enumerate(calls))
        rows = self.sql(f"SELECT attempt(query) FROM (VALUES {values}) AS call(number, query) ORDER BY number")
        self.assertEqual(len(rows), len(vectors))
        for vector, [found] in zip(vectors, rows):
            with self.subTest(vector["id"]):
                if "error" in vector:
                    self.assertEqual(found[0], "22023")
                    self.assertTrue(found[1].startswith(vector["error"] + ": "), found)
                else:
                    self.assertEqual(found, [text(vector["expect"]["result"])])

    def test_functions_are_immutable_strict_and_parallel_safe(self):
        rows = self.sql(
            "SELECT provolatile, proisstrict, proparallel, count(*) FROM pg_proc WHERE proname LIKE 'urlid\\_%' GROUP BY 1, 2, 3"
        )
        count = len({vector["class"] for vector in json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]})
        self.assertEqual(rows, [["i", True, "s", count]])

    def test_an_error_has_the_code_and_the_value(self):
        with self.assertRaisesRegex(RuntimeError, 'ERROR:  22023: ERR_ARGUMENT: unknown slice: found "TLD", expected'):
            self.server.script("SELECT urlid_slice(urlid_sxurl('https://docs.rs/'), 'TLD');")

    def test_a_name_may_change_from_row_to_row(self):
        rows = self.sql("SELECT urlid_part('http://h.example/p', name) FROM (VALUES ('host'), ('path'), (NULL), ('host')) AS t(name)")
        self.assertEqual(rows, [["h.example"], ["/p"], [None], ["h.example"]])

    def test_expression_indexes_and_generated_columns(self):
        self.server.script(
            """CREATE TABLE page(url text, host text GENERATED ALWAYS AS (urlid_host(url)) STORED);
               CREATE INDEX page_domain ON page(urlid_slice(urlid_sxurl(url), 'domain'));
               INSERT INTO page SELECT 'https://www.d' || n || '.example/' FROM generate_series(1, 2000) AS n;
               INSERT INTO page VALUES ('http://www.google.co.uk/'), ('no URL');
               ANALYZE page;"""
        )
        condition = "urlid_slice(urlid_sxurl(url), 'domain') = urlid_probe('domain', 'google')"
        self.assertEqual(self.sql(f"SELECT url, host FROM page WHERE {condition}"), [["http://www.google.co.uk/", "www.google.co.uk"]])
        plan = self.server.script(f"EXPLAIN SELECT url FROM page WHERE {condition};")
        self.assertRegex(plan, "Index Scan (using|on) page_domain")
        self.assertEqual(self.sql("SELECT host FROM page WHERE url = 'no URL'"), [[None]])

    def test_workers_give_the_same(self):
        settings = "SET parallel_setup_cost = 0;\nSET parallel_tuple_cost = 0;\nSET min_parallel_table_scan_size = 0;\n"
        self.server.script("CREATE TABLE many AS SELECT 'https://a.d' || n || '.co.uk/p?q=' || n AS url FROM generate_series(1, 20000) AS n; ANALYZE many;")
        query = "SELECT count(DISTINCT urlid_registered_domain(url)), md5(string_agg(id, '' ORDER BY id)) FROM (SELECT url, urlid_sxurl(url) AS id FROM many{}) AS ids"
        filtered = " WHERE urlid_host(url) IS NOT NULL"
        plan = self.server.script(settings + f"EXPLAIN SELECT url FROM many{filtered};")
        self.assertIn("Workers Planned", plan)
        parallel = self.sql(settings + query.format(filtered))
        alone = self.sql("SET max_parallel_workers_per_gather = 0;\n" + query.format(filtered))
        self.assertEqual(parallel, alone)
        self.assertEqual(alone[0][0], 20000)

    def test_other_encodings(self):
        self.server.script(
            "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0;\nCREATE DATABASE none ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0;"
        )
        for database in ("latin", "none"):
            self.server.script("CREATE EXTENSION urlid;", database)
        # 233 is é in Latin 1.
        url = "'http://' || chr(233) || '.example/'"
        self.assertEqual(self.sql(f"SELECT urlid_host({url})", database="latin"), [["xn--9ca.example"]])
        parameter = f"urlid_query_param('http://h/?q=%C3%A9', 'q') = chr(233)"
        self.assertEqual(self.sql(f"SELECT {parameter}", database="latin"), [[True]])
        with self.assertRaisesRegex(RuntimeError, 'ERR_ARGUMENT: unknown part: found "'):
            self.server.script("SELECT urlid_part('http://h/', chr(233));", "latin")
        invalid = r"'http://' || convert_from('\xe9', 'SQL_ASCII') || '.example/'"
        self.assertEqual(self.sql(f"SELECT urlid_host({invalid})", database="none"), [[None]])
        self.assertEqual(self.sql("SELECT urlid_host('http://h.example/')", database="none"), [["h.example"]])

    def test_a_result_with_a_zero_byte_is_null(self):
        self.assertEqual(self.sql("SELECT urlid_query_param('http://h/?q=a%00b', 'q')"), [[None]])

    def test_long_values(self):
        # Compressed, and stored in another table.
        self.server.script("CREATE TABLE long(url text);\nINSERT INTO long VALUES ('https://docs.rs/' || repeat('a', 3000000));")
        self.assertEqual(self.sql("SELECT urlid_host(url), length(urlid_canon(url, 'web')) FROM long"), [["docs.rs", 3000016]])

    def test_any_owner_of_a_database_creates_and_drops_it(self):
        self.server.script("CREATE ROLE owner LOGIN;\nCREATE DATABASE owned OWNER owner;")
        [[host]] = self.sql("SET ROLE owner;\nCREATE EXTENSION urlid;\nSELECT urlid_host('http://h/')", database="owned")
        self.assertEqual(host, "h")
        self.server.script("SET ROLE owner;\nDROP EXTENSION urlid;", "owned")


if __name__ == "__main__":
    del sys.argv[1:4]
    unittest.main()
