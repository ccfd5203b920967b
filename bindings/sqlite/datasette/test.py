"""Tests of the plugin: `test.py EXTENSION`, with a Python that has Datasette and can load extensions.

With `URLID_SCREENSHOTS`, the path of a folder, the pages are opened in Chromium too, and pictures of them are kept there.
"""

import html
import os
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import quote

EXTENSION = sys.argv.pop(1)
PROGRAM = os.environ.get("URLID_CLI", "urlid")
SCREENSHOTS = os.environ.get("URLID_SCREENSHOTS")
FIND = "/urls?sql=" + quote("select id, url from urlid_find('main') where domain = 'debian' and tld = 'org'")
URLS = ["https://www.debian.org/", "https://wiki.debian.org/a?b#c", "https://debian.com/", "http://1.2.3.4/x", "mailto:a@b"]


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
        plugins = Path(__file__).parent
        cls.command = [sys.executable, "-m", "datasette", *files, "--load-extension", EXTENSION, "--plugins-dir", plugins]

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
                self.assertRegex(page, r">domain</span> <code>1fa63fdbee83c02</code>")
                self.assertRegex(page, r">tld</span> <code>daa3</code>")

    def test_find_has_the_urls_of_the_question(self):
        page = self.get(FIND)
        self.assertIn("https://wiki.debian.org/a?b#c", page)
        self.assertNotIn("https://debian.com/", page)

    def test_the_link_of_a_host_leads_to_its_urls(self):
        for path, host, count in [(FIND, "wiki.debian.org", 1), ("/urls/other", "1.2.3.4", 1), ("/pages/page", "docs.rs", 1)]:
            with self.subTest(path):
                [target, *_] = re.findall(rf'<a href="([^"]*)">all of {re.escape(host)}</a>', self.get(path))
                found = self.get(html.unescape(target))
                self.assertEqual(len(re.findall(r'rel="noreferrer nofollow"', found)), count)
                self.assertIn(host, found)

    def test_what_is_no_web_url_is_no_link(self):
        page = self.get("/pages/page")
        self.assertIn('href="https://www.debian.org/&lt;b&gt;"', page)
        self.assertNotIn('href="javascript:', page)
        self.assertNotIn("<b>", page)

    @unittest.skipUnless(SCREENSHOTS, "URLID_SCREENSHOTS is not set")
    def test_the_pages_in_a_browser(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = subprocess.Popen([*self.command, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.wait_for(f"http://127.0.0.1:{port}/-/versions.json")
            for name, path in [("find", FIND), ("index", "/urls/url_hex"), ("page", "/pages/page")]:
                url = f"http://127.0.0.1:{port}{path}"
                picture = Path(SCREENSHOTS).resolve() / f"datasette-{name}.png"
                chromium = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1500,900"]
                subprocess.run([*chromium, f"--screenshot={picture}", url], check=True, capture_output=True, timeout=120)
                self.assertGreater(picture.stat().st_size, 10_000)
                ran = subprocess.run([*chromium, "--dump-dom", url], check=True, capture_output=True, text=True, timeout=120)
                self.assertIn("all of www.debian.org", ran.stdout)
        finally:
            server.terminate()
            server.wait()

    def wait_for(self, url):
        for _ in range(300):
            try:
                urllib.request.urlopen(url).close()
                return
            except urllib.error.URLError:
                time.sleep(0.1)
        self.fail(f"no answer from {url}")


if __name__ == "__main__":
    unittest.main()
