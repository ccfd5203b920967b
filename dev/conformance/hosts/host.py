"""The common part of the hosts' Python programs: the job on standard input, the answers on standard output.

The job is an object with `vectors` (objects with `name` and `arguments`), `urls` (the path of a JSON list), `calls` (for each URL),
`questions` (statements on the table `page`) and `costs` (calls whose time is measured). A call is a list: the name of a function
and its arguments, which are texts, calls, and null for the URL. Bytes are objects with their hexadecimal digits.

The answers are lines of JSON: one `{"value": …}` or `{"error": …}` for each vector, one list for each URL, and at the end an object
with the rows of each statement in `questions`, or null for a host without SQL, and the nanoseconds a row of each call in `costs`.
"""

import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from vectors import of_json

Call = Sequence["str | None | Call"]
Value = str | bytes | int | bool | None


def sql(call: Call) -> str:
    """Returns a call over the column `url` as every dialect of SQL writes it."""
    name, *arguments = call
    return f"{name}({', '.join(map(_argument, arguments))})"


def _argument(argument: "str | None | Call") -> str:
    if argument is None:
        return "url"
    return "'" + argument.replace("'", "''") + "'" if isinstance(argument, str) else sql(argument)


class SqlHost:
    """A host that is called by SQL; `execute` returns the rows of a statement with parameters."""

    def execute(self, statement: str, parameters: Sequence[Value] = ()) -> Iterable[Sequence[Value]]:
        raise NotImplementedError

    def load(self, urls: list[str]) -> None:
        """Makes the table `page(line, url)`."""
        raise NotImplementedError

    def call(self, name: str, arguments: Sequence[Value]) -> Value:
        [(value,)] = self.execute(f"SELECT {name}({', '.join('?' for _ in arguments)})", arguments)
        return value

    def rows(self, calls: Sequence[Call]) -> Iterable[Sequence[Value]]:
        return self.execute(f"SELECT {', '.join(map(sql, calls))} FROM page ORDER BY line")

    def question(self, statement: str) -> list[Sequence[Value]] | None:
        """Returns the rows of a statement, or None if the host does not have SQL."""
        return list(self.execute(statement))

    def count(self, call: Call | None) -> None:
        """Evaluates a call for each row and counts the results. Without a call, counts the URLs."""
        list(self.execute(f"SELECT count({sql(call) if call else 'url'}) FROM page"))

    def seconds(self, call: Call | None) -> float:
        """Returns the best of three runs of `count`, in seconds of CPU of all threads."""

        def once() -> float:
            start = time.process_time()
            self.count(call)
            return time.process_time() - start

        return min(once() for _ in range(3))


class Scalars(SqlHost):
    """A host without SQL. It has functions by name, and calls each for each row."""

    def __init__(self, functions: Mapping[str, Callable[..., Value]]) -> None:
        self.functions = functions

    def load(self, urls):
        self.urls = urls

    def question(self, statement):
        return None

    def call(self, name, arguments):
        return self.functions[name](*arguments)

    def rows(self, calls):
        functions = [self.compiled(call) for call in calls]
        return ([function(url) for function in functions] for url in self.urls)

    def count(self, call):
        function = self.compiled(call) if call else None
        for url in self.urls:
            if function:
                function(url)

    def compiled(self, call: Call) -> Callable[[str], Value]:
        """Returns a call as a function of the URL."""
        name, *arguments = call
        function = self.functions[name]
        values = [self.compiled(each) if isinstance(each, list) else (lambda url, each=each: url if each is None else each) for each in arguments]
        return lambda url: function(*[value(url) for value in values])


def run(host: SqlHost) -> None:
    """Answers the job."""
    job = json.load(sys.stdin)
    for vector in job["vectors"]:
        try:
            answer = {"value": _to_json(host.call(vector["name"], list(map(of_json, vector["arguments"]))))}
        except Exception as error:  # noqa: BLE001: what the host raises is its answer
            answer = {"error": f"{getattr(error, 'code', '')} {error}"}
        print(json.dumps(answer))
    with open(job["urls"], encoding="utf-8") as file:
        urls = json.load(file)
    host.load(urls)
    for row in host.rows(job["calls"]):
        print(json.dumps([_to_json(value) for value in row]))
    questions = [host.question(statement) for statement in job["questions"]]
    without = host.seconds(None)
    costs = [1e9 * max(0.0, host.seconds(call) - without) / len(urls) for call in job["costs"]]
    print(json.dumps({"questions": questions, "costs": costs}))


def _to_json(value: Value) -> object:
    return {"hex": bytes(value).hex()} if isinstance(value, bytes | bytearray | memoryview) else value
