"""A chat endpoint on loopback: honest where a test does not say otherwise, and able to misbehave in every way."""

from __future__ import annotations

import contextlib
import json
import socketserver
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = dict[str, Any]
NAMES = ("Model version", "model", "Model", "model_permaslug")
SCORES = {"Accuracy": "1", "Score": "1", "pass_rate_2": "100", "Overall Acc": "100", "accuracy": "1"}


def honest(task: dict[str, Any], benchmarks: list[dict[str, str]]) -> Answer:
    """What a careful reader of made-up rows says: the model whose words the name holds, the benchmark that the file's name holds."""
    row = json.loads(task["row"])
    name = next(row[column] for column in NAMES if column in row)
    column = next(column for column in SCORES if column in row)
    words = name.lower().replace("-", " ").replace("_", " ")
    fits = [model for model in task["models"] if words.startswith(model.lower())]
    held = task["file"].lower().replace("_", " ")
    return {"id": task["id"], "name": name, "model": max(fits, key=len, default="none of these"),
            "benchmark": next((b["name"] for b in benchmarks if b["name"].lower() in held), "none of these"),
            "column": column, "number": row[column], "out_of": SCORES[column], "reported_by_developer": "card" in row.get("Source", "")}


class Endpoint:
    """Answers POST /v1/chat/completions. `spoil(task, answer)` alters single answers, `whole(request)` replaces the HTTP answer."""

    def __init__(self) -> None:
        self.closing = threading.Event()
        self.begin()
        endpoint = self

        class Answers(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            server_version, sys_version = "endpoint", ""

            def do_POST(self) -> None:
                self.close_connection = True
                length = int(self.headers["Content-Length"])
                request = json.loads(self.rfile.read(length))
                endpoint.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}, request))
                with contextlib.suppress(ConnectionError):
                    endpoint.whole(self, request)

            def log_message(self, *words: object) -> None:
                """Tests are quiet."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def server_bind(self) -> None:
                """Without a look-up of our own name."""
                socketserver.TCPServer.server_bind(self)
                self.server_name, self.server_port = "endpoint.test", self.server_address[1]

            def handle_error(self, request: object, client_address: object) -> None:
                """A client that hangs up early is what some tests are about."""

        self.server = Server(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def begin(self) -> None:
        """Honest again, with nothing asked; handlers that wait for `closing` end."""
        self.closing.set()
        self.closing = threading.Event()
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.spoil: Callable[[dict[str, Any], Answer], list[Answer] | Answer] = lambda task, answer: answer
        self.whole: Callable[[BaseHTTPRequestHandler, dict[str, Any]], None] = lambda handler, request: say(handler, self.content(request))

    def content(self, request: dict[str, Any]) -> str:
        """The answers to a request as text, each through `spoil`."""
        asked = given(request)
        answers: list[Answer] = []
        for task in asked["tasks"]:
            found = self.spoil(task, honest(task, asked["benchmarks"]))
            answers += found if isinstance(found, list) else [found]
        return json.dumps({"answers": answers})

    def rows(self) -> list[list[dict[str, str]]]:
        """The rows of each request, in order."""
        return [[json.loads(task["row"]) for task in given(request)["tasks"]] for _, _, request in self.asked]

    def close(self) -> None:
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()


def given(request: dict[str, Any]) -> dict[str, Any]:
    """What the user's message holds."""
    return json.loads(request["messages"][1]["content"])


def is_control(request: dict[str, Any]) -> bool:
    return [task["source"] for task in given(request)["tasks"]] == ["sample"]


def say(handler: BaseHTTPRequestHandler, content: Any, status: int = 200, **more: Any) -> None:
    """A chat answer with this content."""
    send(handler, json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}], **more}).encode(), status)


def send(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
    """These bytes, with a length."""
    handler.send_response(status)
    for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **{k.replace("_", "-"): v for k, v in headers.items()}}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)
