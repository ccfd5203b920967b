"""Prints the Unicode data of this CPython: `property START VALUE` where a property changes, and one line for each mapping."""

import stringprep
import unicodedata
from collections.abc import Callable

OLD = unicodedata.ucd_3_2_0
# Surrogates are not in any text.
CHARACTERS = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]


def numbers(text: str) -> str:
    return " ".join(f"{ord(character):x}" for character in text)


def print_runs(name: str, value: Callable[[str], object]) -> None:
    previous = None
    for character in CHARACTERS:
        if (current := value(character)) != previous:
            print(name, numbers(character), current)
            previous = current


def decomposition(character: str) -> tuple[bool, str]:
    fields = unicodedata.decomposition(character).split()
    is_compatible = fields[:1] != [] and fields[0].startswith("<")
    return is_compatible, "".join(chr(int(field, 16)) for field in fields[is_compatible:])


def case(character: str) -> str:
    """Returns the role of the character next to a sigma."""
    if f"{character}Σ".lower().endswith("ς"):
        return "Cased"
    is_ignorable = "σ" in f"aΣ{character}a".lower() and "ς" in f"aΣ{character}".lower()
    return "Ignorable" if is_ignorable else "Other"


print("version", unicodedata.unidata_version, OLD.unidata_version)
print_runs("category", unicodedata.category)
print_runs("bidi", unicodedata.bidirectional)
print_runs("combining", unicodedata.combining)
print_runs("case", case)
print_runs("old-category", OLD.category)
print_runs("old-bidi", OLD.bidirectional)
for code, folded in stringprep.b3_exceptions.items():
    print("fold", f"{code:x}", numbers(folded))
for character in CHARACTERS:
    if character.lower() != character:
        print("lower", numbers(character), numbers(character.lower()))
    if character.upper() != character:
        print("upper", numbers(character), numbers(character.upper()))
    if unicodedata.decimal(character, None) == 0:
        print("zero", numbers(character))
    if character.isdigit() and not character.isdecimal():
        print("digit", numbers(character))
    is_compatible, parts = decomposition(character)
    if parts:
        print("compatible" if is_compatible else "canonical", numbers(character), numbers(parts))
    if len(parts) == 2 and not is_compatible and unicodedata.normalize("NFC", parts) == character:
        print("composed", numbers(character))
    old = OLD.normalize("NFD", character)
    # Characters that Unicode 3.2 does not assign have no decomposition there. A few ideographs had a different one.
    if parts and not is_compatible and old not in (character, unicodedata.normalize("NFD", character)):
        print("corrected", numbers(character), numbers(old))
