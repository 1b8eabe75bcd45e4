#!/usr/bin/env python3
"""The stdio bridge of svc-mcp: one file, Python 3.8 or later, only the standard library.

`Bridge.read_until_call` reads lines and `Bridge.handle` dispatches them. A request is answered directly, or becomes a
`Call` that a worker sends with `Upstream.request`; `Bridge.finish` writes the response.
Network modules are imported on first use, so that `initialize` is answered quickly.
`install` and `uninstall` edit the configuration file of an MCP client.
"""

import os
import sys

if sys.path and sys.path[0] == os.path.dirname(os.path.abspath(__file__)):
    del sys.path[0]  # the script is often in a downloads folder: a json.py or socket.py there must not be imported

import _thread
import collections
import functools
import json
import re
import threading
import time

VERSION = "0.1.0"

USAGE = """\
usage: svc_mcp_stdio.py [--check | --install CLIENT | --uninstall CLIENT | --list-clients | --version | --help]

Connects an MCP client (Claude Desktop, Cursor, VS Code, ...) to the tools of one brand. The client starts
it without arguments and exchanges JSON-RPC 2.0 messages with it, one per line on stdin and stdout.

  --check              test the configuration, and print what to do if something fails
  --install CLIENT     ask for address and key (or take them from the environment), test them, and add this script
                       to the configuration of CLIENT: claude-desktop, claude-code, cursor, vscode, windsurf, codex,
                       gemini-cli or zed; run it again to change the address or the key
  --uninstall CLIENT   remove it from there
  --list-clients       list the clients, whether each is on this computer and has the entry, and its file

exit codes: 0 done, 1 the test failed, 2 a wrong or missing argument or setting, 3 the client's file cannot be read or
changed. After 1, 2 and 3 nothing was changed.

environment:
  SVC_API_URL         base address of the service, such as https://svc.example.com
  SVC_MCP_KEY         the MCP key, from Settings > MCP
  SVC_MCP_READ_ONLY   1 hides every tool that writes (optional)
  SVC_ALLOW_HTTP      1 allows http:// to another machine, which sends the key in clear text (optional)
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY, SSL_CERT_FILE, TRACEPARENT, TRACESTATE   with their usual meaning (optional)"""

# --- Protocol: revisions are dates, and are compared as strings ---

HANDSHAKE_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
DEFAULT_REVISION = HANDSHAKE_REVISIONS[-1]
STATELESS = "2026-07-28"
BATCHES_ONLY_IN = "2025-03-26"
STRUCTURED_SINCE = "2025-06-18"
PROGRESS_MESSAGES_SINCE = "2025-03-26"
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
META_CLIENT = "io.modelcontextprotocol/clientInfo"
META_SERVER = "io.modelcontextprotocol/serverInfo"
SERVER_INFO = {"name": "svc-mcp", "title": "SVC brand tools", "version": VERSION}
SERVER = {
    "capabilities": {"tools": {"listChanged": True}},
    "instructions": "These tools act for one brand: the brand of the configured key. A result with isError says "
    "what to do next. After a rate limit, wait for the stated time. A list has more items if it returns next_cursor: "
    "pass that as cursor, with the same other arguments.",
}
DISCOVERY = dict(
    SERVER,
    capabilities={"tools": {}},  # there are no notifications without a session: `ttlMs` says when to ask again
    supportedVersions=[STATELESS],
    ttlMs=3_600_000,
    cacheScope="private",
)

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, UNSUPPORTED_REVISION = -32602, -32603, -32022

# --- Limits, in seconds and bytes ---

CONNECT_TIMEOUT = 10.0  # for DNS and TCP, and again for TLS
READ_TIMEOUT = 40.0  # between two reads; the service waits at most 25 s
CALL_TIMEOUT = 55.0  # for one request with its retries: many clients wait 60 s
DRAIN_TIMEOUT = 5.0  # for the calls in flight after stdin has ended
TOOLS_TTL = 60.0  # the age of a list of tools that is still sent without asking: a plan or a scope may change
PROGRESS_INTERVAL = 5.0  # between two notifications about a call that waits
MAX_IDLE = 60.0  # routers drop idle connections without closing them
RETRY_PAUSES = (0.0, 0.0, 0.7)  # before each attempt; the last pause is enough for a restart of the service
MAX_WORKERS = 32
MAX_LINE_BYTES = 4 << 20
MAX_CALL_BYTES = 1 << 20  # the limit of the service
MAX_RESPONSE_BYTES = 16 << 20
MAX_HEAD_BYTES = 64 << 10
MAX_CLIENT_CHARS = 100
MAX_TRACESTATE_CHARS = 512
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


def notification(method, params=None):
    return {"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})}


def serialize(message):
    try:
        return encode_json(message)
    except RecursionError:
        error = BridgeError("The response of the service is nested too deeply. Call the tool with other arguments.")
        return encode_json(failure(message["id"], error))


def sanitize(text, max_chars=1000):
    """Text of the service for people and models: printable and short."""
    return "".join(c if c.isprintable() else " " for c in str(text)[:max_chars]).strip()


# --- Headers from what the client says about itself and its request ---

# Not compiled here: most clients send no trace, and compiling would delay the start.
TRACEPARENT = r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}"
TRACESTATE_MEMBER = r"[a-z0-9][a-z0-9_*/@-]*=[!-+\--<>-~](?:[ -+\--<>-~]*[!-+\--<>-~])?"


def client_header(info):
    """`X-MCP-Client: name/version` of a clientInfo; empty if it has no name."""
    if not isinstance(info, dict):
        return ""
    name, version = visible_ascii(info.get("name")), visible_ascii(info.get("version"))
    client = f"{name}/{version}" if version else name
    return f"X-MCP-Client: {client[:MAX_CLIENT_CHARS]}\r\n" if name else ""


def visible_ascii(text):
    """The text with hyphens instead of what is not visible ASCII."""
    text = text[:MAX_CLIENT_CHARS] if isinstance(text, str) else ""
    return "-".join("".join(c if "!" <= c <= "~" else " " for c in text).split())


def trace_headers(meta):
    """The W3C trace context in the `_meta` of a request, else in the environment. What is not well-formed is left out."""
    parent, state = meta.get("traceparent"), meta.get("tracestate")
    if parent is None:
        parent, state = os.environ.get("TRACEPARENT"), os.environ.get("TRACESTATE")
    if not isinstance(parent, str) or not re.fullmatch(TRACEPARENT, parent):
        return ""
    headers = f"traceparent: {parent}\r\n"
    if isinstance(state, str) and len(state) <= MAX_TRACESTATE_CHARS:
        if all(re.fullmatch(TRACESTATE_MEMBER, member.strip(" ")) for member in state.split(",")):
            headers += f"tracestate: {state}\r\n"
    return headers


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
        extra += call.headers
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
    "brand_suspended": "The operator of the service has suspended this brand, so every call is refused. An administrator "
    "of the brand can ask the operator why. The key works again as soon as the brand is resumed.",
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
    "brand_suspended": "brand",
    "rate_limited": "rate limit",
}


def error_from_response(status, headers, body, upstream, uncertainty):
    """The error for an unsuccessful response."""
    problem = decode_object(body)
    reason, detail = str(problem.get("code")), sanitize(problem.get("detail", ""))
    if reason == "unknown_tool":
        return BridgeError(detail.replace("GET /mcp/v1/tools", "tools/list"), INVALID_PARAMS)
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

    def __init__(self, request_id, method, params, revision, reply, headers="", progress_token=None):
        self.id, self.method, self.params = request_id, method, params
        self.revision, self.reply = revision, reply
        self.headers, self.progress_token = headers, progress_token
        self.started = time.monotonic()
        self.deadline = self.started + CALL_TIMEOUT
        self.progress = 0  # the seconds in the last notification
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


