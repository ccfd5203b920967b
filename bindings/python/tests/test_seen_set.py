"""What a seen-set answers as new is delivered at least once: pending until it is acknowledged, also when a process is killed."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow
import pytest

import urlid


def open_set(path: Path) -> urlid.SeenSet:
    return urlid.SeenSet(path, at_least_once=True)


def test_texts_are_pending_until_they_are_acknowledged(tmp_path):
    path = tmp_path / "seen.db"
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


def test_nothing_is_lost_when_a_process_is_killed(tmp_path):
    """Each process goes on where the one before was killed; what it delivered whole is what was printed up to a line of one dot."""
    random_ = random.Random(7)
    path, delivered, first = tmp_path / "seen.db", [], 0
    for _ in range(int(os.environ.get("URLID_KILLS", "12"))):
        process = subprocess.Popen([sys.executable, "-c", CRAWLER, str(path), str(first)], stdout=subprocess.PIPE, text=True)
        # One batch at least, which is that of what was pending.
        for _ in range(random_.randrange(1, 60)):
            while (line := process.stdout.readline().strip()) != ".":
                delivered.append(line)
        process.send_signal(signal.SIGKILL)
        # What is in the pipe up to its last dot was delivered too: the process may be many batches ahead.
        whole, dot, _ = process.stdout.read().rpartition(".\n")
        delivered += [line for line in whole.splitlines() if dot and line != "."]
        process.wait()
        stored = len(urlid.Index(path))
        first = max(first, stored // 20 - random_.randrange(3))
    with open_set(path) as seen:
        delivered += seen.pending()
        seen.acknowledge()
    stored = {url for _, url in urlid.Index(path).find()}
    assert stored and set(delivered) == stored


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
