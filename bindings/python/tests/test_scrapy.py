"""The drop-ins in a real crawl of a local server. The same requests are filtered as by Scrapy's own filter, and a job directory
survives a restart and a different w3lib."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from conftest import not_run

import urlid

PAGES = {
    "/": "<a href='/a?y&x'></a><a href='/a?x=&y='></a><a href='/a?x;y#f'></a><a href='/a?x;y'></a><a href='/b%2fc'></a>"
    "<a href='/b%2Fc'></a><a href='/d/../e'></a><form id='one'></form><form id='two'></form><form id='one'></form>",
    "/lists": "<ol id='1'></ol><ol id='2'></ol><ol id='3'></ol><ol id='4'></ol><ol id='5'></ol><ol id='5'></ol>",
    "/first": "<a href='/done'></a>",
    "/done": "<a href='/hangs'></a>",
    "/second": "<a href='/done'></a><a href='/hangs'></a><a href='/new'></a>",
    "/forms": "<a href='/form'></a><form id='to /done'></form>",
    "/again": "<a href='/form'></a><form id='to /done'></form>",
    "/later": "<a href='/'></a><a href='/a?x;y'></a><a href='/new'></a>",
}

URLID = {
    "REQUEST_FINGERPRINTER_CLASS": "urlid.scrapy.RequestFingerprinter",
    "DUPEFILTER_CLASS": "urlid.scrapy.DupeFilter",
}


class Server(ThreadingHTTPServer):
    """Stores the requests."""

    requested: list[str]
    hangs: threading.Event | None = None
    """Set when `/hangs` is requested. The server answers neither it nor `/form`."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        if self.path in ("/hangs", "/form") and self.server.hangs is not None:
            if self.path == "/hangs":
                self.server.hangs.set()
            # Does not answer while the crawl lives.
            self.rfile.read(1)
            return
        page = self.headers.get("X-Page")
        self.answer(f"{self.path} {page}" if page else self.path, PAGES.get(self.path, ""))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.answer(f"{self.path} {body}", "", body.removeprefix("to ") if body.startswith("to ") else None)

    def answer(self, what: str, page: str, location: str | None = None) -> None:
        self.server.requested.append(what)
        self.send_response(302 if location else 200)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<html><body>{page}</body></html>".encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def crawl(server: Server, settings: dict[str, str], start: str = "/", w3lib: str | None = None) -> list[str]:
    """Returns the requests of a crawl, sorted by text."""
    server.requested = []
    url = f"http://127.0.0.1:{server.server_port}{start}"
    script = Path(__file__).with_name("crawl.py")
    environment = {**os.environ, "PYTHONPATH": w3lib} if w3lib else dict(os.environ)
    command = [sys.executable, str(script), json.dumps(settings), url]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=environment)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return sorted(server.requested)


def killed_crawl(server: Server, settings: dict[str, str], start: str, path: str | None = None) -> list[str]:
    """Returns the requests of a crawl that is killed when it has requested `/hangs`."""
    server.requested, server.hangs = [], threading.Event()
    script = Path(__file__).with_name("crawl.py")
    url = f"http://127.0.0.1:{server.server_port}{start}"
    environment = {**os.environ, "PYTHONPATH": path} if path else dict(os.environ)
    command = [sys.executable, str(script), json.dumps(settings), url]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment)
    assert server.hangs.wait(60)
    process.kill()
    process.wait()
    server.hangs = None
    return server.requested