class ToolList:
    """The tools of the key by name, as the service sent them, and when the service last confirmed them."""

    def __init__(self, tools=None, etag="", read_at=float("-inf")):
        self.tools, self.etag, self.read_at = tools or {}, etag, read_at

    def time_left(self):
        """How long the list is sent without asking the service."""
        return max(0.0, self.read_at + TOOLS_TTL - time.monotonic())

    def condition(self):
        """The header that asks for the list only if it has changed."""
        return f"If-None-Match: {self.etag}\r\n" if self.etag else ""


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
        self.client = ""  # the header that names the client, from `initialize`
        self.known = ToolList()
        self.listed = None  # the tools that a client with `initialize` has; None before its first list
        self.refreshing = threading.Lock()
        self.writing = threading.Lock()
        self.reading = threading.Lock()
        self.changed = threading.Condition()  # guards the following fields
        self.in_flight = set()
        self.backlog = collections.deque()  # calls that wait for a worker
        self.workers = 1
        self.next_readers = 1  # workers that wait for their turn to read
        self.is_reporting = False  # whether a thread sends progress

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
                self.refresh_tools(call)
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
            self.client = client_header(params.get("clientInfo"))
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
        meta = meta_of(params)
        headers = (client_header(meta.get(META_CLIENT)) or self.client) + trace_headers(meta)
        token = meta.get("progressToken") if method == "tools/call" else None
        self.start(Call(request_id, method, params, revision, reply, headers, token if is_id(token) else None))
        return None

    def revision_of(self, method, params):
        """The revision of this request: stateless and other requests may be mixed."""
        meta = meta_of(params)
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
            if call.progress_token is not None and not self.is_reporting:
                self.is_reporting = True
                _thread.start_new_thread(self.report_progress, ())

    def report_progress(self):
        """Tells the client every few seconds which calls still wait. Ends when there are none."""
        while True:
            time.sleep(PROGRESS_INTERVAL)
            with self.changed:
                waiting = [call for call in self.in_flight if call.progress_token is not None]
                if not waiting:
                    self.is_reporting = False
                    return
            for call in waiting:
                self.send_progress(call)

    def send_progress(self, call):
        seconds = round(time.monotonic() - call.started, 1)
        if seconds <= call.progress:
            return  # progress must increase
        call.progress = seconds
        params = {"progressToken": call.progress_token, "progress": seconds}
        if call.revision >= PROGRESS_MESSAGES_SINCE:
            name = call.params["name"]
            title = self.known.tools.get(name, {}).get("title") or name
            params["message"] = f"{sanitize(title, 100)}: waiting for the result, {seconds:.0f} s"
        self.send_text(serialize(notification("notifications/progress", params)), lambda: not call.settled)

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
        try:
            if not self.known.time_left():
                self.fetch_tools(call)
        except BridgeError as error:
            if error.reason != "rate_limited" or not self.known.tools:
                raise
            # The last list is sent: without a list, a client would drop all tools.
        known = self.known
        tools = self.visible(known.tools.values())
        fields = [name for name, since in TOOL_FIELDS_SINCE.items() if since <= call.revision]
        result = {"tools": [{name: tool[name] for name in fields if name in tool} for tool in tools]}
        if call.revision == STATELESS:
            return dict(result, ttlMs=int(known.time_left() * 1000), cacheScope="private")
        self.listed = tools
        return result

    def visible(self, tools):
        return [tool for tool in tools if is_read_only(tool) or not self.settings.read_only]

    def fetch_tools(self, call):
        """Reads the list of tools, or confirms that it has not changed."""
        known = self.known
        response = self.upstream.request(call, "GET", "/mcp/v1/tools", extra=known.condition())
        if response[0] == 304 and known.etag:
            self.known = ToolList(known.tools, known.etag, time.monotonic())
        else:
            self.read_tools(response)

    def read_tools(self, response):
        tools = self.content(response, "tools")["tools"]
        by_name = {t["name"]: t for t in tools if isinstance(t, dict) and isinstance(t.get("name"), str)}
        etag = response[1].get("etag", "")
        self.known = ToolList(by_name, etag if re.fullmatch("[!-~]{1,200}", etag) else "", time.monotonic())

    def refresh_tools(self, after):
        """After a call: reads an old list again, and tells the client if it differs from the one that it has."""
        if self.listed is None or after.method != "tools/call" or self.known.time_left():
            return
        if not self.refreshing.acquire(blocking=False):
            return
        try:
            self.fetch_tools(Call(None, "tools/list", {}, self.revision, None, self.client))
            tools = self.visible(self.known.tools.values())
            if tools != self.listed:
                self.listed = tools
                self.send(notification("notifications/tools/list_changed"))
        except Exception:
            pass  # nobody waits for this list; the next call says what is wrong
        finally:
            self.refreshing.release()

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
        # All attempts have the same key, so that the service executes the call once. A key in the arguments counts first.
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
        if name not in self.known.tools:
            self.fetch_tools(call)
        if name not in self.known.tools:
            text = f"There is no tool {sanitize(name, 100)}. `tools/list` lists the tools this key can call."
            raise BridgeError(text, INVALID_PARAMS)
        if not is_read_only(self.known.tools[name]):
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

    def send_text(self, text, is_wanted=lambda: True):
        """Writes a line. `is_wanted` is asked last: a response that is written later cannot overtake this line."""
        # The service never returns the key. If something does, it is removed here.
        data = text.replace(self.settings.key, KEY_PREFIX + "[hidden]").encode("ascii") + b"\n"
        with self.writing:
            if not is_wanted():
                return
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


def meta_of(params):
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


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
        bridge.read_tools(response)
        tools = list(bridge.known.tools.values())
    except BridgeError as error:
        if error.reason in ("mcp_inactive", "key_owner_removed", "key_paused", "brand_suspended", "rate_limited"):
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


# --- Installing: `--install`, `--uninstall` and `--list-clients` edit the configuration file of an MCP client ---

SERVER_NAME = "svc-mcp"
KEY_INPUT = "svc-mcp-key"  # the name under which VS Code stores the key
KEY_INPUT_REFERENCE = "${input:%s}" % KEY_INPUT
COPIED_VARIABLES = ("SVC_MCP_READ_ONLY", "SVC_ALLOW_HTTP", "SSL_CERT_FILE")
PROXY_VARIABLES = ("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY")
MAX_CONFIG_BYTES = 16 << 20
MAX_CONFIG_DEPTH = 100
MAX_BACKUPS = 5
EXIT_CHECK_FAILED, EXIT_USAGE, EXIT_FILE = 1, 2, 3
BYTE_ORDER_MARK = "\ufeff"


class InstallError(Exception):
    """A reason to stop, with what to do. The client's file is unchanged."""

    def __init__(self, text, code=EXIT_FILE):
        super().__init__(text)
        self.text, self.code = text, code


class ConfigSyntaxError(Exception):
    def __init__(self, offset, text):
        super().__init__(text)
        self.offset, self.text = offset, text


def line_and_column(text, offset):
    before = text[:offset]
    return f"line {before.count(chr(10)) + 1}, column {offset - before.rfind(chr(10))}"


def newline_of(text):
    return "\r\n" if "\r\n" in text else "\n"


def apply_edits(text, edits):
    """Applies (start, end, replacement) edits, in the order of their positions."""
    pieces, position = [], 0
    for start, end, replacement in edits:
        pieces += [text[position:start], replacement]
        position = end
    return "".join(pieces) + text[position:]


