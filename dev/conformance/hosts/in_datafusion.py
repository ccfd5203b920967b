"""Answers by DataFusion with `urlid.datafusion`."""

import datafusion
import pyarrow
import urlid.datafusion
from urlid._functions import FUNCTIONS

from host import SqlHost, run


class DataFusion(SqlHost):
    def __init__(self) -> None:
        self.context = urlid.datafusion.register(datafusion.SessionContext())

    def execute(self, statement, parameters=()):
        for batch in self.context.sql(statement).collect():
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    def call(self, name, arguments):
        columns = {
            f"c{index}": pyarrow.array([argument], of)
            for index, (argument, of) in enumerate(zip(arguments, FUNCTIONS[name].arguments, strict=True))
        }
        self.context.deregister_table("one")
        self.context.register_record_batches("one", [[pyarrow.record_batch(columns)]])
        [(value,)] = self.execute(f"SELECT {name}({', '.join(columns)}) FROM one")
        return value

    def load(self, urls):
        page = pyarrow.record_batch({"line": pyarrow.array(range(len(urls))), "url": pyarrow.array(urls)})
        self.context.register_record_batches("page", [[page]])


run(DataFusion())
