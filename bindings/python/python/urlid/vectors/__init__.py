"""Runs files of test vectors over the Python surface: `python -m urlid.vectors FILE…`.

A vector names an operation, gives its input, and says what must come out: values, or the code of an error. What cannot be
checked is a failure, never a pass: an operation, an input or an expected value that is not known here, or a vector that expects
nothing. The operations, written with nothing but the public functions of `urlid`, are in `ops`.

>>> from urlid.vectors import run
>>> str(run('{"format": 1, "vectors": []}'))
'0 passed, 0 failed'
"""

from urlid.vectors.report import Report
from urlid.vectors.vector import run

__all__ = ["Report", "run"]