# JSON with comments and trailing commas


class JsonPart:
    """A member of an object, or an item of an array."""

    def __init__(self, start):
        self.start = start
        self.name = self.node = self.comma = None

    def end(self):
        return self.node.end if self.comma is None else self.comma + 1


class JsonNode:
    """A value, and its position in the text. `parts` is None for strings, numbers, booleans and null."""

    def __init__(self, start):
        self.start, self.end, self.value, self.parts = start, None, None, None

    def part(self, name):
        """The member with this name. Parsers use the last one."""
        return next((part for part in reversed(self.parts) if part.name == name), None)


class JsonText:
    """A parsed document that knows the position of every value, so that one value can be changed and all else kept."""

    TOKEN = (
        r"(?P<space>[ \t\r\n]+)|(?P<line>//[^\r\n]*)|(?P<block>/\*.*?\*/)"
        r'|(?P<string>"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*")'
        r"|(?P<other>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)|(?P<mark>[][{}:,])"
    )
    WORDS = {"true": True, "false": False, "null": None}

    def __init__(self, text):
        self.text = text
        self.newline = newline_of(text)
        indented = re.search(r'^([ \t]+)["{[]', text, re.MULTILINE)
        self.unit = indented.group(1) if indented else "  "
        self.line_comment_ends = set()
        self.comment = self.trailing_comma = None  # the position of the first one
        self.match_token = re.compile(self.TOKEN, re.DOTALL).match
        self.position = 0
        self.advance()
        self.root = self.parse_value(0) if self.kind else None  # None: nothing but space and comments
        if self.kind:
            raise ConfigSyntaxError(self.start, "the document ends before this")

    def advance(self):
        """Moves to the next token. Its `kind` is the character of a mark, or a name in TOKEN; empty at the end."""
        while self.position < len(self.text):
            token = self.match_token(self.text, self.position)
            if not token:
                raise ConfigSyntaxError(self.position, "this is not JSON")
            self.start, self.position = token.span()
            if token.lastgroup in ("line", "block"):
                self.comment = self.start if self.comment is None else self.comment
                if token.lastgroup == "line":
                    self.line_comment_ends.add(self.position)
            elif token.lastgroup != "space":
                self.kind = token.group() if token.lastgroup == "mark" else token.lastgroup
                return
        self.start, self.kind = self.position, ""

    def parse_value(self, depth):
        node = JsonNode(self.start)
        if depth > MAX_CONFIG_DEPTH:
            raise ConfigSyntaxError(self.start, "this is nested too deeply")
        if self.kind in ("{", "["):
            self.parse_parts(node, self.kind == "{", depth)
        elif self.kind in ("string", "other"):
            token = self.text[self.start : self.position]
            # Numbers are only compared, so they stay text: converting them could fail or lose digits.
            node.value = json.loads(token) if self.kind == "string" else self.WORDS.get(token, ("number", token))
        else:
            raise ConfigSyntaxError(self.start, "a value is missing")
        node.end = self.position
        self.advance()
        return node

    def parse_parts(self, node, is_object, depth):
        node.parts, node.value = [], {} if is_object else []
        close = "}" if is_object else "]"
        self.advance()
        while self.kind != close:
            part = JsonPart(self.start)
            part.name = self.parse_name() if is_object else None
            part.node = self.parse_value(depth + 1)
            node.parts.append(part)
            if is_object:
                node.value[part.name] = part.node.value
            else:
                node.value.append(part.node.value)
            if self.kind == ",":
                part.comma = self.start
                self.advance()
                if self.kind == close and self.trailing_comma is None:
                    self.trailing_comma = part.comma
            elif self.kind != close:
                raise ConfigSyntaxError(self.start, f"a comma or {close} is missing")

    def parse_name(self):
        if self.kind != "string":
            raise ConfigSyntaxError(self.start, "a name in double quotes or } is missing")
        name = json.loads(self.text[self.start : self.position])
        self.advance()
        if self.kind != ":":
            raise ConfigSyntaxError(self.start, "a colon is missing")
        self.advance()
        return name

    def find(self, *path):
        node = self.root
        for name in path:
            part = node.part(name) if node and isinstance(node.value, dict) else None
            node = part and part.node
        return node

    def object_at(self, *path):
        """The object at this path, None if there is none. An InstallError for a value that is not an object."""
        node = self.find(*path)
        if node and not isinstance(node.value, dict):
            what = path[-1] if path else "The document"
            place = line_and_column(self.text, node.start)
            raise InstallError(
                f"{what} at {place} is not an object ({{…}}), so no entry can be added. Correct the file."
            )
        return node

    def inner(self, node):
        return self.text[node.start + 1 : node.end - 1]

    def indent_at(self, offset):
        line_start = max(self.text.rfind("\n", 0, offset), self.text.rfind("\r", 0, offset)) + 1
        return re.compile(r"[ \t]*").match(self.text, line_start).group()

    def after_comments(self, offset):
        """The position after the comments that follow on the same line."""
        return re.compile(r"(?:[ \t]*(?://[^\r\n]*|/\*(?:(?!\*/)[^\r\n])*\*/))*").match(self.text, offset).end()

    def render(self, name, value, indent):
        """The text of a member or item. It has one line if `indent` is None."""
        prefix = "" if name is None else json.dumps(name, ensure_ascii=False) + ": "
        if indent is None or not isinstance(value, dict) or not value:
            return prefix + json.dumps(value, ensure_ascii=False)
        inner = indent + self.unit
        members = f",{self.newline}{inner}".join(self.render(*member, inner) for member in value.items())
        return f"{prefix}{{{self.newline}{inner}{members}{self.newline}{indent}}}"

    def insert(self, node, name, value):
        """The text with a new last member or item."""
        if not node.parts:
            at = self.after_comments(node.start + 1)
            outer = self.indent_at(node.start)
            indent = outer + self.unit
            tail = "" if "\n" in self.text[at : node.end] else self.newline + outer
            return apply_edits(self.text, [(at, at, self.newline + indent + self.render(name, value, indent) + tail)])
        last = node.parts[-1]
        comma = "" if last.comma is None else ","
        if "\n" in self.text[node.start : last.start]:
            at = self.after_comments(last.end())
            indent = self.indent_at(last.start)
            inserted = self.newline + indent + self.render(name, value, indent) + comma
        else:
            at = last.end()
            inserted = " " + self.render(name, value, None) + comma
        return apply_edits(self.text, [(last.end(), last.end(), "" if comma else ","), (at, at, inserted)])

    def replace(self, part, value):
        old = self.text[part.node.start : part.node.end]
        indent = self.indent_at(part.start) if "\n" in old or part.node.parts is None else None
        return apply_edits(self.text, [(part.node.start, part.node.end, self.render(None, value, indent))])

    def remove(self, node, part):
        """The text without this member or item, the space before it, and one comma."""
        start, end = part.start, part.end()
        while self.text[start - 1] in " \t\r\n":
            start -= 1
        if start in self.line_comment_ends and not re.match(r"[ \t]*(?:[\r\n]|$)", self.text[end:]):
            start = part.start  # what follows must not become part of the comment
        if start == part.start:
            end = re.compile(r"[ \t]*").match(self.text, end).end()
        index = node.parts.index(part)
        edits = [(start, end, "")]
        if part.comma is None and index > 0:
            comma = node.parts[index - 1].comma
            edits.insert(0, (comma, comma + 1, ""))
        return apply_edits(self.text, edits)


@functools.lru_cache(maxsize=4)  # a file can be large, and each step looks at it
def parse_json(text):
    return JsonText(text)


