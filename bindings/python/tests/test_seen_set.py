"""What a seen-set answers as new is delivered at least once: pending until it is acknowledged, also when a process is killed."""

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


KEEPS = pytest.mark.parametrize("keep", ["urls", "digests"])


def open_set(path: Path, keep: str = "urls") -> urlid.SeenSet:
    return urlid.SeenSet(path, keep=keep, at_least_once=True)


@KEEPS
def test_texts_are_pending_until_they_are_acknowledged(keep, tmp_path):
    path = tmp_path / "seen.db"
    with open_set(path, keep) as seen:
        assert seen.add_new(["https://docs.rs/#a", "https://docs.rs/b", "no url", "https://docs.rs/b"]) == [True, True, None, False]
        assert seen.pending() == ["https://docs.rs/#a", "https://docs.rs/b"]
        seen.acknowledge()
        assert seen.pending() == []
        assert seen.add_new(pyarrow.array(["https://docs.rs/c", None])).to_pyarrow().to_pylist() == [True, None]
        assert seen.add(["https://docs.rs/d"]) == 1
    with open_set(path, keep) as seen:
        assert seen.pending() == ["https://docs.rs/c", "https://docs.rs/d"]
        assert seen.add_new(["https://docs.rs/c"]) == [False]
        seen.acknowledge()
    with open_set(path, keep) as seen:
        assert seen.pending() == []
    for call in (seen.pending, seen.acknowledge):
        with pytest.raises(ValueError, match="the set is closed"):
            call()


def test_without_the_option_nothing_is_pending(tmp_path):
    with urlid.SeenSet(tmp_path / "seen.db") as seen:
        assert seen.add_new(["https://docs.rs/"]) == [True]
        assert seen.pending() == []
        seen.acknowledge()
    index = urlid.Index(tmp_path / "seen.db")
    with index.seen_set(at_least_once=True) as seen:
        assert seen.add_new(["https://docs.rs/", "https://docs.rs/a"]) == [False, True]
        assert seen.pending() == ["https://docs.rs/a"]


def test_texts_of_an_open_set_are_left_to_it(tmp_path):
    with open_set(tmp_path / "seen.db") as one, open_set(tmp_path / "seen.db") as other:
        assert one.add_new(["https://docs.rs/"]) == [True] and other.add_new(["https://docs.rs/", "https://docs.rs/a"]) == [False, True]
        assert (one.pending(), other.pending()) == (["https://docs.rs/"], ["https://docs.rs/a"])


CRAWLER = """
import sys, urlid
path, first, keep, batches = sys.argv[1], int(sys.argv[2]), sys.argv[3], 200
seen = urlid.SeenSet(path, keep=keep, at_least_once=True)
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


@KEEPS
def test_nothing_is_lost_when_a_process_is_killed(keep, tmp_path):
    """Each process goes on where the one before was killed; what it delivered whole is what was printed up to a line of one dot."""
    random_ = random.Random(7)
    path, delivered, first = tmp_path / "seen.db", [], 0
    pages = (f"https://docs.rs/{batch}/{page}" for batch in range(100_000) for page in range(20))
    for _ in range(int(os.environ.get("URLID_KILLS", "12"))):
        process = subprocess.Popen([sys.executable, "-c", CRAWLER, str(path), str(first), keep], stdout=subprocess.PIPE, text=True)
        # One batch at least, which is that of what was pending.
        for _ in range(random_.randrange(1, 60)):
            while (line := process.stdout.readline().strip()) != ".":
                delivered.append(line)
        process.send_signal(signal.SIGKILL)
        # What is in the pipe up to its last dot was delivered too: the process may be many batches ahead.
        whole, dot, _ = process.stdout.read().rpartition(".\n")
        delivered += [line for line in whole.splitlines() if dot and line != "."]
        process.wait()
        first = max(first, number_of(path, keep) // 20 - random_.randrange(3))
    with open_set(path, keep) as seen:
        delivered += seen.pending()
        seen.acknowledge()
    # Batches were added in their order, so what is stored is known by its number.
    stored = set(islice(pages, number_of(path, keep)))
    assert stored and set(delivered) == stored
    if keep == "urls":
        assert {url for _, url in urlid.Index(path).find()} == stored


def number_of(path: Path, keep: str) -> int:
    if keep == "urls":
        return len(urlid.Index(path))
    # The description has the number when the set was closed.
    urlid.SeenSet(path, keep="digests").close()
    return int(json.loads((path / "seen.json").read_text())["count"])


@KEEPS
def test_both_kinds_answer_alike(keep, tmp_path):
    texts = ["https://docs.rs/#a", "HTTPS://docs.rs", "", "no url", "https://docs.rs/b", "https://docs.rs/?c"]
    with urlid.SeenSet(tmp_path / "seen", keep=keep, form="web+drop-fragment") as seen:
        assert seen.add_new(texts) == [True, False, None, None, True, True]
        assert seen.add_new(pyarrow.array([*texts, None])).to_pyarrow().to_pylist() == [False, False, None, None, False, False, None]
        assert seen.refused == {"ERR_URL_PARSE": 2}


def test_a_set_of_digests_keeps_its_form_and_has_one_writer(tmp_path):
    path = tmp_path / "seen"
    with urlid.SeenSet(path, keep="digests", form="surt-0.3.1") as seen:
        assert seen.add(["http://www.h.example/a"]) == 1
        with pytest.raises(urlid.UrlidError, match="has a writer already, and takes one at a time") as error:
            urlid.SeenSet(path, keep="digests")
        assert error.value.code == "ERR_IO"
        with pytest.raises(NotImplementedError, match="forgets nothing"):
            seen.delete(["http://www.h.example/a"])
    with urlid.SeenSet(path, keep="digests") as seen:
        assert seen.add_new(["https://h.example/a"]) == [False]
    with pytest.raises(urlid.UrlidError, match="found canonical form `surt-0.3.1`") as error:
        urlid.SeenSet(path, keep="digests", form="web")
    assert error.value.code == "ERR_CANON_MIXED"
    for arguments, message in [({"keep": "all"}, "unknown keep"), ({"suffixes": urlid.SuffixList.compiled()}, "suffixes of urlid")]:
        with pytest.raises(ValueError, match=message):
            urlid.SeenSet(path, **{"keep": "digests", **arguments})


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
    seen.refused
done.set()
for thread in threads:
    thread.join()
"""


def test_errors_in_one_thread_do_not_block_another(tmp_path):
    """A thread that raises has the set and waits for the interpreter; one that reads has the interpreter and waits for the set."""
    subprocess.run([sys.executable, "-c", THREADS, str(tmp_path / "seen.db")], check=True, timeout=120)
