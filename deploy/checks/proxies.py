"""Starts HAProxy and Caddy with the settings of deploy/, first without a service and then with one that misbehaves.

`proxies.py WORK` writes settings and logs to WORK.
"""

import http.client
import http.server
import json
import os
import pathlib
import re
import select
import socket
import subprocess
import sys
import threading
import time

from common import check, done

WORK = pathlib.Path(sys.argv[1])
START_TIMEOUT = 180  # seconds: the machine may be busy
KEY = "svc_mcp_" + "k" * 43
# The service's list of errors.
CODES = {
    code: (getattr(http.HTTPStatus, status).value, title)
    for code, status, title in re.findall(
        r'^    \w+\s+"(\w+)"\s+(\w+)\s+"(.+)";$',
        pathlib.Path("crates/server/src/http/problem/code.rs").read_text(),
        re.M,
    )
    if hasattr(http.HTTPStatus, status)
}


def wait_for(what, condition):
    end = time.monotonic() + START_TIMEOUT
    while time.monotonic() < end:
        if result := condition():
            return result
        time.sleep(0.05)
    sys.exit(f"deploy: waited in vain for {what}")


class Service(http.server.BaseHTTPRequestHandler):
    """Answers with the headers that it got. /lost closes the connection, /late never answers."""

    protocol_version = "HTTP/1.1"
    late = threading.Event()
    # The ids of the requests that arrived.
    arrived = set()

    def do_GET(self):
        self.arrived.add(self.headers["X-Request-Id"])
        if self.path == "/lost":
            self.close_connection = True
            return
        if self.path == "/late":
            self.late.wait()
            return
        body = json.dumps({name.lower(): value for name, value in self.headers.items()}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_):
        pass


def reserve_port():
    """A port that nobody else gets, and nobody listens on yet."""
    reserved = socket.socket()
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    reserved.bind(("127.0.0.1", 0))
    return reserved


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def server_bind(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        super().server_bind()

    def handle_error(self, *_):
        """The proxies close connections as they like."""


class Proxy:
    """A proxy of deploy/ with other addresses, and with timeouts that a test can wait for."""

    def __init__(self, name, settings, command, listener, service):
        self.name, self.listener, self.service = name, listener, service
        self.settings, self.log = WORK / f"{name}.cfg", WORK / f"{name}.log"
        self.settings.write_text(settings)
        environment = {"PATH": os.environ["PATH"], "HOME": str(WORK), "XDG_DATA_HOME": str(WORK), "XDG_CONFIG_HOME": str(WORK)}
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*command, str(self.settings)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, pass_fds=[listener.fileno()],
            )

    def port(self):
        return self.listener.getsockname()[1]

    def get(self, path, headers=()):
        """The response to a request, or None as long as nobody listens."""
        check(self.process.poll() is None, f"{self.name} ended:\n{self.log.read_text()}")
        connection = http.client.HTTPConnection("127.0.0.1", self.port(), timeout=START_TIMEOUT)
        try:
            connection.request("GET", path, headers=dict(headers))
            response = connection.getresponse()
            return response.status, response.headers, response.read().decode()
        except ConnectionError:
            return None
        finally:
            connection.close()

    def wait_for_status(self, expected, path, headers=()):
        """The first response with this status: on a busy machine the service may be late, or seem to be gone."""
        def ask():
            answer = self.get(path, headers)
            return answer and answer[0] == expected and answer
        return wait_for(f"{expected} of {self.name} for {path}", ask)

    def lines(self):
        """The log's lines about requests."""
        return [line for line in self.log.read_text().splitlines() if line.startswith("{") and '"status":' in line]

    def logged(self, request_id, status):
        """The log's line about a request."""
        def find():
            lines = [json.loads(line) for line in self.lines() if f'"{request_id}"' in line]
            return next((line for line in lines if line["status"] == status), None)
        return wait_for(f"the line of {request_id} in the log of {self.name}", find)

    def stop(self):
        self.process.kill()
        self.process.wait()


def check_problem(proxy, path, code, request_id):
    status, headers, body = proxy.wait_for_status(CODES[code][0], path, {"X-Request-Id": request_id})
    check_body(proxy, code, status, headers, body, request_id)
    check(headers["X-Request-Id"] == request_id, f"{proxy.name}: {path} has the id {headers['X-Request-Id']}")
    check(headers["Cache-Control"] == "no-store", f"{proxy.name}: {path} may be cached")
    return headers


def check_body(proxy, code, status, headers, body, request_id):
    what = f"{proxy.name}: {status} {headers['Content-Type']} {body}"
    check(headers["Content-Type"] == "application/problem+json", what)
    problem = json.loads(body)
    expected, title = CODES[code]
    check(list(problem) == ["type", "title", "status", "detail", "code", "request_id"], what)
    check((status, problem["status"], problem["code"], problem["title"]) == (expected, expected, code, title), what)
    check(problem["type"] == f"/docs#error-{code}", what)
    check(problem["detail"] and problem["request_id"] == request_id, what)


def check_without_service(proxy):
    proxy.wait_for_status(503, "/healthz")
    headers = check_problem(proxy, "/mcp/v1/tools", "unavailable", "no-instance")
    check(re.fullmatch("[1-9][0-9]?", headers["Retry-After"] or ""), f"{proxy.name}: Retry-After is {headers['Retry-After']}")
    proxy.get("/confirm/brand/secret-in-path?secret-in-query", {"Authorization": f"Bearer {KEY}"})
    # An id with a key in it, or that is no id, is replaced: it would be in the log, and in the JSON.
    for sent in (KEY, '"', "x" * 65, ""):
        _, headers, body = proxy.get("/", {"X-Request-Id": sent})
        made = headers["X-Request-Id"]
        check(re.fullmatch("[a-f0-9-]{36}", made), f"{proxy.name} made the id {made} of {sent}")
        check(json.loads(body)["request_id"] == made, f"{proxy.name}: {body} has another id than {made}")


