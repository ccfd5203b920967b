"""Serves a page from each collection of the present folder with pywb, and prints the collections that gave it.

Arguments: URL, time, and a text that the page has.
"""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

url, when, expected = sys.argv[1:]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
command = [Path(sys.executable).with_name("wayback"), "--port", str(port), "--bind", "127.0.0.1"]
with open("log", "wb") as log:
    server = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
try:
    for name in sorted(os.listdir("collections")):
        page = ""
        for _ in range(120):
            try:
                address = f"http://127.0.0.1:{port}/{name}/{when}id_/{url}"
                page = urllib.request.urlopen(address, timeout=20).read().decode()
                break
            except urllib.error.HTTPError as error:
                page = f"status {error.code}"
                break
            except OSError:
                time.sleep(0.5)
        print(name if expected in page else f"{name}: {page[:200]!r}")
finally:
    os.killpg(server.pid, signal.SIGTERM)
    server.wait()