def set_json(text, path, value, undo):
    """Sets one value and creates the objects around it. Appends to `undo` what `undo_json` needs."""
    document = parse_json(text)
    if document.root is None:
        undo.append(["blank", text])
        separator = "" if not text or text.endswith("\n") else document.newline
        return set_json(f"{text}{separator}{{}}{document.newline}", path, value, undo)
    for depth, name in enumerate(path):
        node = document.object_at(*path[:depth])
        part = node.part(name)
        if part is None:
            if not node.parts:
                undo.append(["fill", list(path[:depth]), document.inner(node)])
            if depth == len(path) - 1:
                return document.insert(node, name, value)
            undo.append(["create", list(path[: depth + 1])])
            return set_json(document.insert(node, name, {}), path, value, undo)
    return text if part.node.value == value else document.replace(part, value)


def is_key_input(value):
    return isinstance(value, dict) and value.get("id") == KEY_INPUT


def set_key_input(text, value, undo):
    """Adds the input of VS Code that asks for the key."""
    if parse_json(text).find("inputs") is None:
        text = set_json(text, ("inputs",), [], undo)
        undo.append(["create", ["inputs"]])
    document = parse_json(text)
    node = document.find("inputs")
    for part in node.parts:
        if is_key_input(part.node.value):
            return text if part.node.value.get("password") is True else document.replace(part, value)
    if not node.parts:
        undo.append(["fill", ["inputs"], document.inner(node)])
    undo.append(["input"])
    return document.insert(node, None, value)


def remove_key_input(text):
    document = parse_json(text)
    node = document.find("inputs")
    for part in reversed(node.parts if node and isinstance(node.value, list) else []):
        if is_key_input(part.node.value):
            return remove_key_input(document.remove(node, part))
    return text


def undo_json(text, steps):
    """Removes what `set_json` created around the entry, if it is empty now, and restores the space in it."""
    for kind, *arguments in reversed(steps):
        document = parse_json(text)
        path = arguments[0] if kind in ("create", "fill") else []
        node = document.find(*path)
        if node is None or node.parts is None or node.parts:
            continue
        if kind == "create" and not document.inner(node).strip():
            parent = document.find(*path[:-1])
            text = document.remove(parent, parent.part(path[-1]))
        elif kind == "fill" and document.inner(node).split() == arguments[1].split():
            text = apply_edits(text, [(node.start + 1, node.end - 1, arguments[1])])
        elif kind == "blank" and not document.inner(node).strip():
            if (text[: node.start] + text[node.end :]).split() == arguments[0].split():
                text = arguments[0]
    return text


def leaves(entry):
    """The members of an entry, and those of its `env`, with their paths."""
    for name, value in entry.items():
        if name == "env":
            yield from (((name, variable_name), text) for variable_name, text in value.items())
        else:
            yield (name,), value


class JsonFormat:
    """Edits a JSON file. `section` names the object of servers."""

    def __init__(self, section, uses_key_input=False):
        self.section, self.uses_key_input = section, uses_key_input

    def parse(self, text):
        document = parse_json(text)
        document.object_at()
        document.object_at(self.section)
        document.object_at(self.section, SERVER_NAME, "env")
        inputs = document.find("inputs")
        if self.uses_key_input and inputs and not isinstance(inputs.value, list):
            place = line_and_column(text, inputs.start)
            raise InstallError(f"inputs at {place} is not an array ([…]), so no input can be added. Correct the file.")
        return document

    def entry(self, text):
        """The values of the entry, None if there is none."""
        node = self.parse(text).find(self.section, SERVER_NAME)
        return node and (node.value if isinstance(node.value, dict) else {})

    def install(self, text, entry):
        """(the text with the entry, the steps that undo it, or None if there was an entry before)"""
        undo, path, existing = [], (self.section, SERVER_NAME), self.entry(text)
        if existing:
            for inner_path, value in leaves(entry):  # other members of the entry are the user's
                text = set_json(text, path + inner_path, value, [])
        else:
            text = set_json(text, path, entry, undo)
        if self.uses_key_input:
            text = set_key_input(text, self.key_input(), undo)
        return text, undo if existing is None else None

    @staticmethod
    def key_input():
        description = "MCP key of svc-mcp (Settings > MCP)"
        return {"type": "promptString", "id": KEY_INPUT, "description": description, "password": True}

    def uninstall(self, text, undo):
        document = parse_json(text)
        while document.find(self.section, SERVER_NAME):
            node = document.find(self.section)
            document = parse_json(document.remove(node, node.part(SERVER_NAME)))
        text = document.text
        if self.uses_key_input and KEY_INPUT_REFERENCE not in text and (undo is None or ["input"] in undo):
            text = remove_key_input(text)
        return undo_json(text, undo or [])

    def other_content(self, text):
        """The values that are not part of the entry. They must be the same before and after."""
        root = parse_json(text).root
        content = dict(root.value) if root else {}
        servers = content.pop(self.section, {})
        content[self.section] = {name: value for name, value in servers.items() if name != SERVER_NAME}
        if self.uses_key_input:
            inputs = content.pop("inputs", [])
            content["inputs"] = [item for item in inputs if not is_key_input(item)]
        return content

    def notes(self, text, client):
        """What the client may not accept in its own file."""
        document = parse_json(text)
        for what, offset in (("comment", document.comment), ("trailing comma", document.trailing_comma)):
            if offset is not None and what not in client.accepts:
                yield f"{client.title} may not accept the {what} at {line_and_column(text, offset)}"


# TOML


class TomlStatement:
    """A table header or a `key = value` pair. `table` is the path of the header above."""

    def __init__(self, kind, path, table, start):
        self.kind, self.path, self.table, self.start = kind, path, table, start
        self.value_start = self.value_end = self.line_end = start
        self.pairs = []  # of an inline table


