"""A seen-set delivers new URLs at least once. They are pending until they are acknowledged, also when a process is killed."""

import json
import os
import random
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pyarrow
import pytest

import urlid


def open_set(path: Path) -> urlid.SeenSet:
    return urlid.SeenSet(path, at_least_once=True)


def test_texts_are_pending_until_they_are_acknowledged(tmp_path):
    path = tmp_path / "seen"
    with open_set(path) as seen:
        assert seen.add_new(["https://docs.rs/#a", "https://docs.rs/b", "no url", "https://docs.rs/b"]) == [True, True, None, False]
        assert seen.pending() == ["https://docs.rs/#a", "https://docs.rs/b"]
        seen.acknowledge()
        assert seen.pending() == []
        assert seen.add_new(pyarrow.array(["https://docs.rs/c", None])).to_pyarrow().to_pylist() == [True, None]
        assert seen.add(["https://docs.rs/d"]) == 1
    with open_set(path) as seen:
        assert seen.pending() == ["https://docs.rs/c", "https://docs.rs/d"]
        assert seen.add_new(["https://docs.rs/c"]) == [False]
        seen.acknowledge()
    with open_set(path) as seen:
        assert seen.pending() == []
    for call in (seen.pending, seen.acknowledge):
        with pytest.raises(ValueError, match="the set is closed"):
            call()


def test_pending_is_empty_without_the_option(tmp_path):
    with urlid.SeenSet(tmp_path / "seen") as seen:
        assert seen.add_new(["https://docs.rs/"]) == [True]
        assert seen.pending() == []
        seen.acknowledge()


def test_a_seen_set_says_which_urls_are_new(tmp_path):
    path = tmp_path / "seen"
    with urlid.SeenSet(path, form="web+drop-fragment") as seen:
        urls = ["https://a.example/#1", "HTTPS://A.example/#2", "", None, "http://1.2.3.4/", "no url"]
        assert seen.add_new(urls) == [True, False, None, None, True, None]
        assert seen.rejected == {"ERR_URL_PARSE": 1}
        assert seen.add(["https://a.example/", "https://b.example/"]) == 1
        assert seen.add_new(iter(["https://c.example/"])) == [True]
        for one in ("https://a.example/", b"https://a.example/"):
            with pytest.raises(TypeError, match="put it into a list"):
                seen.add_new(one)
    with pytest.raises(ValueError, match="the set is closed"):
        seen.add(["https://d.example/"])
    with urlid.SeenSet(path) as seen:
        assert seen.add_new(["https://b.example/#x", "https://d.example/#x"]) == [False, True]


@pytest.mark.parametrize("kind", [pyarrow.string(), pyarrow.large_string(), pyarrow.string_view(), pyarrow.binary()])
def test_a_seen_set_accepts_columns(tmp_path, kind):
    seen = urlid.SeenSet(tmp_path / "seen")
    urls = pyarrow.array(["https://a.example/", None, "https://a.example", "no url"], kind)
    mask = seen.add_new(urls)
    assert (mask.name, mask.to_pyarrow().to_pylist()) == ("is_new", [True, None, False, None])
    chunked = pyarrow.chunked_array([urls, pyarrow.array(["https://b.example/"], kind)])
    assert seen.add_new(chunked).to_pyarrow().to_pylist() == [False, None, False, None, True]
    assert len(mask) == len(urls)
    seen.close()
    with pytest.raises(ValueError, match="the set is closed"):
        seen.add_new(urls)


def test_a_form_may_need_the_list_that_it_names(tmp_path):
    path = tmp_path / "seen"
    tracking = urlid.TrackingList('{"all": {"queryParams": ["ref"], "topLevelSites": ["*"]}}')
    form = f"web+drop-tracking@{tracking.name}"
    for arguments, answers in (({"form": form}, [True, False]), ({}, [False, False])):
        with urlid.SeenSet(path, tracking=tracking, **arguments) as seen:
            assert seen.add_new(["https://docs.rs/?ref=1&q", "https://docs.rs/?q&ref=2"]) == answers
    for arguments in ({}, {"form": form}):
        with pytest.raises(urlid.UrlidError) as caught:
            urlid.SeenSet(path, **arguments)
        assert caught.value.code == "ERR_CANON_NAME"


