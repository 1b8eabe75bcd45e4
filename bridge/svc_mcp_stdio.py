#!/usr/bin/env python3
"""The stdio bridge of svc-mcp: one file, Python 3.8 or later, only the standard library.

`Bridge.read_until_call` reads lines and `Bridge.handle` dispatches them. A request is answered directly, or becomes a
`Call` that a worker sends with `Upstream.request`; `Bridge.finish` writes the response.
Network modules are imported on first use, so that `initialize` is answered quickly.
"""

import os
import sys

if sys.path and sys.path[0] == os.path.dirname(os.path.abspath(__file__)):
    del sys.path[0]  # the script is often in a downloads folder: a json.py or socket.py there must not be imported

import _thread
import collections
import json
import re
import threading
import time

VERSION = "0.1.0"

USAGE = """\
usage: svc_mcp_stdio.py [--check | --version | --help]

Connects an MCP client (Claude Desktop, Cursor, VS Code, ...) to the tools of one brand. The client starts
it without arguments and exchanges JSON-RPC 2.0 messages with it, one per line on stdin and stdout.

  --check    test the configuration, and print what to do if something fails

environment:
  SVC_API_URL         base address of the service, such as https://svc.example.com
  SVC_MCP_KEY         the MCP key, from Settings > MCP
  SVC_MCP_READ_ONLY   1 hides every tool that writes (optional)
  SVC_ALLOW_HTTP      1 allows http:// to another machine, which sends the key in clear text (optional)
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY, SSL_CERT_FILE   with their usual meaning (optional)"""

# --- Protocol: revisions are dates, and are compared as strings ---

HANDSHAKE_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
DEFAULT_REVISION = HANDSHAKE_REVISIONS[-1]
STATELESS = "2026-07-28"
BATCHES_ONLY_IN = "2025-03-26"
STRUCTURED_SINCE = "2025-06-18"
TOOL_FIELDS_SINCE = {
    "name": "2024-11-05",
    "title": "2025-06-18",
    "description": "2024-11-05",
    "inputSchema": "2024-11-05",
    "outputSchema": STRUCTURED_SINCE,
    "annotations": "2025-03-26",
}

META_VERSION = "io.modelcontextprotocol/protocolVersion"
META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
META_SERVER = "io.modelcontextprotocol/serverInfo"
SERVER_INFO = {"name": "svc-mcp", "title": "SVC brand tools", "version": VERSION}
SERVER = {
    "capabilities": {"tools": {}},
    "instructions": "These tools act for one brand: the brand of the configured key. A result with isError says "
    "what to do next. After a rate limit, wait for the stated time.",
}
DISCOVERY = dict(SERVER, supportedVersions=[STATELESS], ttlMs=3_600_000, cacheScope="private")
TOOLS_CACHING = {"ttlMs": 60_000, "cacheScope": "private"}  # short, because a plan or a scope may change

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, UNSUPPORTED_REVISION = -32602, -32603, -32022

# --- Limits, in seconds and bytes ---

CONNECT_TIMEOUT = 10.0  # for DNS and TCP, and again for TLS
READ_TIMEOUT = 40.0  # between two reads; the service waits at most 25 s
CALL_TIMEOUT = 55.0  # for one request with its retries: many clients wait 60 s
DRAIN_TIMEOUT = 5.0  # for the calls in flight after stdin has ended
MAX_IDLE = 60.0  # routers drop idle connections without closing them
RETRY_PAUSES = (0.0, 0.0, 0.7)  # before each attempt; the last pause is enough for a restart of the service
MAX_WORKERS = 32
MAX_LINE_BYTES = 4 << 20
MAX_CALL_BYTES = 1 << 20  # the limit of the service
MAX_RESPONSE_BYTES = 16 << 20
MAX_HEAD_BYTES = 64 << 10
MAX_DIGITS = 4300  # the limit of newer Pythons: parsing longer integers takes quadratic time

END = object()  # after the last line
KEY_PREFIX = "svc_mcp_"
KEY_LENGTH = 57


class BridgeError(Exception):
    """An error with a message that says what to do."""

    def __init__(self, text, code=INTERNAL_ERROR, data=None, reason=None):
        super().__init__(text)
        self.text, self.code, self.data = text, code, data
        self.reason = reason  # the error code of the service, such as rate_limited


def to_bridge_error(error):
    """Converts an unexpected exception, without its message: that could contain the key."""
    if isinstance(error, BridgeError):
        return error
    return BridgeError(f"The bridge failed ({type(error).__name__}). Call again, and report it if this repeats.")


class ConnectionBroken(Exception):
    """The connection failed. Another attempt may succeed."""


class CallCancelled(Exception):
    """The client has cancelled the call, so it gets no response."""


# --- Settings ---


def variable(name, meaning):
    value = os.environ.get(name, "").strip()
    if not value:
        raise BridgeError(f"{name} is not set. Set it to {meaning} in the client's configuration.")
    if value.startswith("${"):
        raise BridgeError(
            f"{name} begins with '${{': the client passed the name of a variable instead of its value. "
            f"Write {meaning} itself, or define that variable in the environment of the client."
        )
    return value