class TomlText:
    """The statements of a document and their positions. It accepts a little more than TOML; tomllib checks the rest."""

    BARE_KEY = r"[A-Za-z0-9_-]+"
    STRINGS = (
        r'"""[^"\\]*(?:(?:\\.|""?(?!"))[^"\\]*)*"{3,5}',
        r"'''[^']*(?:''?(?!')[^']*)*'{3,5}",
        r'"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"',
        r"'[^'\r\n]*'",
    )
    SCALAR = (
        r"true|false|[+-]?(?:inf|nan)|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[Tt ][0-9:.]+(?:[Zz]|[+-][0-9:]+)?)?"
        r"|[0-9]{2}:[0-9:.]+|[+-]?[0-9][0-9A-Fa-fxob_.+-]*"
    )

    def __init__(self, text):
        self.text, self.position, self.statements = text, 0, []
        self.newline = newline_of(text)
        table = ()
        while self.skip(r"(?:[ \t\r\n]|#[^\r\n]*)*") < len(text):
            statement = self.parse_statement(table)
            table = statement.table
            self.statements.append(statement)
            self.skip(r"[ \t]*(?:#[^\r\n]*)?")
            if self.take(r"\r?\n|\Z") is None:
                raise ConfigSyntaxError(self.position, "the line should end here")
            statement.line_end = self.position
        self.refuse_duplicates()
        self.check_with_tomllib()

    def take(self, pattern):
        match = re.compile(pattern, re.DOTALL).match(self.text, self.position)
        if not match:
            return None
        self.position = match.end()
        return match.group()

    def skip(self, pattern):
        self.take(pattern)
        return self.position

    def expect(self, pattern, what):
        found = self.take(pattern)
        if found is None:
            raise ConfigSyntaxError(self.position, f"{what} is missing")
        return found

    def parse_statement(self, table):
        start = self.position
        opening = self.take(r"\[\[|\[")
        if opening:
            self.skip(r"[ \t]*")
            path = self.parse_key()
            self.expect(r"[ \t]*" + re.escape("]" * len(opening)), "]" * len(opening))
            return TomlStatement("table" if opening == "[" else "array", path, path, start)
        return self.parse_pair(table, table, 0)

    def parse_pair(self, prefix, table, depth):
        start = self.position
        statement = TomlStatement("pair", prefix + self.parse_key(), table, start)
        self.expect(r"[ \t]*=[ \t]*", "=")
        statement.value_start = self.position
        self.parse_value(statement, depth)
        statement.value_end = self.position
        return statement

    def parse_key(self):
        names = []
        while not names or self.take(r"[ \t]*\.[ \t]*"):
            name = self.expect(f"{self.BARE_KEY}|{self.STRINGS[2]}|{self.STRINGS[3]}", "a key")
            if name[0] == '"':
                try:
                    name = json.loads(name)
                except ValueError:  # an escape that only TOML has
                    name = name[1:-1]
            elif name[0] == "'":
                name = name[1:-1]
            names.append(name)
        return tuple(names)

    def parse_value(self, statement, depth):
        blank = r"(?:[ \t\r\n]|#[^\r\n]*)*"
        if depth > MAX_CONFIG_DEPTH:
            raise ConfigSyntaxError(self.position, "this is nested too deeply")
        opening = self.take(r"[{[]")
        if not opening:
            self.expect("|".join((*self.STRINGS, self.SCALAR)), "a value")
            return
        close = r"\]" if opening == "[" else r"\}"
        self.skip(blank)
        while not self.take(close):
            if opening == "{":
                statement.pairs.append(self.parse_pair(statement.path, statement.table, depth + 1))
            else:
                self.parse_value(TomlStatement("item", (), (), self.position), depth + 1)
            self.skip(blank)
            if not self.take(","):
                self.expect(close, f"a comma or {close[1]}")
                return
            self.skip(blank)

    def refuse_duplicates(self):
        seen, item = set(), 0
        for statement in self.statements:
            if statement.kind == "array":
                item += 1  # the same keys may follow in every item
            if (identity := (statement.kind == "pair", statement.path, item)) in seen:
                raise ConfigSyntaxError(statement.start, "this was defined before")
            seen.add(identity)

    def check_with_tomllib(self):
        try:
            import tomllib
        except ImportError:  # Python 3.10 and older
            return
        try:
            tomllib.loads(self.text)
        except (ValueError, RecursionError) as error:
            place = re.search(r"line ([0-9]+), column ([0-9]+)", str(error))
            offset = len(self.text)
            if place:
                lines = self.text.replace("\r\n", " \n").split("\n")
                offset = sum(len(line) + 1 for line in lines[: int(place.group(1)) - 1]) + int(place.group(2)) - 1
            raise ConfigSyntaxError(offset, "this is not TOML") from None

    def pairs(self):
        for statement in self.statements:
            if statement.kind == "pair":
                yield from self.with_inner_pairs(statement)

    def with_inner_pairs(self, statement):
        yield statement
        for pair in statement.pairs:
            yield from self.with_inner_pairs(pair)

    def raw(self, pair):
        return self.text[pair.value_start : pair.value_end]


def toml_string(text):
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_value(value):
    return "[" + ", ".join(map(toml_string, value)) + "]" if isinstance(value, list) else toml_string(value)


class TomlFormat:
    """Edits a TOML file. The entry is a table `[section.svc-mcp]` with its sub-tables."""

    uses_key_input = False

    def __init__(self, section):
        self.path = (section, SERVER_NAME)

    def is_ours(self, statement):
        return statement.table[:2] == self.path

    def parse(self, text):
        document = TomlText(text)
        for statement in document.statements:
            path = statement.path
            # An entry in another form, such as an inline table, cannot be combined with a table of the same name.
            if (
                (path[:2] == self.path and not self.is_ours(statement))
                or (path == self.path[:1] and statement.kind != "table")
                or (path == self.path and statement.kind == "array")
            ):
                raise InstallError(
                    f"{'.'.join(path[:2])} at {line_and_column(text, statement.start)} is not written as a table "
                    f"[{'.'.join(self.path)}], the only form that this script edits. Rewrite or remove it, and run "
                    "this again."
                )
        return document

    def entry(self, text):
        document = self.parse(text)
        if not any(map(self.is_ours, document.statements)):
            return None
        entry = {"env": {}}
        for pair in document.pairs():
            if pair.path[:2] == self.path:
                holder = entry["env"] if pair.path[2:3] == ("env",) and len(pair.path) == 4 else entry
                holder[pair.path[-1]] = document.raw(pair).strip("\"'")
        return entry

    def install(self, text, entry):
        document = self.parse(text)
        if any(map(self.is_ours, document.statements)):
            for inner_path, value in leaves(entry):
                text = self.set_value(text, self.path + inner_path, toml_value(value))
            return text, None
        newline = document.newline
        separator = "" if not text else newline if text.endswith("\n") else newline * 2
        lines = [f"[{'.'.join(self.path)}]"]
        lines += [f"{name} = {toml_value(value)}" for name, value in entry.items() if name != "env"]
        lines += ["", f"[{'.'.join(self.path)}.env]"]
        lines += [f"{name} = {toml_value(value)}" for name, value in entry["env"].items()]
        return text + separator + newline.join(lines) + newline, [["separator", separator]]

    def set_value(self, text, path, value):
        document = self.parse(text)
        newline = document.newline
        for pair in document.pairs():
            if pair.path == path:
                return apply_edits(text, [(pair.value_start, pair.value_end, value)])
        for pair in document.pairs():
            if pair.path == path[:-1] and text[pair.value_start] == "{":
                at = pair.value_end - 1
                while text[at - 1] in " \t":
                    at -= 1
                comma = ("," if pair.pairs and text[at - 1] != "," else "") + " "
                return apply_edits(text, [(at, at, f"{comma}{path[-1]} = {value}")])
        header, key = f"{newline}[{'.'.join(path[:-1])}]{newline}", path[-1]
        for statement in document.statements:
            if statement.table == path[:-1]:
                at, header = statement.line_end, ""
            elif statement.table == path[:-2] and statement.path[:-1] == path[:-1]:  # as in `env.NAME = "…"`
                at, header, key = statement.line_end, "", ".".join(path[-2:])
            elif header and self.is_ours(statement):
                at = statement.line_end
        separator = "" if text[at - 1] == "\n" else newline
        return apply_edits(text, [(at, at, f"{separator}{header}{key} = {value}{newline}")])

    def uninstall(self, text, undo):
        document = self.parse(text)
        runs, previous = [], None
        for statement in document.statements:
            if self.is_ours(statement):
                if previous is not None and self.is_ours(previous):
                    runs[-1][1] = statement.line_end
                else:
                    runs.append([statement.start, statement.line_end])
            previous = statement
        separator = next((step[1] for step in undo or [] if step[0] == "separator"), document.newline)
        edits = []
        for start, end in runs:
            start = text.rfind("\n", 0, start) + 1
            if separator.count("\n") == 2:  # the file had no newline at its end
                if text[:start].endswith(separator):
                    start -= len(separator) // 2 if text[end:] else len(separator)
            elif text[:start].endswith("\n" + separator):
                start -= len(separator)
            edits.append((start, end, ""))
        return apply_edits(text, edits)

    def other_content(self, text):
        document = TomlText(text)
        return [
            (statement.kind, statement.path, document.raw(statement))
            for statement in document.statements
            if not self.is_ours(statement)
        ]

    def notes(self, _text, _client):
        return ()


# The clients


