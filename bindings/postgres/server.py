"""A PostgreSQL server with the extension, in a folder that goes away with it.

The server runs under a user that is not root, and listens on a socket in its folder only.
"""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

USER = "nobody"


class Server:
    """A server of the packages unpacked in `root`, with the extension built in the folder `extension`."""

    def __init__(self, root, major, extension):
        root, extension = Path(root), Path(extension)
        # The folder of the packages may be closed to other users.
        self.folder = Path(tempfile.mkdtemp(prefix="urlid-postgres-"))
        self.root = self.folder / "root"
        shutil.copytree(root, self.root, symlinks=True)
        self.bin = self.root / "usr/lib/postgresql" / major / "bin"
        self.libraries = self.root / Path(os.environ["LD_LIBRARY_PATH"]).relative_to(root)
        shutil.copy(extension / "urlid.so", self.root / "usr/lib/postgresql" / major / "lib")
        for name in ("urlid.control", "urlid--0.1.0.sql"):
            shutil.copy(extension / name, self.root / "usr/share/postgresql" / major / "extension")
        data = self.folder / "data"
        data.mkdir()
        if os.geteuid() == 0:
            shutil.chown(self.folder, USER)
            shutil.chown(data, USER)
        self.run("initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c fsync=off -c jit=off"
        self.data = data
        self.run("pg_ctl", "-D", data, "-l", self.folder / "log", "-o", options, "-w", "start")

    def stop(self):
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder)

    def run(self, program, *arguments, **options):
        command = [self.bin / program, *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", USER, "--", "env", f"LD_LIBRARY_PATH={self.libraries}", "PGCLIENTENCODING=UTF8", *command]
        ran = subprocess.run(
            list(map(str, command)), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
        )
        if ran.returncode != 0:
            raise RuntimeError(f"{program}: {ran.stdout}")
        return ran.stdout

    def sql(self, script, database="postgres"):
        """Runs a script and returns the rows of its last query, as JSON."""
        *before, last = [part for part in script.split(";\n") if part.strip()]
        script = ";\n".join([*before, f"SELECT to_json(row) FROM ({last.strip().rstrip(';')}) AS row;\n"])
        return [list(json.loads(line).values()) for line in self.script(script, database).splitlines()]

    def script(self, script, database="postgres"):
        arguments = ("-h", self.folder, "-U", "tester", "-d", database, "-XqAt", "-v", "ON_ERROR_STOP=1", "-v", "VERBOSITY=verbose")
        return self.run("psql", *arguments, input=script)


def literal(value):
    """Returns a text, or bytes of a vector, as SQL."""
    if value is None:
        return "NULL"
    if isinstance(value, dict):
        return rf"'\x{value['hex']}'::bytea"
    quoted = value.replace("'", "''")
    return f"'{quoted}'::text"