def rejected_crawl(server: Server, settings: dict[str, str]) -> str:
    """Returns the output of a crawl that requests nothing."""
    server.requested = []
    script = Path(__file__).with_name("crawl.py")
    command = [sys.executable, str(script), json.dumps(settings), f"http://127.0.0.1:{server.server_port}/"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert server.requested == []
    return done.stderr


@pytest.fixture(scope="session")
def w3lib_2_4() -> str:
    """The folder of w3lib 2.4.1."""
    path = os.environ.get("URLID_W3LIB_2_4")
    if not path:
        not_run("no w3lib 2.4.1: URLID_W3LIB_2_4 names none")
    return path


def test_the_same_requests_are_filtered_as_by_scrapys_own(server: Server, w3lib_2_4: str) -> None:
    own = crawl(server, {})
    assert own == crawl(server, URLID)
    assert [request for request in own if request.startswith("/form")] == ["/form one", "/form two"]
    old = {**URLID, "URLID_FINGERPRINT": "scrapy-2.7/w3lib-2.4"}
    assert crawl(server, {}, w3lib=w3lib_2_4) == crawl(server, old) == crawl(server, old, w3lib=w3lib_2_4) != own


def test_a_job_directory_survives_a_restart_and_a_different_w3lib(server: Server, w3lib_2_4: str, tmp_path: Path) -> None:
    settings = {**URLID, "JOBDIR": str(tmp_path)}
    assert len(crawl(server, settings, w3lib=w3lib_2_4)) > 5
    assert crawl(server, settings, "/later") == ["/later", "/new"]
    assert crawl(server, settings, "/later", w3lib=w3lib_2_4) == []


def test_the_file_that_scrapy_left_is_imported(server: Server, w3lib_2_4: str, tmp_path: Path) -> None:
    crawl(server, {"JOBDIR": str(tmp_path)}, w3lib=w3lib_2_4)
    settings = {**URLID, "JOBDIR": str(tmp_path), "URLID_FINGERPRINT": "scrapy-2.7/w3lib-2.4"}
    assert crawl(server, settings, "/later") == ["/later", "/new"]


def test_fingerprints_are_of_any_form_and_of_rules(server: Server, tmp_path: Path) -> None:
    assert crawl(server, {**URLID, "URLID_FINGERPRINT": "page-1+drop-values"}) == crawl(server, {**URLID, "URLID_FINGERPRINT": "web+drop-values+drop-fragment"})
    rules = tmp_path / "site.rules"
    rules.write_text("urlid-rules 1\n[127.0.0.1]\ndrop x y\n")
    settings = {**URLID, "URLID_FINGERPRINT": "page-1+rules", "URLID_RULES": str(rules), "JOBDIR": str(tmp_path / "job")}
    assert len({"/a?y&x", "/a?x=&y="}.intersection(crawl(server, settings))) == 1
    assert crawl(server, settings, "/later") == ["/later", "/new"]
    rules.write_text("urlid-rules 1\n[127.0.0.1]\ndrop x\n")
    assert "holds fingerprints page-1+rules@" in rejected_crawl(server, settings)


def test_a_fingerprint_of_a_form_covers_the_method_the_form_and_the_body() -> None:
    from scrapy import Request

    from urlid.scrapy import RequestFingerprinter

    def of(name: str, url: str, rules: urlid.Rules | None = None, **more: str) -> bytes:
        return RequestFingerprinter(name, rules).fingerprint(Request(url, **more))

    one = of("page-1", "http://www.h.example/a/?utm_source=x#top")
    assert len(one) == 20 and one == of("page-1", "https://h.example/a") != of("page-1", "https://h.example/b")
    assert one != of("page-1", "https://h.example/a", method="POST") != of("page-1", "https://h.example/a", method="POST", body="x")
    rules = urlid.Rules("urlid-rules 1\n[*.h.example]\ndrop q\n")
    assert of("page-1+rules", "http://a.h.example/?q=1", rules) == of("page-1", "http://a.h.example/")
    assert RequestFingerprinter("web+https+rules", rules).name == f"web+rules@{rules.name}+https"
    assert RequestFingerprinter().name == "scrapy-2.7/w3lib-2.5"
    # A URL without a form equals only the same URL.
    assert of("page-1", "http://1.2.3.999/") == of("page-1", "http://1.2.3.999/") != of("page-1", "http://1.2.3.998/")
    with pytest.raises(urlid.UrlidError, match="ERR_CANON_NAME"):
        RequestFingerprinter("page-0")
    with pytest.raises(ValueError, match="no step rules"):
        RequestFingerprinter("page-1", rules)


def test_a_job_directory_keeps_its_name_of_fingerprints(tmp_path: Path) -> None:
    from urlid.scrapy import DupeFilter, RequestFingerprinter

    DupeFilter(str(tmp_path)).close("finished")
    with pytest.raises(ValueError, match=r"holds fingerprints scrapy-2.7/w3lib-2.5, found scrapy-2.7/w3lib-2.4"):
        DupeFilter(str(tmp_path), fingerprinter=RequestFingerprinter("scrapy-2.7/w3lib-2.4"))
    with pytest.raises(ValueError, match="canonical form is unknown"):
        RequestFingerprinter("scrapy-1.0")


def test_pending_requests_of_a_killed_crawl_are_requested_again(server: Server, tmp_path: Path) -> None:
    settings = {**URLID, "DUPEFILTER_CLASS": "fingerprints.FilterThatKeepsAll", "JOBDIR": str(tmp_path), "RETRY_ENABLED": False}
    assert killed_crawl(server, settings, "/first") == ["/first", "/done"]
    # `/done` was answered and is filtered; `/hangs` was seen, but never got.
    assert crawl(server, settings, "/second") == ["/hangs", "/new", "/second"]
    # A crawl that ends by itself leaves nothing pending.
    assert crawl(server, settings, "/second") == []


def test_of_requests_that_were_redirected_those_that_were_answered_are_kept(server: Server, tmp_path: Path) -> None:
    settings = {**URLID, "DUPEFILTER_CLASS": "fingerprints.FilterThatKeepsAll", "JOBDIR": str(tmp_path), "RETRY_ENABLED": False}
    assert killed_crawl(server, settings, "/forms") == ["/forms", "/form to /done", "/done"]
    # The POST was redirected to a page with an answer. The GET of the same URL did not get one.
    assert crawl(server, settings, "/again") == ["/again", "/form"]


def test_a_request_that_was_redirected_is_pending_until_the_last_response(tmp_path: Path) -> None:
    from scrapy import Request

    from urlid.scrapy import DupeFilter

    seen = DupeFilter(str(tmp_path))
    post = Request("http://h/a", method="POST", body="a=1")
    assert not seen.request_seen(post)
    seen._on_download(post)
    target = post.replace(url="http://h/b", method="GET", body="")
    assert not seen.request_seen(target)
    # Neither a request without a response, nor a request that a spider derives from it.
    failed = Request("http://h/c")
    assert not seen.request_seen(failed)
    seen._on_response(failed.replace(url="http://h/d"))
    assert len(seen.pending()) == 3
    seen._on_download(target)
    seen._on_response(target)
    assert seen.pending() == [urlid.scrapy_fingerprint(failed.url)]
    assert "urlid_answered" not in target.meta
    seen.close("finished")


def test_requests_are_pending_until_they_are_acknowledged(tmp_path: Path) -> None:
    from scrapy import Request

    from urlid.scrapy import DupeFilter

    one, other = Request("http://h/"), Request("http://h/b")
    seen = DupeFilter(str(tmp_path))
    assert [seen.request_seen(request) for request in (one, one, other)] == [False, True, False]
    seen.acknowledge(one)
    assert seen.pending() == [urlid.scrapy_fingerprint(other.url)]
    seen._directory.close()  # and then the process is gone
    seen = DupeFilter(str(tmp_path))
    assert seen.pending() == []
    assert [seen.request_seen(request) for request in (one, other)] == [True, False]
    seen.close("finished")
    seen = DupeFilter(str(tmp_path))
    assert [seen.request_seen(request) for request in (one, other)] == [True, True]


@pytest.mark.parametrize("name", ["WithHeaders", "Longer", "OfScrapys", "OfUrlids"])
def test_a_fingerprinter_of_the_project_is_used_unchanged(name: str, server: Server, tmp_path: Path) -> None:
    own = {"REQUEST_FINGERPRINTER_CLASS": f"fingerprints.{name}"}
    settings = {**URLID, **own, "JOBDIR": str(tmp_path)}
    pages = ["/list 1", "/list 2", "/list 3", "/list 4", "/list 5"] if name == "WithHeaders" else ["/list 1"]
    assert crawl(server, settings, "/lists") == [*pages, "/lists"] == crawl(server, own, "/lists")
    assert crawl(server, settings, "/lists") == []
    # A different class is rejected by name, and so is urlid's own.
    for other in ["Longer" if name != "Longer" else "WithHeaders", None]:
        found = f"fingerprints.{other}" if other else "scrapy-2.7/w3lib-2.5"
        changed = {"REQUEST_FINGERPRINTER_CLASS": found} if other else {}
        error = rejected_crawl(server, {**settings, **URLID, **changed})
        assert f"holds fingerprints fingerprints.{name}, found {found}" in error


def test_scrapys_own_fingerprinter_is_replaced(server: Server, tmp_path: Path) -> None:
    settings = {"DUPEFILTER_CLASS": "urlid.scrapy.DupeFilter", "JOBDIR": str(tmp_path)}
    assert crawl(server, settings, "/lists") == ["/list 1", "/lists"]
    own = {**settings, "REQUEST_FINGERPRINTER_CLASS": "fingerprints.WithHeaders"}
    error = rejected_crawl(server, own)
    assert "holds fingerprints scrapy-2.7/w3lib-2.5, found fingerprints.WithHeaders: set REQUEST_FINGERPRINTER_CLASS or" in error
    error = rejected_crawl(server, {**settings, "URLID_FINGERPRINT": "scrapy-2.7/w3lib-2.4"})
    assert "holds fingerprints scrapy-2.7/w3lib-2.5, found scrapy-2.7/w3lib-2.4" in error


def test_both_formats_of_the_old_file_are_read(tmp_path: Path) -> None:
    from scrapy import Request

    from urlid.scrapy import DupeFilter

    request, other = Request("http://h/"), Request("http://h/b")
    fingerprint = urlid.scrapy_fingerprint(request.url)
    for name, old in [("text", fingerprint.hex().encode() + b"\n12345"), ("binary", b"\0\x14" + fingerprint + b"\0\x14x")]:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "requests.seen").write_bytes(old)
        seen = DupeFilter(str(folder))
        assert [seen.request_seen(request), seen.request_seen(other), seen.request_seen(other)] == [True, False, True]
        seen.close("finished")