def check_with_service(proxy):
    sent = {"X-Request-Id": "addresses", "Forwarded": "for=203.0.113.9", "X-Forwarded-For": "203.0.113.9"}
    got = json.loads(proxy.wait_for_status(200, "/api/me", sent)[2])
    check("forwarded" not in got, f"{proxy.name} passes on a client's Forwarded")
    check(got["x-forwarded-for"].split(",")[-1].strip() == "127.0.0.1", f"{proxy.name} hides the client's address: {got}")
    check(got["x-request-id"] == "addresses", f"{proxy.name} changes the id of a request: {got}")
    made = json.loads(proxy.wait_for_status(200, "/api/me", {"X-Request-Id": KEY})[2])["x-request-id"]
    check(re.fullmatch("[a-f0-9-]{36}", made), f"{proxy.name} passes on a key as the id of a request")
    check_problem(proxy, "/lost", "bad_gateway", "lost-answer")
    check_problem(proxy, "/late", "gateway_timeout", "late-answer")

    paths = {
        "a-query": "/api/me?token=secret-in-query",
        "a-mail-link": "/confirm/brand/secret-in-path",
        "another-link": "/unsubscribe/brand/secret-in-path",
        "a-key": f"/mcp/v1/{KEY}",
        "an-encoded-key": f"/mcp/v1/{KEY}".replace("svc_", "svc%5F"),
    }
    before = len(proxy.lines())
    for request_id, path in paths.items():
        proxy.get(path, {"X-Request-Id": request_id, "Authorization": f"Bearer {KEY}"})
    wait_for(f"the log of {proxy.name}", lambda: len(proxy.lines()) >= before + len(paths))
    text = proxy.log.read_text()
    for secret in ("secret-in-", "k" * 43):
        lines = [line for line in text.splitlines() if secret in line]
        check(not lines, f"{proxy.name} writes secrets into its log: {lines}")


def check_haproxy_only(proxy):
    line = proxy.logged("addresses", 200)
    expected = {"client": "127.0.0.1", "method": "GET", "path": "/api/me", "instance": "0"}
    check(expected.items() <= line.items(), f"haproxy's log has {line}")
    proxy.logged("no-instance", 503)
    check_body(proxy, "bad_request", *wait_for("400 for a body with a wrong encoding", lambda: send_bad_body(proxy)), "bad-body")
    # The others that HAProxy can send are hard to provoke.
    errors = re.findall(r"^    http-error status (\d+) content-type (\S+) lf-string '(.*)' hdr ", proxy.settings.read_text(), re.M)
    check({status for status, _, _ in errors} == {"400", "408", "500", "502", "503", "504"}, "haproxy.cfg lacks an error")
    for status, content_type, body in errors:
        body = body.replace("%[var(txn.request_id)]", "id")
        check_body(proxy, json.loads(body)["code"], int(status), {"Content-Type": content_type}, body, "id")


def send_bad_body(proxy):
    """The response to a body with a wrong encoding, or None if the request did not reach the service."""
    Service.arrived.discard("bad-body")
    header = b"POST /late HTTP/1.1\r\nHost: a\r\nX-Request-Id: bad-body\r\nTransfer-Encoding: chunked\r\n\r\n"
    with socket.create_connection(("127.0.0.1", proxy.port()), timeout=START_TIMEOUT) as client:
        client.sendall(header)
        # The service gets the header, or HAProxy answers by itself.
        wait_for("an end of the header's way", lambda: "bad-body" in Service.arrived or select.select([client], [], [], 0)[0])
        client.sendall(b"not hex\r\n")
        response = http.client.HTTPResponse(client)
        response.begin()
        body = response.read().decode()
    return (response.status, response.headers, body) if response.status == 400 else None


def replaced(text, *replacements):
    for pattern, replacement in replacements:
        text, count = re.subn(pattern, replacement, text, flags=re.M)
        check(count, f"there is no {pattern} to replace")
    return text


def haproxy():
    listener, service = reserve_port(), reserve_port()
    listener.listen()
    settings = replaced(
        pathlib.Path("deploy/haproxy.cfg").read_text(),
        (r"^    bind :8080$", f"    bind fd@{listener.fileno()}"),
        (r"(^    server .*\n)+", f"    server 0 127.0.0.1:{service.getsockname()[1]}\n"),
        (r"^    timeout server .*$", "    timeout server 1s"),
    )
    return Proxy("haproxy", settings, ["haproxy", "-db", "-f"], listener, service)


def caddy():
    listener, service = reserve_port(), reserve_port()
    settings = replaced(
        pathlib.Path("deploy/Caddyfile").read_text(),
        (r"^mcp\.example\.com \{$", f"http://127.0.0.1:{listener.getsockname()[1]} {{"),
        (r"reverse_proxy 127\.0\.0\.1:8080 \{", f"reverse_proxy 127.0.0.1:{service.getsockname()[1]} {{"),
        (r"response_header_timeout \S+", "response_header_timeout 1s"),
    )
    command = ["caddy", "run", "--adapter", "caddyfile", "--config"]
    return Proxy("caddy", "{\n\tadmin off\n}\n" + settings, command, listener, service)


for start in (haproxy, caddy):
    proxy = start()
    try:
        check_without_service(proxy)
        server = Server(proxy.service.getsockname(), Service)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        check_with_service(proxy)
        if proxy.name == "haproxy":
            check_haproxy_only(proxy)
        server.shutdown()
    finally:
        Service.late.set()
        proxy.stop()
    Service.late.clear()
    done(f"{proxy.name}: its errors, its log and the client's address, with the real {proxy.name}")
