"""The example runs to its end, where it asserts that one machine and two executors agree."""

import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet
from conftest import ROOT


def test_one_machine_and_two_executors_agree(tmp_path):
    script = ROOT / "bindings" / "python" / "examples" / "top_domains.py"
    urls = tmp_path / "urls.parquet"
    lines = (ROOT / "samples" / "debian_homepages.txt").read_text(encoding="utf-8").splitlines()
    pyarrow.parquet.write_table(pa.table({"url": lines}), urls)
    command = [sys.executable, "-P", str(script), str(urls), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "one machine and two executors agree" in done.stdout
    assert (tmp_path / "top_domains.png").read_bytes().startswith(b"\x89PNG")
