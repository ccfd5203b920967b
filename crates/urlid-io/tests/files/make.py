"""Makes the archives in this folder with programs of others, and beside each the index that cdxj-indexer 1.5 makes of it.

    python -m venv venv && venv/bin/pip install warcio cdxj-indexer wacz zstandard && venv/bin/python make.py

The pages are always the same, so a file changes only if a program does. ARC files are written by the published description of
ARC 1.0 (https://archive.org/web/researcher/ArcFileFormat.php) and, for 1.1, as Heritrix wrote them. No program here reads
`.warc.zst`: its index is that of the same records uncompressed, with the places of the frames.
"""

import gzip
import io
import json
import random
import struct
import subprocess
import sys
from pathlib import Path

import zstandard
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent
DATE = "2026-01-02T03:04:05Z"
PAGES = [
    ("http://example.com/", "200 OK", "text/html; charset=utf-8"),
    ("http://www.example.com/about?b=1&a=2", "404 Not Found", "text/html"),
    ("https://sub.example.com/photo.jpg", "200 OK", "image/jpeg"),
    ("http://example.org/with space", "200 OK", "text/plain"),
]


def body(number: int) -> bytes:
    words = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog"]
    rng = random.Random(number)
    return ("<!doctype html><title>Page</title><p>" + " ".join(rng.choices(words, k=60 + number))).encode()


def http(number: int) -> bytes:
    _, status, media_type = PAGES[number]
    head = f"HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nServer: a test\r\n\r\n"
    return head.encode() + body(number)


def records(version: str = "1.0", dates: list[str] | None = None) -> list[bytes]:
    """The records of a WARC file, uncompressed."""
    made = []
    for number, (url, status, media_type) in enumerate(PAGES):
        out = io.BytesIO()
        writer = WARCWriter(out, gzip=False, warc_version=version)
        head = StatusAndHeaders(status, [("Content-Type", media_type), ("Server", "a test")], protocol="HTTP/1.1")
        date = dates[number] if dates else DATE
        fields = {"WARC-Date": date, "WARC-Record-ID": f"<urn:uuid:00000000-0000-0000-0000-{number:012}>"}
        writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(body(number)), http_headers=head,
                                                      warc_headers_dict=fields))
        made.append(out.getvalue())
    return made


def member(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)


def write(name: str, data: bytes) -> Path:
    path = HERE / name
    path.write_bytes(data)
    return path


def index_text(path: Path) -> str:
    command = [BIN / "cdxj-indexer", "--sort", path]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def index(path: Path) -> None:
    """Writes the index of an archive beside it."""
    path.with_name(path.name + ".cdxj").write_text(index_text(path))


def index_of_moved(path: Path, plain: list[bytes], stored: list[bytes] | None, start: int) -> None:
    """Writes the index of records that are stored otherwise: that of a plain file, with other places."""
    places, at, plain_at = {}, start, 0
    for number, record in enumerate(plain):
        length = len(stored[number]) if stored else len(record)
        places[str(plain_at)] = (length, at)
        at, plain_at = at + length, plain_at + len(record)
    whole = HERE / "whole.tmp.warc"
    whole.write_bytes(b"".join(plain))
    out = []
    for line in index_text(whole).splitlines():
        key, time, data = line.split(" ", 2)
        data = json.loads(data)
        length, offset = places[data["offset"]]
        data.update(length=str(length) if stored else data["length"], offset=str(offset), filename=path.name)
        out.append(f"{key} {time} {json.dumps(data)}\n")
    whole.unlink()
    path.with_name(path.name + ".cdxj").write_text("".join(out))


def zst() -> None:
    plain = records()
    samples = [f"{record.decode()}{number}".encode() for number in range(200) for record in plain]
    dictionary = zstandard.train_dictionary(1500, samples, dict_id=70000)
    parameters = zstandard.ZstdCompressionParameters.from_level(9, write_checksum=True, write_content_size=True, write_dict_id=True)
    compressor = zstandard.ZstdCompressor(dict_data=dictionary, compression_params=parameters)
    frames = [compressor.compress(record) for record in plain]
    data = dictionary.as_bytes()
    stored = zstandard.ZstdCompressor(compression_params=parameters).compress(data)
    for name, user in [("dictionary.warc.zst", data), ("dictionary-compressed.warc.zst", stored)]:
        front = struct.pack("<II", 0x184D2A5D, len(user)) + user
        index_of_moved(write(name, front + b"".join(frames)), plain, frames, len(front))
    frames = [zstandard.ZstdCompressor(compression_params=parameters).compress(record) for record in plain]
    index_of_moved(write("frames.warc.zst", b"".join(frames)), plain, frames, 0)


