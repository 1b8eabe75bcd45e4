"""The base of the test servers: a server on the port of the first argument, controlled over /control.

`POST /control` takes a list of instructions, one for each following request:
`{"status": 503, "headers": {}, "body": {}}` sends this response and does nothing else; `{"hold": true}` handles the
request and never responds. Requests without an instruction are handled normally. `GET /log` returns all requests.
"""

import json
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# One white pixel.
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8ffff3f0005fe02fe0def46b80000000049454e44ae426082"
)


class StandIn(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    lock = threading.Lock()
    log = []
    instructions = []

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/log":
            with self.lock:
                return self.answer(200, self.log)
        if self.path == "/picture.png":
            return self.answer(200, PICTURE, {"Content-Type": "image/png"})
        return self.get()

    def do_POST(self):
        self.body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/control":
            with self.lock:
                self.instructions.extend(json.loads(self.body))
            return self.answer(204, b"")
        return self.post()

    def do_DELETE(self):
        return self.delete()

    def get(self):
        self.answer(404, {"error": "Record not found"})

    def note(self, **entry):
        """Records a request. `answered` is the status of the response, None before it is sent."""
        with self.lock:
            entry.update(number=len(self.log), answered=None)
            self.log.append(entry)
            instruction = self.instructions.pop(0) if self.instructions else {}
        return entry, instruction

    def instructed(self, entry, instruction):
        """Follows the instruction. False: the request must be handled normally."""
        if instruction.get("hold"):
            # Blocks until the client closes the connection.
            try:
                self.rfile.read(1)
            except OSError:
                pass
            self.close_connection = True
            return True
        if "status" in instruction:
            entry["answered"] = instruction["status"]
            self.answer(instruction["status"], instruction.get("body", {}), instruction.get("headers", {}))
            return True
        return False

    def answer(self, status, body, headers=None):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | (headers or {})).items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status != 204:
            self.wfile.write(body)


def serve(handler):
    # A shell starts background processes with SIGINT ignored. The tests stop this server with SIGINT.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), handler)
    server.daemon_threads = True
    server.serve_forever()