class Address:
    """The parsed URL of the service or of a proxy."""

    SHAPE = r"(https?)://(?:([^\s/@]*)@)?(\[[0-9a-fA-F:.]+\]|[^][\s/:@?#]+)(?::([0-9]{1,5}))?(/[^\s?#]*)?"

    def __init__(self, url):
        parts = re.fullmatch(self.SHAPE, url)
        if not parts or not url.isascii():
            raise ValueError("not a URL")
        scheme, self.credentials, host, port, self.path = parts.groups("")
        self.tls = scheme == "https"
        self.host = host.strip("[]")
        self.port = int(port or (443 if self.tls else 80))
        if self.port > 65535:
            raise ValueError("not a port")
        self.endpoint = f"{host}:{self.port}"
        self.authority = f"{host}:{port}" if port else host
        self.url = f"{scheme}://{self.authority}{self.path}"

    def is_loopback(self):
        """Whether requests stay on this machine."""
        if ":" in self.host:
            import ipaddress

            try:
                return ipaddress.IPv6Address(self.host) == ipaddress.IPv6Address("::1")
            except ValueError:
                return False
        if re.fullmatch(r"127(\.[0-9]{1,3}){3}", self.host):
            return all(int(number) <= 255 for number in self.host.split("."))
        return self.host.lower() == "localhost"


def read_address():
    url = variable("SVC_API_URL", "the base address of the service, such as https://svc.example.com")
    if KEY_PREFIX in url:
        raise BridgeError("SVC_API_URL contains a key, which is now exposed. Revoke it, and set a new SVC_MCP_KEY.")
    try:
        address = Address(url.rstrip("/"))
        if address.credentials:
            raise ValueError("credentials would be shown in messages")
    except ValueError:
        raise BridgeError(
            "SVC_API_URL is not a valid address. Set it to a URL such as https://svc.example.com or "
            "http://127.0.0.1:8080, without user name, '?' and spaces."
        ) from None
    if "/mcp/v1" in address.path:
        raise BridgeError("SVC_API_URL must be the base address. Remove /mcp/v1 and everything after it.")
    if not (address.tls or address.is_loopback() or allow_http()):
        raise BridgeError(
            f"SVC_API_URL begins with http://, so the key would be sent to {address.host} in clear text. Use https://. "
            "If you trust the whole network path, set SVC_ALLOW_HTTP to 1."
        )
    return address


def read_key():
    key = variable("SVC_MCP_KEY", "the MCP key from Settings → MCP")
    body = key[len(KEY_PREFIX) :]
    if not (key.startswith(KEY_PREFIX) and body.isalnum() and body.isascii()):
        raise BridgeError(
            f"SVC_MCP_KEY is not an MCP key. A key is {KEY_PREFIX} followed by letters and digits, "
            "without quotes, spaces or 'Bearer'. Copy it again from Settings → MCP."
        )
    return key


def switch(name, advice):
    value = os.environ.get(name, "").strip().lower()
    if value in ("", "0", "false", "no", "off"):
        return False
    if value in ("1", "true", "yes", "on"):
        return True
    raise BridgeError(f"{name} must be 1 or 0. {advice}")  # a wrong guess could allow what the user wants to prevent


def read_only():
    return switch("SVC_MCP_READ_ONLY", "Set it to 1 to hide the tools that write.")


def allow_http():
    return switch("SVC_ALLOW_HTTP", "Set it to 1 only if the key may be sent in clear text.")


class Settings:
    def __init__(self):
        self.address, self.key, self.read_only = read_address(), read_key(), read_only()


# --- JSON ---


def parse_float(text):
    number = float(text)
    if number - number != 0:  # infinity is not JSON
        raise ValueError(text)
    return number


def parse_int(text):
    if len(text) > MAX_DIGITS:
        raise ValueError("an integer with too many digits")
    return int(text)


def reject_constant(text):
    raise ValueError(text)  # NaN and Infinity are not JSON