class Machine:
    """Where files of the user are. Tests pass another platform and environment."""

    def __init__(self, platform=None, environment=None, interpreter=None):
        self.platform = platform or sys.platform
        self.environment = os.environ if environment is None else environment
        self.interpreter = sys.executable if interpreter is None else interpreter
        self.home = self.folder("USERPROFILE" if self.is_windows() else "HOME") or os.path.expanduser("~")

    def is_windows(self):
        return self.platform == "win32"

    def folder(self, variable_name, *default):
        """The absolute path in a variable, or a path below the home directory."""
        value = self.environment.get(variable_name, "").strip()
        return value if os.path.isabs(value) else os.path.join(self.home, *default) if default else None

    def settings_folder(self):
        if self.is_windows():
            return self.folder("APPDATA", "AppData", "Roaming")
        if self.platform == "darwin":
            return os.path.join(self.home, "Library", "Application Support")
        return self.folder("XDG_CONFIG_HOME", ".config")

    def data_folder(self):
        if self.is_windows():
            base = self.folder("LOCALAPPDATA", "AppData", "Local")
        else:
            base = (
                self.settings_folder() if self.platform == "darwin" else self.folder("XDG_DATA_HOME", ".local", "share")
            )
        return os.path.join(base, "svc-mcp")

    def claude_folder(self):
        """The folder of Claude Desktop. On Windows, the files of a packaged application are in the package's folder."""
        packages = os.path.join(self.folder("LOCALAPPDATA", "AppData", "Local"), "Packages")
        if self.is_windows() and os.path.isdir(packages):
            names = sorted(name for name in os.listdir(packages) if name.startswith("Claude_"))
            roaming = [os.path.join(packages, name, "LocalCache", "Roaming") for name in names]
            folders = [os.path.join(path, "Claude") for path in roaming if os.path.isdir(path)]
            configured = [path for path in folders if os.path.exists(os.path.join(path, "claude_desktop_config.json"))]
            if folders:
                return (configured or folders)[0]
        return os.path.join(self.settings_folder(), "Claude")

    def zed_folder(self):
        if self.is_windows():
            return os.path.join(self.settings_folder(), "Zed")
        if self.platform == "darwin":
            return os.path.join(self.home, ".config", "zed")
        return os.path.join(self.settings_folder(), "zed")

    def has_program(self, name):
        import shutil

        return shutil.which(name, path=self.environment.get("PATH", os.defpath)) is not None

    def hides_files(self, path):
        """Whether other programs cannot see what this Python writes there: true for Python from the Microsoft Store."""
        folders = (self.settings_folder(), self.folder("LOCALAPPDATA", "AppData", "Local"))
        return self.is_windows() and "WindowsApps" in self.interpreter and path.startswith(folders)


class Client:
    def __init__(
        self, name, title, program, folder, file, form, next_step, accepts=("comment", "trailing comma"), **more
    ):
        self.name, self.title, self.program, self.form, self.next_step = name, title, program, form, next_step
        self.folder, self.file = folder, file  # functions of the machine
        self.accepts = accepts
        self.extra = more  # further members of the entry

    def path(self, machine):
        return os.path.join(self.folder(machine), *self.file)

    def is_found(self, machine):
        home = os.path.normpath(self.folder(machine)) == os.path.normpath(machine.home)
        traces = [self.path(machine), os.path.join(machine.home, ".claude")] if home else [self.folder(machine)]
        return any(map(os.path.exists, traces)) or machine.has_program(self.program)


CLIENTS = (
    Client(
        "claude-desktop",
        "Claude Desktop",
        "claude-desktop",
        Machine.claude_folder,
        ["claude_desktop_config.json"],
        JsonFormat("mcpServers"),
        "Quit Claude Desktop (closing its window is not enough) and start it again.",
        (),
    ),
    Client(
        "claude-code",
        "Claude Code",
        "claude",
        lambda machine: machine.folder("CLAUDE_CONFIG_DIR", ""),
        [".claude.json"],
        JsonFormat("mcpServers"),
        "Start Claude Code again. /mcp lists the server.",
        (),
        type="stdio",
    ),
    Client(
        "cursor",
        "Cursor",
        "cursor",
        lambda machine: os.path.join(machine.home, ".cursor"),
        ["mcp.json"],
        JsonFormat("mcpServers"),
        f"Restart Cursor, and turn {SERVER_NAME} on in its settings under MCP.",
    ),
    Client(
        "vscode",
        "VS Code",
        "code",
        lambda machine: os.path.join(machine.settings_folder(), "Code"),
        ["User", "mcp.json"],
        JsonFormat("servers", uses_key_input=True),
        f"In VS Code, run the command MCP: List Servers, choose {SERVER_NAME} and start it. VS Code then asks for the "
        "key and stores it encrypted: it is not in the file. To change a key that VS Code has stored, open the file in "
        "VS Code and edit the input there.",
        type="stdio",
    ),
    Client(
        "windsurf",
        "Windsurf",
        "windsurf",
        lambda machine: os.path.join(machine.home, ".codeium", "windsurf"),
        ["mcp_config.json"],
        JsonFormat("mcpServers"),
        "Press refresh in Windsurf's MCP settings, or restart Windsurf.",
    ),
    Client(
        "codex",
        "Codex",
        "codex",
        lambda machine: machine.folder("CODEX_HOME", ".codex"),
        ["config.toml"],
        TomlFormat("mcp_servers"),
        "Start Codex again. /mcp lists the server.",
    ),
    Client(
        "gemini-cli",
        "Gemini CLI",
        "gemini",
        lambda machine: os.path.join(machine.folder("GEMINI_CLI_HOME", ""), ".gemini"),
        ["settings.json"],
        JsonFormat("mcpServers"),
        "Start Gemini CLI again. /mcp lists the server.",
        ("comment",),
    ),
    Client(
        "zed",
        "Zed",
        "zed",
        Machine.zed_folder,
        ["settings.json"],
        JsonFormat("context_servers"),
        "Zed starts the server by itself. Its settings list it under MCP servers.",
    ),
)


# The files


