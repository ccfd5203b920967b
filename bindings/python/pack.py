"""Packs the package and its module, as Cargo has built it, into a wheel: `pack.py MODULE FOLDER`.

For tests of a module that is built with everything else. Maturin, which makes the published wheels, would compile it and all its
dependencies again with different features.
"""

import base64
import hashlib
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def main(module: Path, folder: Path) -> None:
    """Writes the wheel."""
    workspace = tomllib.loads((FOLDER / "../../Cargo.toml").read_text(encoding="utf-8"))["workspace"]
    version = workspace["package"]["version"]
    project = tomllib.loads((FOLDER / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = f"{project['name']}-{version}"
    tag = f"cp311-abi3-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
    package = FOLDER / "python"
    sources = (file for file in package.rglob("*") if file.suffix in (".py", ".pyi") or file.name == "py.typed")
    files = {str(file.relative_to(package)): file.read_bytes() for file in sources}
    files["urlid/_urlid.abi3.so"] = module.read_bytes()
    files[f"{name}.dist-info/METADATA"] = "".join(
        f"{field}: {value}\n"
        for field, value in (
            ("Metadata-Version", "2.1"),
            ("Name", project["name"]),
            ("Version", version),
            ("Requires-Python", project["requires-python"]),
        )
    ).encode()
    files[f"{name}.dist-info/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: pack.py\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    digests = {path: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=") for path, data in files.items()}
    record = "".join(f"{path},sha256={digests[path]},{len(data)}\n" for path, data in files.items())
    files[f"{name}.dist-info/RECORD"] = f"{record}{name}.dist-info/RECORD,,\n".encode()
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / f"{name}-{tag}.whl", "w") as wheel:
        for path, data in files.items():
            wheel.writestr(path, data)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
