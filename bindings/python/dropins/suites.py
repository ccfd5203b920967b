"""Runs the test suites of the packages against the drop-ins. Only the imports of the suites are changed.

`python suites.py FOLDER` reads the sources from FOLDER/surt, FOLDER/w3lib-2.5.0 and FOLDER/url_normalize-3.1.0. The latter two are
source distributions from PyPI. The source distribution of surt has no tests, so a checkout of its repository is used. The packages
must be installed, because a suite also tests functions that the drop-in lacks, and these tests still call the package.

`not-passed.txt` lists the tests that fail with their reasons. A failure that is not listed fails the run, and so does one that passes.
"""

import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent


class Suite(NamedTuple):
    """The tests of a package: their location, and the lines that are replaced in each file."""

    name: str
    folder: str
    file: str
    imports: dict[str, str]


SUITES = [
    Suite(
        "surt",
        "surt/tests",
        "test_surt.py",
        {
            "import surt\n": "from urlid.compat import surt\n",
            "from surt import handyurl\n": "from urlid.compat.surt import handyurl\n",
        },
    ),
    Suite(
        "w3lib",
        "w3lib-2.5.0/tests",
        "test_url.py",
        {
            "    canonicalize_url,\n": "",
            "import pytest\n": "import pytest\nfrom urlid.compat.w3lib import canonicalize_url\n",
        },
    ),
    Suite(
        "url-normalize",
        "url_normalize-3.1.0/tests",
        "test_url_normalize.py",
        {
            "from url_normalize import url_humanize, url_normalize\n": (
                "from url_normalize import url_humanize\nfrom urlid.compat.url_normalize import url_normalize\n"
            )
        },
    ),
]


def run(suite: Suite, sources: Path, scratch: Path) -> tuple[int, set[str]]:
    """Returns how many tests passed, and the names of those that did not."""
    folder = sources / suite.folder
    text = (folder / suite.file).read_text(encoding="utf-8")
    for old, new in suite.imports.items():
        assert old in text, f"{suite.name}: the import is not there: {old!r}"
        text = text.replace(old, new, 1)
    # The file is placed where it looks for its data.
    changed = folder / f"test_urlid_{suite.file}"
    changed.write_text(text, encoding="utf-8")
    report = scratch / f"{suite.name}.xml"
    try:
        options = ["-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", str(folder), f"--junitxml={report}"]
        subprocess.run([sys.executable, "-P", "-m", "pytest", *options, str(changed)], check=False, stdout=subprocess.DEVNULL)
    finally:
        changed.unlink()
    passed, failed = 0, set()
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{suite.name}: {case.get('classname', '').rpartition('.')[2]}.{case.get('name')}"
        if case.find("failure") is not None or case.find("error") is not None:
            failed.add(name.encode("ascii", "backslashreplace").decode())
        elif case.find("skipped") is None:
            passed += 1
    return passed, failed


def listed() -> dict[str, str]:
    """Returns the tests that are known to fail, or the beginnings of their names, with the reasons."""
    found, reason = {}, ""
    for line in (HERE / "not-passed.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            reason = line[2:]
        elif line:
            found[line] = reason
    return found


def main(sources: Path) -> int:
    """Runs every suite and prints the differences from the list."""
    known, wrong, met = listed(), 0, set()
    with tempfile.TemporaryDirectory() as scratch:
        for suite in SUITES:
            passed, failed = run(suite, sources, Path(scratch))
            print(f"{suite.name}: {passed} passed, {len(failed)} failed")
            for name in sorted(failed):
                entry = next((entry for entry in known if name == entry or entry.endswith("*") and name.startswith(entry[:-1])), None)
                met.add(entry)
                if entry is None:
                    wrong += 1
                    print(f"not listed: {name}")
    for entry in known.keys() - met:
        wrong += 1
        print(f"listed, and passes: {entry}")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
