"""`python -m urlid.vectors FILE…`: exits with 1 if a vector fails, 2 without files."""

import sys
from pathlib import Path

from urlid.vectors.report import Report
from urlid.vectors.vector import run


def main(paths: list[str]) -> int:
    """Runs the files and prints the failures of each, then the totals."""
    if not paths:
        print("usage: python -m urlid.vectors FILE…", file=sys.stderr)
        return 2
    total = Report()
    for path in paths:
        report = run(Path(path).read_text(encoding="utf-8"))
        total.passed += report.passed
        total.failures += [(f"{path}: {name}", reason) for name, reason in report.failures]
    print(total)
    return 1 if total.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
