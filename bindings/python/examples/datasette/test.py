"""Tests of the plugin, with a Python that has Datasette and urlid: `test.py [EXTENSION]`, with the extension of SQLite if it is given."""

import html
import itertools
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from urllib.parse import quote

from urlid_plugin import UNSEEN

ROOT = Path(__file__).resolve().parents[4]
EXTENSION = sys.argv.pop(1) if len(sys.argv) > 1 else None
PROGRAM = os.environ.get("URLID_CLI", "urlid")
FROM_FIND = "select id, url from urlid_find('main') where domain = 'debian' and tld = 'org'"
FROM_ROWS = "select id, url from url where urlid_registered_domain(url) = 'debian.org'"
FIND = "/urls?sql=" + quote(FROM_FIND if EXTENSION else FROM_ROWS)
URLS = ["https://www.debian.org/", "https://wiki.debian.org/a?b#c", "https://debian.com/", "http://1.2.3.4/x", "mailto:a@b"]
# URLs that hide something from a reader, or turn it round.
HIDING = ["https://bank.example/\u202egpj.exe", "http://a\u200bb.example/\u00a0x", "https://h.example/\x1b[31m\u2028\U000e0041", "foo:\u2066x"]
HIDING += ["\u200bhttps://h.example/", "https://h.example/\\u{202e}", "https://h.example/<\u202e>"]


class Plugin(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        files = [Path(cls.folder.name) / name for name in ("urls.db", "pages.db")]
        subprocess.run([PROGRAM, "index", "add", files[0], "-"], input="\n".join(URLS), text=True, check=True, capture_output=True)
        with sqlite3.connect(files[1]) as pages:
            pages.execute("CREATE TABLE page(id INTEGER PRIMARY KEY, link TEXT)")
            links = ["https://www.debian.org/<b>", "javascript:alert(1)", "https://h'x.example/", "https://docs.rs/"]
            pages.executemany("INSERT INTO page(link) VALUES (?)", [(link,) for link in links])
            pages.execute("CREATE TABLE odd(id_hex TEXT, link TEXT)")
            ids = ["g" * 64, "\u0660" * 64, " " * 64, "00 " * 21 + "0", "f" * 64, "\ud7ff" * 64, "1fa63fdbee83c02".rjust(64, "x"), ""]
            pages.executemany("INSERT INTO odd VALUES (?, ?)", itertools.zip_longest(ids, HIDING))
        # Datasette loads every file of the folder, and this file is not a plugin.
        plugins = Path(cls.folder.name) / "plugins"
        plugins.mkdir()
        shutil.copy(Path(__file__).with_name("urlid_plugin.py"), plugins)
        extension = ["--load-extension", EXTENSION] if EXTENSION else []
        cls.command = [sys.executable, "-m", "datasette", *files, *extension, "--plugins-dir", plugins]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def get(self, path):
        ran = subprocess.run([*self.command, "--get", path], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stdout[-2000:] + ran.stderr)
        return ran.stdout

    def test_an_id_is_shown_as_its_fields(self):
        for path in ("/urls/url_hex", "/urls/url", FIND):
            with self.subTest(path):
                page = self.get(path)
                # The slices of debian and org.
                self.assertIn("domain <code>1fa63fdbee83c02</code>", page)
                self.assertIn("tld <code>daa3</code>", page)
        self.assertIn("https://wiki.debian.org/a?b#c", page)
        self.assertNotIn("https://debian.com/", page)

    def test_the_link_of_a_host_leads_to_its_urls(self):
        for path, host in ("/urls/url", "wiki.debian.org"), ("/urls/other", "1.2.3.4"), ("/pages/page", "docs.rs"):
            with self.subTest(path):
                [target] = re.findall(rf'<a href="([^"]*)">all of {re.escape(host)}</a>', self.get(path))
                found = self.get(html.unescape(target))
                self.assertEqual(len(re.findall(r'rel="noreferrer nofollow"', found)), 1)
                self.assertIn(host, found)

    def test_only_web_urls_are_links(self):
        page = self.get("/pages/page")
        self.assertIn('href="https://www.debian.org/&lt;b&gt;"', page)
        self.assertNotIn('href="javascript:', page)
        self.assertNotIn("<b>", page)

    def test_text_that_is_not_an_id_is_shown_unchanged(self):
        page = self.get("/pages/odd")
        self.assertIn("g" * 64, page)
        self.assertIn("f" * 64, page)
        self.assertNotIn("scheme <code>", page)

    def test_invisible_characters_of_a_url_are_shown_as_escapes(self):
        page = self.get("/pages/odd")
        cells = re.sub(r'href="[^"]*"', "", page)
        for character in "\u202e\u200b\u00a0\x1b\u2028\U000e0041\u2066":
            self.assertNotIn(character, cells.split("<table")[1].split("</table>")[0], hex(ord(character)))
        for code in (r"\u{202e}", r"\u{200b}", r"\u{a0}", r"\x1b", r"\u{2028}", r"\u{e0041}", r"\u{2066}"):
            self.assertIn(f">{code}</span>", page, code)
        # A URL that contains the letters of an escape is shown unchanged, and the link leads to the URL itself.
        self.assertIn(r'nofollow">https://h.example/\u{202e}</a>', page)
        self.assertIn('href="https://bank.example/\u202egpj.exe"', page)
        self.assertIn("https://h.example/&lt;<span", page)

    def test_the_page_of_urlid_escapes_the_same(self):
        script = (ROOT / "web/src/unseen.js").read_text(encoding="utf-8")
        [ranges] = re.findall(r"/(\[.*\])/gu", script)
        of_page = re.compile(re.sub(r"\\u\{(\w+)\}", lambda found: f"\\U{int(found[1], 16):08x}", ranges))
        characters = list(map(chr, range(sys.maxunicode + 1)))
        unseen = list(filter(UNSEEN.match, characters))
        self.assertEqual(unseen, list(filter(of_page.match, characters)))
        self.assertGreater(len(unseen), 4000)


if __name__ == "__main__":
    unittest.main()