def test_a_fingerprint_matches_scrapy() -> None:
    from scrapy import Request
    from scrapy.utils.request import fingerprint

    from urlid.scrapy import RequestFingerprinter

    for request in [
        Request("http://h/?b;a#f"),
        Request("http://h/?b;a#f", method="PUT", body="ü"),
        Request("http://h/?b&a", meta={"verbatim_url": True}),
    ]:
        assert RequestFingerprinter().fingerprint(request) == fingerprint(request)


def test_without_scrapy_the_extra_is_named() -> None:
    code = "import sys; sys.modules['scrapy'] = None\nimport urlid.scrapy"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "urlid.scrapy needs scrapy: pip install 'urlid[scrapy]'" in done.stderr


def read_by_scrapy(folder: Path) -> set[bytes]:
    from scrapy.dupefilters import RFPDupeFilter

    scrapys = RFPDupeFilter(str(folder))
    scrapys.close("finished")
    return scrapys._fingerprints


def test_a_crawl_can_switch_to_scrapys_filter_and_back(server: Server, tmp_path: Path) -> None:
    settings = {"JOBDIR": str(tmp_path)}
    assert len(crawl(server, {**settings, **URLID})) > 5
    assert crawl(server, settings, "/later") == ["/later", "/new"]
    assert crawl(server, {**settings, **URLID}, "/second") == ["/done", "/hangs", "/second"]
    assert crawl(server, settings, "/second") == crawl(server, {**settings, **URLID}, "/later") == []


