"""The modules for other libraries, where those are not installed."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "missing"),
    [("duckdb", "pyarrow"), ("pandas", "pandas"), ("polars", "polars"), ("scrapy", "scrapy"), ("spark", "pyspark")],
)
def test_a_missing_library_is_named_with_its_extra(module, missing):
    hide = f"""
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hidden())
import urlid.{module}
"""
    ran = subprocess.run([sys.executable, "-c", hide], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    last = ran.stderr.strip().splitlines()[-1]
    assert last.startswith(f"ModuleNotFoundError: urlid.{module} needs {missing}")
    assert last.endswith(f": pip install 'urlid[{module}]'")


def test_a_subinterpreter_has_the_package_or_an_error_that_says_so():
    # Python before 3.12 does not ask whether a module supports it.
    module = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    inside = "try: import urlid; print('imported')\nexcept ImportError as error: print(error)"
    script = f"import {module} as interpreters\ninterpreters.run_string(interpreters.create(), {inside!r})"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    said = "imported\n" if sys.version_info < (3, 12) else "module urlid._urlid does not support loading in subinterpreters\n"
    assert ran.stdout == said, ran.stderr
