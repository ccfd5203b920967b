"""A plugin of Datasette: ids as their fields, and URLs with a link to all URLs of their host.

    datasette urls.db --load-extension urlid.so --plugins-dir bindings/sqlite/datasette

The fields and the hosts come from the extension. In an index of urlid the link asks `urlid_find`, in another table it filters.
"""

from urllib.parse import urlencode

from datasette import hookimpl
from markupsafe import Markup

FIELDS = ("scheme", "tld", "domain", "sub", "port", "path", "params", "frag")
INDEX_TABLES = (None, "url", "other", "url_hex")


@hookimpl
def render_cell(value, column, table, database, datasette):
    id_ = _id(value, column)
    if id_ is not None:
        return lambda: _fields(id_, datasette.get_database(database))
    if isinstance(value, str) and value.startswith(("http://", "https://")):
        return lambda: _with_host(value, column, table, database, datasette)
    return None


def _id(value, column):
    """Returns the bytes of an SXURL, or None if the cell has none."""
    if isinstance(value, bytes) and len(value) == 32:
        return value
    if column == "id_hex" and isinstance(value, str) and len(value) == 64:
        return bytes.fromhex(value)
    return None


async def _fields(id_, db):
    """Returns the fields of an id as a list of terms; None if it is no SXURL."""
    columns = ", ".join(f"urlid_decode(:id, '{name}')" for name in FIELDS)
    values = (await db.execute(f"SELECT {columns}", {"id": id_})).first()
    if values[0] is None:
        return None
    pair = '<span style="white-space: nowrap"><span style="opacity: 0.6">{}</span> <code>{}</code></span>'
    found = [Markup(pair).format(name, value) for name, value in zip(FIELDS, values, strict=True) if value is not None]
    return Markup(" ").join(found)


async def _with_host(url, column, table, database, datasette):
    """Returns the URL as a link, and a link to all URLs of its host."""
    db = datasette.get_database(database)
    host = (await db.execute("SELECT urlid_host(:url)", {"url": url})).first()[0]
    if host is None:
        return None
    link = Markup('<a href="{}" rel="noreferrer nofollow">{}</a>').format(url, url)
    if table in INDEX_TABLES and await _is_index(db):
        sql = "select id, url from urlid_find('main') where host = :host"
        target = f"{datasette.urls.database(database)}?{urlencode({'sql': sql, 'host': host})}"
    elif table is None:
        return link
    else:
        name, text = column.replace('"', '""'), host.replace("'", "''")
        where = f"""urlid_host("{name}") = '{text}'"""
        target = f"{datasette.urls.table(database, table)}?{urlencode({'_where': where})}"
    return Markup('{}<br><a href="{}">all of {}</a>').format(link, target, host)


async def _is_index(db):
    """Returns whether a database is an index of urlid, by the number in its header."""
    return (await db.execute("PRAGMA application_id")).first()[0] == 0x55524C49
