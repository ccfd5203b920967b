"""Statements of many shapes over a table of URLs by their parts, to be run over `urlid_find` and over a plain table.

A statement names the table `{t}`; the table `v(d TEXT, n INTEGER, x)` has values to join with.
"""

import random

TEXTS = ("scheme", "host", "tld", "domain", "registered_domain", "sub", "path", "query", "fragment")
COLUMNS = ("url", *TEXTS, "port")

# Values that are compared with the columns, in addition to values that they contain.
ODD = ("''", "'S3'", "'COM'", "'b%'", "'%'", "'/'", "'7'", "'007'", "7", "7.0", "8080", "'8080'", "' 8080'", "8080.0", "0", "-1")
ODD += ("x'6373'", "x'7333'", "NULL", "'no such'", "'a b'", "'Bücher'", "'s3.co.uk.'", "'\ufeff'", "'é'", "CAST(x'ff' AS TEXT)", "1e400")

VALUES = ("'s3'", "'S3'", "'com'", "'co.uk'", "'360'", "360", "7", "'007'", "8080", "'8080'", "NULL", "''", "'/'", "'www'", "x'7333'")


def literal(value):
    """Returns a value of a row as SQL."""
    if value is None:
        return "NULL"
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


class Shapes:
    """Makes statements from the rows that the table has, each with whether its rows are in order."""

    def __init__(self, rows, seed):
        self.random = random.Random(seed)
        self.held = {name: sorted({literal(row[name]) for row in rows}) for name in COLUMNS}

    def all(self, mixed):
        """Returns the fixed shapes, and so many mixed ones."""
        yield from self.comparisons()
        yield from self.joins()
        yield from self.groups()
        yield from self.compounds()
        for _ in range(mixed):
            yield self.mixed()

    def value(self, column):
        return self.random.choice(self.held[column] if self.random.random() < 0.7 else ODD)

    def comparison(self, column, name="f"):
        """Returns a condition on a column."""
        made = [make(f"{name}.{column}", lambda: self.value(column)) for make in COMPARISONS]
        return self.random.choice(made)

    def comparisons(self):
        """Every column with every operator and value."""
        for column in COLUMNS:
            for value in (*self.held[column], *ODD):
                yield f"SELECT url FROM {{t}} AS f WHERE {column} = {value}", False
                yield f"SELECT url FROM {{t}} AS f WHERE {value} = {column} AND +{column} IS {value}", False
            for make in COMPARISONS:
                condition = make(f"f.{column}", lambda: self.value(column))
                yield f"SELECT f.url, f.{column} FROM {{t}} AS f WHERE {condition}", False
                yield f"SELECT count(*), count({column}) FROM {{t}} AS f WHERE NOT ({condition})", False
                other = self.random.choice(COLUMNS)
                for operator in ("AND", "OR", "AND NOT", "OR NOT", "IS NOT"):
                    yield f"SELECT url FROM {{t}} AS f WHERE ({condition}) {operator} ({self.comparison(other)})", False

    def joins(self):
        """Every column joined with a table before and behind it, and with itself."""
        for column in COLUMNS:
            for other in ("d", "n", "x"):
                for on in (f"f.{column} = v.{other}", f"v.{other} = f.{column}", f"f.{column} IS v.{other}", f"f.{column} < v.{other}"):
                    for kind in ("JOIN", "LEFT JOIN", "FULL JOIN", "CROSS JOIN"):
                        yield f"SELECT v.rowid, f.url FROM v {kind} {{t}} AS f ON {on}", False
                        yield f"SELECT v.rowid, f.url FROM {{t}} AS f {kind} v ON {on}", False
                    yield f"SELECT v.rowid, f.url FROM {{t}} AS f RIGHT JOIN v ON {on}", False
                    yield f"SELECT v.rowid, f.url FROM v RIGHT JOIN {{bare}} AS f ON {on}", False
                    yield f"SELECT v.rowid, f.url FROM v LEFT JOIN {{t}} AS f ON {on} WHERE {self.comparison(column)}", False
                    yield f"SELECT v.rowid, f.url FROM v LEFT JOIN {{t}} AS f ON {on} AND {self.comparison(column)}", False
                    yield f"SELECT v.rowid, f.url FROM v LEFT JOIN {{t}} AS f ON {on} OR {self.comparison(column)}", False
                    yield f"SELECT v.rowid, f.url FROM v LEFT JOIN {{t}} AS f ON {on} WHERE f.url IS NULL", False
                    yield f"SELECT v.rowid, f.url FROM v, {{t}} AS f WHERE {on} OR v.n = 7", False
                yield f"SELECT url FROM {{t}} AS f WHERE {column} IN (SELECT {other} FROM v)", False
                yield f"SELECT url FROM {{t}} AS f WHERE {column} NOT IN (SELECT {other} FROM v WHERE {other} IS NOT NULL)", False
                yield f"SELECT v.rowid FROM v WHERE EXISTS (SELECT 1 FROM {{t}} AS f WHERE f.{column} = v.{other})", False
                yield f"SELECT v.rowid FROM v WHERE NOT EXISTS (SELECT 1 FROM {{t}} AS f WHERE v.{other} = f.{column} AND f.port IS NULL)", False
                yield f"SELECT v.rowid, (SELECT count(*) FROM {{t}} AS f WHERE f.{column} = v.{other}) FROM v", False
                yield f"SELECT v.rowid FROM v WHERE v.{other} IN (SELECT {column} FROM {{t}} AS f)", False
            yield f"SELECT a.url, b.url FROM {{t}} AS a JOIN {{t}} AS b ON a.{column} = b.{column} AND a.url < b.url", False
            yield f"SELECT a.url, b.url FROM {{t}} AS a LEFT JOIN {{t}} AS b ON a.{column} = b.{column} AND b.port IS NOT NULL", False
            yield f"SELECT a.url, b.url FROM {{t}} AS a FULL JOIN {{t}} AS b ON a.{column} = b.query", False
            yield f"SELECT a.url, count(b.url) FROM {{t}} AS a, {{t}} AS b USING ({column}) GROUP BY 1", False

    def groups(self):
        """Every column in aggregates, groups, orders and windows."""
        for column in COLUMNS:
            yield f"SELECT count({column}), count(DISTINCT {column}), min({column}), max({column}), sum(length({column})) FROM {{t}} AS f", False
            yield f"SELECT total({column}), count(*) FILTER (WHERE {self.comparison(column)}) FROM {{t}} AS f", False
            yield f"SELECT DISTINCT {column} FROM {{t}} AS f", False
            yield f"SELECT DISTINCT {column}, tld FROM {{t}} AS f WHERE {self.comparison('tld')}", False
            yield f"SELECT {column}, count(*) FROM {{t}} AS f GROUP BY {column}", False
            yield f"SELECT {column}, count(*) FROM {{t}} AS f GROUP BY {column} HAVING count(*) > 1 ORDER BY 2, 1", True
            yield f"SELECT lower({column}), count(DISTINCT host) FROM {{t}} AS f GROUP BY 1", False
            yield f"SELECT {column}, group_concat(url, ' ') FROM (SELECT * , {column} FROM (SELECT url, {column} FROM {{t}} AS f ORDER BY url)) GROUP BY 1", False
            yield f"SELECT {column}, url FROM {{t}} AS f ORDER BY {column}, url", True
            yield f"SELECT {column}, url FROM {{t}} AS f ORDER BY {column} DESC, url LIMIT 5 OFFSET 3", True
            yield f"SELECT {column} FROM {{t}} AS f WHERE {self.comparison(column)} ORDER BY {column} COLLATE NOCASE, url LIMIT 4", True
            yield f"SELECT count(*) FROM (SELECT url FROM {{t}} AS f WHERE {self.comparison(column)} LIMIT 2 OFFSET 1)", False
            yield f"SELECT url, row_number() OVER (PARTITION BY {column} ORDER BY url) FROM {{t}} AS f", False
            yield f"SELECT url, first_value({column}) OVER (ORDER BY {column}, url) FROM {{t}} AS f WHERE {self.comparison(column)}", False
            yield f"SELECT url, CASE {column} WHEN {self.value(column)} THEN 1 ELSE 0 END FROM {{t}} AS f", False

    def compounds(self):
        """Every column in compound statements, common tables and nested ones."""
        for column in COLUMNS:
            one, two = self.comparison(column), self.comparison(self.random.choice(COLUMNS))
            for operator in ("UNION", "UNION ALL", "INTERSECT", "EXCEPT"):
                yield f"SELECT {column} FROM {{t}} AS f WHERE {one} {operator} SELECT {column} FROM {{t}} AS f WHERE {two}", False
                yield f"SELECT {column} FROM {{t}} AS f {operator} SELECT d FROM v", False
            for hint in ("", "MATERIALIZED", "NOT MATERIALIZED"):
                yield f"WITH c AS {hint} (SELECT url, {column} FROM {{t}} AS f WHERE {one}) SELECT a.url FROM c AS a JOIN c AS b USING (url)", False
                yield f"WITH c(k, n) AS {hint} (SELECT {column}, count(*) FROM {{t}} AS f GROUP BY 1) SELECT * FROM c WHERE k = {self.value(column)}", False
            yield f"WITH RECURSIVE r(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 2) SELECT i, count({column}) FROM r, {{t}} AS f WHERE length({column}) % 3 = i GROUP BY i", False
            yield f"SELECT * FROM (SELECT {column} AS k, port FROM {{t}} AS f) WHERE k = {self.value(column)} OR port = 8080", False
            yield f"SELECT url FROM {{t}} AS f WHERE ({column}, tld) IN (SELECT {column}, tld FROM {{t}} AS f WHERE {one})", False
            yield f"SELECT url FROM {{t}} AS f WHERE ({column}, tld) = ({self.value(column)}, {self.value('tld')})", False
            yield f"SELECT url FROM {{t}} AS f WHERE {column} = (SELECT max({column}) FROM {{t}} AS f WHERE {one})", False

    def mixed(self):
        """Returns a statement with a tree of conditions, and perhaps with a join, an order and a limit."""
        columns = self.random.sample(COLUMNS, 2)
        source = self.random.choice(("{t} AS f", "{t} AS f", "{t} AS f LEFT JOIN v ON f.domain = v.d", "v LEFT JOIN {t} AS f ON f.tld = v.d"))
        source = self.random.choice((source, "v JOIN {t} AS f ON v.x = f." + self.random.choice(COLUMNS)))
        where = self.tree(3)
        return f"SELECT f.url, f.{columns[0]}, f.{columns[1]} FROM {source} WHERE {where}", False

    def tree(self, depth):
        if depth == 0 or self.random.random() < 0.2:
            return self.comparison(self.random.choice(COLUMNS))
        one, two = self.tree(depth - 1), self.tree(depth - 1)
        return self.random.choice((f"({one} AND {two})", f"({one} OR {two})", f"(NOT {one} OR {two})", f"({one} AND NOT {two})"))


