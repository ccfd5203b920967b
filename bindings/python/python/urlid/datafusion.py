"""The SQL functions in DataFusion: vectorised, over the Arrow kernels.

>>> from datafusion import SessionContext
>>> import urlid.datafusion
>>> ctx = urlid.datafusion.register(SessionContext())
>>> ctx.sql("SELECT urlid_host('HTTP://WWW.Example.com') AS host").collect()[0]["host"].to_pylist()
['www.example.com']
"""

from datafusion import SessionContext, udf

from urlid._functions import FUNCTIONS

__all__ = ["register"]


def register(ctx: SessionContext) -> SessionContext:
    """Registers the functions of `urlid.functions()` with a context, which may already have them, and returns the context."""
    for name, function in FUNCTIONS.items():
        ctx.register_udf(udf(function.call, list(function.arguments), function.result, "immutable", name))
    return ctx
