"""A fake service that can be slow, send invalid responses, or close connections.

A test replaces `on_list` or `on_call` with a function of one Exchange. The behaviour of the real service is tested with
the real service (test_service.py, test_official_clients.py).
"""

import json
import socket
import socketserver
import threading

READ = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
WRITE = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": True}


def tool(name, annotations):
    return {
        "name": name,
        "title": name.title(),
        "description": f"What {name} does.",
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
        "outputSchema": {"type": "object"},
        "annotations": annotations,
    }


TOOLS = [tool("look", READ), tool("change", WRITE)]


class Exchange:
    """One request, and the ways to answer it."""

    def __init__(self, sock, number, method, path, headers, body):
        self.sock = sock
        self.connection = number
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.over = False  # whether the connection must be closed

    @property
    def json(self):
        return json.loads(self.body)

    def answer(self, status, content, headers=(), content_type="application/json"):
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        lines = [f"HTTP/1.1 {status} Whatever", f"Content-Type: {content_type}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in dict(headers).items()]
        self.raw("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    def problem(self, status, code, headers=(), **members):
        problem = {
            "type": "about:blank",
            "title": code,
            "status": status,
            "detail": f"The detail of {code}.",
            "code": code,
            "request_id": "req-1",
            **members,
        }
        self.answer(status, problem, headers, "application/problem+json")

    def raw(self, data):
        self.sock.sendall(data)

    def drop(self):
        self.over = True


def list_tools(exchange):
    exchange.answer(200, {"tools": TOOLS})


def call_tool(exchange):
    call = exchange.json
    result = {"echo": call.get("arguments", {})}
    exchange.answer(
        200, {"content": [{"type": "text", "text": json.dumps(result)}], "structuredContent": result, "isError": False}
    )


def shut(sock):
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # the other end has closed it


class Upstream:
    def __init__(self, tls=None, port=0):
        self.on_list = list_tools
        self.on_call = call_tool
        self.exchanges = []  # every request, in the order of arrival
        self.arrived = threading.Semaphore(0)  # released once per request
        self.closed = threading.Semaphore(0)  # released once per closed connection
        self.open_connections = set()
        self.lock = threading.Lock()
        upstream = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                upstream.serve_connection(self.request)

        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True
            request_queue_size = 128

            def get_request(self):
                sock, address = super().get_request()
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return (tls.wrap_socket(sock, server_side=True) if tls else sock), address

            def handle_error(self, request, client_address):
                pass  # many tests close connections on purpose

        self.server = Server(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"
        self.connections = 0
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def serve_connection(self, sock):
        with self.lock:
            self.connections += 1
            number = self.connections
            self.open_connections.add(sock)
        reader = sock.makefile("rb")
        try:
            while True:
                exchange = self.read_request(sock, reader, number)
                if exchange is None:
                    break
                self.exchanges.append(exchange)
                self.arrived.release()
                (self.on_list if exchange.method == "GET" else self.on_call)(exchange)
                if exchange.over:
                    break
        finally:
            with self.lock:
                self.open_connections.discard(sock)
            shut(sock)
            self.closed.release()

    @staticmethod
    def read_request(sock, reader, number):
        start = reader.readline()
        if not start:
            return None
        method, path, _ = start.decode("ascii").split()
        headers = {}
        for line in iter(reader.readline, b"\r\n"):
            name, _, value = line.decode("ascii").partition(":")
            headers[name.lower()] = value.strip()
        body = reader.read(int(headers.get("content-length", 0)))
        return Exchange(sock, number, method, path, headers, body)

    def calls(self):
        return [exchange for exchange in self.exchanges if exchange.method == "POST"]

    def hang_up(self):
        """Closes every open connection, like a restart of the service."""
        with self.lock:
            for sock in self.open_connections:
                shut(sock)

    def close(self):
        self.server.shutdown()
        self.hang_up()
        self.server.server_close()
