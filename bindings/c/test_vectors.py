"""Runs the vectors of the functions of SQL through the shared library: `test_vectors.py LIBRARY`."""

import ctypes
import json
import sys
from pathlib import Path

VECTORS = Path(__file__).resolve().parents[2] / "vectors" / "functions.json"
NULL, TEXT, BYTES, INTEGER, BOOLEAN = range(5)


class Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class OutBytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def get(self):
        return ctypes.string_at(self.data, self.length) if self.length else b""


class Value(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int32), ("integer", ctypes.c_int64), ("bytes", Bytes)]


class OutValue(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int32), ("integer", ctypes.c_int64), ("bytes", OutBytes)]

    def get(self):
        values = {NULL: None, TEXT: self.bytes.get(), BYTES: self.bytes.get(), INTEGER: self.integer, BOOLEAN: bool(self.integer)}
        return values[self.kind].decode() if self.kind == TEXT else values[self.kind]


def argument(value):
    if value is None:
        return Value(NULL, 0, Bytes())
    data = bytes.fromhex(value["hex"]) if isinstance(value, dict) else value.encode()
    return Value(BYTES if isinstance(value, dict) else TEXT, 0, Bytes(data, len(data)))


def main():
    library = ctypes.CDLL(sys.argv[1])
    library.urlid_code_text.restype = OutBytes
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]
    assert len(vectors) > 250
    for vector in vectors:
        name, arguments = vector["input"]["name"].encode(), [argument(value) for value in vector["input"]["arguments"]]
        call, result = ctypes.c_void_p(), OutValue()
        assert library.urlid_call_new(Bytes(name, len(name)), ctypes.byref(call)) == 0, vector
        code = library.urlid_call_run(call, (Value * len(arguments))(*arguments), ctypes.c_size_t(len(arguments)), ctypes.byref(result))
        if "error" in vector:
            assert library.urlid_code_text(code).get().decode() == vector["error"], vector
        else:
            expected = vector["expect"]["result"]
            expected = bytes.fromhex(expected["hex"]) if isinstance(expected, dict) else expected
            assert code == 0 and result.get() == expected, (vector, code, result.get())
        library.urlid_call_free(call)
    print(f"{len(vectors)} vectors")


if __name__ == "__main__":
    main()