RULES = urlid.Rules("urlid-rules 1\n[v.example] # of hand\nalias m.v.example\nkeep v\n")
A, B = "https://m.v.example/w?v=1&t=2", "https://v.example/w?v=1"


def test_stores_carry_the_rules_that_their_form_names(tmp_path):
    with urlid.SeenSet(tmp_path / "seen", form="web+rules", rules=RULES) as seen:
        assert seen.add_new([A, B]) == [True, False]
    with urlid.SeenSet(tmp_path / "seen") as seen:
        assert seen.add_new([B]) == [False]
    urlid.Index.load(tmp_path / "urls.db", [A], form="web+rules", rules=RULES)
    urlid.Index.build(tmp_path / "urls", [A], form="web+rules", rules=RULES)
    for name in ("urls.db", "urls"):
        index = urlid.Index(tmp_path / name)
        assert index.form == f"web+rules@{RULES.name}" and B in index
    assert urlid.canon(A, "web+rules", rules=RULES) == B
    verdict = urlid.diff(A, B, "web+rules", rules=RULES)["verdict"]
    assert verdict["same"] and [line["line"] for line in verdict["decided_by"]] == [3, 4]


CRAWLER = """
import sys, urlid
path, first, batches = sys.argv[1], int(sys.argv[2]), 200
seen = urlid.SeenSet(path, at_least_once=True)
def deliver(urls):
    sys.stdout.write("".join(url + "\\n" for url in urls) + ".\\n")
    sys.stdout.flush()
    seen.acknowledge()
deliver(seen.pending())
for batch in range(first, first + batches):
    urls = [f"https://docs.rs/{batch}/{page}" for page in range(20)]
    deliver([url for url, new in zip(urls, seen.add_new(urls)) if new])
seen.close()
"""


