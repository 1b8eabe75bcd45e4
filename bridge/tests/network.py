"""A forward proxy, a private certificate authority, and a proxy that breaks connections."""

import http.client
import socket
import socketserver
import ssl
import subprocess
import threading

from upstream import Upstream, shut


class Server:
    """A threaded TCP server on a free port. A subclass handles the connections."""

    def __init__(self):
        owner = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                owner.serve(self.request)

        class Listener(socketserver.ThreadingTCPServer):
            allow_reuse_address = True
            daemon_threads = True

            def handle_error(self, request, client_address):
                pass  # many tests break connections on purpose

        self.server = Listener(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def serve(self, sock):
        raise NotImplementedError

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def pump(source, target):
    """Copies bytes until one end closes, then closes the other."""
    try:
        while True:
            data = source.recv(65536)
            if not data:
                break
            target.sendall(data)
    except OSError:
        pass
    shut(source)
    shut(target)


def join(one, other):
    """Forwards in both directions until one socket closes."""
    back = threading.Thread(target=pump, args=(other, one), daemon=True)
    back.start()
    pump(one, other)
    back.join()


class ForwardProxy(Server):
    """An HTTP proxy: CONNECT for https, the whole URL for http; it may require credentials.

    Only this proxy resolves names that end in .test, to 127.0.0.1.
    """

    def __init__(self, credentials=None):
        self.credentials = credentials  # the required Proxy-Authorization header
        self.requests = []
        self.connections = 0
        super().__init__()

    def serve(self, sock):
        self.connections += 1
        reader = sock.makefile("rb")
        while True:
            request = Upstream.read_request(sock, reader, self.connections)
            if request is None:
                return
            self.requests.append(request)
            if self.credentials and request.headers.get("proxy-authorization") != self.credentials:
                return request.answer(407, b"", {"Connection": "close"})
            if request.method == "CONNECT":
                with self.dial(request.path) as service:
                    sock.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
                    return join(sock, service)
            self.forward(request)

    def forward(self, request):
        authority, _, path = request.path.partition("://")[2].partition("/")
        headers = [f"{name}: {value}" for name, value in request.headers.items() if not name.startswith("proxy-")]
        with self.dial(authority) as service:
            service.sendall(
                "\r\n".join([f"{request.method} /{path} HTTP/1.1", *headers, "", ""]).encode() + request.body
            )
            answer = http.client.HTTPResponse(service)
            answer.begin()
            request.answer(answer.status, answer.read())

    @staticmethod
    def dial(authority):
        host, _, port = authority.rpartition(":")
        return socket.create_connection(("127.0.0.1" if host.endswith(".test") else host, int(port)))


class BreakingProxy(Server):
    """Forwards to a service. Once, it closes the connection instead of forwarding a response."""

    def __init__(self, port):
        self.service_port = port
        self.break_next = threading.Event()
        self.broken = threading.Event()
        super().__init__()

    def serve(self, sock):
        with socket.create_connection(("127.0.0.1", self.service_port)) as service:
            threading.Thread(target=pump, args=(sock, service), daemon=True).start()
            while True:
                data = service.recv(65536)
                if self.break_next.is_set():  # the response is here, so the call was executed
                    self.break_next.clear()
                    self.broken.set()
                    return
                if not data:
                    return
                sock.sendall(data)


class Authority:
    """A private certificate authority, created with the openssl command, and a server certificate for 127.0.0.1."""

    def __init__(self, folder):
        self.certificate = folder / "authority.pem"
        self.authority_key = folder / "authority.key"
        self.server_certificate = folder / "server.pem"
        self.server_key = folder / "server.key"
        new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        openssl(
            "req",
            "-x509",
            *new_key,
            "-keyout",
            self.authority_key,
            "-out",
            self.certificate,
            "-days",
            "2",
            "-subj",
            "/CN=Test authority",
            "-addext",
            "keyUsage=critical,keyCertSign,cRLSign",
        )
        request, names = folder / "server.csr", folder / "names"
        names.write_text("subjectAltName=IP:127.0.0.1,DNS:service.test\n")
        openssl("req", "-new", *new_key, "-keyout", self.server_key, "-out", request, "-subj", "/CN=service.test")
        openssl(
            "x509",
            "-req",
            "-in",
            request,
            "-CA",
            self.certificate,
            "-CAkey",
            self.authority_key,
            "-CAcreateserial",
            "-days",
            "2",
            "-extfile",
            names,
            "-out",
            self.server_certificate,
        )

    def server_context(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.server_certificate, self.server_key)
        return context


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)
