"""WARC files as crawlers write them, made with warcio from a seed: every kind of record, and the quirks of old tools."""

import io
import random
import sys
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

PAGES = ["http://example.com/", "https://www.Example.com:443/A/../b?d=1&c", "http://[::1]:8080/x", "http://192.168.0.1/?",
         "https://münchen.example/straße", "http://example.com/%7Efoo?sid=0123456789abcdef0123456789abcdef",
         "http://example.com:99999/", "http://a.example/with space", "<http://b.example/>", "dns:www.example.com",
         "urn:pageinfo:http://example.com/", "https://example.org/a\tb", "mailto:someone@example.com", "http://u:p@h.example/"]
TYPES = ["text/html; charset=utf-8", "image/png", "", None, "text/html\tx", "TEXT/HTML;q", "é"]
STATUSES = ["200 OK", "404 Not Found", "301", "", "999 odd"]


def content(rng: random.Random) -> bytes:
    return bytes(rng.choices(b"abcdefgh <p>\r\n", k=rng.choice([0, 1, 70, 3000, 90000])))


def write_response(writer: WARCWriter, rng: random.Random, uri: str, kind: str) -> None:
    headers = [("X-Name", "value" * rng.choice([1, 400]))]
    media_type = rng.choice(TYPES)
    if media_type is not None:
        headers.insert(rng.randrange(2), ("Content-Type", media_type))
    http = StatusAndHeaders(rng.choice(STATUSES), headers, protocol="HTTP/1.1")
    date = rng.choice(["2026-01-02T03:04:05Z", "2013-12-26T10:11:12.456789Z", "1999-12-31T23:59:59"])
    if kind == "revisit":
        record = writer.create_revisit_record(uri, "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", uri, date, http_headers=rng.choice([http, None]),
                                              warc_headers_dict={"WARC-Date": date})
    else:
        body = content(rng)
        record = writer.create_warc_record(uri, kind, payload=io.BytesIO(body), length=len(body), http_headers=http,
                                           warc_headers_dict={"WARC-Date": date})
    writer.write_record(record)


def write_other(writer: WARCWriter, rng: random.Random, uri: str, kind: str) -> None:
    body = content(rng)
    media_type = rng.choice(["text/plain", "application/warc-fields", "application/json; x=y"])
    record = writer.create_warc_record(uri, kind, payload=io.BytesIO(body), length=len(body), warc_content_type=media_type,
                                       warc_headers_dict={"WARC-Date": "2026-01-02T03:04:05Z"})
    writer.write_record(record)


def raw_record(fields: list[str], body: bytes) -> bytes:
    """A record as no current tool writes it: without a digest, in unusual case, with a continued field."""
    head = "WARC/0.18\r\n" + "".join(field + "\r\n" for field in fields) + f"content-length: {len(body)}\r\n\r\n"
    return head.encode() + body + b"\r\n\r\n"


def make(path: Path, seed: int, records: int) -> None:
    rng = random.Random(seed)
    gzip = path.suffix == ".gz"
    with path.open("wb") as out:
        writer = WARCWriter(out, gzip=gzip)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "made by a test"}))
        for number in range(records):
            uri = rng.choice(PAGES)
            if rng.random() < 0.5:
                uri = uri.rstrip(">") + f"/{number}" + (">" if uri.endswith(">") else "")
            kind = rng.choice(["response"] * 6 + ["revisit", "revisit", "request", "resource", "metadata", "conversion"])
            if kind in ("response", "revisit") and uri.startswith("http"):
                write_response(writer, rng, uri, kind)
            else:
                write_other(writer, rng, uri, "resource" if kind in ("response", "revisit", "request") else kind)
        if not gzip:
            body = b"HTTP/1.0 200 OK\r\nContent-Type: a/b\r\n\r\nno digest"
            out.write(raw_record(["WARC-type: response", "warc-target-uri:http://old.example/", "WARC-Date: 2001-02-03T04:05:06Z"], body))
            out.write(raw_record(["WARC-Type: response", "WARC-Target-URI: http://folded.example/\r\n path", "WARC-Date: 2001-02-03"], b""))
            latin = b"HTTP/1.0 20\xe9 OK\r\nContent-Type : \xe9/\xff;x\r\nno colon\r\n\r\n"
            out.write(raw_record(["WARC-Type: response", "WARC-Target-URI: http://latin.example/", "WARC-Date: 2001-02-03T04:05:06Z"], latin))
            out.write(raw_record(["WARC-Type: metadata", "WARC-Date: 2001-02-03T04:05:06Z", "Content-Type: text/x ; y"], b"no url"))


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
