"""pywb as a server of the collections in the present folder."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def pywb() -> Iterator[str]:
    """Runs a server, and yields its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [Path(sys.executable).with_name("wayback"), "--port", str(port), "--bind", "127.0.0.1"]
    with open("log", "wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(120):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=20):
                break
            time.sleep(0.5)
        yield address
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def answer(request: urllib.request.Request) -> bytes:
    """The body of an answer."""
    try:
        with urllib.request.urlopen(request, timeout=20) as answered:
            return answered.read()
    except urllib.error.HTTPError as error:
        return error.read()
