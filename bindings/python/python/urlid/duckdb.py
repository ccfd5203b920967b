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


def register(con: DuckDBPyConnection) -> DuckDBPyConnection:
    """Registers the functions of `urlid.functions()` with a connection, which may have them already, and returns it."""
    for name, function in FUNCTIONS.items():
        if con.execute("SELECT count(*) FROM duckdb_functions() WHERE function_name = ?", [name]).fetchall() != [(0,)]:
            con.remove_function(name)
        arguments = [_TYPES[argument] for argument in function.arguments]
        con.create_function(  # type: ignore[call-overload]
            name, function.call, arguments, _TYPES[function.result], type="arrow", null_handling="special"
        )
    return con
