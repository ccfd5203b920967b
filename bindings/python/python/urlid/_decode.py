"""The fields of an SXURL, as a dictionary."""

from typing import Any

from urlid._urlid import SLICES, Sxurl


def decode(id: Sxurl | str) -> dict[str, Any]:
    """Returns version, scheme, flags, port and slices of an SXURL. A slice has its hexadecimal digits and its number.

    Raises the code of the first failed check of the specification.

    >>> import urlid
    >>> fields = urlid.decode("1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356")
    >>> fields["scheme"], fields["has_port"], fields["tld"]
    ('https', False, ('2397', 9111))
    """
    sxurl = Sxurl.from_hex(id) if isinstance(id, str) else id
    names = ("version", "scheme", "has_sub", "has_params", "has_frag", "has_port", "port")
    slices = {name: (sxurl.slice_hex(name), sxurl.slice(name)) for name in SLICES}
    return {name: getattr(sxurl, name) for name in names} | slices