def test_no_urls_are_lost_when_a_process_is_killed(tmp_path):
    """Each process goes on where the one before was killed; what it delivered whole is what was printed up to a line of one dot."""
    random_ = random.Random(7)
    path, delivered, first = tmp_path / "seen", [], 0
    pages = (f"https://docs.rs/{batch}/{page}" for batch in range(100_000) for page in range(20))
    for _ in range(int(os.environ.get("URLID_KILLS", "12"))):
        process = subprocess.Popen([sys.executable, "-c", CRAWLER, str(path), str(first)], stdout=subprocess.PIPE, text=True)
        # At least one batch, which is the batch of pending URLs.
        for _ in range(random_.randrange(1, 60)):
            while (line := process.stdout.readline().strip()) != ".":
                delivered.append(line)
        process.send_signal(signal.SIGKILL)
        # The contents of the pipe up to its last dot were also delivered. The process may be many batches ahead.
        whole, dot, _ = process.stdout.read().rpartition(".\n")
        delivered += [line for line in whole.splitlines() if dot and line != "."]
        process.wait()
        first = max(first, number_of(path) // 20 - random_.randrange(3))
    with open_set(path) as seen:
        delivered += seen.pending()
        seen.acknowledge()
    # Batches were added in order, so their number identifies the stored ones.
    stored = set(islice(pages, number_of(path)))
    assert stored and set(delivered) == stored


def number_of(path: Path) -> int:
    # The description has the number when the set was closed.
    urlid.SeenSet(path).close()
    return int(json.loads((path / "seen.json").read_text())["count"])


def test_a_set_keeps_its_form_and_has_one_writer(tmp_path):
    path = tmp_path / "seen"
    with urlid.SeenSet(path, form="surt-0.3.1") as seen:
        assert seen.add(["http://www.h.example/a"]) == 1
        with pytest.raises(urlid.UrlidError, match="a different writer has") as error:
            urlid.SeenSet(path)
        assert error.value.code == "ERR_IN_USE"
    with urlid.SeenSet(path) as seen:
        assert seen.add_new(["https://h.example/a"]) == [False]
    with pytest.raises(urlid.UrlidError, match="found canonical form `surt-0.3.1`") as error:
        urlid.SeenSet(path, form="web")
    assert error.value.code == "ERR_CANON_MIXED"


def test_a_fork_does_not_write_to_a_set(tmp_path):
    path = tmp_path / "seen"
    prints = urlid.FingerprintSet(tmp_path / "prints", "x")
    with open_set(path) as seen:
        assert seen.add(["http://a.example/"]) == 1
        child = os.fork()
        if child == 0:
            seen.acknowledge()
            seen.close()
            rejected = 0
            for add in [lambda: open_set(path), lambda: prints.add_new([bytes(20)])]:
                try:
                    add()
                except urlid.UrlidError as error:
                    rejected += error.code == "ERR_IN_USE"
            prints.close()
            os._exit(0 if rejected == 2 else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert seen.add(["http://b.example/"]) == 1
    assert prints.add_new([bytes(20)]) == [True]
    prints.close()
    assert open_set(path).pending() == ["http://a.example/", "http://b.example/"]


def test_texts_that_are_not_utf8_are_counted_as_rejected(tmp_path):
    with urlid.SeenSet(tmp_path / "seen") as seen:
        assert seen.add_new(["http://a.example/", "http://h/\udcff", None]) == [True, None, None]
        assert seen.add_new(pyarrow.array([b"http://h/\xff"])).to_pyarrow().to_pylist() == [None]
        assert seen.rejected == {"ERR_UTF8": 2}


def test_a_set_of_fingerprints_has_other_keys(tmp_path):
    urlid.FingerprintSet(tmp_path / "prints", "x").close()
    with pytest.raises(urlid.UrlidError, match="found fingerprint `x`") as error:
        urlid.SeenSet(tmp_path / "prints")
    assert error.value.code == "ERR_CANON_MIXED"


def test_an_index_is_not_a_seen_set(tmp_path):
    path = tmp_path / "urls.db"
    urlid.Index.load(path, ["https://docs.rs/"])
    with pytest.raises(urlid.UrlidError, match="not a seen-set") as error:
        urlid.SeenSet(path)
    assert error.value.code == "ERR_INDEX_FORMAT"
    assert urlid.Index.load(path, ["https://docs.rs/"])["new"] == 0


def test_a_set_of_fingerprints_is_asked_while_it_is_added_to(tmp_path):
    path = tmp_path / "seen"
    fingerprints = [urlid.scrapy_fingerprint(f"https://docs.rs/{page}") for page in range(1000)]
    assert urlid.FingerprintSet.recorded(path) is None
    seen = urlid.FingerprintSet(path, "mine")
    for start in range(0, 1000, 100):
        assert fingerprints[start] not in seen
        assert seen.add_new(fingerprints[start : start + 100] * 2) == [True] * 100 + [False] * 100
        assert fingerprints[start] in seen and len(seen) == start + 100
    seen.close()
    with pytest.raises(ValueError, match="the set is closed"):
        seen.add_new(fingerprints)
    assert urlid.FingerprintSet.recorded(path) == "mine"
    with pytest.raises(urlid.UrlidError, match="found fingerprint `mine`"):
        urlid.FingerprintSet(path, "yours")
    with pytest.raises(ValueError, match="found a fingerprint of 3 bytes, expected 20"):
        urlid.FingerprintSet(path, "mine").add_new([b"abc"])


THREADS = """
import sys, threading, urlid

seen = urlid.SeenSet(sys.argv[1])
seen.close()
done = threading.Event()

def fail():
    while not done.is_set():
        try:
            seen.add(["https://docs.rs/"])
        except ValueError:
            pass

threads = [threading.Thread(target=fail) for _ in range(2)]
for thread in threads:
    thread.start()
for _ in range(200_000):
    seen.rejected
done.set()
for thread in threads:
    thread.join()
"""


def test_errors_in_one_thread_do_not_block_another(tmp_path):
    """A thread that raises has the set and waits for the interpreter; one that reads has the interpreter and waits for the set."""
    subprocess.run([sys.executable, "-c", THREADS, str(tmp_path / "seen")], check=True, timeout=120)
