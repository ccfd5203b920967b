"""Libraries that are optional for the package. Each is an extra of the wheel."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Explains how to install a library that an import in this block does not find."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or name).partition(".")[0]
        message = f"urlid.{name} needs {package}: pip install 'urlid[{name}]'"
        raise ModuleNotFoundError(message, name=error.name) from error
