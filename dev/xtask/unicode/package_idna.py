"""Prints the data of PyPI's idna for each code point: `class START VALUE` where the class changes, and one line for each mapping.

The class is the action of UTS 46, or `label JOINING SCRIPT` for code points that IDNA 2008 allows in labels, in all of them or in a
context. Mappings that Unicode 14.0 gives are left out: NFKC, lower case, and NFKC again.
"""

import bisect
import unicodedata

import idna
from idna import idnadata, uts46data

# As far as a rule depends on them.
JOINING = {"T", "L", "R", "D"}
SCRIPTS = {"Greek": "Greek", "Hebrew": "Hebrew", "Hiragana": "Japanese", "Katakana": "Japanese", "Han": "Japanese"}


def names(ranges: dict[str, tuple[int, ...]]) -> dict[int, str]:
    """Returns the name under which the package lists each code point. The package packs both ends of a range into a number."""
    return {
        code: name
        for name, packed in ranges.items()
        for ends in packed
        for code in range(ends >> 32, ends & 0xFFFFFFFF)
    }


def numbers(text: str) -> str:
    return " ".join(f"{ord(character):x}" for character in text)


def by_unicode_14(character: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", character).lower())


joining = names(idnadata.joining_types)
scripts = names(idnadata.scripts)
labels = names(idnadata.codepoint_classes)


def uts46(code: int) -> tuple[str, str]:
    """Returns the status of a code point, and the text to which it is mapped."""
    index = code if code < 256 else bisect.bisect_right(uts46data.uts46_starts, code) - 1
    status = chr(uts46data.uts46_statuses[index])
    return status, uts46data.uts46_replacements[index] if status == "M" else chr(code)


def class_of(code: int, status: str) -> str:
    if code in labels:
        assert status in "VD", hex(code)
        kind = joining.get(code)
        return f"label {kind if kind in JOINING else '-'} {SCRIPTS.get(scripts.get(code), '-')}"
    return {"V": "mapped", "D": "mapped", "M": "mapped", "I": "ignored", "X": "disallowed"}[status]


print("version", idna.__version__, unicodedata.unidata_version)
previous = None
for code in range(0x110000):
    # Surrogates are not in any text.
    if 0xD800 <= code < 0xE000:
        continue
    status, text = uts46(code)
    if (current := class_of(code, status)) != previous:
        print("class", f"{code:x}", current)
        previous = current
    if current == "mapped" and text != by_unicode_14(chr(code)):
        print("mapped", f"{code:x}", numbers(text))
