"""Reads hidden lists, their deltas and their shards, from docs/lists.md alone.

`reader.py LIST TEXTS` prints for each canonical text whether the list has it, as 0 or 1; LIST is a compiled list, or a folder of
shards of a list that covers URLs only. `reader.py --entries LIST` prints the entries, `reader.py --apply LIST DELTA` those after a delta.
"""

import hashlib
import os
import sys

LENGTHS = {"md5": 16, "sha1": 20, "x-sha256": 32, "x-sha512": 64}
# Of the flags of rows.
ORDER = [0, 2, 3, 1]


class Bytes:
    """Takes pieces from the front of bytes."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, length):
        self.at += length
        assert self.at <= len(self.data), "ends too early"
        return self.data[self.at - length : self.at]

    def number(self, length):
        return int.from_bytes(self.take(length), "little")


def open_checked(path, magic):
    data = open(path, "rb").read()
    assert hashlib.sha256(data[:-32]).digest() == data[-32:], "damaged"
    source = Bytes(data[:-32])
    assert source.take(8) == magic and source.number(4) == 4, "another format"
    return source


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
    source = open_checked(path, b"urlidlst")
    lengths = [source.number(4) for _ in range(4)]
    header = header_of(source.take(lengths[0]))
    assert lengths[1] == 0
    source.take(lengths[2])
    rows = [(*row(source), source.number(8)) for _ in range(lengths[3])]
    assert rows == sorted(rows, key=lambda row: (row[0], ORDER.index(row[1])))
    groups = [(name, flags, *group(source, header, name, count)) for name, flags, count in rows]
    assert source.at == len(source.data) and int(header["count"]) == sum(count for *_, count in rows)
    return header, groups


def apply(header, groups, path):
    """The header and the numbers of each group after a delta."""
    source = open_checked(path, b"urlidldt")
    lengths = [source.number(4) for _ in range(5)]
    source.take(64)
    header = header_of(source.take(lengths[0]))
    assert lengths[1] == 0
    source.take(sum(lengths[2:4]))
    rows = [(*row(source), *(source.number(8) for _ in range(3))) for _ in range(lengths[4])]
    after = {(name, flags): numbers for name, flags, _, numbers in groups}
    for name, flags, before, removed, added in rows:
        numbers = after.pop((name, flags), [])
        assert len(numbers) == before
        gone = set(block(source, removed, (before - 1).bit_length() if before else 0))
        left = [number for rank, number in enumerate(numbers) if rank not in gone]
        after[name, flags] = sorted(left + block(source, added, width(header, name)))
    return header, [(name, flags, None, numbers) for (name, flags), numbers in sorted(after.items()) if numbers]


class Shards:
    def __init__(self, folder):
        source = open_checked(os.path.join(folder, "index"), b"urlidlsx")
        lengths = [source.number(4) for _ in range(3)]
        self.folder, self.bits, self.root, self.read = folder, source.number(4), source.take(32), {}
        self.header = header_of(source.take(lengths[0]))
        source.take(lengths[1])
        self.rows = [(*row(source), source.number(8)) for _ in range(lengths[2])]
        assert source.at == len(source.data)

    def shard(self, number):
        name = f"{number:x}".zfill((self.bits + 3) // 4) + ".shard"
        source = Bytes(open(os.path.join(self.folder, name), "rb").read())
        assert source.take(8) == b"urlidlsh" and source.number(4) == number
        length, beside = source.number(4), [source.take(32) for _ in range(self.bits)]
        content = source.take(length)
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
