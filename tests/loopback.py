"""What the tests of fetch, verify and pin share: a faulty HTTP server on this machine, and small suites."""

import hashlib
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

SLICE = 16_384


@dataclass
class Served:
    """A file and the faults with which it is served. `failures` and `cuts` are used up, one a request."""

    data: bytes
    failures: list[int] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)
    ranges: bool = True
    says_length: bool = True
    pause: float = 0.0


@dataclass
class Request:
    """A request: the first byte that it asked for, and how many were sent."""

    path: str
    start: int
    sent: int = 0


class Server:
    """`files` by path, and `requests` as they came."""

    def __init__(self) -> None:
        self.files: dict[str, Served] = {}
        self.redirects: dict[str, str] = {}
        self.requests: list[Request] = []
        self.url = ""

    def serve(self, path: str, data: bytes, **faults: Any) -> str:
        """Serve `data`; returns its url."""
        self.files[path] = Served(data, **faults)
        return f"{self.url}/{path}"

    @property
    def sent(self) -> int:
        return sum(request.sent for request in self.requests)

    def asked(self, path: str) -> list[int]:
        """The first byte of each request for `path`."""
        return [request.start for request in self.requests if request.path == path]


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

        def do_HEAD(self) -> None:
            served = server.files.get(self.path[1:])
            self.send_response(200 if served else 404)
            self.send_header("Content-Length", str(len(served.data)) if served else "0")
            self.send_header("Accept-Ranges", "bytes")
            self.end_headers()

        def do_GET(self) -> None:
            path = self.path[1:]
            if path in server.redirects:
                self.send_response(302)
                self.send_header("Location", server.redirects[path])
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            served = server.files.get(path)
            asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
            start = int(asked[1]) if asked and served and served.ranges else 0
            request = Request(path, start)
            server.requests.append(request)
            if served is None or served.failures:
                self.send_error(served.failures.pop(0) if served else 404)
                return
            end = min(int(asked[2]) + 1, len(served.data)) if asked and asked[2] else len(served.data)
            if start >= len(served.data) > 0:
                self.send_error(416)
                return
            body = served.data[start:end]
            self.send_response(206 if asked and served.ranges else 200)
            if asked and served.ranges:
                self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(served.data)}")
            if served.says_length:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            cut = served.cuts.pop(0) if served.cuts else len(body)
            for position in range(0, min(cut, len(body)), SLICE):
                block = body[position : min(position + SLICE, cut)]
                try:
                    self.wfile.write(block)
                except (BrokenPipeError, ConnectionResetError):
                    return
                request.sent += len(block)
                time.sleep(served.pause)
            self.close_connection = True

    return Handler


@contextmanager
def running() -> Iterator[Server]:
    """A server on a free port of the loopback."""
    server = Server()
    listener = ThreadingHTTPServer(("127.0.0.1", 0), _handler(server))
    listener.daemon_threads = True
    server.url = f"http://127.0.0.1:{listener.server_address[1]}"
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def pinned(path: str, url: str, data: bytes, **more: Any) -> dict[str, Any]:
    """A registry file entry whose right content is `data`."""
    return {"path": path, "url": url, "sha256": sha256(data), "bytes": len(data), **more}


def write_source(suite: Path, name: str, files: list[dict[str, Any]], **more: Any) -> Path:
    """A registry entry of the suite's own, as JSON, which is YAML."""
    entry = {
        "name": name,
        "dataset": name,
        "adapter": "locomo",
        "modality": "conversation",
        "title": f"The source {name}",
        "url": "https://example.org/",
        "revision": "1",
        "retrieved_at": "2026-01-01T00:00:00Z",
        "text": "units",
        "licence": {"spdx": "CC0-1.0", "read_at": "LICENSE", "redistribute": True},
        "annotation_source": {"kind": "human", "how": "by hand"},
        "files": files,
        **more,
    }
    path = suite / "sources" / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(entry, indent=1), "utf-8")
    return path


def write_params(suite: Path, sources: list[str], **fetch: Any) -> None:
    suite.mkdir(parents=True, exist_ok=True)
    settings = {"mirror": None, "jobs": 2, "retries": 2, **fetch}
    (suite / "params.yaml").write_text(json.dumps({"sources": sources, "fetch": settings}), "utf-8")
