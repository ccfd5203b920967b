"""Reads hidden lists, their deltas and their shards, written only from docs/spec/lists.md.

`reader.py LIST TEXTS` prints for each canonical text whether the list has it, as 0 or 1. LIST is a compiled list, or a folder of
shards of a list that covers only URLs. `reader.py --entries LIST` prints the entries, and `reader.py --apply LIST DELTA` the
entries after a delta.
"""

import hashlib
import os
import sys

LENGTHS = {"md5": 16, "sha1": 20, "x-sha256": 32, "x-sha512": 64}
# Of the flags of rows.
ORDER = [0, 2, 3, 1]


class Bytes:
    """Reads pieces from the start of bytes."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, length):
        self.at += length
        assert self.at <= len(self.data), "ends too early"
        return self.data[self.at - length : self.at]

    def number(self, length):
        return int.from_bytes(self.take(length), "little")


def open_checked(path, kind, count):
    """The number of a file of a kind, and its sections."""
    data = open(path, "rb").read()
    assert hashlib.sha256(data[:-32]).digest() == data[-32:], "damaged"
    source = Bytes(data[:-32])
    assert source.take(8) == b"urlidbin" and source.number(4) == 1 and source.number(4) == kind, "another format"
    number, lengths = source.number(4), [source.number(8) for _ in range(count)]
    sections = [source.take(length) for length in lengths]
    assert source.at == len(source.data)
    return number, sections


def block(source, count, bits):
    """The numbers of a block, ascending."""
    if count == 0:
        return []
    high = (count - 1).bit_length()
    low = bits - high
    upper = source.number((count + 2**high + 7) // 8)
    lower = source.number((count * low + 7) // 8)
    numbers, value = [], 0
    for position, bit in enumerate(bin(upper)[2:].zfill(count + 2**high)[::-1]):
        if bit == "1":
            assert position - len(numbers) == value
            numbers.append(value << low)
        else:
            value += 1
    assert len(numbers) == count
    digits = lower.to_bytes((count * low + 7) // 8 + 8, "little")
    for index in range(count):
        start = index * low
        piece = int.from_bytes(digits[start // 8 : (start + low + 7) // 8 + 1], "little")
        numbers[index] |= piece >> start % 8 & 2**low - 1
    assert all(a < b for a, b in zip(numbers, numbers[1:]))
    return numbers


def header_of(text):
    return dict(line[2:].split(": ", 1) for line in text.decode().splitlines())


def rows(table, numbers):
    """The rows of a table: name, flags, and this many numbers."""
    source, found = Bytes(table), []
    while source.at < len(table):
        found.append((*row(source), *(source.number(8) for _ in range(numbers))))
    return found


def row(source):
    name, flags = source.take(16).rstrip(b"\0").decode(), source.take(1)[0]
    assert source.take(7) == bytes(7)
    return name, flags


def width(header, name):
    kept = header["digest-bits"]
    return LENGTHS[name] * 8 if kept == "whole" else min(LENGTHS[name] * 8, int(kept))


def group(source, header, name, count):
    """A function from a digest to whether the group has it, and its numbers."""
    bits = width(header, name)
    numbers = block(source, count, bits)
    listed = set(numbers)
    return lambda digest: int.from_bytes(digest[: bits // 8], "big") in listed, numbers


def read(path):
    """The header of a compiled list and its groups: name, flags, look-up, numbers."""
    _, (text, _, table, blocks) = open_checked(path, 1, 4)
    header, source, listed = header_of(text), Bytes(blocks), rows(table, 1)
    assert listed == sorted(listed, key=lambda row: (row[0], ORDER.index(row[1])))
    groups = [(name, flags, *group(source, header, name, count)) for name, flags, count in listed]
    assert source.at == len(blocks) and int(header["count"]) == sum(count for *_, count in listed)
    return header, groups


def apply(header, groups, path):
    """The header and the numbers of each group after a delta."""
    _, (text, _, table, blocks, _, _) = open_checked(path, 2, 6)
    header, source = header_of(text), Bytes(blocks)
    after = {(name, flags): numbers for name, flags, _, numbers in groups}
    for name, flags, before, removed, added in rows(table, 3):
        numbers = after.pop((name, flags), [])
        assert len(numbers) == before
        gone = set(block(source, removed, (before - 1).bit_length() if before else 0))
        left = [number for rank, number in enumerate(numbers) if rank not in gone]
        after[name, flags] = sorted(left + block(source, added, width(header, name)))
    return header, [(name, flags, None, numbers) for (name, flags), numbers in sorted(after.items()) if numbers]


class Shards:
    def __init__(self, folder):
        self.bits, (text, table, above, suffixes, self.root) = open_checked(os.path.join(folder, "index"), 3, 5)
        assert not above and not suffixes
        self.folder, self.header, self.rows, self.read = folder, header_of(text), rows(table, 1), {}

    def shard(self, number):
        name = f"{number:x}".zfill((self.bits + 3) // 4) + ".shard"
        stated, (hashes, content, zeros) = open_checked(os.path.join(self.folder, name), 4, 3)
        assert stated == number and not any(zeros) and len(hashes) == 32 * self.bits
        beside = [hashes[start : start + 32] for start in range(0, len(hashes), 32)]
        found = hashlib.sha256(b"\0" + content).digest()
        for height, other in enumerate(beside):
            pair = other + found if number >> height & 1 else found + other
            found = hashlib.sha256(b"\1" + pair).digest()
        assert found == self.root, "another shard"
        source = Bytes(content)
        return [group(source, self.header, name, source.number(4))[0] for name, _, _ in self.rows]

    def has(self, index, digest):
        number = int.from_bytes(digest[:8], "big") >> 64 - self.bits
        if number not in self.read:
            self.read[number] = self.shard(number)
        return self.read[number][index](digest)


def hash_of(name, text):
    return hashlib.new(name.removeprefix("x-"), text).digest()


def main(arguments):
    if arguments[0] in ("--entries", "--apply"):
        header, groups = read(arguments[1])
        header, groups = apply(header, groups, arguments[2]) if arguments[0] == "--apply" else (header, groups)
        for name, _, _, numbers in groups:
            digits = width(header, name) // 4
            print("\n".join(f"{name} {number:0{digits}x}" for number in numbers))
        return
    path, texts = arguments
    if os.path.isdir(path):
        shards = Shards(path)
        look = [(row[0], lambda digest, index=index: shards.has(index, digest)) for index, row in enumerate(shards.rows)]
    else:
        look = [(name, has) for name, _, has, _ in read(path)[1]]
    for text in open(texts, "rb").read().splitlines():
        print(int(any(has(hash_of(name, text)) for name, has in look)))


main(sys.argv[1:])
