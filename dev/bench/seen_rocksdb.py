"""Which of these keys are new, by RocksDB: `python seen_rocksdb.py FOLDER KEYS LINES BATCH` prints a report as JSON.

The verb `seen-digests` runs it beside urlid's own store. Needs `rocksdict` and `numpy`. Keys have 16 bytes and no values, filters ten bits a key;
each batch is looked up at once and written at once, synced. Making the keys is not measured.
"""

import json
import os
import resource
import sys
import time
from pathlib import Path

import numpy as np
from rocksdict import BlockBasedOptions, Options, Rdict, WriteBatch, WriteOptions

FILL = 100_000


def mix(numbers: np.ndarray) -> np.ndarray:
    """As `urlid_generators::mix`."""
    with np.errstate(over="ignore"):
        numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return numbers ^ (numbers >> np.uint64(31))


def keys_of(numbers: np.ndarray) -> list[bytes]:
    halves = np.stack([mix(numbers), mix(numbers + np.uint64(1 << 40))], axis=1).astype(">u8").tobytes()
    return [halves[start : start + 16] for start in range(0, len(halves), 16)]


def options() -> Options:
    table = BlockBasedOptions()
    table.set_bloom_filter(10, False)
    made = Options(raw_mode=True)
    made.set_block_based_table_factory(table)
    made.set_max_background_jobs(2)
    return made


def written() -> int:
    lines = Path("/proc/self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("write_bytes"))


def write(db: Rdict, keys: list[bytes], how: WriteOptions | None = None) -> None:
    batch = WriteBatch(raw_mode=True)
    for key in keys:
        batch.put(key, b"")
    db.write(batch, how or WriteOptions())


def main() -> None:
    path, before, lines, size = sys.argv[1], *map(int, sys.argv[2:5])
    begun = written()
    db = Rdict(path, options())
    for start in range(0, before, FILL):
        write(db, keys_of(np.arange(start, min(before, start + FILL), dtype=np.uint64)))
    synced = WriteOptions()
    synced.sync = True
    random, following, new = 7, before, 0
    cpu = wall = 0.0
    for _ in range(lines // size):
        numbers = np.empty(size, dtype=np.uint64)
        numbers[0::2] = np.arange(following, following + (size + 1) // 2, dtype=np.uint64)
        following += (size + 1) // 2
        for place in range(1, size, 2):
            random = int(mix(np.array([random], dtype=np.uint64))[0])
            numbers[place] = random % before
        keys = keys_of(numbers)
        cpu_start, start = time.process_time(), time.monotonic()
        known = db[keys]
        batch = [key for key, value in zip(keys, known, strict=True) if value is None]
        write(db, batch, synced)
        cpu += time.process_time() - cpu_start
        wall += time.monotonic() - start
        new += len(batch)
    cpu_start, start = time.process_time(), time.monotonic()
    db.close()
    cpu += time.process_time() - cpu_start
    wall += time.monotonic() - start
    assert new == lines // size * ((size + 1) // 2), new
    bytes_written = written() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.process_time()
    db = Rdict(path, options())
    open_s = time.process_time() - start
    db.compact_range(None, None)
    db.close()
    stored = sum(entry.stat().st_size for entry in os.scandir(path))
    report = {
        "cpu_us": cpu / lines * 1e6,
        "wall_us": wall / lines * 1e6,
        "written": bytes_written / following,
        "peak_mib": peak,
        "open_s": open_s,
        "stored": stored / following,
    }
    print(json.dumps(report))


main()
