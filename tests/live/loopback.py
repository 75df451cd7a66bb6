"""A publisher on loopback: a real HTTP server that knows validators, redirects, slowness and every way of being broken."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

Handler = BaseHTTPRequestHandler


@dataclass
class File:
    """A file with validators. `bare_304`: a 304 carries none; `etag_of_304`: it carries this one."""

    content: bytes
    etag: str | None = None
    last_modified: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    bare_304: bool = False
    etag_of_304: str | None = None

    def __call__(self, handler: Handler) -> None:
        if self._unchanged(handler):
            handler.send_response(304)
            etag = self.etag_of_304 or (None if self.bare_304 else self.etag)
            date = None if self.bare_304 else self.last_modified
            content = None
        else:
            handler.send_response(200)
            etag, date, content = self.etag, self.last_modified, self.content
        named = {"ETag": etag, "Last-Modified": date, **self.headers}
        if content is not None:
            named.setdefault("Content-Length", str(len(content)))
        for name, value in named.items():
            if value is not None:
                handler.send_header(name, value)
        handler.end_headers()
        if content is not None:
            handler.wfile.write(content)

    def _unchanged(self, handler: Handler) -> bool:
        """RFC 9110, 13.2.2: If-None-Match by weak comparison; the date counts only without it."""
        asked = handler.headers.get("If-None-Match")
        if asked is not None:
            weak = [tag.strip().removeprefix("W/") for tag in asked.split(",")]
            return self.etag is not None and self.etag.removeprefix("W/") in weak
        since = handler.headers.get("If-Modified-Since")
        return bool(since and self.last_modified) and parsedate_to_datetime(self.last_modified) <= parsedate_to_datetime(since)


def status(code: int, headers: Mapping[str, str] | None = None, content: bytes = b"no") -> Callable[[Handler], None]:
    """An answer with this status."""
    def answer(handler: Handler) -> None:
        handler.send_response(code)
        for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)
    return answer


def redirect(target: str, code: int = 302) -> Callable[[Handler], None]:
    """To `target`, as it is written."""
    return status(code, {"Location": target}, b"")


def in_turn(*answers: Callable[[Handler], None]) -> Callable[[Handler], None]:
    """One answer after the other, the last one for ever."""
    left = list(answers)
    return lambda handler: (left.pop(0) if len(left) > 1 else left[0])(handler)


def raw(content: bytes, then: Callable[[Handler], None] = lambda handler: None) -> Callable[[Handler], None]:
    """Exactly these bytes on the socket, status line and all."""
    def answer(handler: Handler) -> None:
        handler.wfile.write(content)
        handler.wfile.flush()
        then(handler)
    return answer


class Publisher:
    """Routes by path; keeps what was asked."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.closing = threading.Event()
        self.begin()
        publisher = self

        class Answers(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            server_version, sys_version = "publisher", ""

            def do_GET(self) -> None:
                publisher.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                self.close_connection = True
                with contextlib.suppress(ConnectionError, ssl.SSLError):
                    publisher.routes.get(self.path, status(404))(self)

            def log_message(self, *words: object) -> None:
                """Tests are quiet."""

        class Server(ThreadingHTTPServer):
            daemon_threads, request_queue_size = True, 64
            server_name = "publisher.test"

            def server_bind(self) -> None:
                """Without HTTPServer's look-up of our own name, which might ask a name server."""
                socketserver.TCPServer.server_bind(self)
                self.server_port = self.server_address[1]

            def handle_error(self, request: object, client_address: object) -> None:
                """A client that hangs up early is what some tests are about."""

        self.server = Server(("127.0.0.1", 0), Answers)
        if tls is not None:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.scheme = "https" if tls else "http"
        self.host = f"127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    def begin(self) -> None:
        """Forget all routes and requests; handlers that wait for `closing` end."""
        self.closing.set()
        self.closing = threading.Event()
        self.routes: dict[str, Callable[[Handler], None]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []

    def url(self, path: str, host: str | None = None) -> str:
        """The address of a path; another host's name at the same port where one is given."""
        return f"{self.scheme}://{f'{host}:{self.server.server_port}' if host else self.host}{path}"

    def paths(self) -> list[str]:
        """What was asked, in order."""
        return [path for path, _ in self.asked]

    def close(self) -> None:
        """Ends the server; handlers that wait for `closing` end too."""
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()


@contextlib.contextmanager
def silent_port() -> Iterator[int]:
    """A port that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def certificate(folder: Path, run: Callable[..., object], name: str, subject: str) -> tuple[Path, Path]:
    """A self-signed certificate for `subject` ("IP:127.0.0.1", "DNS:other.test") and its key, made by openssl."""
    cert, key = folder / f"{name}.pem", folder / f"{name}.key"
    run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=test",
         "-addext", f"subjectAltName={subject}", "-addext", "keyUsage=critical,digitalSignature,keyCertSign", "-keyout", str(key), "-out", str(cert)], check=True, capture_output=True)
    return cert, key