# The conditions on a column `c`; `value()` returns a different value each time.
COMPARISONS = [lambda c, value, operator=operator: f"{c} {operator} {value()}" for operator in ("=", "==", "<>", "!=", "<", "<=", ">", ">=", "IS", "IS NOT")]
COMPARISONS += [
    lambda c, value: f"{value()} = {c}",
    lambda c, value: f"{value()} > {c}",
    lambda c, value: f"{c} LIKE {value()}",
    lambda c, value: f"{c} NOT LIKE {value()}",
    lambda c, value: f"{c} LIKE substr({value()}, 1, 1) || '%'",
    lambda c, value: f"{c} GLOB {value()} || '*'",
    lambda c, value: f"{c} IN ({value()}, {value()}, {value()})",
    lambda c, value: f"{c} NOT IN ({value()}, {value()})",
    lambda c, value: f"{c} IN ({value()})",
    lambda c, value: f"{c} IN ()",
    lambda c, value: f"{c} BETWEEN {value()} AND {value()}",
    lambda c, value: f"{c} NOT BETWEEN {value()} AND {value()}",
    lambda c, _: f"{c} IS NULL",
    lambda c, _: f"{c} NOTNULL",
    lambda c, value: f"{c} = {value()} COLLATE NOCASE",
    lambda c, value: f"{c} COLLATE RTRIM = {value()}",
    lambda c, value: f"lower({c}) = {value()}",
    lambda c, value: f"upper({c}) = upper({value()})",
    lambda c, value: f"{c} || '' = {value()}",
    lambda c, value: f"+{c} = {value()}",
    lambda c, value: f"CAST({c} AS INTEGER) = {value()}",
    lambda c, value: f"{c} = CAST({value()} AS TEXT)",
    lambda c, value: f"{c} = CAST({value()} AS INTEGER)",
    lambda c, value: f"{c} = CAST({value()} AS BLOB)",
    lambda c, _: f"length({c}) > 3",
    lambda c, _: f"coalesce({c}, '') = ''",
    lambda c, _: f"{c}",
    lambda c, value: f"iif({c} = {value()}, 0, 1)",
    lambda c, value: f"{c} = {value()} AND {c} = {value()}",
    lambda c, value: f"{c} = {value()} OR {c} = {value()}",
    lambda c, value: f"{c} >= {value()} AND {c} < {value()} || 'z'",
]
