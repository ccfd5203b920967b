"""Runs the section of docs/sql.md on ClickHouse in chdb, the same engine as a Python package: `in_clickhouse.py PROGRAM`."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import chdb

PROGRAM, ROOT = Path(sys.argv[1]).resolve(), Path(__file__).resolve().parents[3]
URLS = ROOT / "samples/debian_homepages.txt"
SECTION = (ROOT / "docs/sql.md").read_text(encoding="utf-8").split("\n## ClickHouse\n")[1]
DOCS_RS = "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356"
# Values that could be read as several lines or none, and the URLs that they are to a browser.
HOSTILE = [
    (r"'http://h/\na'", "http://h/a"),
    (r"'http://h/a\r\n'", "http://h/a"),
    (r"'\n\n'", None),
    (r"'http://h/\0a'", "http://h/%00a"),
    ("NULL", None),
    (r"'http://h/\'\"\'\"'", "http://h/'%22'%22"),
    (r"'http://h/\"}\n{\"url\":\"http://h/b'", "http://h/%22%7D%7B%22url%22:%22http://h/b"),
    (r"unhex('687474703a2f2f682fff')", None),
    ("'http://h/' || repeat('a', 100000)", "http://h/" + "a" * 100_000),
]


def blocks(language: str) -> list[str]:
    return re.findall(f"```{language}\n(.*?)```", SECTION, re.DOTALL)


def functions() -> str:
    """Returns the file of the page, with a copy of its entry for each row of the table."""
    [xml] = blocks("xml")
    entry = xml.split("<functions>")[1].split("</functions>")[0]
    for name, result, command in re.findall(r"^\| `(urlid_\w+)` \| `(\w+)` \| `(.*)` \|$", SECTION, re.MULTILINE):
        copy = entry.replace("urlid_sxurl_hex", name).replace("url_sxurl<", f"{result}<").replace("urlid id ", f"{command} ")
        xml = xml.replace("</functions>", copy + "</functions>")
    return xml


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "urlid").symlink_to(PROGRAM)
        (Path(folder) / "functions.xml").write_text(functions(), encoding="utf-8")
        settings = f"user_scripts_path={folder}&user_defined_executable_functions_config={folder}/functions.xml"
        connection = chdb.connect(f":memory:?{settings}")

        def query(sql: str) -> list[str | None]:
            lines = str(connection.query(sql, "TSVRaw")).split("\n")[:-1]
            return [None if line == r"\N" else line for line in lines]

        query("CREATE TABLE page (url String) ENGINE = Memory")
        query("INSERT INTO page VALUES ('https://docs.rs/'), ('HTTPS://docs.rs'), ('mailto:x')")
        create, select = blocks("sql")[0].strip().removesuffix(";").split(";\n")
        query(create)
        assert sorted(query(select)) == [f"{DOCS_RS}\t2", "\\N\t1"], query(select)
        assert query("SELECT lower(hex(urlid_sxurl('https://docs.rs/')))") == [DOCS_RS]

        url = "'HTTPS://WWW.Example.co.uk:443/a/../b'"
        assert query(f"SELECT urlid_canon_web({url}), urlid_registered_domain({url})") == ["https://www.example.co.uk/b\texample.co.uk"]

        # A pool answers block after block, and rows do not change the answers of other rows.
        lines = URLS.read_text(encoding="utf-8").splitlines()
        for function, options in ("urlid_sxurl_hex", []), ("urlid_url_hash_hex", ["--kind", "url-hash"]):
            command = [PROGRAM, "id", *options, "--invalid", "ignore", "--quiet", URLS]
            ids = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
            expected = [id or None for id in ids]
            for block in 1000, 65_536:
                sql = f"SELECT {function}(line) FROM file('{URLS}', LineAsString) SETTINGS max_block_size = {block}, max_threads = 1"
                assert query(sql) == expected, (function, block)
        query("CREATE TABLE mixed (n UInt64, url Nullable(String)) ENGINE = Memory")
        query(f"INSERT INTO mixed SELECT rowNumberInAllBlocks() * 100, line FROM file('{URLS}', LineAsString)")
        query("CREATE TABLE good (n UInt64) ENGINE = Memory")
        query("INSERT INTO good SELECT n FROM mixed WHERE n % 20000 = 0")
        for number, (value, _) in enumerate(HOSTILE, 1):
            query(f"INSERT INTO mixed SELECT n + {number}, {value} FROM good")
        ordered = "(SELECT n, urlid_canon_web(url) AS form FROM (SELECT * FROM mixed ORDER BY n)) SETTINGS max_threads = 1"
        alone = query(f"SELECT urlid_canon_web(line) FROM file('{URLS}', LineAsString) SETTINGS max_threads = 1")
        assert len(alone) == len(lines)
        assert query(f"SELECT form FROM {ordered.replace(')) SETTINGS', ')) WHERE n % 100 = 0 SETTINGS')}") == alone
        for number, (value, form) in enumerate(HOSTILE, 1):
            assert query(f"SELECT DISTINCT form FROM {ordered.replace(')) SETTINGS', f')) WHERE n % 100 = {number} SETTINGS')}") == [form], value
        connection.close()
    print(f"ClickHouse: {len(lines)} URLs and {len(HOSTILE)} hostile values have the answers of the program")


if __name__ == "__main__":
    main()
