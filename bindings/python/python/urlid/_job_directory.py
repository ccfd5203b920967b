"""The fingerprints of a job directory of Scrapy, in a seen-set of urlid and in Scrapy's own file.

`requests.digests` answers which fingerprints are known. `requests.seen` has the same fingerprints one after the other, as Scrapy's
filter writes and reads them. `requests.urlid.json` records the state in which that file was left. A file in a different state was
written by a different program, and is read.
"""

from __future__ import annotations

import hashlib
import json
import os
import queue
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import BinaryIO, ClassVar

from urlid import FingerprintSet, UrlidError

# Scrapy from 2.19 on writes the length of each fingerprint in two bytes before it. Earlier versions write lines of digits.
_LENGTH = 2
_WIDTH = 20
# The longest time that a fingerprint waits for others, in seconds.
_MOST_WAIT = 1.0
# Fingerprints that are imported together.
_MOST_TOGETHER = 100_000


class InUse(ValueError):
    """A second crawl uses the job directory."""


class JobDirectory:
    """The fingerprints of one crawl, which no other crawl can open."""

    open_in_process: ClassVar[int] = 0
    """The number of open directories."""

    def __init__(self, folder: Path, name: str, batch: int) -> None:
        self.path = folder
        self.known = 0
        """The fingerprints that existed at the start, including imported ones."""
        self.imported = 0
        """The fingerprints that only `requests.seen` had."""
        self._batch = batch
        self._file = folder / "requests.seen"
        self._state = folder / "requests.urlid.json"
        self._is_text = _scrapy_writes_text()
        self._set = _open(folder, name)
        try:
            self._import()
            self._log: BinaryIO = self._file.open("ab")
        except BaseException:
            self._set.close()
            raise
        self.known = len(self._set)
        # The fingerprints that wait for the thread. `None` stops the thread.
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._waiting: set[bytes] = set()
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._work, name="urlid-seen", daemon=True)
        self._thread.start()
        JobDirectory.open_in_process += 1

    def __contains__(self, fingerprint: bytes) -> bool:
        # In this order, because a fingerprint is waiting until it is in the set.
        return fingerprint in self._waiting or _key(fingerprint) in self._set

    def add(self, fingerprint: bytes) -> None:
        """Stores a fingerprint soon. Raises the error of an earlier fingerprint that could not be stored."""
        if self._failure:
            raise self._failure
        self._waiting.add(fingerprint)
        self._queue.put(fingerprint)

    def close(self) -> None:
        """Stores the waiting fingerprints."""
        if self._log.closed:
            return
        self._queue.put(None)
        self._thread.join()
        try:
            # Writes the rest of the buffer after an error, and may fail again.
            self._log.close()
        finally:
            JobDirectory.open_in_process -= 1
            self._set.close()
        if self._failure:
            raise self._failure
        self._record()

    def _work(self) -> None:
        is_open = True
        while is_open:
            some, is_open = self._take()
            if self._failure is None:
                try:
                    self._store(some)
                    self._waiting.difference_update(some)
                except Exception as error:
                    # This crawl knows the fingerprints that were not stored, and the next crawl asks for them again.
                    self._failure = error

    def _take(self) -> tuple[list[bytes], bool]:
        """Waits for fingerprints: a batch, or all that arrive in a second. Also returns whether more may arrive."""
        some: list[bytes] = []
        until = None
        while len(some) < self._batch:
            try:
                fingerprint = self._queue.get(timeout=None if until is None else max(0.0, until - time.monotonic()))
            except queue.Empty:
                break
            if fingerprint is None:
                return some, False
            until = until or time.monotonic() + _MOST_WAIT
            some.append(fingerprint)
        return some, True

    def _store(self, some: list[bytes]) -> None:
        if not some:
            return
        # First to the file that Scrapy reads. That file may have more fingerprints than the set, but never fewer.
        self._log.write(b"".join(map(self._entry, some)))
        self._log.flush()
        os.fsync(self._log.fileno())
        self._set.add_new([_key(fingerprint) for fingerprint in some])

    def _entry(self, fingerprint: bytes) -> bytes:
        if self._is_text:
            return fingerprint.hex().encode() + b"\n"
        return len(fingerprint).to_bytes(_LENGTH, "big") + fingerprint

    def _import(self) -> None:
        """Reads Scrapy's file if its state differs from the one in which a crawl with urlid left it, or if the installed Scrapy has
        a different format."""
        if not self._file.exists():
            return
        with self._file.open("rb") as file:
            first = file.read(1)
            is_text = first != b"\0" if first else self._is_text
            if is_text == self._is_text and self._left() == _state_of(self._file):
                return
            file.seek(0)
            entries, whole = _read_text(file) if is_text else _read_binary(file), 0
            while some := list(islice(entries, _MOST_TOGETHER)):
                self.imported += sum(self._set.add_new([_key(fingerprint) for fingerprint, _ in some]))
                whole = some[-1][1]
        if is_text != self._is_text:
            self._convert(is_text)
        elif whole < self._file.stat().st_size:
            # A killed crawl may leave a partial entry. It is cut off, because appended entries must not follow it.
            os.truncate(self._file, whole)
        self._record()

    def _convert(self, is_text: bool) -> None:
        """Rewrites Scrapy's file in the format that the installed Scrapy reads. A copy stays for the Scrapy that wrote it."""
        shutil.copyfile(self._file, self._file.with_name(f"requests.seen.{'text' if is_text else 'binary'}"))
        new = self._file.with_suffix(".new")
        with self._file.open("rb") as file, new.open("wb") as to:
            for fingerprint, _ in _read_text(file) if is_text else _read_binary(file):
                to.write(self._entry(fingerprint))
            to.flush()
            os.fsync(to.fileno())
        new.replace(self._file)

    def _left(self) -> list[int] | None:
        try:
            left: list[int] = json.loads(self._state.read_text())["requests.seen"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return left

    def _record(self) -> None:
        new = self._state.with_suffix(".new")
        new.write_text(json.dumps({"requests.seen": _state_of(self._file)}))
        new.replace(self._state)


def _state_of(file: Path) -> list[int]:
    """Returns the length of a file in bytes and its time in nanoseconds, which change with the file."""
    found = file.stat()
    return [found.st_size, found.st_mtime_ns]


def _open(folder: Path, name: str) -> FingerprintSet:
    path = folder / "requests.digests"
    try:
        return FingerprintSet(path, name)
    except UrlidError as error:
        if error.code == "ERR_CANON_MIXED":
            recorded = FingerprintSet.recorded(path)
            settings = "REQUEST_FINGERPRINTER_CLASS or URLID_FINGERPRINT"
            raise ValueError(f"the job directory holds fingerprints {recorded}, found {name}: set {settings}") from None
        if error.code == "ERR_IN_USE":
            raise InUse(f"another crawl uses the job directory {folder}: each crawl needs one of its own (JOBDIR)") from None
        raise


def _key(fingerprint: bytes) -> bytes:
    """Returns the key that the set stores: a fingerprint of Scrapy unchanged, or the digest of any other fingerprint."""
    return fingerprint if len(fingerprint) == _WIDTH else hashlib.blake2b(fingerprint, digest_size=_WIDTH).digest()


@cache
def _scrapy_writes_text() -> bool:
    """Returns whether the filter of the installed Scrapy writes lines of digits, by letting it write one fingerprint."""
    from scrapy import Request
    from scrapy.dupefilters import RFPDupeFilter

    with tempfile.TemporaryDirectory() as folder:
        scrapys = RFPDupeFilter(folder)
        scrapys.request_seen(Request("http://h/"))
        scrapys.close("finished")
        return not (Path(folder) / "requests.seen").read_bytes().startswith(b"\0")


def _read_text(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """Reads lines of digits. Yields each fingerprint and the offset of its end."""
    end = 0
    for line in file:
        end += len(line)
        if not line.endswith(b"\n"):
            return  # Cut off when the crawl was killed.
        try:
            yield bytes.fromhex(line.decode()), end
        except ValueError:
            continue  # The rest of a line that was cut off before another crawl.


def _read_binary(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """Reads lengths and fingerprints. Yields each fingerprint and the offset of its end."""
    end = 0
    while len(length := file.read(_LENGTH)) == _LENGTH:
        fingerprint = file.read(int.from_bytes(length, "big"))
        if len(fingerprint) < int.from_bytes(length, "big"):
            return  # Cut off, as above.
        end += _LENGTH + len(fingerprint)
        yield fingerprint, end
