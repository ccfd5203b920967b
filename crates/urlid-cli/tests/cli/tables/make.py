"""Makes the Parquet files of this folder, by pyarrow 26: `python make.py`.

`crawl-nested.parquet` and `crawl-flat.parquet` have the schemas of Common Crawl's columnar index
(https://github.com/commoncrawl/cc-index-table, src/main/resources/schema) and its compression. The values of the parts are those
that the index has for these URLs; what does not matter here is made up.
"""

import datetime

import pyarrow
import pyarrow.parquet

TEXT, INT = pyarrow.string(), pyarrow.int32()


def struct(**fields):
    return pyarrow.struct([pyarrow.field(name, kind, nullable) for name, (kind, nullable) in fields.items()])


def column(name, kind, nullable=True):
    return pyarrow.field(name, kind, nullable)


HOSTS = [
    # URL, host, reversed, tld, registry suffix, registered domain, private suffix, private domain
    ("https://www.example.co.uk:8443/a?b=1", "www.example.co.uk", ["uk", "co", "example", "www"], "co.uk", "example.co.uk",
     "co.uk", "example.co.uk"),
    ("https://www.alice.github.io/", "www.alice.github.io", ["io", "github", "alice", "www"], "io", "github.io", "github.io",
     "alice.github.io"),
    ("http://192.0.2.7/x", "192.0.2.7", ["192.0.2.7"], None, None, None, None),
]

nested = pyarrow.schema([
    column("url", struct(
        surtkey=(TEXT, False), url=(TEXT, False),
        host=(struct(
            name=(TEXT, False), reverse_host=(pyarrow.list_(TEXT), True), registry_suffix=(TEXT, True),
            registered_domain=(TEXT, True), private_suffix=(TEXT, True), private_domain=(TEXT, True)), False),
        protocol=(TEXT, False), port=(INT, True), path=(TEXT, False), query=(TEXT, True)), False),
    column("fetch", struct(time=(pyarrow.int64(), False), status=(pyarrow.int16(), False)), False),
    column("content", struct(digest=(TEXT, False), mime_type=(TEXT, True), mime_detected=(TEXT, True)), False),
    column("warc", struct(
        filename=(TEXT, False), record_offset=(INT, False), record_length=(INT, False), segment=(TEXT, False)), False),
    column("crawl", TEXT, False),
    column("subset", TEXT, False),
])


def parts(url):
    scheme, rest = url.split("://")
    authority, path = rest.split("/", 1)
    port = authority.partition(":")[2]
    path, _, query = path.partition("?")
    return scheme, int(port) if port else None, "/" + path, query or None


def nested_row(number, row):
    url, host, reverse, registry, registered, private, domain = row
    scheme, port, path, query = parts(url)
    return {
        "url": {
            "surtkey": ",".join(reverse) + ")" + path, "url": url,
            "host": {"name": host, "reverse_host": reverse, "registry_suffix": registry, "registered_domain": registered,
                     "private_suffix": private, "private_domain": domain},
            "protocol": scheme, "port": port, "path": path, "query": query},
        "fetch": {"time": 20260501000000 + number, "status": 200},
        "content": {"digest": "CH7IV3XAD3M7A42JARKRLJ3T5PGGCGXD", "mime_type": "text/html", "mime_detected": "text/html"},
        "warc": {"filename": "crawl-data/CC-MAIN-2026-21/x.warc.gz", "record_offset": number, "record_length": 7,
                 "segment": "1"},
        "crawl": "CC-MAIN-2026-21", "subset": "warc",
    }


FLAT = [
    ("url_surtkey", TEXT, False), ("url", TEXT, False), ("url_host_name", TEXT, False), ("url_host_tld", TEXT, True),
    ("url_host_2nd_last_part", TEXT, True), ("url_host_3rd_last_part", TEXT, True), ("url_host_4th_last_part", TEXT, True),
    ("url_host_5th_last_part", TEXT, True), ("url_host_registry_suffix", TEXT, True),
    ("url_host_registered_domain", TEXT, True), ("url_host_private_suffix", TEXT, True),
    ("url_host_private_domain", TEXT, True), ("url_host_name_reversed", TEXT, True), ("url_protocol", TEXT, False),
    ("url_port", INT, True), ("url_path", TEXT, False), ("url_query", TEXT, True),
    ("fetch_time", pyarrow.timestamp("ms"), False), ("fetch_status", pyarrow.int16(), False), ("fetch_redirect", TEXT, True),
    ("content_digest", TEXT, True), ("content_mime_type", TEXT, True), ("content_mime_detected", TEXT, True),
    ("content_charset", TEXT, True), ("content_languages", TEXT, True), ("content_truncated", TEXT, True),
    ("warc_record_id", pyarrow.binary(), False), ("warc_filename", TEXT, False), ("warc_record_offset", INT, False),
    ("warc_record_length", INT, False), ("warc_segment", TEXT, False), ("crawl", TEXT, False), ("subset", TEXT, False),
]


def flat_row(number, row):
    url, host, reverse, registry, registered, private, domain = row
    scheme, port, path, query = parts(url)
    is_name = registry is not None
    labels = reverse + [None] * 5 if is_name else [None] * 5
    return dict(zip([name for name, *_ in FLAT], [
        ",".join(reverse) + ")" + path, url, host, *labels[:5], registry, registered, private, domain,
        ".".join(reverse) if is_name else None, scheme, port, path, query, datetime.datetime(2026, 5, 1), 200, None, "CH7I",
        "text/html", "text/html", "UTF-8", "eng", None, bytes(16), "x.warc.gz", number, 7, "1", "CC-MAIN-2026-21", "warc",
    ]))


def write(name, rows, schema, compression):
    table = pyarrow.Table.from_pylist(rows, schema=schema)
    pyarrow.parquet.write_table(table, f"{name}.parquet", compression=compression)


if __name__ == "__main__":
    write("crawl-nested", [nested_row(*row) for row in enumerate(HOSTS)], nested, "gzip")
    flat = pyarrow.schema([column(*field) for field in FLAT])
    write("crawl-flat", [flat_row(*row) for row in enumerate(HOSTS)], flat, "gzip")
    urls = [{"url": f"https://example.com/{number % 7}"} for number in range(40)]
    for compression in ["brotli", "lz4"]:
        write(compression, urls, pyarrow.schema([column("url", TEXT)]), compression)
