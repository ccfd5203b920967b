"""A plugin for Datasette: shows ids as their fields, and URLs with a link to all URLs of their host.

    pip install urlid-datasette
    datasette urls.db

Every connection has the functions of urlid: those of the extension where it is loaded, else those of the Python package. With the extension,
the link in an index of urlid is a query of `urlid_find`; otherwise it is a filter of the table.
Characters of a URL that are invisible, or change how others are shown, are written as escapes.
"""

import re
import sqlite3
from urllib.parse import urlencode

from datasette import hookimpl
from markupsafe import Markup

FIELDS = ("scheme", "tld", "domain", "sub", "port", "path", "params", "frag")
INDEX_TABLES = (None, "url", "other", "url_hex")
HEX_ID = re.compile("[0-9a-fA-F]{64}")
# Controls, default ignorable code points, separators of lines and paragraphs, and blanks other than the space. Fixed ranges,
# which do not depend on the Unicode data of a Python version. The page of urlid escapes the same characters.
UNSEEN = re.compile(
    "[\0-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff]"
)
SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*:")


@hookimpl
def prepare_connection(conn):
    try:
        conn.execute("SELECT urlid_host(NULL)")
    except sqlite3.OperationalError:
        # Extensions are loaded before this hook is called, so there is none. With one, the package need not be installed.
        import urlid.sqlite

        urlid.sqlite.register(conn)


@hookimpl
def render_cell(value, column, table, database, datasette):
    id_ = _id(value, column)
    if id_ is not None:
        return lambda: _fields(id_, datasette.get_database(database))
    if isinstance(value, str) and value.startswith(("http://", "https://")):
        return lambda: _with_host(value, column, table, database, datasette)
    if isinstance(value, str) and UNSEEN.search(value) and SCHEME.match(UNSEEN.sub("", value)):
        return _visible(value)
    return None


def _id(value, column):
    """Returns the bytes of an SXURL, or None for any other cell."""
    if isinstance(value, bytes) and len(value) == 32:
        return value
    if column == "id_hex" and isinstance(value, str) and HEX_ID.fullmatch(value):
        return bytes.fromhex(value)
    return None


def _visible(text):
    """Returns a text as HTML, with escapes for invisible characters. They are dimmed, because a text can contain the same letters."""
    shown, end = Markup(), 0
    for found in UNSEEN.finditer(text):
        code = ord(found[0])
        escape = f"\\x{code:02x}" if code < 0x80 else f"\\u{{{code:x}}}"
        shown += Markup.escape(text[end : found.start()]) + Markup('<span style="opacity: 0.6">{}</span>').format(escape)
        end = found.end()
    return shown + Markup.escape(text[end:])


async def _fields(id_, db):
    """Returns the fields of an id as a list of terms; None if it is not an SXURL."""
    columns = ", ".join(f"urlid_decode(:id, '{name}')" for name in FIELDS)
    values = (await db.execute(f"SELECT {columns}", {"id": id_})).first()
    # Every SXURL has a scheme, so without one the 32 bytes are something else.
    if values[0] is None:
        return None
    pair = '<span style="white-space: nowrap"><span style="opacity: 0.6">{}</span> <code>{}</code></span>'
    found = [Markup(pair).format(name, _visible(str(value))) for name, value in zip(FIELDS, values, strict=True) if value is not None]
    return Markup(" ").join(found)


async def _with_host(url, column, table, database, datasette):
    """Returns the URL as a link, and a link to all URLs of its host."""
    db = datasette.get_database(database)
    host = (await db.execute("SELECT urlid_host(:url)", {"url": url})).first()[0]
    if host is None:
        return _visible(url)
    link = Markup('<a href="{}" rel="noreferrer nofollow">{}</a>').format(url, _visible(url))
    if table in INDEX_TABLES and await _has_find(db):
        # In the page of a query the table is None.
        sql = "select id, url from urlid_find('main') where host = :host"
        target = f"{datasette.urls.database(database)}?{urlencode({'sql': sql, 'host': host})}"
    elif table is None:
        return link
    else:
        # A filter of Datasette's table page is SQL in the address, so both names are quoted.
        name, text = column.replace('"', '""'), host.replace("'", "''")
        where = f"""urlid_host("{name}") = '{text}'"""
        target = f"{datasette.urls.table(database, table)}?{urlencode({'_where': where})}"
    return Markup('{}<br><a href="{}">all of {}</a>').format(link, target, host)


async def _has_find(db):
    """Returns whether a database is an index of urlid, by the number in its header, and the extension is there to search it."""
    sql = "SELECT (SELECT application_id FROM pragma_application_id), EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'urlid_find')"
    return tuple((await db.execute(sql)).first()) == (0x55524C49, 1)
