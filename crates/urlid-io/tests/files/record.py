"""Records pages that POST, in Chromium through the proxy warcprox, and writes the index that cdxj-indexer 1.5 makes of them.

    python -m venv venv && venv/bin/pip install warcprox cdxj-indexer && venv/bin/python record.py chromium

The server is this script, on the loopback interface. Identifiers and dates of the records are new each time.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent
PORT, PROXY = 18080, 18081
PAGE = """<!doctype html><meta charset=utf-8><title>Posts</title>
<form id=form action=/form method=post target=frame><input name="a b" value="é&+ %"><textarea name=text>one
two</textarea></form><iframe name=frame></iframe>
<script>
const json = { on: true, off: false, none: null, n: 1.0, big: 1e21, small: 1e-7, list: [1, "1", { on: [] }], "é": "\\u{1f600}" };
const query = "query Item($id: ID!) {\\n  item(id: $id) { name }\\n}";
const post = (path, body, type, method = "POST") =>
  fetch(path, { method, body, headers: type ? { "Content-Type": type } : {} }).then((answer) => answer.text());
async function all() {
  document.getElementById("form").submit();
  await post("/urlencoded", new URLSearchParams([["q", "é & +"], ["q", ""], ["x", "a\\nb"]]));
  const form = new FormData();
  form.append('name "quoted"', "é");
  form.append("file", new Blob([new Uint8Array([0, 255, 13, 10])]), "bytes ü.bin");
  await post("/multipart", form);
  await post("/json", JSON.stringify(json), "application/json");
  await post("/json?a=1", JSON.stringify({ text: "x".repeat(6000) }), "application/json; charset=utf-8");
  await post("/lines", '{"n":1}\\n{"n":2}', "application/json");
  await post("/graphql", JSON.stringify({ operationName: "Item", query, variables: { id: 7 } }), "application/json");
  await post("/text", JSON.stringify({ beacon: 1 }));
  await post("/text", "no json");
  await post("/binary", new Uint8Array(5000).map((_, i) => i * 7));
  await post("/empty", null);
  await post("/put", JSON.stringify({ put: [1, 2] }), "application/json", "PUT");
  await post("/patch", "p", "text/plain", "PATCH");
  await post("/delete", undefined, undefined, "DELETE");
  await post("/json", JSON.stringify({ second: 2 }), "application/json");
  navigator.sendBeacon("/beacon", new Blob(["a=1"], { type: "application/x-www-form-urlencoded" }));
  await new Promise((done) => setTimeout(done, 500));
  await post("/done", "done");
}
addEventListener("load", all);
</script>
"""


class Server(BaseHTTPRequestHandler):
    done = threading.Event()

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        text = PAGE if self.command == "GET" else f"{self.command} {self.path}: {len(body)} bytes, {sum(body)}"
        self.send_response(200 if self.path != "/favicon.ico" else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8" if self.command == "GET" else "text/plain")
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())
        if self.path == "/done":
            self.done.set()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def log_message(self, *_: object) -> None:
        pass


def record(browser: str, folder: str) -> bytes:
    """Returns the file that the proxy wrote."""
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # No option allows the loopback interface.
    start = "import warcprox.main as main, warcprox.warcproxy as proxy; proxy.WarcProxyHandler.allow_localhost = True; main.main()"
    proxy = subprocess.Popen([sys.executable, "-c", start, "-b", "127.0.0.1", "-p", str(PROXY), "-z", "-d", folder, "--dedup-db-file", "/dev/null"], cwd=folder)
    time.sleep(5)
    chromium = subprocess.Popen([browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={folder}/profile",
                                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                                 f"--proxy-server=127.0.0.1:{PROXY}", "--proxy-bypass-list=<-loopback>", "--remote-debugging-port=0",
                                 f"http://127.0.0.1:{PORT}/page"])
    try:
        if not Server.done.wait(120):
            raise SystemExit("the page did not end")
        time.sleep(3)
    finally:
        for process in (chromium, proxy):
            process.terminate()
            process.wait()
    [path] = Path(folder).glob("*.warc.gz*")
    data = path.read_bytes()
    # Without the first record, which names this machine.
    return data[data.index(b"\x1f\x8b\x08", 1):]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        data = record(sys.argv[1], folder)
    path = HERE / "browser.warc.gz"
    path.write_bytes(data)
    command = [BIN / "cdxj-indexer", "--sort", "--post-append", path]
    index = subprocess.run(command, check=True, stdout=subprocess.PIPE, env={**os.environ, "PYTHONUTF8": "1"}).stdout
    path.with_name(path.name + ".cdxj").write_bytes(index)
