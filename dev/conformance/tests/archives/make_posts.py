"""WARC files of requests with bodies of every kind, made from a seed.

Arguments: a folder, a seed, and the number of requests. `posts.warc` and `posts.warc.gz` have requests that cdxj-indexer can read,
`stops.warc` the requests each of which would stop it, and `pywb.warc` the requests that pywb reads by the same rules of multipart.
"""

import base64
import gzip
import json
import random
import sys
import zlib
from io import BytesIO
from pathlib import Path

from cdxj_indexer.bufferiter import buffer_record_content
from cdxj_indexer.postquery import append_method_query_from_req_resp
from pywb.warcserver.inputrequest import MethodQueryCanonicalizer
from warcio.archiveiterator import ArchiveIterator

URLS = ["http://example.com/", "https://www.Example.com/a?b=2&a=1", "http://example.com/a?", "<http://b.example/x y>", "http://e.example/#f?",
        "https://münchen.example/é", "http://h.example/?q=%41", "http://[::1/"]
NAMES = ["a", "b", "a.2_", "a.2_.2_", "A", "", "é", "\U0001f600", "a b", "query", "variables", "x&y=z", "__wb_method", "b.3_", "\t", "0"]
TEXTS = ["", "x", "a b+c", "é€", "\U0001f600", "%41", "a\r\nb", '"', "\\", "\x7f", "https://example.com/?a=1&b=2", "Z" * 90, "\ufeff", "'", "\x85"]
SCALARS = ["1", "-0", "0", "-0.0", "1.0", "1e5", "1E400", "-1e-7", "0.1", "123456789012345678901234567890", "1e16", "9999999999999998.0",
           "1.7976931348623157e308", "5e-324", "1e22", "100000000000000000000.0", "0.0001", "0.00001234", "true", "false", "null", "NaN", "Infinity",
           "-Infinity", '"\\ud83d\\ude00"', '"\\ud83d"', '"\\ude00\\ud83d"', '"\\u00e9\\/\\b\\f\\n\\r\\t\\"\\\\"', '"\\u0000"', "[]", "{}", '"\\uD83Dx"',
           "3.141592653589793238462643383279502884197", "2.5E+3", "1" + "0" * 400, "-1" + "7" * 30 + ".5", "0e0", "1.50"]
BROKEN = ["01", "1.", "-", "tru", '"', '"\t"', '"\\x"', '"\\u12"', "[1,]", '{"a":1,}', "{a:1}", "nan", "+1", "[", "}", "1 2", "'a'", "\ufeff1", "-NaN", "1e",
          "1" * 4301, "\x00", '"\\ud83d\\u12"', "\x0b1", "[1 2]", '{"a" 1}', "// c"]
BOUNDARY = "----WebKitFormBoundaryAbC123"


def number_text(rng: random.Random) -> str:
    kind = rng.randrange(4)
    if kind == 0:
        return repr(rng.uniform(-1, 1) * 10 ** rng.randint(-330, 308))
    if kind == 1:
        return str(rng.randint(-(10 ** 20), 10 ** 20))
    if kind == 2:
        return f"{rng.randint(0, 99)}.{rng.randint(0, 10 ** 25)}e{rng.randint(-30, 30)}"
    return repr(float(rng.randint(-10, 10 ** 18)))


def space(rng: random.Random) -> str:
    return rng.choice(["", "", "", " ", "\n", "\t", " \r\n "])


def value(rng: random.Random, depth: int) -> str:
    kind = rng.randrange(6) if depth < 5 else 0
    if kind <= 1:
        return rng.choice([rng.choice(SCALARS), json.dumps(rng.choice(TEXTS), ensure_ascii=rng.random() < 0.5), number_text(rng)])
    items = [value(rng, depth + 1) for _ in range(rng.choice([0, 1, 2, 3, 8]))]
    if kind == 2:
        return "[" + ",".join(space(rng) + item + space(rng) for item in items) + "]"
    members = [json.dumps(rng.choice(NAMES), ensure_ascii=rng.random() < 0.5) + space(rng) + ":" + space(rng) + item for item in items]
    return "{" + ",".join(space(rng) + member + space(rng) for member in members) + "}"


