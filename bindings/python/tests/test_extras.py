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