def arc(name: str, version: str, compress: bool) -> None:
    fields = "URL IP-address Archive-date Content-type Archive-length\n"
    block = f"{version} InternetArchive\n{fields}\n"
    if version == "1 1":
        block += '<?xml version="1.0" encoding="UTF-8"?>\n<arcmetadata><software>Heritrix 1.14</software></arcmetadata>\n'
    parts = [f"filedesc://{name} 0.0.0.0 20260102030405 text/plain {len(block)}\n{block}\n".encode()]
    for number, (url, _, media_type) in enumerate(PAGES):
        content = http(number)
        head = f"{url} 192.0.2.{number} 2026010203040{number} {media_type.split(';')[0]} {len(content)}\n"
        parts.append(head.encode() + content + b"\n")
    answer = b"20260102030409\nwww.example.com. 1 IN A 192.0.2.9\n"
    parts.append(f"dns:www.example.com 192.0.2.9 20260102030409 text/dns {len(answer)}\n".encode() + answer + b"\n")
    index(write(name, b"".join(member(part) if compress else part for part in parts)))


def warcs() -> None:
    members = [member(record) for record in records()]
    index(write("members.warc.gz", b"".join(members)))
    write("whole.warc.gz", member(b"".join(records())))
    # Of this file cdxj-indexer makes an empty index.
    index_of_moved(write("line-ends.warc", b"\r\n\r\n\n" + b"".join(records())), records(), None, 5)
    # A day is the least that cdxj-indexer reads.
    write("dates.warc", b"".join(records("1.1", ["2026", "2026-02", "2026-02-03T04Z", "2026-02-03T04:05Z"])))


def wacz() -> None:
    pages = HERE / "pages.jsonl"
    lines = [{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}]
    lines += [{"id": str(number), "url": url.replace(" ", "%20"), "ts": DATE, "title": "Page"} for number, (url, _, _) in enumerate(PAGES)]
    pages.write_text("".join(json.dumps(line) + "\n" for line in lines))
    subprocess.run([BIN / "wacz", "create", "--date", DATE, "-o", HERE / "crawl.wacz", "-p", pages, "-c", HERE / "members.warc.gz"], check=True)


def dialects() -> None:
    """The index of members.warc.gz in dialects, by their descriptions: the API of the Wayback CDX server
    (https://github.com/internetarchive/wayback/tree/master/wayback-cdx-server), CDX 2006 with tabs, OpenWayback CDXJ 1.0
    (https://iipc.github.io/warc-specifications/specifications/cdx-format/openwayback-cdxj/), and the README of ipwb."""
    wayback, tabs, open_wayback, ipwb = [], ["\tCDX\tN\tb\ta\tm\ts\tk\tr\tM\tS\tV\tg"], ["!OpenWayback-CDXJ 1.0"], []
    ipwb.append('!context ["https://oduwsdl.github.io/contexts/cdxj"]')
    ipwb.append('!id {"uri": "https://example.com/cdxj"}')
    ipwb.append('!meta {"generator": "InterPlanetary Wayback", "created_at": "2026-01-02T03:04:05.678901"}')
    for line in (HERE / "members.warc.gz.cdxj").read_text().splitlines():
        key, time, data = line.split(" ", 2)
        data = json.loads(data)
        digest = data["digest"].removeprefix("sha1:")
        wayback.append([key, time, data["url"], data["mime"], data["status"], digest, data["length"]])
        tabs.append("\t".join([*wayback[-1][:6], "-", "-", data["length"], data["offset"], data["filename"]]))
        host, path = key.split(")", 1)
        ref = {"uri": data["url"], "sha": digest, "hsc": int(data["status"]), "mct": data["mime"], "rle": int(data["length"]),
               "ref": f"warcfile:{data['filename']}#{data['offset']}"}
        open_wayback.append(f"({host},){path} {DATE} response {json.dumps(ref)}")
        place = {"locator": "urn:ipfs/QmHead/QmBody", "mime_type": data["mime"], "original_uri": data["url"], "status_code": data["status"]}
        ipwb.append(f"{key} {time} {json.dumps(place)}")
    rows = [["urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"], *wayback]
    write("wayback.cdx", "".join(" ".join(row) + "\n" for row in wayback).encode())
    write("wayback.json", ("[" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "]\n").encode())
    for name, lines in [("tabs.cdx", tabs), ("openwayback.cdxj", open_wayback), ("ipwb.cdxj", ipwb)]:
        write(name, "".join(line + "\n" for line in lines).encode())


if __name__ == "__main__":
    zst()
    arc("plain.arc", "1 0", False)
    arc("members.arc.gz", "1 0", True)
    arc("heritrix.arc.gz", "1 1", True)
    warcs()
    wacz()
    dialects()