class ConfigFile:
    """The configuration file of a client. A symbolic link is followed, and stays."""

    def __init__(self, client, machine):
        self.client, self.machine = client, machine
        self.path = client.path(machine)
        self.target = os.path.realpath(self.path)
        self.data = self.read()
        self.text = self.decode()

    def read(self):
        """The content, None if there is no file."""
        try:
            with open(self.target, "rb") as stream:
                self.status = os.fstat(stream.fileno())
                data = stream.read(MAX_CONFIG_BYTES + 1)
        except FileNotFoundError:
            self.status = None
            return None
        except OSError as error:
            raise InstallError(f"{self.path} cannot be read ({error.strerror}). Nothing was changed.") from None
        if len(data) > MAX_CONFIG_BYTES:
            raise InstallError(f"{self.path} is larger than {MAX_CONFIG_BYTES} bytes, so it is not edited.")
        return data

    def decode(self):
        data = self.data or b""
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise InstallError(f"{self.path} is UTF-16. Save it as UTF-8, and run this again. Nothing was changed.")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            place = line_and_column(data[: error.start].decode("utf-8"), error.start)
            raise InstallError(f"{self.path} is not UTF-8 ({place}). Save it as UTF-8. Nothing was changed.") from None
        self.mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
        text = text[len(self.mark) :]
        try:
            self.client.form.parse(text)
        except ConfigSyntaxError as error:
            raise InstallError(
                f"{self.path} is broken, so it was left alone: {line_and_column(text, error.offset)}: {error.text}. "
                "Correct it, and run this again."
            ) from None
        except InstallError as error:
            raise InstallError(f"{self.path}: {error.text} Nothing was changed.") from None
        return text

    def entry(self):
        return self.client.form.entry(self.text)

    def refuse_read_only(self):
        """Replacing a file would succeed although the file is read-only. Also holds for root."""
        folder = os.path.dirname(self.target)
        while not os.path.exists(folder):
            folder = os.path.dirname(folder)
        for path in [folder] if self.data is None else [self.target, folder]:
            # On Windows the attribute has another meaning for folders.
            has_mode = path == self.target or not self.machine.is_windows()
            if not os.access(path, os.W_OK) or (has_mode and not os.stat(path).st_mode & 0o222):
                raise InstallError(f"{path} is read-only. Make it writable, and run this again. Nothing was changed.")

    def write(self, text, is_private):
        """Replaces the file in one step. Returns lines for the user."""
        form = self.client.form
        if form.other_content(self.text) != form.other_content(text):
            raise InstallError(f"{self.path} has a form that this script cannot edit safely. Nothing was changed.")
        try:
            data = (self.mark + text).encode("utf-8")
        except UnicodeEncodeError:
            raise InstallError(
                "The path of Python or of this script is not valid Unicode. Nothing was changed."
            ) from None
        mode, lines = self.mode(is_private)
        backup = self.write_backup()
        try:
            replace_file(self.target, data, mode, self.status, self.refuse_changed)
        except BaseException:
            if backup:
                os.unlink(backup)
            raise
        self.remove_old_backups()
        return [("backup", backup)] + lines if backup else lines

    def mode(self, is_private):
        """(the mode that the file gets, lines for the user): only the user may read a file with a key."""
        if not self.status:
            return 0o600, []
        old = self.status.st_mode & 0o7777
        if not (is_private and old & 0o077) or self.machine.is_windows():
            return old, []
        new = old & ~0o077
        return new, [("mode", f"{new:04o} instead of {old:04o}, because the file holds a key")]

    def tighten(self, is_private):
        mode, lines = self.mode(is_private)
        if lines:
            os.chmod(self.target, mode)
        return lines

    def refuse_changed(self):
        if self.read() != self.data:
            raise InstallError(f"{self.path} was changed by another program meanwhile. Run this again.")

    def remove(self):
        self.refuse_changed()
        os.unlink(self.target)

    def write_backup(self):
        """Copies the file, without the key of the entry, and returns the path."""
        if not self.data:
            return None
        data, env = self.data, (self.entry() or {}).get("env")
        key = env.get("SVC_MCP_KEY") if isinstance(env, dict) else None
        if isinstance(key, str) and key.startswith(KEY_PREFIX):
            data = data.replace(key.encode("utf-8"), KEY_PREFIX.encode("ascii") + b"[removed]")
        now = time.strftime("%Y%m%d-%H%M%S")
        number = max((number for stamp, number, _ in self.backups() if stamp == now), default=0) + 1
        path = f"{self.path}.backup-{now}" + (f"-{number}" if number > 1 else "")
        replace_file(path, data, 0o600)
        return path

    def backups(self):
        """(time, number, path) of each backup, the oldest first."""
        folder, name = os.path.split(self.path)
        pattern = re.compile(re.escape(name) + r"\.backup-([0-9]{8}-[0-9]{6})(?:-([0-9]+))?")
        found = filter(None, map(pattern.fullmatch, os.listdir(folder)))
        return sorted((match[1], int(match[2] or 1), os.path.join(folder, match[0])) for match in found)

    def remove_old_backups(self):
        try:
            for _, _, path in self.backups()[:-MAX_BACKUPS]:
                os.unlink(path)
        except OSError:  # the entry is written; an old backup does no harm
            pass


def replace_file(path, data, mode, status=None, check_before=None):
    """Writes a temporary file next to `path` and renames it, so that readers see the old or the new content."""
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.urandom(6).hex()}.tmp")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with open(os.open(temporary, flags, 0o600), "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, mode)
        if status and hasattr(os, "chown") and os.stat(temporary).st_uid != status.st_uid:
            os.chown(temporary, status.st_uid, status.st_gid)  # for root, who edits the file of another user
        if check_before:
            check_before()
        os.replace(temporary, path)
    except BaseException:
        if os.path.lexists(temporary):
            os.unlink(temporary)
        raise
    if hasattr(os, "O_DIRECTORY"):
        try:
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            os.fsync(descriptor)
            os.close(descriptor)
        except OSError:  # not every file system can do this
            pass


def make_folders(path):
    """Creates a folder and its parents for the user alone, and returns the new ones."""
    if os.path.isdir(path):
        return []
    made = make_folders(os.path.dirname(path))
    os.mkdir(path, 0o700)
    return made + [path]


def remove_empty_folders(paths):
    for path in reversed(paths):
        try:
            os.rmdir(path)
        except OSError:  # not empty, or gone
            return


class InstalledFiles:
    """The copy of this script that the clients start, and a record of how to undo each entry. It holds no key."""

    def __init__(self, machine):
        self.machine = machine
        self.folder = machine.data_folder()
        self.script = os.path.join(self.folder, "svc_mcp_stdio.py")
        self.record_path = os.path.join(self.folder, "installed.json")

    def copy_script(self):
        """Copies this script, unless the copy is the same already."""
        with open(os.path.abspath(__file__), "rb") as stream:
            source = stream.read()
        make_folders(self.folder)
        try:
            with open(self.script, "rb") as stream:
                is_current = stream.read(len(source) + 1) == source
        except OSError:
            is_current = False
        if is_current:
            os.chmod(self.script, 0o700)
        else:
            replace_file(self.script, source, 0o700)

    def read_record(self):
        try:
            with open(self.record_path, "rb") as stream:
                return decode_object(stream.read(MAX_CONFIG_BYTES))
        except OSError:
            return {}

    def record(self, path):
        """(the steps that undo an entry, or None; whether this script made the file; the folders that it made)"""
        record = self.read_record().get(path)
        record = record if isinstance(record, dict) else {}
        steps = record.get("undo")
        is_valid = isinstance(steps, list) and all(map(is_undo_step, steps))
        folders = record.get("folders")
        folders = [folder for folder in folders if isinstance(folder, str)] if isinstance(folders, list) else []
        return steps if is_valid else None, record.get("made_file") is True, folders

    def write_record(self, path, record):
        records = self.read_record()
        if record is None:
            records.pop(path, None)
        else:
            records[path] = record
        if records or os.path.exists(self.record_path):
            replace_file(self.record_path, json.dumps(records, indent=2).encode("ascii"), 0o600)

    def remove_if_unused(self):
        """Removes the script if no client has an entry any more. Returns whether it was removed."""
        for client in CLIENTS:
            try:
                if ConfigFile(client, self.machine).entry() is not None:
                    return False
            except InstallError:  # it may have an entry
                return False
        removed = False
        for path in (self.record_path, self.script):
            try:
                os.unlink(path)
                removed = True
            except OSError:  # it is gone, or the folder is read-only
                pass
        remove_empty_folders([self.folder])
        return removed


def is_undo_step(step):
    """Whether a step has the form that `set_json` and `TomlFormat.install` record."""
    shapes = {"blank": [str], "fill": [list, str], "create": [list], "input": [], "separator": [str]}
    return (
        isinstance(step, list)
        and step[:1] != []
        and isinstance(step[0], str)
        and step[0] in shapes
        and [type(argument) for argument in step[1:]] == shapes[step[0]]
    )


# The commands


