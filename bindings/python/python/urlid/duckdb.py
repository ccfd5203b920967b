"""The SQL functions in DuckDB: vectorised, over the Arrow kernels.

>>> import duckdb
>>> import urlid.duckdb
>>> con = urlid.duckdb.register(duckdb.connect())
>>> con.sql("SELECT urlid_sxurl('https://docs.rs/').hex()[:7]").fetchall()
[('1002397',)]
>>> con.sql("SELECT urlid_slice(urlid_sxurl('https://docs.rs/'), 'domain') = urlid_probe('domain', 'docs')").fetchall()
[(True,)]
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from urlid._extra import extra

with extra("duckdb"):
    import pyarrow

    from urlid._functions import FUNCTIONS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["register"]

_TYPES = {
    pyarrow.string(): "VARCHAR",
    pyarrow.binary(): "BLOB",
    pyarrow.int64(): "BIGINT",
    pyarrow.bool_(): "BOOLEAN",
}


# Threads with one cursor each may register at the same time, but a function can be created only once.
_lock = Lock()


def register(con: DuckDBPyConnection) -> DuckDBPyConnection:
    """Registers the functions of `urlid.functions()` with the database of a connection, and returns the connection.

    A scalar function of the same name stays, because a second connection of the database or the extension has registered it.
    """
    with _lock:
        found = set(con.execute("SELECT function_name FROM duckdb_functions() WHERE function_type = 'scalar'").fetchall())
        for name, function in FUNCTIONS.items():
            if (name,) in found:
                continue
            arguments = [_TYPES[argument] for argument in function.arguments]
            con.create_function(  # type: ignore[call-overload]
                name, function.call, arguments, _TYPES[function.result], type="arrow", null_handling="special"
            )
    return con
