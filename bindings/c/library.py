"""The functions of SQL through the shared library, by ctypes."""

import ctypes

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


class Rejected(Exception):
    """An argument is wrong for every row; `code` is the text of the code."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Library:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.urlid_code_text.restype = OutBytes

    def function(self, name):
        """Returns a function of SQL as one of Python, kept until the program ends."""
        call = ctypes.c_void_p()
        self.check(self.library.urlid_call_new(Bytes(name.encode(), len(name)), ctypes.byref(call)))

        def run(*values):
            result = OutValue()
            arguments = (Value * len(values))(*map(argument, values))
            self.check(self.library.urlid_call_run(call, arguments, ctypes.c_size_t(len(values)), ctypes.byref(result)))
            return result.get()

        return run

    def check(self, code):
        if code != 0:
            raise Rejected(self.library.urlid_code_text(code).get().decode())


def argument(value):
    """Returns a text, bytes or None as an argument."""
    if value is None:
        return Value(NULL, 0, Bytes())
    data = value.encode() if isinstance(value, str) else value
    return Value(TEXT if isinstance(value, str) else BYTES, 0, Bytes(data, len(data)))
