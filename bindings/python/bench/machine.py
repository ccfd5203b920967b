"""Which machine figures are of, and when."""

import datetime
import os
from pathlib import Path


def machine() -> dict[str, str]:
    """Returns the machine and the date, as records have them."""
    return {"date": datetime.datetime.now(datetime.UTC).date().isoformat(), "machine": f"{_model()}, {os.cpu_count()} cores"}


def _model() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown processor")
