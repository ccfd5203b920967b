"""A plugin for Datasette: `datasette urls.db --plugins-dir FOLDER`, where FOLDER contains this file.

Queries have the functions of urlid, an SXURL is shown as its fields, and a URL has a link to the rows with its host.
Characters of a URL that are invisible, or change how others are shown, are written as escapes.
"""

import re
import sqlite3
from urllib.parse import urlencode

from datasette import hookimpl
from markupsafe import Markup

FIELDS = ("scheme", "tld", "domain", "sub", "port", "path", "params", "frag")
# Controls, default ignorable code points, separators of lines and paragraphs, and blanks other than the space. The ranges are fixed
# and do not depend on the Unicode data of a Python version. The page of urlid escapes the same characters.
UNSEEN = re.compile(
    "[\0-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff]"
)


@hookimpl
def prepare_connection(conn):
    try:
        # The extension of SQLite, if Datasette was started with it, is loaded before this hook is called.
        conn.execute("SELECT urlid_host(NULL)")
    except sqlite3.OperationalError:
        import urlid.sqlite

        urlid.sqlite.register(conn)


@hookimpl
def render_cell(value, column, table, database, datasette):
    if column == "id_hex" and isinstance(value, str) and re.fullmatch("[0-9a-fA-F]{64}", value):
        value = bytes.fromhex(value)
    if isinstance(value, bytes) and len(value) == 32:
        return lambda: fields(value, datasette.get_database(database))
    if isinstance(value, str) and re.match("[A-Za-z][A-Za-z0-9+.-]*:", UNSEEN.sub("", value)):
        return lambda: with_host(value, column, table, database, datasette)
    return None


def visible(text):
    """Returns a text as HTML, with escapes for invisible characters. They are dimmed, because a text can contain the same letters."""
    shown, end = Markup(), 0
    for found in UNSEEN.finditer(text):
        code = ord(found[0])
        escape = f"\\x{code:02x}" if code < 0x80 else f"\\u{{{code:x}}}"
        shown += Markup.escape(text[end : found.start()]) + Markup('<span style="opacity: 0.6">{}</span>').format(escape)
        end = found.end()
    return shown + Markup.escape(text[end:])


async def fields(id_, db):
    """Returns the fields of an SXURL as HTML, or None if the bytes are something else, which has no scheme."""
    columns = ", ".join(f"urlid_decode(:id, '{name}')" for name in FIELDS)
    values = (await db.execute(f"SELECT {columns}", {"id": id_})).first()
    pairs = [(name, value) for name, value in zip(FIELDS, values, strict=True) if value is not None]
    return Markup(" ").join(Markup("{} <code>{}</code>").format(*pair) for pair in pairs) if values[0] else None


async def with_host(url, column, table, database, datasette):
    """Returns the URL as a link, and a link to the rows of the table with the same host."""
    [host] = (await datasette.get_database(database).execute("SELECT urlid_host(:url)", {"url": url})).first()
    if host is None or not url.startswith(("http://", "https://")):
        return visible(url)
    link = Markup('<a href="{}" rel="noreferrer nofollow">{}</a>').format(url, visible(url))
    if table is None:
        return link
    # A filter of Datasette's table page is SQL in the address, so both names are quoted.
    name, text = column.replace('"', '""'), host.replace("'", "''")
    where = urlencode({"_where": f"""urlid_host("{name}") = '{text}'"""})
    return Markup('{}<br><a href="{}?{}">all of {}</a>').format(link, datasette.urls.table(database, table), where, host)