def test_additions_by_scrapy_are_imported_whenever_they_are_newer(tmp_path: Path) -> None:
    """Both filters run in turn, with separate requests."""
    from scrapy import Request
    from scrapy.dupefilters import RFPDupeFilter

    from urlid.scrapy import DupeFilter

    requests = [Request(f"http://h/{page}") for page in range(300)]
    for begin in range(0, 300, 100):
        scrapys = RFPDupeFilter(str(tmp_path))
        assert [scrapys.request_seen(request) for request in requests[: begin + 50]] == [True] * begin + [False] * 50
        scrapys.close("finished")
        seen = DupeFilter(str(tmp_path))
        assert (seen._directory.imported, seen._directory.known) == (50, begin + 50)
        assert [seen.request_seen(request) for request in requests[: begin + 100]] == [True] * (begin + 50) + [False] * 50
        seen.close("finished")
    seen = DupeFilter(str(tmp_path))
    assert (seen._directory.imported, seen._directory.known) == (0, 300)
    seen.close("finished")
    assert read_by_scrapy(tmp_path) == {urlid.scrapy_fingerprint(request.url) for request in requests}


@pytest.mark.parametrize("length", [20, 32])
@pytest.mark.parametrize("cut", range(6))
def test_a_file_that_was_cut_off_is_repaired_and_appended_to(length: int, cut: int, tmp_path: Path) -> None:
    from urlid._job_directory import JobDirectory

    fingerprints = [bytes([number]) * length for number in range(5)]
    entries = b"".join(length.to_bytes(2, "big") + fingerprint for fingerprint in fingerprints[:4])
    (tmp_path / "requests.seen").write_bytes(entries[: len(entries) - cut])
    directory = JobDirectory(tmp_path, "a name", 2)
    whole = 4 if cut == 0 else 3
    assert [fingerprint in directory for fingerprint in fingerprints] == [True] * whole + [False] * (5 - whole)
    directory.add(fingerprints[4])
    directory.close()
    assert read_by_scrapy(tmp_path) == {*fingerprints[:whole], fingerprints[4]}


