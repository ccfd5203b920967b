"""URLs as vectors write them, `[[type, value], …]`, and as `urlid.Reference` holds them.

The value of an authority is `{username, password, hostname, port}`, any other is a string.
"""

from typing import Any

import urlid

Tokens = list[tuple[str, str]]

CONTEXTS = ("generic", "web", "file", "rfc3986")
"""The readings in which a text for a list of tokens is sought."""


class Malformed(Exception):
    """The vector does not say what the operation needs, so nothing was run."""


def read(value: Any) -> Tokens:
    """Reads a list of tokens, which may break every rule there is."""
    try:
        return [(kind, _text(kind, text)) for kind, text in value]
    except urlid.UrlidError:
        raise
    except (TypeError, ValueError, KeyError) as error:
        raise Malformed(f"{value!r} is no list of tokens") from error


def _text(kind: str, value: Any) -> str:
    if kind == "authority":
        return _authority(value)
    if not isinstance(value, str):
        raise ValueError(value)
    return value


def _authority(value: dict[str, Any]) -> str:
    user, password, port = value["username"], value["password"], value["port"]
    if password is not None and user is None:
        # No text tells a password without a user; the specification refuses one.
        raise urlid.UrlidError("ERR_NO_URL", "authority has a password and no user")
    userinfo = "" if user is None else user + ("" if password is None else f":{password}") + "@"
    return userinfo + value["hostname"] + ("" if port is None else f":{port}")


def to_reference(value: Any) -> urlid.Reference:
    """Returns a reference that reads as the tokens, in the first context that has one."""
    tokens, refusal = read(value), None
    for context in CONTEXTS:
        try:
            return urlid.Reference.from_tokens(tokens, context)
        except urlid.UrlidError as error:
            refusal = error
    raise refusal


def to_json(reference: urlid.Reference) -> list[list[Any]]:
    """Returns the tokens as vectors write them."""
    return [[kind, _parts(text) if kind == "authority" else text] for kind, text in reference.tokens]


def _parts(authority: str) -> dict[str, Any]:
    reference = urlid.Reference(f"//{authority}", "rfc3986")
    port = reference.port or None
    if port is not None and port.isascii() and port.isdigit() and int(port) <= 65535:
        port = int(port)
    return {
        "username": reference.user,
        "password": reference.password,
        "hostname": reference.host,
        "port": port,
    }