def json_body(rng: random.Random) -> bytes:
    kind = rng.randrange(20)
    text = space(rng) + value(rng, rng.choice([0, 0, 2])) + space(rng)
    if kind == 0:
        text = rng.choice(BROKEN)
    elif kind == 1:
        text = "\n".join(value(rng, 2) for _ in range(rng.randint(1, 5))) + rng.choice(["", "", "\n", "\nx"])
    elif kind == 2:
        deep = rng.randint(975, 995) if rng.random() < 0.8 else 100_000
        text = rng.choice(['{"a":' * deep + "1" + "}" * deep, '{"a":' + "[" * deep + '"x"' + "]" * deep + "}"])
    elif kind == 3:
        text = "{" + ",".join(f'"{rng.choice("abc")}{number}":{rng.choice(SCALARS)}' for number in range(rng.choice([600, 3000]))) + "}"
    elif kind == 4:
        text = json.dumps({"operationName": "Q", "variables": {"id": rng.randint(0, 9), "on": rng.choice([True, False, None])},
                           "query": "query Q($id: ID!) {\n  item(id: $id) { name }\n}"})
    elif kind == 5:
        text = text.replace("1", rng.choice(BROKEN), 1)
    encodings = ["utf-8"] * 12 + ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "latin-1"]
    body = text.encode(rng.choice(encodings), "replace")
    if rng.random() < 0.05:
        cut = rng.randrange(len(body) + 1)
        body = body[:cut] + rng.choice([b"", b"\xff", b"\xed\xa0\xbd\xed\xb8\x80", b"\x00", b"\n"]) + body[cut + rng.choice([0, 1]):]
    return body


def form_body(rng: random.Random) -> bytes:
    pieces = ["a", "=", "&", "+", "%20", "%C3%A9", "%c3", "%", "%4", "%zz", "é", "%0A", "%0d%0a", "%26", "%F0%9F%98%80", "%ED%A0%80", "x" * 50, "\U0001f600",
              "%00", "#", "?", " ", "%E2%82", "%FF", "€%A9", "%e2%28%a1"]
    body = "".join(rng.choices(pieces, k=rng.choice([0, 1, 5, 30, 300, 3000]))).encode()
    return body + rng.choice([b""] * 9 + [b"\xff", b"\xc3", b"\xf0\x9f\x98"])


def part(rng: random.Random) -> bytes:
    name = rng.choice(["a", "b[]", "é", "a b", 'q%22"', "%0D%0A", "a%41", "x\\y", ""])
    file = rng.choice(["a.txt", "", "é.png", "C:\\\\dir\\\\f.bin", "a%22b", "\\\\host\\share"])
    disposition = rng.choice([
        f'form-data; name="{name}"', f'form-data; name="{name}"', f'form-data; name="{name}"', f'form-data; name="{name}"; filename="{file}"',
        f'form-data; name="{name}"; filename="{file}"', f"form-data;name={name}", f'form-data; filename="{file}"; name="{name}"',
        f'FORM-DATA ; NAME = "{name}" ; x=y', 'form-data; name="a\\"b\\\\c"', "form-data", f'form-data; name="a"; name="{name}"', 'form-data; name="x',
        'form-data; name=\'a\'', 'attachment; name="a"', f'form-data; name="{name}";', 'form-data; name*=UTF-8\'\'%e2%82%ac; name=a;;b=c;=d'])
    content = rng.choice([b"", b"value", "é€".encode(), b"\r\n", b"a\r\nb\r\n--", b"\xff\xfe", b"x" * 5000, b"--" + BOUNDARY[:8].encode(), b"\r", b"=&+ "])
    lines = [rng.choice(["Content-Disposition", "content-disposition", "CONTENT-DISPOSITION "]) + ":" + rng.choice([" ", "", "\t"]) + disposition]
    if rng.random() < 0.4:
        lines.insert(rng.randrange(2), "Content-Type: " + rng.choice(
            ["text/plain", "text/plain; charset=utf-8", "text/plain;charset=iso-8859-1", 'text/plain; charset="US-ASCII"', "application/octet-stream",
             "text/plain; charset=latin1", "text/plain; charset="]))
    if rng.random() < 0.1:
        lines.append(f"Content-Length: {rng.choice([len(content), len(content), 3, '03', '-1', 'x'])}")
    if rng.random() < 0.1:
        lines.append(rng.choice(["X-Y: z", "no colon", " folded", "x y: z", "X: " + "y" * rng.choice([4216, 4217, 4300]), "\t", "é: x"]))
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def multipart_body(rng: random.Random) -> bytes:
    delimiter = b"--" + BOUNDARY.encode()
    parts = [part(rng) for _ in range(rng.choice([0, 1, 1, 2, 3, 5, 128, 129]) if rng.random() < 0.2 else rng.randint(1, 3))]
    front = rng.choice([b""] * 12 + [b"\r\n", b"preamble\r\n", b"preamble", b"\n"])
    body = front + b"".join(delimiter + b"\r\n" + part + b"\r\n" for part in parts) + delimiter + rng.choice([b"--\r\n"] * 9 + [b"--", b"\r\n", b"", b"--x", b"x--"])
    return body.replace(b"\r\n", b"\n") if rng.random() < 0.03 else body


