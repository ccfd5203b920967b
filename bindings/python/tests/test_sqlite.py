"""The functions of SQL in the standard library's SQLite: values of any type, and errors."""

import sqlite3

import pytest
import urlid.sqlite


def connections():
    return urlid.sqlite.register(sqlite3.connect(":memory:")), sqlite3.connect(":memory:", factory=urlid.sqlite.Connection)


@pytest.mark.parametrize("con", connections(), ids=["registered", "factory"])
def test_a_value_of_the_wrong_type_is_null(con):
    calls = "urlid_host(5), urlid_host(x'00'), urlid_sxurl(1.5), urlid_slice('00', 'tld'), urlid_probe('domain', 5), urlid_host('http://A/')"
    assert con.execute(f"SELECT {calls}").fetchall() == [(None,) * 5 + ("a",)]
    con.execute("CREATE TABLE page(url)")
    con.executemany("INSERT INTO page VALUES (?)", [("http://a.example/",), (5,), (b"\xff",), (None,)])
    con.execute("CREATE INDEX page_id ON page(urlid_sxurl(url))")
    con.execute("INSERT INTO page VALUES (x'00')")
    assert con.execute("SELECT count(*), count(urlid_host(url)) FROM page").fetchall() == [(5, 1)]


def test_errors_of_functions_have_their_code():
    con = sqlite3.connect(":memory:", factory=urlid.sqlite.Connection)
    con.execute("CREATE TABLE part(name)")
    con.executemany("INSERT INTO part VALUES (?)", [("host",), ("wob",)])
    select = "SELECT urlid_part('http://h/', name) FROM part"
    for run in (
        lambda: con.execute(select).fetchall(),
        lambda: list(con.execute(select)),
        lambda: con.cursor().execute(select).fetchmany(5),
        lambda: [cursor := con.execute(select), cursor.fetchone(), cursor.fetchone()],
        lambda: con.executemany("INSERT INTO part VALUES (urlid_part('http://h/', ?))", [("host",), ("bad",)]),
        lambda: con.executescript("SELECT urlid_part('http://h/', 'x');"),
    ):
        with pytest.raises(sqlite3.OperationalError, match="^ERR_ARGUMENT: unknown part: found") as raised:
            run()
        assert raised.value.__cause__.code == "ERR_ARGUMENT"
    with pytest.raises(sqlite3.OperationalError, match="^ERR_CANON_NAME"):
        con.execute("SELECT urlid_canon('http://h/', 'wob')")
    # An error of SQLite after one of a function is its own.
    with pytest.raises(sqlite3.OperationalError, match="no such table: no_table"):
        con.execute("SELECT * FROM no_table")