SCRAPYS = os.environ.get("URLID_SCRAPYS")
"""A folder with the Scrapys that are tested in addition to the installed one, each in a folder named by its version."""


def older_scrapys() -> list[str]:
    return sorted(str(folder) for folder in Path(SCRAPYS).iterdir()) if SCRAPYS else []


@pytest.mark.parametrize("scrapy", [None, *older_scrapys()], ids=lambda path: Path(path).name if path else "installed")
def test_both_filters_of_every_scrapy_take_turns(server: Server, scrapy: str | None, tmp_path: Path) -> None:
    if not SCRAPYS:
        not_run("no other Scrapy: URLID_SCRAPYS names none")
    own = {"JOBDIR": str(tmp_path), "RETRY_ENABLED": False}
    urlids = {**own, **URLID}
    assert crawl(server, own, "/first", scrapy) == ["/done", "/first", "/hangs"]
    written = (tmp_path / "requests.seen").read_bytes()
    assert crawl(server, urlids, "/second", scrapy) == ["/new", "/second"]
    # Scrapy's file is appended to, and not converted.
    assert (tmp_path / "requests.seen").read_bytes().startswith(written)
    assert not list(tmp_path.glob("requests.seen.*"))
    assert crawl(server, own, "/later", scrapy) == ["/", "/a?x;y", "/a?y&x", "/b%2fc", "/e", "/form one", "/form two", "/later"]
    assert crawl(server, urlids, "/later", scrapy) == crawl(server, own, "/second", scrapy) == []


@pytest.mark.parametrize("scrapy", [None, *older_scrapys()], ids=lambda path: Path(path).name if path else "installed")
def test_scrapys_filter_reads_what_a_killed_crawl_left(server: Server, scrapy: str | None, tmp_path: Path) -> None:
    if not SCRAPYS:
        not_run("no other Scrapy: URLID_SCRAPYS names none")
    own = {"JOBDIR": str(tmp_path), "RETRY_ENABLED": False}
    filters = {**own, **URLID, "DUPEFILTER_CLASS": "fingerprints.FilterThatKeepsAll"}
    assert killed_crawl(server, filters, "/first", scrapy) == ["/first", "/done"]
    assert crawl(server, own, "/second", scrapy) == ["/hangs", "/new", "/second"]
    assert crawl(server, {**own, **URLID}, "/second", scrapy) == []


@pytest.mark.parametrize("to_text", [True, False])
def test_a_file_in_the_format_of_a_different_scrapy_is_converted_and_kept(to_text: bool, tmp_path: Path, monkeypatch) -> None:
    """Also a file that urlid itself has left, under a different Scrapy."""
    from urlid import _job_directory

    def open_under(is_text: bool) -> _job_directory.JobDirectory:
        monkeypatch.setattr(_job_directory, "_scrapy_writes_text", lambda: is_text)
        return _job_directory.JobDirectory(tmp_path, "a name", 2)

    fingerprints = [bytes([number]) * 20 for number in range(3)]
    files = {
        True: b"".join(fingerprint.hex().encode() + b"\n" for fingerprint in fingerprints),
        False: b"".join(b"\0\x14" + fingerprint for fingerprint in fingerprints),
    }
    directory = open_under(not to_text)
    for fingerprint in fingerprints:
        directory.add(fingerprint)
    directory.close()
    seen = tmp_path / "requests.seen"
    assert seen.read_bytes() == files[not to_text]
    directory = open_under(to_text)
    assert (directory.known, directory.imported) == (3, 0)
    directory.close()
    assert seen.read_bytes() == files[to_text]
    copy = tmp_path / ("requests.seen.binary" if to_text else "requests.seen.text")
    assert copy.read_bytes() == files[not to_text]
    # And back.
    open_under(not to_text).close()
    assert seen.read_bytes() == files[not to_text]


def test_the_text_of_an_older_scrapy_becomes_what_the_installed_one_reads(tmp_path: Path) -> None:
    from urlid.scrapy import DupeFilter

    fingerprints = [urlid.scrapy_fingerprint(f"http://h/{page}") for page in range(10)]
    (tmp_path / "requests.seen").write_text("".join(f"{fingerprint.hex()}\n" for fingerprint in fingerprints) + "0123")
    old = (tmp_path / "requests.seen").read_bytes()
    DupeFilter(str(tmp_path)).close("finished")
    assert read_by_scrapy(tmp_path) == set(fingerprints)
    assert (tmp_path / "requests.seen.text").read_bytes() == old