# Created once: json.loads and json.dumps create a decoder and an encoder for each call. The output is ASCII, which all
# code pages can represent.
decode_text = json.JSONDecoder(parse_float=parse_float, parse_int=parse_int, parse_constant=reject_constant).decode
encode_json = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def decode_json(data):
    """Parses JSON. ValueError if it is invalid or nested too deeply."""
    try:
        return decode_text(data.decode("utf-8"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def decode_object(data):
    """Parses a JSON object. Returns an empty one for anything else."""
    try:
        value = decode_json(data)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def success(request_id, result):
    return {"jsonrpc": "2.0", "id": request_id, "result": result}


def failure(request_id, error):
    body = {"code": error.code, "message": error.text}
    if error.data is not None:
        body["data"] = error.data
    return {"jsonrpc": "2.0", "id": request_id, "error": body}


def serialize(message):
    try:
        return encode_json(message)
    except RecursionError:
        error = BridgeError("The response of the service is nested too deeply. Call the tool with other arguments.")
        return encode_json(failure(message["id"], error))


def sanitize(text, max_chars=1000):
    """Text of the service for people and models: printable and short."""
    return "".join(c if c.isprintable() else " " for c in str(text)[:max_chars]).strip()


# --- HTTP ---
# Importing http.client takes longer than all other imports together, and it has no limit for the whole response. Only
# a small part of HTTP/1.1 is needed.


class Connection:
    """A kept-alive connection to the service or to the proxy."""

    def __init__(self, sock, *would_block_errors):
        self.sock = sock
        self.would_block_errors = (BlockingIOError, *would_block_errors)
        self.buffer = bytearray()
        self.used_at = time.monotonic()
        self.reusable = False

    def is_alive(self):
        """Whether the connection is open: an open idle connection has nothing to read."""
        try:
            self.sock.settimeout(0)
            self.sock.recv(1)
        except self.would_block_errors:
            return time.monotonic() - self.used_at < MAX_IDLE
        except OSError:
            pass
        return False

    def exchange(self, request, call):
        """Sends a request and returns (status, headers, body)."""
        self.reusable = False  # until the whole response is read
        self.sock.settimeout(call.time_left(READ_TIMEOUT))
        self.sock.sendall(request)
        status, headers = self.read_head(call)
        while status < 200:  # skip interim responses
            status, headers = self.read_head(call)
        if headers.get("transfer-encoding", "").lower() == "chunked":
            body = self.read_chunks(call)
        elif status in (204, 304):  # these never have a body
            body = b""
        elif "content-length" in headers:
            body = self.read_exactly(int(headers["content-length"]), call)
        else:
            headers["connection"] = "close"
            body = self.read_to_end(call)
        self.reusable = not self.buffer and headers.get("connection", "").lower() != "close"
        self.used_at = time.monotonic()
        if body and headers.get("content-encoding", "").lower() == "gzip":
            body = gunzip(body)
        return status, headers, body

    def read_head(self, call):
        status_line, *lines = self.read_until(b"\r\n\r\n", call).decode("latin-1").split("\r\n")
        if not status_line.startswith("HTTP/1."):
            raise ValueError("not HTTP")
        headers = {} if status_line[7] == "1" else {"connection": "close"}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        return int(status_line[9:12]), headers

    def read_chunks(self, call):
        body = b""
        while True:
            size = int(self.read_until(b"\r\n", call).partition(b";")[0], 16)
            if size == 0:
                break
            body += self.read_exactly(size, call, MAX_RESPONSE_BYTES - len(body))
            self.read_until(b"\r\n", call)
        while self.read_until(b"\r\n", call):  # trailers
            pass
        return body

    def read_to_end(self, call):
        try:
            return self.read_exactly(MAX_RESPONSE_BYTES, call)
        except ConnectionBroken:
            return self.take(len(self.buffer))

    def read_until(self, end, call):
        found = self.buffer.find(end)
        while found < 0:
            # A server of another protocol may send a greeting and wait. Its first bytes are not HTTP.
            if len(self.buffer) > MAX_HEAD_BYTES or (len(end) > 2 and not b"HTTP/1.".startswith(self.buffer[:7])):
                raise ValueError("not HTTP")
            self.receive(call)
            found = self.buffer.find(end)
        return self.take(found + len(end))[: -len(end)]

    def read_exactly(self, size, call, max_bytes=MAX_RESPONSE_BYTES):
        if not 0 <= size <= max_bytes:
            raise ValueError("a response with an invalid size")
        while len(self.buffer) < size:
            self.receive(call)
        return self.take(size)

    def take(self, size):
        data = bytes(self.buffer[:size])
        del self.buffer[:size]
        return data

    def receive(self, call):
        self.sock.settimeout(call.time_left(READ_TIMEOUT))
        data = self.sock.recv(65536)
        if not data:
            raise ConnectionBroken("the connection was closed")
        self.buffer += data


def gunzip(body):
    """Decompresses a body, with the same size limit."""
    import zlib

    decompressor = zlib.decompressobj(31)  # 31: gzip format
    try:
        body = decompressor.decompress(body, MAX_RESPONSE_BYTES)
    except zlib.error:
        raise ValueError("not gzip") from None
    if not decompressor.eof:
        raise ValueError("a response with an invalid size")
    return body


def find_proxy(address):
    """The proxy that the environment names for the service, or None. Loopback is never sent through a proxy."""
    if address.is_loopback() or not any(name.lower().endswith("_proxy") for name in os.environ):
        return None  # also avoids a slow import in most cases
    from urllib.request import getproxies_environment, proxy_bypass_environment

    url = getproxies_environment().get("https" if address.tls else "http")
    if not url or proxy_bypass_environment(address.endpoint):
        return None
    try:
        proxy = Address((url if "://" in url else "http://" + url).rstrip("/"))
    except ValueError:
        proxy = None
    if proxy is None or proxy.tls:
        raise BridgeError("The proxy's URL is not of the form http://host:port. Correct HTTPS_PROXY or HTTP_PROXY.")
    return proxy


def proxy_header(proxy):
    if not proxy.credentials:
        return ""
    from base64 import b64encode
    from urllib.parse import unquote_to_bytes

    return f"Proxy-Authorization: Basic {b64encode(unquote_to_bytes(proxy.credentials)).decode('ascii')}\r\n"


def open_socket(host, port, timeout):
    """Opens a TCP connection. DNS has no timeout, so it runs in a thread that can be abandoned."""
    import socket

    outcome, done = [], threading.Event()

    def connect():
        try:  # half the time, so that another address of the host can be tried
            outcome.append(socket.create_connection((host, port), timeout / 2))
        except Exception as error:
            outcome.append(error)
        done.set()

    _thread.start_new_thread(connect, ())
    if not done.wait(timeout):
        raise socket.timeout
    [sock] = outcome
    if isinstance(sock, Exception):
        raise sock
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.settimeout(timeout)
    return sock


def tls_context():
    import ssl

    try:
        return ssl.create_default_context(cafile=os.environ.get("SSL_CERT_FILE") or None)
    except OSError:  # OpenSSL would ignore the file and trust no certificate
        raise BridgeError("SSL_CERT_FILE does not name a readable PEM file. Correct or unset it.") from None


class Upstream:
    """Sends requests to the service, over kept-alive connections that the workers share."""

    def __init__(self, address, key):
        self.address, self.key = address, key
        self.idle = []  # a stack; append and pop are atomic
        self.headers = None
        self.preparing = threading.Lock()

    def prepare(self):
        """Prepares the proxy, TLS and the common headers at the first request."""
        with self.preparing:
            if self.headers:
                return
            self.proxy = find_proxy(self.address)
            self.via = f" through the proxy {self.proxy.endpoint}" if self.proxy else ""
            self.tls = tls_context() if self.address.tls else None
            self.base = self.address.path
            headers = f"Host: {self.address.authority}\r\nAuthorization: Bearer {self.key}\r\n"
            if self.proxy and not self.tls:  # an HTTP proxy needs the whole URL, and its header in each request
                self.base = self.address.url
                headers += proxy_header(self.proxy)
            headers += "Accept: application/json\r\nAccept-Encoding: gzip\r\n"
            self.headers = headers + f"User-Agent: svc-mcp-stdio/{VERSION}\r\n"

    def request(self, call, method, path, body=b"", extra=""):
        """Sends a request, repeats it after a broken connection, and returns (status, headers, body)."""
        self.prepare()
        if body:
            extra += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        data = f"{method} {self.base}{path} HTTP/1.1\r\n{self.headers}{extra}\r\n".encode("ascii") + body
        for tries, pause in enumerate(RETRY_PAUSES):
            call.pause(pause)
            try:
                return self.attempt(call, data, fresh=tries > 0)
            except ConnectionBroken as error:
                reason = error
        raise BridgeError(
            f"The service is unreachable at {self.address.url}{self.via}: {sanitize(reason)}. "
            f"Check SVC_API_URL, the network, and whether the service runs.{call.uncertainty()}"
        )

    def attempt(self, call, data, fresh):
        import socket

        connection = self.connection(call, fresh)
        try:
            call.set_socket(connection.sock)
            response = connection.exchange(data, call)
            call.set_socket(None)
            return response
        except socket.timeout:
            raise BridgeError(
                f"The service at {self.address.url} did not answer in time. Try again later.{call.uncertainty()}"
            ) from None
        except ValueError:
            raise self.not_the_service("it does not speak HTTP") from None
        except OSError as error:
            raise ConnectionBroken(error.strerror or "the connection broke") from None
        finally:
            if connection.reusable:
                self.idle.append(connection)
            else:
                connection.sock.close()

    def not_the_service(self, what):
        return BridgeError(
            f"The server at {self.address.url} is not the service ({what}). Check SVC_API_URL, and whether "
            "a proxy or a sign-in page answers instead."
        )

    def connection(self, call, fresh):
        """An idle connection that is still open, or a new one. After a broken connection idle ones are not used."""
        while self.idle:
            try:
                connection = self.idle.pop()
            except IndexError:  # another worker took it
                break
            if not fresh and connection.is_alive():
                return connection
            connection.sock.close()
        return self.connect(call)

    def connect(self, call):
        """Opens a connection, through the proxy and with TLS if configured."""
        import socket

        target = self.proxy or self.address
        try:
            sock = open_socket(target.host, target.port, call.time_left(CONNECT_TIMEOUT))
            if not self.tls:
                return Connection(sock)
            if self.proxy:
                self.open_tunnel(sock, call)
            return self.secure(sock)
        except socket.timeout:
            raise BridgeError(
                f"The service is unreachable at {self.address.url}{self.via}: no connection in time. "
                f"Check SVC_API_URL, the network, and whether the service runs.{call.uncertainty()}"
            ) from None
        except (socket.gaierror, UnicodeError):
            raise ConnectionBroken(f"the host name {target.host} is not known") from None
        except (OSError, ValueError) as error:
            raise ConnectionBroken(getattr(error, "strerror", None) or "the connection was closed") from None

    def open_tunnel(self, sock, call):
        end = self.address.endpoint
        sock.sendall(f"CONNECT {end} HTTP/1.1\r\nHost: {end}\r\n{proxy_header(self.proxy)}\r\n".encode("ascii"))
        status, _ = Connection(sock).read_head(call)
        if status in GATEWAY_ERRORS:
            raise self.unavailable(status)
        if status != 200:
            raise self.refused_by_proxy(status)

    def unavailable(self, status, wait=60):
        return BridgeError(
            f"The service is unavailable: a server in front of {self.address.url}{self.via} answered HTTP {status}. "
            f"Try again in {wait} s. If this lasts, ask the operator of the service."
        )

    def refused_by_proxy(self, status):
        hint = "Put a user name and password into its URL." if status == 407 else "Check the proxy variables."
        return BridgeError(
            f"The proxy {self.proxy.endpoint} refused to connect to {self.address.endpoint} (HTTP {status}). {hint}"
        )

    def secure(self, sock):
        import ssl

        try:
            return Connection(self.tls.wrap_socket(sock, server_hostname=self.address.host), ssl.SSLWantReadError)
        except ssl.SSLCertVerificationError as error:
            raise BridgeError(
                f"The certificate of {self.address.host} is not trusted: {sanitize(error.verify_message)}. "
                "If a private authority issued it, set SSL_CERT_FILE to that authority's PEM file."
            ) from None
        except ssl.SSLError as error:
            raise BridgeError(
                f"TLS with {self.address.authority} failed ({sanitize(error.reason)}). "
                "Check that SVC_API_URL should begin with https."
            ) from None


# --- Messages for refused requests ---

GATEWAY_ERRORS = (502, 503, 504)  # a balancer or proxy sends them while it cannot reach the service

REJECTED = (
    "The service rejected the MCP key: it is mistyped, revoked or expired. Check SVC_MCP_KEY in the client's "
    "configuration, or create a new key under Settings → MCP. Then restart the client."
)
ADVICE = {
    "key_invalid": REJECTED,
    "credential_missing": REJECTED,
    "mcp_inactive": "MCP is inactive in this brand's plan, so every call is refused. Ask the owner of the account to "
    "activate MCP in the plan. The key works again after that.",
    "key_owner_removed": "The user who created this key is no longer a member of the brand, so the key does not work. "
    "A current member can create a new key under Settings → MCP.",
    "key_paused": "This key is paused, so every call is refused. Its creator or an administrator of the brand can "
    "resume it under Settings → MCP. The key works again after that.",
    "insufficient_scope": "This key may not use this tool. Tools that write need a key of scope write, and a key can "
    "be limited to named tools. Create another key under Settings → MCP.",
    "rate_limited": "Rate limit reached: 60 requests a minute per key. Wait {wait} s, then call again.",
    "unavailable": "The service is temporarily unavailable, and nothing was changed. Try again in {wait} s.",
}
# The subject of a failed line of --check.
SUBJECTS = {
    "key_invalid": "key",
    "credential_missing": "key",
    "mcp_inactive": "plan",
    "key_owner_removed": "owner",
    "key_paused": "pause",
    "rate_limited": "rate limit",
}


def error_from_response(status, headers, body, upstream, uncertainty):
    """The error for an unsuccessful response."""
    problem = decode_object(body)
    reason, detail = str(problem.get("code")), sanitize(problem.get("detail", ""))
    if reason == "unknown_tool":
        return BridgeError(detail, INVALID_PARAMS)
    if reason == "invalid_arguments":
        return BridgeError(argument_errors(problem, detail))
    if reason in ADVICE:
        return BridgeError(ADVICE[reason].format(wait=retry_after(headers, 60)), reason=reason)
    if detail:
        return BridgeError(f"{detail} (HTTP {status}, request {sanitize(problem.get('request_id'))})")
    if status == 407 and upstream.proxy:
        return upstream.refused_by_proxy(status)
    if 300 <= status < 400:
        return BridgeError(
            f"{upstream.address.url} redirects to {sanitize(headers.get('location'))}. Redirects are not followed, "
            "because the key would be sent there. Set SVC_API_URL to the final address."
        )
    if status in GATEWAY_ERRORS:
        error = upstream.unavailable(status, retry_after(headers, 60))
        error.text += uncertainty
        return error
    return upstream.not_the_service(f"HTTP {status}")


def argument_errors(problem, detail):
    """All errors at once, so that a model can correct them in its next call."""
    errors = problem.get("errors")
    entries = [e for e in errors if isinstance(e, dict)] if isinstance(errors, list) else []
    lines = [f"- {sanitize(e.get('field'))}: {sanitize(e.get('message'))}" for e in entries] or [f"- {detail}"]
    return "\n".join(["The arguments are invalid. Correct them and call the tool again:"] + lines)


def retry_after(headers, default):
    value = headers.get("retry-after", "")
    return int(value) if re.fullmatch("[0-9]{1,6}", value) else default


# --- The bridge ---


class Call:
    """A tools/list or tools/call in progress: its request, its deadline, and how to cancel it."""

    def __init__(self, request_id, method, params, revision, reply):
        self.id, self.method, self.params = request_id, method, params
        self.revision, self.reply = revision, reply
        self.deadline = time.monotonic() + CALL_TIMEOUT
        self.settled = False
        self.cancelled = threading.Event()
        self.sock = None
        self.was_sent = False

    def time_left(self, timeout):
        """The timeout of the next step: `timeout`, or the time until the deadline."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise BridgeError(
                f"The service did not answer in time ({CALL_TIMEOUT:g} s). Try again later.{self.uncertainty()}"
            )
        return min(left, timeout)

    def uncertainty(self):
        if self.was_sent and self.method == "tools/call":
            return " The call may or may not have been executed: check before you repeat it."
        return ""

    def pause(self, seconds):
        if seconds:
            self.cancelled.wait(self.time_left(seconds))
        self.check()

    def check(self):
        if self.cancelled.is_set():
            raise CallCancelled

    def set_socket(self, sock):
        """Sets the socket of the call; None after the response."""
        self.sock = sock
        self.was_sent = True
        self.check()  # an earlier cancellation could not close this socket

    def cancel(self):
        """Cancels the call from another thread: a blocked read on its socket ends."""
        self.cancelled.set()
        sock = self.sock
        if sock is not None:
            import socket

            try:  # not through the TLS object, which another thread uses
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
            except OSError:
                pass


class Batch:
    """Collects the responses of a JSON-RPC batch, and sends them as one array."""

    def __init__(self, size, send_text):
        self.pending, self.responses, self.send_text = size, [], send_text
        self.lock = threading.Lock()

    def settle(self, response):
        with self.lock:
            self.pending -= 1
            if response is not None:
                self.responses.append(serialize(response))
            if self.pending == 0 and self.responses:
                self.send_text("[" + ",".join(self.responses) + "]")


class Bridge:
    """Reads, answers and forwards messages. The workers take turns at reading: see `work`."""

    def __init__(self, settings, stream, out):
        self.settings, self.lines, self.out = settings, read_lines(stream), out
        self.upstream = Upstream(settings.address, settings.key)
        self.revision = DEFAULT_REVISION  # of clients that use `initialize`; newer clients send it with each request
        self.known_tools = {}
        self.writing = threading.Lock()
        self.reading = threading.Lock()
        self.changed = threading.Condition()  # guards the following fields
        self.in_flight = set()
        self.backlog = collections.deque()  # calls that wait for a worker
        self.workers = 1
        self.next_readers = 1  # workers that wait for their turn to read

    # Workers

    def work(self):
        """Reads until there is a call, lets another worker read, and executes the call.

        The thread that reads a call also executes it, because waking another thread takes longer than the rest of the
        bridge's work. The next reader wakes up while the service handles the call.
        """
        while True:
            call = self.read_until_call()
            while call is not None:
                self.finish(call, self.execute(call))
                call = self.next_from_backlog()

    def read_until_call(self):
        """Handles lines until there is a call for this worker."""
        with self.reading:
            with self.changed:
                self.next_readers -= 1
            call = self.take_call()
            while call is None:
                self.handle_line(next(self.lines, END))
                call = self.take_call()
            return call

    def take_call(self):
        """A call from the backlog, if another worker can continue to read."""
        with self.changed:
            if not self.backlog:
                return None
            if not self.next_readers:
                if self.workers == MAX_WORKERS:
                    return None  # this worker continues to read; the next free one takes the call
                self.workers += 1
                self.next_readers += 1
                _thread.start_new_thread(self.work, ())
            return self.backlog.popleft()

    def next_from_backlog(self):
        with self.changed:
            if self.backlog:
                return self.backlog.popleft()
            self.next_readers += 1
            return None

    def end(self):
        """After the last line: waits for the calls in flight, and ends the process."""
        with self.changed:
            self.changed.wait_for(lambda: not self.in_flight, DRAIN_TIMEOUT)
            late = list(self.in_flight)
        for call in late:
            error = BridgeError(f"The input ended before the service responded.{call.uncertainty()}")
            self.finish(call, failure(call.id, error))
        os._exit(0)  # waiting threads must not delay the exit

    # Reading

    def handle_line(self, line):
        if line is END:
            self.end()
        try:
            message = parse(line)
            if isinstance(message, list) and (self.revision != BATCHES_ONLY_IN or not message):
                raise BridgeError("This protocol revision has no batches. Send one message per line.", INVALID_REQUEST)
        except BridgeError as error:
            self.send(failure(None, error))
            return
        if isinstance(message, list):
            batch = Batch(len(message), self.send_text)
            for item in message:
                self.handle(item, batch.settle)
        else:
            self.handle(message, self.send)

    def handle(self, message, reply):
        """Handles one message. `reply` is called once, now or later; with None if there is no response."""
        if isinstance(message, dict) and "method" not in message and ("result" in message or "error" in message):
            return reply(None)  # a response: the bridge sends no requests, so it is ignored
        if not is_well_formed(message):
            return reply(failure(None, BridgeError("The message is not a JSON-RPC 2.0 request.", INVALID_REQUEST)))
        request_id, method, params = message.get("id"), message["method"], message.get("params")
        if request_id is None:
            if method == "notifications/cancelled" and isinstance(params, dict):
                self.cancel(params.get("requestId"))
            return reply(None)
        try:
            result = self.dispatch(request_id, method, {} if params is None else params, reply)
        except Exception as error:
            return reply(failure(request_id, to_bridge_error(error)))
        return None if result is None else reply(success(request_id, result))

    def dispatch(self, request_id, method, params, reply):
        """The result of a request; None if a worker will respond."""
        if not isinstance(params, dict):
            raise BridgeError("params must be an object.", INVALID_PARAMS)
        if method == "initialize":
            asked = params.get("protocolVersion")
            self.revision = asked if asked in HANDSHAKE_REVISIONS else DEFAULT_REVISION
            return dict(SERVER, protocolVersion=self.revision, serverInfo=SERVER_INFO)
        revision = self.revision_of(method, params)
        if method == "ping":
            return add_stateless_fields({}, revision)
        if method == "server/discover":
            return add_stateless_fields(dict(DISCOVERY), revision)
        if method == "tools/call":
            if not isinstance(params.get("name"), str):
                raise BridgeError("params.name must be the name of a tool.", INVALID_PARAMS)
            if not isinstance(params.get("arguments"), (dict, type(None))):
                raise BridgeError("params.arguments must be an object.", INVALID_PARAMS)
        elif method != "tools/list":
            raise BridgeError(f"This server has no method {sanitize(method, 100)}.", METHOD_NOT_FOUND)
        self.start(Call(request_id, method, params, revision, reply))
        return None

    def revision_of(self, method, params):
        """The revision of this request: stateless and other requests may be mixed."""
        meta = params.get("_meta")
        meta = meta if isinstance(meta, dict) else {}
        if META_VERSION not in meta and method != "server/discover":
            return self.revision
        asked = meta.get(META_VERSION)
        if not isinstance(asked, str) or not isinstance(meta.get(META_CAPABILITIES), dict):
            text = f"params._meta must have {META_VERSION}, a string, and {META_CAPABILITIES}, an object."
            raise BridgeError(text, INVALID_PARAMS)
        if asked != STATELESS:
            data = {"supported": [STATELESS], "requested": asked}
            raise BridgeError("Unsupported protocol version.", UNSUPPORTED_REVISION, data)
        return STATELESS

    # Calls in flight

    def start(self, call):
        with self.changed:
            self.in_flight.add(call)
            self.backlog.append(call)

    def execute(self, call):
        try:
            return self.respond(call)
        except CallCancelled:
            return None
        except Exception as error:
            return failure(call.id, to_bridge_error(error))

    def finish(self, call, response):
        with self.changed:
            if call.settled:
                return
            call.settled = True
        call.reply(response)
        with self.changed:
            self.in_flight.discard(call)
            self.changed.notify_all()

    def cancel(self, request_id):
        with self.changed:
            calls = [call for call in self.in_flight if is_id(request_id) and call.id == request_id]
        for call in calls:
            call.cancel()
            self.finish(call, None)

    def respond(self, call):
        try:
            result = self.list_tools(call) if call.method == "tools/list" else self.call_tool(call)
        except BridgeError as error:
            if call.method == "tools/list" or error.code != INTERNAL_ERROR:
                return failure(call.id, error)
            result = {"content": [{"type": "text", "text": error.text}], "isError": True}  # the model reads this
        return success(call.id, add_stateless_fields(result, call.revision))

    def list_tools(self, call):
        tools = self.visible(self.fetch_tools(call))
        fields = [name for name, since in TOOL_FIELDS_SINCE.items() if since <= call.revision]
        result = {"tools": [{name: tool[name] for name in fields if name in tool} for tool in tools]}
        return dict(result, **TOOLS_CACHING) if call.revision == STATELESS else result

    def visible(self, tools):
        return [tool for tool in tools if is_read_only(tool)] if self.settings.read_only else tools

    def fetch_tools(self, call):
        return self.tools_in(self.upstream.request(call, "GET", "/mcp/v1/tools"))

    def tools_in(self, response):
        tools = self.content(response, "tools")["tools"]
        self.known_tools = {t["name"]: t for t in tools if isinstance(t, dict) and isinstance(t.get("name"), str)}
        return list(self.known_tools.values())

    def call_tool(self, call):
        name, arguments = call.params["name"], call.params.get("arguments")
        if self.settings.read_only:
            self.refuse_write(name, call)
        try:
            body = encode_json({"name": name, "arguments": arguments or {}}).encode("ascii")
        except RecursionError:
            raise BridgeError("params.arguments is nested too deeply.", INVALID_PARAMS) from None
        if len(body) > MAX_CALL_BYTES:
            raise BridgeError(
                f"The arguments are too large: {len(body)} bytes of at most {MAX_CALL_BYTES}. Send less in one call."
            )
        # All attempts have the same key, so that the service executes the call once.
        key = f"Idempotency-Key: {os.urandom(16).hex()}\r\n"
        while True:
            response = self.upstream.request(call, "POST", "/mcp/v1/tools/call", body, key)
            if response[0] != 409 or decode_object(response[2]).get("code") != "in_progress":
                break
            call.pause(retry_after(response[1], 1) or 1)
        result = self.content(response, "content", call.uncertainty())
        if call.revision < STRUCTURED_SINCE:
            result.pop("structuredContent", None)
        return result

    def refuse_write(self, name, call):
        if name not in self.known_tools:
            self.fetch_tools(call)
        if name not in self.known_tools:
            raise BridgeError(f"Unknown tool: {sanitize(name, 100)}", INVALID_PARAMS)
        if not is_read_only(self.known_tools[name]):
            raise BridgeError(
                f"{name} writes, and this bridge is in read-only mode. Tell the user to set SVC_MCP_READ_ONLY to 0 "
                "in the client's configuration."
            )

    def content(self, response, member, uncertainty=""):
        """The JSON object of a successful response, which must have this array; a BridgeError for anything else."""
        status, headers, body = response
        if status != 200:
            raise error_from_response(status, headers, body, self.upstream, uncertainty)
        content = decode_object(body)
        if not isinstance(content.get(member), list):
            raise self.upstream.not_the_service(f"a response without {member}")
        return content

    # Writing

    def send(self, response):
        if response is not None:
            self.send_text(serialize(response))

    def send_text(self, text):
        # The service never returns the key. If something does, it is removed here.
        data = text.replace(self.settings.key, KEY_PREFIX + "[hidden]").encode("ascii") + b"\n"
        with self.writing:
            try:
                while data:
                    data = data[os.write(self.out, data) :]
            except OSError:
                os._exit(0)  # the client has closed the pipe


def read_lines(stream):
    """All lines that are not blank; None for one that is longer than MAX_LINE_BYTES."""
    line = stream.readline(MAX_LINE_BYTES + 1)
    if line.startswith(b"\xef\xbb\xbf"):
        line = line[3:]  # some shells add a byte order mark
    while line:
        if len(line) > MAX_LINE_BYTES:
            yield None
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE_BYTES)
        elif line.strip():
            yield line
        line = stream.readline(MAX_LINE_BYTES + 1)


def parse(line):
    if line is None:
        raise BridgeError(f"The message is longer than {MAX_LINE_BYTES} bytes.", INVALID_REQUEST)
    try:
        return decode_json(line)
    except ValueError:
        raise BridgeError("The line is not valid JSON in UTF-8.", PARSE_ERROR) from None


def is_id(value):
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def is_well_formed(message):
    return (
        isinstance(message, dict)
        and message.get("jsonrpc") == "2.0"
        and isinstance(message.get("method"), str)
        and (message.get("id") is None or is_id(message["id"]))
    )


def add_stateless_fields(result, revision):
    """Adds the fields that every result of the stateless revision has."""
    if revision == STATELESS:
        result.update(resultType="complete", _meta={META_SERVER: SERVER_INFO})
    return result


def is_read_only(tool):
    annotations = tool.get("annotations")
    return isinstance(annotations, dict) and annotations.get("readOnlyHint") is True


# --- The process ---


def print_line(stream, text):
    """Prints a line. Some consoles cannot print the arrow, and some processes have no stderr."""
    if stream:
        print(text.replace("→", ">"), file=stream, flush=True)


def report(subject, text, mark="ok"):
    print_line(sys.stdout, f"{mark:<5} {subject:<18} {text}")


def check():
    """Tests the configuration, prints a line for each step, and returns the exit code."""
    print_line(sys.stdout, f"svc_mcp_stdio {VERSION}, Python {sys.version.split()[0]}")
    step = "SVC_API_URL"
    try:
        report(step, read_address().url)
        step = "SVC_MCP_KEY"
        length = len(read_key())
        is_complete = length == KEY_LENGTH
        report(step, "set" if is_complete else f"set, but {length} characters instead of {KEY_LENGTH}: copy it again")
        step = "SVC_MCP_READ_ONLY"
        report(step, "1: tools that write are hidden" if read_only() else "0")
        step = "connection"
        bridge, call = Bridge(Settings(), None, None), Call(None, "tools/list", {}, STATELESS, None)
        response = bridge.upstream.request(call, "GET", "/mcp/v1/tools")
        report(step, ("TLS, certificate trusted" if bridge.upstream.tls else "without TLS") + bridge.upstream.via)
        step = "service"
        tools = bridge.tools_in(response)
    except BridgeError as error:
        if error.reason in ("mcp_inactive", "key_owner_removed", "key_paused", "rate_limited"):
            report("key", "known to the service")
        report(SUBJECTS.get(error.reason, step), error.text, "FAIL")
        return 1
    report("key", "accepted")
    report("plan", "MCP is active")
    report("scope", "read" if all(map(is_read_only, tools)) else "write")
    shown = bridge.visible(tools)
    report("tools", f"{len(shown)} visible to an agent:")
    for tool in shown:
        print_line(sys.stdout, f"      {sanitize(tool['name'])} ({'reads' if is_read_only(tool) else 'writes'})")
    return 0


def redirect_stdout():
    """Reserves stdout for the protocol: other output goes to stderr."""
    out = os.dup(1)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdout = sys.stderr
    return out


def exit_when_closed(out):
    """Ends the process when the client closes stdout, also while there is nothing to write."""
    import select

    if hasattr(select, "poll"):  # without poll, the next write or the end of stdin ends the process
        poller = select.poll()
        poller.register(out, 0)  # errors and hang-ups are always reported
        [(_, event)] = poller.poll()
        if event & (select.POLLERR | select.POLLHUP):  # not POLLNVAL: some files cannot be polled
            os._exit(0)


def serve():
    try:
        settings = Settings()
    except BridgeError as error:
        print_line(sys.stderr, f"svc_mcp_stdio: {error.text}")
        return 2
    try:
        stream, out = open(0, "rb", 65536, closefd=False), redirect_stdout()
    except OSError:
        print_line(sys.stderr, "svc_mcp_stdio: stdin or stdout is closed. An MCP client must start this script.")
        return 2
    if stream.isatty():
        print_line(sys.stderr, "svc_mcp_stdio: waiting for JSON-RPC lines. Run it with --check to test it.")
    _thread.start_new_thread(exit_when_closed, (out,))
    return Bridge(settings, stream, out).work()


def main(arguments):
    import signal

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # ends the process at once, in any state of its threads
    if not arguments:
        return serve()
    if arguments == ["--check"]:
        try:
            return check()
        except BrokenPipeError:  # the reader has closed the pipe, as with `| head`
            os._exit(1)
    if arguments in (["--version"], ["--help"], ["-h"]):
        print_line(sys.stdout, f"svc_mcp_stdio {VERSION}" if arguments == ["--version"] else USAGE)
        return 0
    print_line(sys.stderr, USAGE)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