def show(subject, text, mark="ok"):
    """Prints a line. A path may have characters that the console cannot print."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    report(subject, text.replace("→", ">").encode(encoding, "backslashreplace").decode(encoding), mark)


def ask_settings(machine, ask, ask_secret):
    """Asks for the address and the key, unless the environment has them."""
    questions = (
        ("SVC_API_URL", "Address of the service, such as https://svc.example.com: ", ask),
        ("SVC_MCP_KEY", "MCP key (it is not shown): ", ask_secret),
    )
    for name, question, asker in questions:
        if machine.environment.get(name, "").strip():
            continue
        try:
            answer = asker(question).strip()
        except EOFError:
            answer = ""
        if not answer:
            raise InstallError(
                f"{name} is missing. Enter it, or set it in the environment. Nothing was changed.", EXIT_USAGE
            )
        machine.environment[name] = answer


def ask_on_terminal(question):
    if not (sys.stdin and sys.stdin.isatty()):
        raise EOFError
    return input(question)


def ask_secret_on_terminal(question):
    import getpass

    if not (sys.stdin and sys.stdin.isatty()):
        raise EOFError
    return getpass.getpass(question)


def entry_for(client, machine, script):
    """The entry of this client: how to start the script, and its settings."""
    environment = machine.environment
    env = {"SVC_API_URL": environment["SVC_API_URL"].strip().rstrip("/")}
    env["SVC_MCP_KEY"] = KEY_INPUT_REFERENCE if client.form.uses_key_input else environment["SVC_MCP_KEY"].strip()
    env["SVC_MCP_READ_ONLY"] = "0"
    for name in COPIED_VARIABLES:  # the client does not pass these on, and the check was done with them
        value = environment.get(name, "").strip()
        if value:
            env[name] = os.path.abspath(value) if name == "SSL_CERT_FILE" else value
    if not Address(env["SVC_API_URL"]).is_loopback():
        for name in PROXY_VARIABLES:
            value = environment.get(name.lower()) or environment.get(name)
            if value:
                env[name] = value
    return dict(client.extra, command=os.path.abspath(machine.interpreter), args=[script], env=env)


def holds_secret(entry):
    proxies = (entry["env"].get(name, "") for name in PROXY_VARIABLES)
    return entry["env"]["SVC_MCP_KEY"] != KEY_INPUT_REFERENCE or any("@" in proxy for proxy in proxies)


def install(client, machine, check=check, ask=ask_on_terminal, ask_secret=ask_secret_on_terminal):
    """Checks the settings, copies this script, and writes the entry. Returns the exit code."""
    if not machine.interpreter:
        raise InstallError("The path of Python is not known. Start this script as python3 svc_mcp_stdio.py.")
    if machine.hides_files(client.path(machine)):
        raise InstallError(
            f"This Python is from the Microsoft Store, and {client.title} cannot see the files that it writes. Use "
            "Python from python.org, or write the entry by hand. Nothing was changed."
        )
    ConfigFile(client, machine).refuse_read_only()  # before the questions
    if not client.is_found(machine):
        show("client", f"{client.title} was not found on this computer. The entry is written anyway.", "note")
    ask_settings(machine, ask, ask_secret)
    if check() != 0:
        show("install", "Nothing was changed. Correct what FAIL names, and run this again.", "FAIL")
        return EXIT_CHECK_FAILED
    installed = InstalledFiles(machine)
    file = ConfigFile(client, machine)  # again: the client may have changed it during the questions
    entry = entry_for(client, machine, installed.script)
    text, undo = client.form.install(file.text, entry)
    made = make_folders(os.path.dirname(file.target))
    try:
        installed.copy_script()
        if undo is not None:
            record = {"client": client.name, "undo": undo, "made_file": file.data is None, "folders": made}
            installed.write_record(file.path, record)
        is_private = holds_secret(entry)
        lines = file.tighten(is_private) if text == file.text else file.write(text, is_private)
    except BaseException:
        remove_empty_folders(made)
        installed.remove_if_unused()
        raise
    show("script", installed.script)
    show("entry", f"{SERVER_NAME} in {file.path}" + (", already up to date" if text == file.text else ""))
    for subject, line in lines:
        show(subject, line)
    for note in client.form.notes(text, client):
        show("note", f"{note}. If it shows no tools, remove that.", "note")
    print_line(sys.stdout, f"Next: {client.next_step}")
    return 0


def uninstall(client, machine):
    """Removes the entry, and the script if no other client uses it. Returns the exit code."""
    file, installed = ConfigFile(client, machine), InstalledFiles(machine)
    if file.entry() is None:
        show("entry", f"{file.path} has no entry {SERVER_NAME}. Nothing was changed.")
        return 0
    file.refuse_read_only()
    undo, made_file, folders = installed.record(file.path)
    text = client.form.uninstall(file.text, undo)
    if made_file and not text.strip():
        file.remove()
        remove_empty_folders(folders)
        lines = [("file", f"{file.path} was removed: it had only this entry")]
    else:
        lines = file.write(text, is_private=False)
    show("entry", f"{SERVER_NAME} is no longer in {file.path}")
    for subject, line in lines:
        show(subject, line)
    try:
        installed.write_record(file.path, None)
    except OSError:  # an old record does no harm
        pass
    if installed.remove_if_unused():
        show("script", f"{installed.script} was removed: no client uses it")
    print_line(
        sys.stdout, f"Next: Restart {client.title}. Revoke the key under Settings > MCP if nothing else uses it."
    )
    return 0


def list_clients(machine):
    rows = [("CLIENT", "FOUND", "ENTRY", "FILE")]
    for client in CLIENTS:
        try:
            entry = "no" if ConfigFile(client, machine).entry() is None else "yes"
        except InstallError:
            entry = "unreadable"
        rows.append((client.name, "yes" if client.is_found(machine) else "no", entry, client.path(machine)))
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    for name, found, entry, path in rows:
        path = path.encode(encoding, "backslashreplace").decode(encoding)
        print_line(sys.stdout, f"{name:<16}{found:<7}{entry:<12}{path}")
    return 0


def configure(arguments, machine=None, **options):
    """Runs --install, --uninstall or --list-clients, and returns the exit code. Tests pass options of `install`."""
    machine = machine or Machine()
    if any(KEY_PREFIX in argument for argument in arguments):
        text = "A key on the command line is visible to other users. Revoke it, and enter a new one when asked."
        print_line(sys.stderr, f"svc_mcp_stdio: {text}")
        return EXIT_USAGE
    clients = {client.name: client for client in CLIENTS}
    command, names = arguments[0], arguments[1:]
    if command == "--list-clients" and names:
        print_line(sys.stderr, "svc_mcp_stdio: --list-clients takes no argument")
        return EXIT_USAGE
    if command != "--list-clients" and (len(names) != 1 or names[0] not in clients):
        print_line(sys.stderr, f"svc_mcp_stdio: name one client after {command}: {', '.join(clients)}")
        return EXIT_USAGE
    try:
        if command == "--list-clients":
            return list_clients(machine)
        if command == "--install":
            return install(clients[names[0]], machine, **options)
        return uninstall(clients[names[0]], machine)
    except InstallError as error:
        show(command[2:], error.text, "FAIL")
        return error.code
    except OSError as error:
        show(command[2:], f"{error.filename or 'A file'}: {error.strerror}. The client's file was not changed.", "FAIL")
        return EXIT_FILE
    except KeyboardInterrupt:
        print_line(sys.stdout, "")
        show(command[2:], "Stopped. --list-clients shows which clients have an entry.", "FAIL")
        return 130


def main(arguments):
    import signal

    if arguments[:1] in (["--install"], ["--uninstall"], ["--list-clients"]):
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # the terminal and temporary files are cleaned up
        return configure(arguments)
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
