"""A web server that gets events and posts, and a service that may reach it. Tests import both fixtures."""

import http.server
import json
import threading

import pytest

from service import Service


class Receiver:
    """Remembers what it gets, and answers with `status`."""

    def __init__(self, status=200):
        self.status = status
        self.received = []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.received.append({"headers": dict(self.headers), "body": json.loads(body)})
                self.send_response(receiver.status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/events"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """It may reach this machine."""
    running = Service(tmp_path_factory.mktemp("service"), "--outbound-allow", "127.0.0.1")
    yield running
    running.stop()


@pytest.fixture
def receiver():
    running = Receiver()
    yield running
    running.stop()
