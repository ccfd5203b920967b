"""The exception of every refused text, id or file."""


class UrlidError(ValueError):
    """A text, an id or a file that was refused.

    `code` is stable and is the specification's name of the error where it has one; the message is one line that says what
    was found, where, and what was expected.

    >>> import urlid
    >>> try:
    ...     urlid.Sxurl.encode("mailto:x")
    ... except urlid.UrlidError as error:
    ...     error.code, str(error)
    ('ERR_INVALID_SCHEME', 'only https, http, ftp: found scheme `mailto`')
    """

    code: str

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self._message = message
        self.add_note(f"code: {code}")  # A traceback shows it.

    def __str__(self) -> str:
        return self._message


UrlidError.__module__ = "urlid"