def plain_multipart_body(rng: random.Random) -> bytes:
    parts = []
    for _ in range(rng.randint(1, 4)):
        file = rng.choice(["", "", '; filename="a b.bin"\r\nContent-Type: application/octet-stream'])
        content = rng.choice([b"value", "é€".encode(), b"a\r\nb", b"x" * 5000]) if not file else rng.randbytes(rng.choice([0, 9, 9000]))
        parts.append(f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{rng.choice(["a", "b[]", "é", "a b"])}"{file}\r\n\r\n'.encode() + content + b"\r\n")
    return b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()


def binary_body(rng: random.Random) -> bytes:
    return rng.randbytes(rng.choice([0, 1, 2, 3, 100, 3060, 3063, 3066, 20000]))


KINDS = [
    (["application/x-www-form-urlencoded", "application/x-www-form-urlencoded; charset=UTF-8"], form_body),
    (["application/json", "application/json; charset=utf-8", "application/jsonp"], json_body),
    (["text/plain", "text/plain;charset=UTF-8"], json_body),
    (["text/plain"], form_body),
    ([f"multipart/form-data; boundary={BOUNDARY}", f"multipart/form-data; boundary={BOUNDARY}", f"multipart/mixed;boundary={BOUNDARY}", "multipart/form-data"],
     multipart_body),
    ([f"multipart/form-data; boundary={BOUNDARY}"], plain_multipart_body),
    (["application/octet-stream", None, "", "image/png", "Application/JSON", "application/graphql", "application/grpc-web+proto", "é/ü"], binary_body),
    ([None, "application/vnd.api+json"], json_body),
]


def chunked(rng: random.Random, body: bytes) -> bytes:
    out, at = [], 0
    while at < len(body):
        size = rng.choice([1, 10, 1000, 70000])
        piece = body[at:at + size]
        line = rng.choice([f"{len(piece):x}"] * 8 + [f"{len(piece):X};ext=1", f"0x{len(piece):x}", f" {len(piece):x} ", f"{len(piece):08x}"])
        out.append(line.encode() + b"\r\n" + piece + b"\r\n")
        at += size
    whole = b"".join(out) + b"0\r\n\r\n"
    kind = rng.randrange(12)
    if kind == 0:
        return whole[:rng.randrange(len(whole) + 1)]
    if kind == 1:
        return whole[:-2] + b"X-Trailer: 1\r\n\r\n"
    if kind == 2:
        return body
    if kind == 3:
        return whole.replace(b"\r\n", rng.choice([b"\n", b"x\r\n"]), 1)
    return whole


def compressed(rng: random.Random, body: bytes, coding: str) -> bytes:
    if coding == "gzip":
        data = gzip.compress(body, mtime=0)
    else:
        data = zlib.compress(body) if rng.random() < 0.5 else zlib.compress(body)[2:-4]
    kind = rng.randrange(10)
    if kind == 0:
        return data[:rng.randrange(len(data) + 1)]
    if kind == 1:
        return body
    if kind == 2:
        at = rng.randrange(len(data))
        return data[:at] + bytes([data[at] ^ 16]) + data[at + 1:]
    return data + (b"behind" if kind == 3 else b"")


def http_request(rng: random.Random) -> tuple[bytes, bool]:
    """A request, and whether its multipart is unusual, because pywb and cdxj-indexer read such multipart with different packages."""
    media_types, make = rng.choice(KINDS)
    body, media_type = make(rng), rng.choice(media_types)
    method = rng.choice(["POST"] * 16 + ["PUT"] * 4 + ["post", "Put", "GET", "PATCH", "OPTIONS", "HEAD", "DELETE", ""])
    fields = ["Host: example.com"]
    if media_type is not None:
        fields.append(rng.choice(["Content-Type", "Content-Type", "content-type", "CONTENT-TYPE "]) + ": " + media_type)
    length: object = len(body)
    if rng.random() < 0.12:
        coding = rng.choice(["gzip", "deflate", "GZIP", "identity"])
        fields.append(f"Content-Encoding: {coding}")
        if coding != "identity":
            body = compressed(rng, body, coding.lower())
            length = rng.choice([len(body), length])
    if rng.random() < 0.12:
        fields.append("Transfer-Encoding: " + rng.choice(["chunked", "chunked", "chunked", "Chunked"]))
        body, length = chunked(rng, body), rng.choice([None, None, length])
    if rng.random() < 0.1:
        length = rng.choice([None, "abc", "-5", "+12", "1_0", "", " 7 ", "0", len(body) // 2, len(body) + 9, "1.5", "0x10", "_1", "00012"])
    if length is not None:
        fields.insert(rng.randrange(len(fields) + 1), f"Content-Length: {length}")
    if rng.random() < 0.05:
        fields.insert(rng.randrange(len(fields) + 1), rng.choice(["no colon", "Content-Type: text/html", "X: y\r\n folded", "Content-Type:text/plain;\r\n\tx=y"]))
    head = rng.choice([f"{method} /path?x=y HTTP/1.1"] * 20 + [method, f" {method} /", ""])
    is_coded = any("-Encoding: " in field for field in fields)
    is_odd = make is multipart_body or (make is plain_multipart_body and (is_coded or length != len(body)))
    if rng.random() < 0.03:
        return b"", False
    return "\r\n".join([head, *fields, "", ""]).encode() + body, is_odd


def warc_record(kind: str, url: str, fields: list[tuple[str, str]], content: bytes) -> bytes:
    media_type = "application/http; msgtype=" + kind
    fields = [("WARC-Type", kind), ("WARC-Target-URI", url), ("WARC-Date", "2026-01-02T03:04:05Z"), ("Content-Type", media_type), *fields]
    head = "WARC/1.0\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields) + f"Content-Length: {len(content)}\r\n\r\n"
    return head.encode() + content + b"\r\n\r\n"


def group(rng: random.Random, number: int, request: bytes) -> list[bytes]:
    """A request and its response, side by side or not."""
    url = rng.choice(URLS)
    ids = [f"<urn:uuid:{kind:08}-0000-0000-0000-{number:012}>" for kind in range(3)]
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\npage {number}".encode()
    digest = ("WARC-Payload-Digest", "sha1:" + base64.b32encode(number.to_bytes(20)).decode())

    def of(kind: str, id_: str | None, to: str | None, content: bytes, target: str = url) -> bytes:
        fields = [("WARC-Record-ID", id_)] if id_ else []
        fields += [("WARC-Concurrent-To", to)] if to else []
        return warc_record(kind, target, fields + ([digest] if kind != "request" else []), content)

    kind = rng.randrange(23)
    if kind == 0:
        return [of("response", ids[0], None, answer)]
    if kind == 1:
        return [of("request", ids[1], None, request)]
    if kind == 2:
        return [of("response", ids[0], None, answer), of("request", ids[1], ids[2], request)]
    if kind == 3:
        return [of("response", ids[0], None, answer), of("request", ids[1], ids[0], request, url.replace("e", "f", 1))]
    if kind == 4:
        return [of("response", None, None, answer), of("request", None, None, request)]
    if kind == 5:
        return [of("response", ids[0], None, answer), of("metadata", ids[2], ids[0], b"x: y"), of("request", ids[1], ids[0], request)]
    if kind == 6:
        return [of("revisit", ids[0], None, answer), of("request", ids[1], ids[0], request)]
    if kind == 7:
        return [of("request", ids[1], ids[0], request), of("response", ids[0], None, answer)]
    if kind == 8:
        return [of("response", ids[0], ids[1], answer), of("request", ids[1], ids[0], request), of("response", ids[2], ids[1], answer)]
    if kind <= 13:
        return [of("request", ids[1], None, request), of("response", ids[0], ids[1], answer)]
    return [of("response", ids[0], None, answer), of("request", ids[1], ids[0], request)]


def cdxj_indexer_reads(request: bytes) -> bool:
    record = next(ArchiveIterator(BytesIO(warc_record("request", "http://a/", [], request)), arc2warc=True))
    if not record.http_headers or record.http_headers.protocol.upper() not in ("POST", "PUT"):
        return True
    buffer_record_content(record)
    try:
        append_method_query_from_req_resp(record, None)
    except Exception:
        return False
    return True


def pywb_reads(request: bytes) -> bool:
    record = next(ArchiveIterator(BytesIO(warc_record("request", "http://a/", [], request)), arc2warc=True))
    head = record.http_headers
    if not head or not head.protocol:
        return False
    fields = [head.get_header(name) for name in ("Content-Type", "Content-Length")]
    try:
        MethodQueryCanonicalizer(head.protocol, *fields, record.raw_stream).append_query("http://a/")
    except Exception:
        return False
    return True


def make(folder: Path, seed: int, count: int) -> None:
    rng = random.Random(seed)
    plain, members, pywb, stops = [(folder / name).open("wb") for name in ("posts.warc", "posts.warc.gz", "pywb.warc", "stops.warc")]
    for number in range(count):
        request, is_odd = http_request(rng)
        records = group(rng, number, request)
        if not is_odd and pywb_reads(request):
            pywb.write(b"".join(records))
        if cdxj_indexer_reads(request):
            plain.write(b"".join(records))
            if number % 7 == 0:
                members.write(b"".join(gzip.compress(record, mtime=0) for record in records))
        else:
            url, id_ = f"http://stops.example/{number}", f"<urn:uuid:{number}>"
            stops.write(warc_record("response", url, [("WARC-Record-ID", id_)], b"HTTP/1.1 200 OK\r\n\r\n"))
            stops.write(warc_record("request", url, [("WARC-Concurrent-To", id_)], request))


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
