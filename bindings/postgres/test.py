"""Tests of the extension: `test.py ROOT MAJOR EXTENSION`, with the folder in which PostgreSQL was unpacked, and the built extension."""

import json
import sys
import time
import unittest
from pathlib import Path

from server import Server, literal

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "vectors" / "functions.json"
SQL_PAGE = ROOT / "docs" / "sql.md"
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


# Returns a text of UTF-8 in the encoding of the database; NULL if that lacks a character.
HERE = """
CREATE FUNCTION here(utf8 bytea) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN convert_from(utf8, 'UTF8');
EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
END $$;
"""

# Encodings, and the fewest characters of them beyond ASCII. EUC_JIS_2004 has one code for some pairs of characters.
ENCODINGS = {"LATIN1": 96, "WIN1252": 123, "EUC_JP": 6000, "EUC_JIS_2004": 11_000, "EUC_KR": 8000}


def utf8(texts):
    """Returns texts as rows of SQL, each the bytes of UTF-8 and these percent-encoded."""
    encoded = (text.encode() for text in texts)
    return ",\n".join(rf"('\x{bytes.hex()}'::bytea, '{''.join(f'%{byte:02X}' for byte in bytes)}')" for bytes in encoded)


class Extension(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(*SERVER)
        cls.addClassCleanup(cls.server.stop)
        cls.server.script("CREATE EXTENSION urlid;\n" + ATTEMPT)

    def sql(self, script, **options):
        return self.server.sql(script, **options)

    def database(self, name, encoding):
        """Makes a database with the extension, unless it is there."""
        if self.sql(f"SELECT FROM pg_database WHERE datname = '{name}'"):
            return
        self.server.script(f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0;")
        self.server.script("CREATE EXTENSION urlid;\n" + HERE, name)

    def test_vectors(self):
        vectors = json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]
        # Keys of pages are vectors of `canon`, which SQL has without rules.
        for page in json.loads(VECTORS.with_name("page.json").read_text(encoding="utf-8"))["vectors"]:
            if "rules" not in page["input"]:
                call = {"name": "urlid_canon", "arguments": [page["input"]["text"], page["input"]["form"]]}
                vectors.append({"id": page["id"], "input": call, "expect": {"result": page.get("expect", {}).get("canonical")}})
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

    def test_a_column_that_keeps_urls_unique(self):
        section = SQL_PAGE.read_text(encoding="utf-8").split("\n## A unique URL\n")[1].split("\n## ")[0]
        create, insert = section.split("```sql\n")[1].split("```")[0].strip().split("\n")
        # Texts that do not compress are too long for an index themselves.
        long = "SELECT 'https://h.example/' || string_agg(md5(n::text), '') FROM generate_series({0}, {0} + 199) AS n"
        self.addCleanup(self.server.script, "DROP TABLE page;")
        self.server.script(f"{create}\n{insert}\nINSERT INTO page {long.format(1)};\nINSERT INTO page {long.format(2)};")
        self.assertEqual(self.sql("SELECT count(*), min(url), max(length(id)) FROM page"), [[3, "https://docs.rs/", 32]])
        for row, error in ((long.format(1), "duplicate key"), ("VALUES ('no URL')", "null value")):
            with self.assertRaisesRegex(RuntimeError, error):
                self.server.script(f"INSERT INTO page {row};")
        with self.assertRaisesRegex(RuntimeError, "exceeds btree version 4 maximum 2704"):
            self.server.script("CREATE UNIQUE INDEX ON page(url);")

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

    def test_a_database_without_an_encoding(self):
        self.database("none", "SQL_ASCII")
        invalid = r"'http://' || convert_from('\xe9', 'SQL_ASCII') || '.example/'"
        self.assertEqual(self.sql(f"SELECT urlid_host({invalid})", database="none"), [[None]])
        self.assertEqual(self.sql("SELECT urlid_host('http://h.example/')", database="none"), [["h.example"]])

    def test_characters_that_an_encoding_lacks_are_null_and_others_go_both_ways(self):
        characters = [chr(code) for code in [*range(1, 0xD800), *range(0xE000, 0xFFFE), *range(0x1F600, 0x1F700), *range(0x20000, 0x20400)]]
        pairs = [first + second for first in "かカæəɔʌ˩˥aé" for second in "\u309a\u0300\u0301˥˩"]
        values = utf8([*characters, *pairs])
        for encoding, least in ENCODINGS.items():
            with self.subTest(encoding):
                self.database(encoding.lower(), encoding)
                rows = self.sql(
                    f"""CREATE TABLE text AS SELECT here(utf8), percent FROM (VALUES {values}) AS row(utf8, percent);
                    SELECT count(here), count(*) FILTER (WHERE urlid_query_param('http://h/?q=' || percent, 'q') IS DISTINCT FROM here) AS differing FROM text""",
                    database=encoding.lower(),
                )
                [[count, differing]] = rows
                self.assertEqual(differing, 0)
                self.assertGreaterEqual(count, 127 + least)
                # Some characters share a code, so the other direction starts there. ASCII is left out because a URL has many of its
                # characters unchanged, and C1 because PostgreSQL writes it in EUC_JIS_2004 and cannot read it.
                back = r"regexp_replace(upper(encode(convert_to(here, 'UTF8'), 'hex')), '(..)', '%\1', 'g')"
                differing = f"urlid_canon('http://h/?' || here, 'web') IS DISTINCT FROM 'http://h/?' || {back}"
                rows = self.sql(
                    f"SELECT count(*), count(*) FILTER (WHERE {differing}) AS differing FROM text WHERE here IS NOT NULL AND percent ~ '^(%[89A-F].)+$' AND percent !~ '^%C2%[89].$'",
                    database=encoding.lower(),
                )
                [[count, differing]] = rows
                self.assertEqual(differing, 0)
                self.assertGreaterEqual(count, least)

    def test_every_text_function_has_the_results_of_utf_8_or_null(self):
        forms = ["web", "generic", "sxurl", "hashed-none", "hashed-n", "hashed-p", "surt-0.3.1", "ia-surt-1.3", "cc-host-2026-05", "w3lib-2.5"]
        forms += ["scrapy-2.7/w3lib-2.4", "url-normalize-3.1", "urlcanon-semantic-0.3.1", "safe-browsing-v4", "web+sort-query"]
        parts = ["host", "user", "path", "file", "query", "fragment", "origin", "tld", "registered_domain"]
        calls = ["urlid_host(url)", "urlid_tld(url)", "urlid_registered_domain(url)", "urlid_sub(url)", "urlid_hashed(url, 'sha1', 'n')"]
        calls += [f"urlid_canon(url, '{form}')" for form in forms] + [f"urlid_part(url, '{part}')" for part in parts]
        calls += ["urlid_query_param(url, 'k')", "urlid_split(url, 'registered_domain', 'icann')", "urlid_decode(urlid_sxurl(url), 'path')"]
        pieces = ["é", "%C3%A9", "%E9", "€", "%E2%82%AC", "ß", "ǅ", "あ", "%E3%81%82", "한", "%ED%95%9C", "😀", "%F0%9F%98%80", "ﬁ", "µ", "Å"]
        urls = ["http://u{0}@a{0}.b{0}.example/p{0}/{0}?k={0}&{0}=1#f{0}".format(piece) for piece in pieces]
        urls += ["http://h/p{0}?k={0}#f{0}".format(piece) for piece in pieces]
        # The results in UTF-8, with the bytes of each URL.
        rows = ", ".join(f"({literal(url)})" for url in urls)
        columns = ", ".join(f"convert_to({call}, 'UTF8') AS e{number}" for number, call in enumerate(calls))
        results = self.sql(f"SELECT convert_to(url, 'UTF8'), {columns} FROM (VALUES {rows}) AS row(url)")
        self.assertTrue(any(value.startswith(r"\x") and not bytes.fromhex(value[2:]).isascii() for row in results for value in row[1:] if value))
        for encoding in ENCODINGS:
            self.database(f"{encoding.lower()}_all", encoding)
            expected = [f"({', '.join('NULL::bytea' if value is None else f'{value!r}::bytea' for value in row)})".replace("\\\\", "\\") for row in results]
            names = ", ".join(f"e{number}" for number in range(len(calls)))
            differing = " UNION ALL ".join(
                f"SELECT url, {number}, {call}, here(e{number}) FROM url WHERE {call} IS DISTINCT FROM here(e{number})" for number, call in enumerate(calls)
            )
            script = f"CREATE TABLE url AS SELECT here(utf8) AS url, {names} FROM (VALUES {', '.join(expected)}) AS row(utf8, {names}) WHERE here(utf8) IS NOT NULL;\n"
            with self.subTest(encoding):
                self.assertEqual(self.sql(f"{script}SELECT * FROM ({differing}) AS differing", database=f"{encoding.lower()}_all"), [])
                self.assertGreater(self.sql("SELECT count(*) FROM url", database=f"{encoding.lower()}_all")[0][0], 7)

    def test_long_texts_in_a_different_encoding(self):
        self.database("long_japanese", "EUC_JIS_2004")
        # Several pieces of a megabyte with pairs of characters with one code, at every offset from a piece's end.
        for pair in ("か\u309a", "æ\u0300"):
            for lead in range(8):
                utf8 = f"repeat('a', {lead}) || repeat({literal(pair)}, 400000)"
                [[percent]] = self.sql(f"SELECT md5(convert_to({utf8}, 'UTF8'))")
                there = f"repeat('a', {lead}) || repeat(convert_from('\\x{pair.encode().hex()}', 'UTF8'), 400000)"
                percent_encoded = "".join(f"%{byte:02X}" for byte in pair.encode())
                found = f"urlid_query_param('http://h/?q=' || repeat('a', {lead}) || repeat('{percent_encoded}', 400000), 'q')"
                rows = self.sql(f"SELECT {found} = {there}, md5(convert_to({found}, 'UTF8'))", database="long_japanese")
                self.assertEqual(rows, [[True, percent]])
        lacking = "urlid_query_param('http://h/?q=' || repeat('%E3%81%82', 400000) || '%F0%9F%98%80', 'q')"
        self.assertEqual(self.sql(f"SELECT {lacking}", database="long_japanese"), [[None]])

    def test_a_message_has_the_characters_of_the_encoding(self):
        for encoding in ENCODINGS:
            name = f"{encoding.lower()}_message"
            self.database(name, encoding)
            with self.subTest(encoding):
                # The message cuts a long name off by an ellipsis, which Latin 1 lacks.
                with self.assertRaisesRegex(RuntimeError, "ERROR:  22023: ERR_CANON_NAME: .*xxx[…?.]"):
                    self.server.script("SELECT urlid_canon('http://h/', repeat('x', 1000));", name)
        with self.assertRaisesRegex(RuntimeError, 'ERR_ARGUMENT: unknown part: found "é"'):
            self.server.script("SELECT urlid_part('http://h/', chr(233));", "latin1_message")

    def test_a_long_call_is_cancelled(self):
        # Half a minute of one core, or more.
        self.server.script(
            """CREATE TABLE slow(url text);
            ALTER TABLE slow ALTER url SET STORAGE EXTERNAL;
            INSERT INTO slow VALUES ('http://' || repeat('é', 30000000) || '.example/');
            CREATE FUNCTION cancelled(url text) RETURNS text LANGUAGE plpgsql AS $$
            BEGIN
                RETURN urlid_canon(url, 'w3lib-2.5');
            EXCEPTION WHEN query_canceled THEN
                RETURN 'cancelled';
            END $$;"""
        )
        long = "SELECT length(urlid_canon(url, 'w3lib-2.5')) FROM slow"
        began = time.monotonic()
        # The second long call waits for the first, which still runs, and is also cancelled. A short one does not wait.
        printed = self.server.script(f"\\set ON_ERROR_STOP 0\nSET statement_timeout = '2s';\n{long};\n{long};\nSELECT urlid_host('http://h/');")
        self.assertEqual(printed.count("ERROR:  57014: canceling statement due to statement timeout"), 2)
        self.assertTrue(printed.endswith("\nh\n"), printed)
        # The same place of a statement is used again after its call was cancelled.
        rows = self.sql("SET statement_timeout = '2s';\nSELECT cancelled(url) FROM (SELECT url FROM slow UNION ALL VALUES ('http://H')) AS row")
        self.assertEqual(rows, [["cancelled"], ["http://h/"]])
        self.assertLess(time.monotonic() - began, 30)

    def test_a_result_with_a_zero_byte_is_null(self):
        self.assertEqual(self.sql("SELECT urlid_query_param('http://h/?q=a%00b', 'q')"), [[None]])

    def test_long_values(self):
        # Compressed, and stored in a separate table.
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