def test_calls_do_not_wait_for_the_disk(tmp_path: Path) -> None:
    """A thread stores fingerprints. If it is stuck, it does not delay other threads, and its fingerprints are known."""
    from scrapy import Request

    from urlid.scrapy import DupeFilter

    seen = DupeFilter(str(tmp_path))
    directory, disk, begun = seen._directory, threading.Event(), threading.Event()
    store = directory._store

    def store_slowly(some: list[bytes]) -> None:
        begun.set()
        assert disk.wait(60)
        store(some)

    directory._store = store_slowly
    requests = [Request(f"http://h/{page}") for page in range(3000)]
    for request in requests:
        assert not seen.request_seen(request)
        seen.acknowledge(request)
    assert begun.wait(60) and not disk.is_set()
    assert len(directory._set) == 0 and all(seen.request_seen(request) for request in requests)
    disk.set()
    seen.close("finished")
    assert len(read_by_scrapy(tmp_path)) == 3000


@pytest.mark.parametrize("is_pending", [False, True])
def test_a_fingerprint_that_could_not_be_stored_is_an_error(is_pending: bool, tmp_path: Path) -> None:
    from scrapy import Request

    from urlid._job_directory import JobDirectory
    from urlid.scrapy import DupeFilter

    before = JobDirectory.open_in_process
    seen = DupeFilter(str(tmp_path))
    directory = seen._directory
    directory._log.close()
    directory._log = open("/dev/full", "ab")
    request = Request("http://h/")
    seen.request_seen(request)
    seen.acknowledge(request)
    deadline = time.monotonic() + 60
    while not directory._failure:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    if is_pending:
        seen.request_seen(Request("http://h/b"))
    with pytest.raises(OSError, match="No space left"):
        seen.close("finished")
    assert JobDirectory.open_in_process == before
    # It is asked for again, by a crawl of the same process.
    seen = DupeFilter(str(tmp_path))
    assert not seen.request_seen(request)
    seen.close("finished")


SPIDER = """
import scrapy

class Spider(scrapy.Spider):
    name = "links"
    async def start(self):
        yield scrapy.Request("{url}")
    def parse(self, response):
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link)
"""


def run_spider(folder: Path, url: str, *settings: str) -> subprocess.CompletedProcess[str]:
    """Runs a spider by the command `scrapy`."""
    spider = folder / "spider.py"
    spider.write_text(SPIDER.replace("{url}", url))
    options = [word for setting in (*(f"{name}={value}" for name, value in URLID.items()), *settings) for word in ("-s", setting)]
    command = [sys.executable, "-m", "scrapy", "runspider", str(spider), "-s", "TELNETCONSOLE_ENABLED=False", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_a_second_spider_on_a_job_directory_gets_a_sentence(server: Server, tmp_path: Path) -> None:
    from urlid._job_directory import InUse
    from urlid.scrapy import DupeFilter

    job = tmp_path / "job"
    job.mkdir()
    first = DupeFilter(str(job))
    said = f"another crawl uses the job directory {job}: each crawl needs one of its own (JOBDIR)"
    with pytest.raises(InUse) as error:
        DupeFilter(str(job))
    assert str(error.value) == said
    server.requested = []
    done = run_spider(tmp_path, f"http://127.0.0.1:{server.server_port}/", f"JOBDIR={job}", "LOG_LEVEL=ERROR")
    assert (done.returncode, done.stdout, done.stderr, server.requested) == (1, "", f"{said}\n", [])
    first.close("finished")
    done = run_spider(tmp_path, f"http://127.0.0.1:{server.server_port}/", f"JOBDIR={job}", "LOG_LEVEL=ERROR")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_stats_and_the_log_say_what_is_known(server: Server, tmp_path: Path) -> None:
    job, url = tmp_path / "job", f"http://127.0.0.1:{server.server_port}"
    crawl(server, {"JOBDIR": str(job)}, "/first")
    done = run_spider(tmp_path, f"{url}/second", f"JOBDIR={job}")
    # `/first`, `/done` and `/hangs` are Scrapy's; `/second` and `/new` are new.
    assert f"3 requests are known from {job}, 3 of them imported" in done.stderr
    for name, count in (("imported", 3), ("new", 2), ("seen", 2)):
        assert f"'urlid/{name}': {count}" in done.stderr, done.stderr
    done = run_spider(tmp_path, f"{url}/second", f"JOBDIR={job}")
    assert f"5 requests are known from {job}, 0 of them imported" in done.stderr
