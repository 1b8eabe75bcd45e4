#!/usr/bin/env python3
"""The stdio bridge of svc-mcp: one file, Python 3.8 or later, standard library alone.

How a line travels: `Bridge.read_on` reads it and `Bridge.handle` decides. It is answered there and then, or
becomes a `Call` that its worker takes through `Upstream.request`; `Bridge.finish` writes the answer.
Network modules are imported on first use, so that a client has its `initialize` answer at once.
"""

import os
import sys

if sys.path and sys.path[0] == os.path.dirname(os.path.abspath(__file__)):
    del sys.path[0]  # often a downloads folder: a stray json.py or socket.py in it must not run here

import _thread
import collections
import json
import re
import threading
import time

VERSION = "0.1.0"

USAGE = """\
usage: svc_mcp_stdio.py [--check | --version | --help]

Gives an MCP client (Claude Desktop, Cursor, VS Code, ...) the tools of one brand. The client starts
it without arguments and speaks JSON-RPC 2.0 with it, one message a line on stdin and stdout.

  --check    try the set-up as the client would, and say what to do where something fails

environment:
  SVC_API_URL         base address of the service, such as https://svc.example.com
  SVC_MCP_KEY         the MCP key, from Settings > MCP
  SVC_MCP_READ_ONLY   1 hides every tool that writes (optional)
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY, SSL_CERT_FILE   as elsewhere (optional)"""

# --- Protocol: revisions are dates, so they compare as text ---

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
    "instructions": "These tools act for one brand, the one that the configured key belongs to. A result with "
    "isError says what to do next; after a rate limit, wait as long as it says.",
}
DISCOVERY = dict(SERVER, supportedVersions=[STATELESS], ttlMs=3_600_000, cacheScope="private")
TOOLS_CACHING = {"ttlMs": 60_000, "cacheScope": "private"}  # not longer: a plan or a scope may change

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, UNSUPPORTED_REVISION = -32602, -32603, -32022

# --- Limits, in seconds and bytes ---

CONNECT_LIMIT = 10.0  # names and TCP, and again TLS
READ_LIMIT = 40.0  # silence; the service's own longest wait is 25
TOTAL_LIMIT = 55.0  # one request with its retries: clients commonly give up at 60
DRAIN_LIMIT = 5.0  # for the calls in flight when stdin ends
IDLE_LIMIT = 60.0  # routers forget an idle connection without telling either end
RETRY_PAUSES = (0.0, 0.0, 0.7)  # before each try; a service that restarts is back by the last
MAX_WORKERS = 32
MAX_LINE = 4 << 20
MAX_CALL = 1 << 20  # what the service takes
MAX_ANSWER = 16 << 20
MAX_HEAD = 64 << 10
MAX_DIGITS = 4300  # as newer Pythons have it: reading longer integers takes quadratic time

END = object()  # after the last line
KEY_PREFIX = "svc_mcp_"
KEY_LENGTH = 57


class Fault(Exception):
    """Why something is not done as asked, in words that tell the reader what to do."""

    def __init__(self, text, code=INTERNAL_ERROR, data=None, reason=None):
        super().__init__(text)
        self.text, self.code, self.data = text, code, data
        self.reason = reason  # the service's own name for it, such as rate_limited


def fault_from(error):
    """A mistake of the bridge's own is a Fault too: the client must not wait for ever, nor see what it holds."""
    return error if isinstance(error, Fault) else Fault(f"The bridge failed ({type(error).__name__}).")


class Broken(Exception):
    """The network failed in a way that trying again may mend."""


class Dropped(Exception):
    """The client has cancelled the call: whatever became of it, nothing is answered."""


# --- Settings ---


def variable(name, meaning):
    value = os.environ.get(name, "").strip()
    if not value:
        raise Fault(f"{name} is not set. Set it to {meaning} in the client's configuration.")
    if value.startswith("${"):
        raise Fault(
            f"{name} begins with '${{': the client passed on a variable's name instead of its value. "
            f"Write {meaning} itself, or define that variable where the client is started."
        )
    return value


class Address:
    """A URL taken apart: the service's, or a proxy's."""

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


def read_address():
    url = variable("SVC_API_URL", "the base address of the service, such as https://svc.example.com")
    if KEY_PREFIX in url:
        raise Fault("SVC_API_URL contains a key. It belongs in SVC_MCP_KEY alone; this one is exposed: revoke it.")
    try:
        address = Address(url.rstrip("/"))
        if address.credentials:
            raise ValueError("they would end up in messages")
    except ValueError:
        raise Fault(
            "SVC_API_URL is not an address that can be used. It looks like https://svc.example.com or "
            "http://127.0.0.1:8080: no user name, no '?', no spaces."
        ) from None
    if "/mcp/v1" in address.path:
        raise Fault("SVC_API_URL is the base address alone: leave away /mcp/v1 and what follows it.")
    return address


def read_key():
    key = variable("SVC_MCP_KEY", "the MCP key from Settings → MCP")
    body = key[len(KEY_PREFIX) :]
    if not (key.startswith(KEY_PREFIX) and body.isalnum() and body.isascii()):
        raise Fault(
            f"SVC_MCP_KEY is not an MCP key: that is {KEY_PREFIX} followed by letters and digits, "
            "without quotes, spaces or 'Bearer'. Copy it again from Settings → MCP."
        )
    return key


def read_only():
    value = os.environ.get("SVC_MCP_READ_ONLY", "").strip().lower()
    if value in ("", "0", "false", "no", "off"):
        return False
    if value in ("1", "true", "yes", "on"):
        return True
    # A guess would be wrong for somebody: writes let through, or tools gone.
    raise Fault("SVC_MCP_READ_ONLY is neither 1 nor 0. Set it to 1 to hide the tools that write, or to 0.")


class Settings:
    def __init__(self):
        self.address, self.key, self.read_only = read_address(), read_key(), read_only()


# --- JSON ---


def finite(text):
    number = float(text)
    if number - number != 0:  # an infinity, which no JSON can say
        raise ValueError(text)
    return number


def bounded(text):
    if len(text) > MAX_DIGITS:
        raise ValueError("an integer of too many digits")
    return int(text)


def no_constant(text):
    raise ValueError(text)  # NaN and Infinity are not JSON


# Made once: json.loads and json.dumps would make theirs on every call. What goes out is ASCII, for any code page.
decode_text = json.JSONDecoder(parse_float=finite, parse_int=bounded, parse_constant=no_constant).decode
encode_json = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def decode_json(data):
    """The JSON value in some bytes; ValueError where there is none, or one nested beyond reason."""
    try:
        return decode_text(data.decode("utf-8"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def decode_object(data):
    """The JSON object in some bytes; an empty one where there is none."""
    try:
        value = decode_json(data)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def success(request_id, result):
    return {"jsonrpc": "2.0", "id": request_id, "result": result}


def failure(request_id, fault):
    error = {"code": fault.code, "message": fault.text}
    if fault.data is not None:
        error["data"] = fault.data
    return {"jsonrpc": "2.0", "id": request_id, "error": error}


def serialize(answer):
    try:
        return encode_json(answer)
    except RecursionError:
        return encode_json(failure(answer["id"], Fault("The service's answer is nested too deeply to pass on.")))


def clean(text, most=1000):
    """Foreign text for people and models: printable, and not endless."""
    return "".join(c if c.isprintable() else " " for c in str(text)[:most]).strip()


# --- HTTP ---
# A request is one send and, mostly, one receive. http.client would take longer to import than all else here
# together, and it bounds each read but not the whole answer; what is needed of HTTP/1.1 is little.


class Connection:
    """A kept-alive connection to the service, or to the proxy before it."""

    def __init__(self, sock, *nothing_to_read):
        self.sock = sock
        self.nothing_to_read = (BlockingIOError, *nothing_to_read)
        self.buffer = bytearray()
        self.used_at = time.monotonic()
        self.reusable = False

    def is_alive(self):
        """Whether the other end is still open: then an idle connection has nothing to read."""
        try:
            self.sock.settimeout(0)
            self.sock.recv(1)
        except self.nothing_to_read:
            return time.monotonic() - self.used_at < IDLE_LIMIT
        except OSError:
            pass
        return False

    def exchange(self, request, call):
        """Sends a request and returns (status, headers, body)."""
        self.reusable = False  # until the whole answer is there
        self.sock.settimeout(call.time_left(READ_LIMIT))
        self.sock.sendall(request)
        status, headers = self.read_head(call)
        while status < 200:  # interim answers announce, they do not answer
            status, headers = self.read_head(call)
        if headers.get("transfer-encoding", "").lower() == "chunked":
            body = self.read_chunks(call)
        elif status in (204, 304):  # never have one
            body = b""
        elif "content-length" in headers:
            body = self.read_exactly(int(headers["content-length"]), call)
        else:
            headers["connection"] = "close"
            body = self.read_to_end(call)
        self.reusable = not self.buffer and headers.get("connection", "").lower() != "close"
        self.used_at = time.monotonic()
        if body and headers.get("content-encoding", "").lower() == "gzip":
            body = unpacked(body)
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
            body += self.read_exactly(size, call, MAX_ANSWER - len(body))
            self.read_until(b"\r\n", call)
        while self.read_until(b"\r\n", call):  # trailers
            pass
        return body

    def read_to_end(self, call):
        try:
            return self.read_exactly(MAX_ANSWER, call)
        except Broken:
            return self.take(len(self.buffer))

    def read_until(self, end, call):
        found = self.buffer.find(end)
        while found < 0:
            # A peer that is no web server may greet and then wait for ever: its first bytes give it away.
            if len(self.buffer) > MAX_HEAD or (len(end) > 2 and not b"HTTP/1.".startswith(self.buffer[:7])):
                raise ValueError("not HTTP")
            self.receive(call)
            found = self.buffer.find(end)
        return self.take(found + len(end))[: -len(end)]

    def read_exactly(self, size, call, most=MAX_ANSWER):
        if not 0 <= size <= most:
            raise ValueError("an answer of an impossible size")
        while len(self.buffer) < size:
            self.receive(call)
        return self.take(size)

    def take(self, size):
        data = bytes(self.buffer[:size])
        del self.buffer[:size]
        return data

    def receive(self, call):
        self.sock.settimeout(call.time_left(READ_LIMIT))
        data = self.sock.recv(65536)
        if not data:
            raise Broken("the connection was closed")
        self.buffer += data


def unpacked(body):
    """What was packed with gzip; as bounded as if it had come unpacked."""
    import zlib

    unpacking = zlib.decompressobj(31)  # 31: gzip's own header
    try:
        body = unpacking.decompress(body, MAX_ANSWER)
    except zlib.error:
        raise ValueError("not gzip") from None
    if not unpacking.eof:
        raise ValueError("an answer of an impossible size")
    return body


def find_proxy(address):
    """The proxy that the environment names for the service, or None."""
    if not any(name.lower().endswith("_proxy") for name in os.environ):
        return None  # spares nearly everybody a slow import
    from urllib.request import getproxies_environment, proxy_bypass_environment

    url = getproxies_environment().get("https" if address.tls else "http")
    if not url or proxy_bypass_environment(address.endpoint):
        return None
    try:
        proxy = Address((url if "://" in url else "http://" + url).rstrip("/"))
    except ValueError:
        proxy = None
    if proxy is None or proxy.tls:
        raise Fault("The proxy's URL is not of the form http://host:port. Correct HTTPS_PROXY or HTTP_PROXY.")
    return proxy


def proxy_header(proxy):
    if not proxy.credentials:
        return ""
    from base64 import b64encode
    from urllib.parse import unquote_to_bytes

    return f"Proxy-Authorization: Basic {b64encode(unquote_to_bytes(proxy.credentials)).decode('ascii')}\r\n"


def dial(host, port, limit):
    """A TCP connection. The system's resolver knows no time limit, so a thread that can be left behind waits for it."""
    import socket

    outcome, done = [], threading.Event()

    def connect():
        try:  # a silent address must leave some of the time to the others
            outcome.append(socket.create_connection((host, port), limit / 2))
        except Exception as error:
            outcome.append(error)
        done.set()

    _thread.start_new_thread(connect, ())
    if not done.wait(limit):
        raise socket.timeout
    [sock] = outcome
    if isinstance(sock, Exception):
        raise sock
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.settimeout(limit)
    return sock


def tls_context():
    import ssl

    try:
        return ssl.create_default_context(cafile=os.environ.get("SSL_CERT_FILE") or None)
    except OSError:  # left to itself, OpenSSL would pass over it and trust nobody
        raise Fault("SSL_CERT_FILE does not name a readable PEM file of certificates. Correct or unset it.") from None


class Upstream:
    """The service's endpoints, over kept-alive connections that the workers share."""

    def __init__(self, address, key):
        self.address, self.key = address, key
        self.idle = []  # the last one back is the first one out; append and pop are atomic
        self.headers = None
        self.preparing = threading.Lock()

    def prepare(self):
        """What can wait until the first request: proxy, TLS, and the headers that all requests share."""
        with self.preparing:
            if self.headers:
                return
            self.proxy = find_proxy(self.address)
            self.via = f" through the proxy {self.proxy.endpoint}" if self.proxy else ""
            self.tls = tls_context() if self.address.tls else None
            self.base = self.address.path
            headers = f"Host: {self.address.authority}\r\nAuthorization: Bearer {self.key}\r\n"
            if self.proxy and not self.tls:  # such a proxy wants the whole URL, and its own header each time
                self.base = self.address.url
                headers += proxy_header(self.proxy)
            headers += "Accept: application/json\r\nAccept-Encoding: gzip\r\n"
            self.headers = headers + f"User-Agent: svc-mcp-stdio/{VERSION}\r\n"

    def request(self, call, method, path, body=b"", extra=""):
        """Sends a request, again where the connection broke, and returns (status, headers, body)."""
        self.prepare()
        if body:
            extra += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        data = f"{method} {self.base}{path} HTTP/1.1\r\n{self.headers}{extra}\r\n".encode("ascii") + body
        for tries, pause in enumerate(RETRY_PAUSES):
            call.pause(pause)
            try:
                return self.attempt(call, data, fresh=tries > 0)
            except Broken as broken:
                why = broken
        raise Fault(
            f"The service is unreachable at {self.address.url}{self.via}: {clean(why)}. "
            f"Check SVC_API_URL, the network, and whether the service runs.{call.doubt()}"
        )

    def attempt(self, call, data, fresh):
        import socket

        connection = self.connection(call, fresh)
        try:
            call.hold(connection.sock)
            answer = connection.exchange(data, call)
            call.hold(None)
            return answer
        except socket.timeout:
            raise Fault(f"The service at {self.address.url} did not answer in time.{call.doubt()}") from None
        except ValueError:
            raise self.stranger("it does not speak HTTP") from None
        except OSError as error:
            raise Broken(error.strerror or "the connection broke") from None
        finally:
            if connection.reusable:
                self.idle.append(connection)
            else:
                connection.sock.close()

    def stranger(self, what):
        return Fault(
            f"What answers at {self.address.url} is not the service ({what}). Check SVC_API_URL, and whether "
            "a proxy or a sign-in page stands between."
        )

    def connection(self, call, fresh):
        """An idle connection that is still alive, or a new one; after a break the idle ones are not trusted."""
        while self.idle:
            try:
                connection = self.idle.pop()
            except IndexError:  # another worker was quicker
                break
            if not fresh and connection.is_alive():
                return connection
            connection.sock.close()
        return self.connect(call)

    def connect(self, call):
        """A new connection, through the proxy and TLS where there are any."""
        import socket

        dialled = self.proxy or self.address
        try:
            sock = dial(dialled.host, dialled.port, call.time_left(CONNECT_LIMIT))
            if not self.tls:
                return Connection(sock)
            if self.proxy:
                self.open_tunnel(sock, call)
            return self.secure(sock)
        except socket.timeout:
            raise Fault(
                f"The service is unreachable at {self.address.url}{self.via}: no connection came about in time. "
                f"Check SVC_API_URL, the network, and whether the service runs.{call.doubt()}"
            ) from None
        except (socket.gaierror, UnicodeError):
            raise Broken(f"the name {dialled.host} is not known") from None
        except (OSError, ValueError) as error:
            raise Broken(getattr(error, "strerror", None) or "the connection was closed") from None

    def open_tunnel(self, sock, call):
        end = self.address.endpoint
        sock.sendall(f"CONNECT {end} HTTP/1.1\r\nHost: {end}\r\n{proxy_header(self.proxy)}\r\n".encode("ascii"))
        status, _ = Connection(sock).read_head(call)
        if status != 200:
            raise self.refused_by_proxy(status)

    def refused_by_proxy(self, status):
        hint = "Put a user name and password into its URL." if status == 407 else "Check the proxy variables."
        return Fault(
            f"The proxy {self.proxy.endpoint} refused to connect to {self.address.endpoint} (HTTP {status}). {hint}"
        )

    def secure(self, sock):
        import ssl

        try:
            return Connection(self.tls.wrap_socket(sock, server_hostname=self.address.host), ssl.SSLWantReadError)
        except ssl.SSLCertVerificationError as error:
            raise Fault(
                f"The certificate of {self.address.host} is not trusted: {clean(error.verify_message)}. "
                "If a private authority issued it, set SSL_CERT_FILE to that authority's PEM file."
            ) from None
        except ssl.SSLError as error:
            raise Fault(
                f"TLS with {self.address.authority} failed ({clean(error.reason)}). "
                "Check that SVC_API_URL should begin with https."
            ) from None


# --- Words for what the service refuses ---

REJECTED = (
    "The service rejected the MCP key: it is mistyped, revoked or expired. Check SVC_MCP_KEY in the client's "
    "configuration, or create a new key under Settings → MCP, and start the client again."
)
ADVICE = {
    "key_invalid": REJECTED,
    "credential_missing": REJECTED,
    "mcp_inactive": "MCP is inactive in this brand's plan, so every call is refused until it is active again. The key "
    "is kept. Ask the owner of the account to activate MCP in the plan.",
    "key_owner_removed": "The user who created this key is no longer a member of the brand, so the key does not work. "
    "A present member can create a new one under Settings → MCP.",
    "insufficient_scope": "This key may not use this tool. Tools that write need a key of scope write, and a key can "
    "be limited to named tools: create a fitting one under Settings → MCP.",
    "rate_limited": "Rate limit reached: 60 requests a minute with one key. Wait {wait} s, then call again.",
    "unavailable": "The service is unavailable for the moment, and nothing was changed. Try again in {wait} s.",
}
# What --check calls the thing that has to be looked at.
SUBJECTS = {
    "key_invalid": "key",
    "credential_missing": "key",
    "mcp_inactive": "plan",
    "key_owner_removed": "owner",
    "rate_limited": "rate limit",
}


def fault_of(status, headers, body, upstream):
    """The words for an answer that is not a success."""
    problem = decode_object(body)
    reason, detail = str(problem.get("code")), clean(problem.get("detail", ""))
    if reason == "unknown_tool":
        return Fault(detail, INVALID_PARAMS)
    if reason == "invalid_arguments":
        return Fault(argument_faults(problem, detail))
    if reason in ADVICE:
        return Fault(ADVICE[reason].format(wait=retry_after(headers, 60)), reason=reason)
    if detail:
        return Fault(f"{detail} (HTTP {status}, request {clean(problem.get('request_id'))})")
    if status == 407 and upstream.proxy:
        return upstream.refused_by_proxy(status)
    if 300 <= status < 400:
        return Fault(
            f"{upstream.address.url} redirects to {clean(headers.get('location'))}. Redirects are not followed, since "
            "the key would travel along: set SVC_API_URL to the final address."
        )
    return upstream.stranger(f"HTTP {status}")


def argument_faults(problem, detail):
    """Every fault at once, so that a model can correct them all in its next call."""
    errors = problem.get("errors")
    faults = [e for e in errors if isinstance(e, dict)] if isinstance(errors, list) else []
    lines = [f"- {clean(e.get('field'))}: {clean(e.get('message'))}" for e in faults] or [f"- {detail}"]
    return "\n".join(["The arguments are wrong. Correct them and call again:"] + lines)


def retry_after(headers, default):
    value = headers.get("retry-after", "")
    return int(value) if re.fullmatch("[0-9]{1,6}", value) else default


# --- The bridge ---


class Call:
    """A tools/list or tools/call on its way: whom to answer, how long it may take, and how to stop it."""

    def __init__(self, request_id, method, params, revision, reply):
        self.id, self.method, self.params = request_id, method, params
        self.revision, self.reply = revision, reply
        self.ends_at = time.monotonic() + TOTAL_LIMIT
        self.settled = False
        self.dropped = threading.Event()
        self.sock = None
        self.was_sent = False

    def time_left(self, most):
        """How long the next step may wait: `most`, or what is left of the whole."""
        left = self.ends_at - time.monotonic()
        if left <= 0:
            raise Fault(f"The service did not answer in time ({TOTAL_LIMIT:g} s).{self.doubt()}")
        return min(left, most)

    def doubt(self):
        if self.was_sent and self.method == "tools/call":
            return " The call may or may not have been carried out: check before you repeat it."
        return ""

    def pause(self, seconds):
        if seconds:
            self.dropped.wait(self.time_left(seconds))
        self.check()

    def check(self):
        if self.dropped.is_set():
            raise Dropped

    def hold(self, sock):
        """Notes the socket that carries the call, None once it is answered."""
        self.sock = sock
        self.was_sent = True
        self.check()  # a cancellation that came before this could not reach the socket

    def drop(self):
        """Ends the call from another thread: whoever waits on its socket wakes up at once."""
        self.dropped.set()
        sock = self.sock
        if sock is not None:
            import socket

            try:  # not through the TLS object, which its own thread is using
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
            except OSError:
                pass


class Batch:
    """Collects the answers to a JSON-RPC batch and sends them as one array once all are there."""

    def __init__(self, size, send_text):
        self.missing, self.answers, self.send_text = size, [], send_text
        self.lock = threading.Lock()

    def settle(self, answer):
        with self.lock:
            self.missing -= 1
            if answer is not None:
                self.answers.append(serialize(answer))
            if self.missing == 0 and self.answers:
                self.send_text("[" + ",".join(self.answers) + "]")


class Bridge:
    """Reads, answers and forwards. Its workers take turns at reading: see `work`."""

    def __init__(self, settings, stream, out):
        self.settings, self.lines, self.out = settings, read_lines(stream), out
        self.upstream = Upstream(settings.address, settings.key)
        self.revision = DEFAULT_REVISION  # of clients that use `initialize`; newer ones name theirs each time
        self.known_tools = {}
        self.writing = threading.Lock()
        self.reading = threading.Lock()
        self.changed = threading.Condition()  # guards what follows
        self.in_flight = set()
        self.backlog = collections.deque()  # calls that no worker has taken up yet
        self.workers = 1
        self.next_readers = 1  # workers that do nothing but wait for their turn at reading

    # Workers

    def work(self):
        """Reads until there is a call, leaves the reading to another worker, and carries the call out.

        So a call stays with the thread that read it. To wake another one for it would take longer than all else
        that the bridge does; who reads on can wake up while the service is at work.
        """
        while True:
            call = self.read_on()
            while call is not None:
                self.finish(call, self.outcome(call))
                call = self.from_backlog()

    def read_on(self):
        """Deals with line after line until one of them makes a call for this worker."""
        with self.reading:
            with self.changed:
                self.next_readers -= 1
            call = self.take_up()
            while call is None:
                self.handle_line(next(self.lines, END))
                call = self.take_up()
            return call

    def take_up(self):
        """A call to carry out, where there is one and another worker can read on."""
        with self.changed:
            if not self.backlog:
                return None
            if not self.next_readers:
                if self.workers == MAX_WORKERS:
                    return None  # then this one reads on, and whoever is free first takes the call
                self.workers += 1
                self.next_readers += 1
                _thread.start_new_thread(self.work, ())
            return self.backlog.popleft()

    def from_backlog(self):
        with self.changed:
            if self.backlog:
                return self.backlog.popleft()
            self.next_readers += 1
            return None

    def end(self):
        """After the last line: lets the calls in flight finish for a while, and ends the process."""
        with self.changed:
            self.changed.wait_for(lambda: not self.in_flight, DRAIN_LIMIT)
            late = list(self.in_flight)
        for call in late:
            self.finish(call, failure(call.id, Fault(f"The input ended before the service answered.{call.doubt()}")))
        os._exit(0)  # threads that still wait for something must not hold the process up

    # Reading

    def handle_line(self, line):
        if line is END:
            self.end()
        try:
            message = parse(line)
            if isinstance(message, list) and (self.revision != BATCHES_ONLY_IN or not message):
                raise Fault("A batch is not a request of the agreed revision.", INVALID_REQUEST)
        except Fault as fault:
            self.send(failure(None, fault))
            return
        if isinstance(message, list):
            batch = Batch(len(message), self.send_text)
            for item in message:
                self.handle(item, batch.settle)
        else:
            self.handle(message, self.send)

    def handle(self, message, reply):
        """Deals with one message. `reply` is called once, now or later; with None where no answer is due."""
        if isinstance(message, dict) and "method" not in message and ("result" in message or "error" in message):
            return reply(None)  # a response: nothing was asked from here, so it belongs to nobody
        if not is_well_formed(message):
            return reply(failure(None, Fault("The message is not a JSON-RPC 2.0 request.", INVALID_REQUEST)))
        request_id, method, params = message.get("id"), message["method"], message.get("params")
        if request_id is None:
            if method == "notifications/cancelled" and isinstance(params, dict):
                self.cancel(params.get("requestId"))
            return reply(None)
        try:
            result = self.dispatch(request_id, method, {} if params is None else params, reply)
        except Exception as error:
            return reply(failure(request_id, fault_from(error)))
        return None if result is None else reply(success(request_id, result))

    def dispatch(self, request_id, method, params, reply):
        """The result of a request that is answered here; None for one that a worker will answer."""
        if not isinstance(params, dict):
            raise Fault("params must be an object.", INVALID_PARAMS)
        if method == "initialize":
            asked = params.get("protocolVersion")
            self.revision = asked if asked in HANDSHAKE_REVISIONS else DEFAULT_REVISION
            return dict(SERVER, protocolVersion=self.revision, serverInfo=SERVER_INFO)
        revision = self.revision_of(method, params)
        if method == "ping":
            return stamp({}, revision)
        if method == "server/discover":
            return stamp(dict(DISCOVERY), revision)
        if method == "tools/call":
            if not isinstance(params.get("name"), str):
                raise Fault("params.name must be the name of a tool.", INVALID_PARAMS)
            if not isinstance(params.get("arguments"), (dict, type(None))):
                raise Fault("params.arguments must be an object.", INVALID_PARAMS)
        elif method != "tools/list":
            raise Fault(f"This server has no method {clean(method, 100)}.", METHOD_NOT_FOUND)
        self.start(Call(request_id, method, params, revision, reply))
        return None

    def revision_of(self, method, params):
        """The revision that this one request is made under: clients of both eras may share a process."""
        meta = params.get("_meta")
        meta = meta if isinstance(meta, dict) else {}
        if META_VERSION not in meta and method != "server/discover":
            return self.revision
        asked = meta.get(META_VERSION)
        if not isinstance(asked, str) or not isinstance(meta.get(META_CAPABILITIES), dict):
            text = f"params._meta must have {META_VERSION}, a string, and {META_CAPABILITIES}, an object."
            raise Fault(text, INVALID_PARAMS)
        if asked != STATELESS:
            data = {"supported": [STATELESS], "requested": asked}
            raise Fault("Unsupported protocol version.", UNSUPPORTED_REVISION, data)
        return STATELESS

    # Calls in flight

    def start(self, call):
        with self.changed:
            self.in_flight.add(call)
            self.backlog.append(call)

    def outcome(self, call):
        try:
            return self.answer(call)
        except Dropped:
            return None
        except Exception as error:
            return failure(call.id, fault_from(error))

    def finish(self, call, answer):
        with self.changed:
            if call.settled:
                return
            call.settled = True
        call.reply(answer)
        with self.changed:
            self.in_flight.discard(call)
            self.changed.notify_all()

    def cancel(self, request_id):
        with self.changed:
            calls = [call for call in self.in_flight if is_id(request_id) and call.id == request_id]
        for call in calls:
            call.drop()
            self.finish(call, None)

    def answer(self, call):
        try:
            result = self.list_tools(call) if call.method == "tools/list" else self.call_tool(call)
        except Fault as fault:
            if call.method == "tools/list" or fault.code != INTERNAL_ERROR:
                return failure(call.id, fault)
            result = {"content": [{"type": "text", "text": fault.text}], "isError": True}  # for the model to read
        return success(call.id, stamp(result, call.revision))

    def list_tools(self, call):
        tools = self.visible(self.fetch_tools(call))
        fields = [name for name, since in TOOL_FIELDS_SINCE.items() if since <= call.revision]
        result = {"tools": [{name: tool[name] for name in fields if name in tool} for tool in tools]}
        return dict(result, **TOOLS_CACHING) if call.revision == STATELESS else result

    def visible(self, tools):
        return [tool for tool in tools if only_reads(tool)] if self.settings.read_only else tools

    def fetch_tools(self, call):
        return self.tools_in(self.upstream.request(call, "GET", "/mcp/v1/tools"))

    def tools_in(self, answer):
        tools = self.content(answer, "tools")["tools"]
        self.known_tools = {t["name"]: t for t in tools if isinstance(t, dict) and isinstance(t.get("name"), str)}
        return list(self.known_tools.values())

    def call_tool(self, call):
        name, arguments = call.params["name"], call.params.get("arguments")
        if self.settings.read_only:
            self.refuse_a_write(name, call)
        try:
            body = encode_json({"name": name, "arguments": arguments or {}}).encode("ascii")
        except RecursionError:
            raise Fault("params.arguments are nested too deeply.", INVALID_PARAMS) from None
        if len(body) > MAX_CALL:
            raise Fault(f"The arguments are too large: {len(body)} bytes of at most {MAX_CALL}. Send less in one call.")
        # One key for all tries of a call: the service answers a repetition without doing it twice.
        key = f"Idempotency-Key: {os.urandom(16).hex()}\r\n"
        while True:
            answer = self.upstream.request(call, "POST", "/mcp/v1/tools/call", body, key)
            if answer[0] != 409 or decode_object(answer[2]).get("code") != "in_progress":
                break
            call.pause(retry_after(answer[1], 1) or 1)
        result = self.content(answer, "content")
        if call.revision < STRUCTURED_SINCE:
            result.pop("structuredContent", None)
        return result

    def refuse_a_write(self, name, call):
        if name not in self.known_tools:
            self.fetch_tools(call)
        if name not in self.known_tools:
            raise Fault(f"Unknown tool: {clean(name, 100)}", INVALID_PARAMS)
        if not only_reads(self.known_tools[name]):
            raise Fault(
                f"{name} writes, and this bridge is set to read only. Tell the user that SVC_MCP_READ_ONLY "
                "has to be 0 in the client's configuration for this."
            )

    def content(self, answer, member):
        """The JSON object of a success, which has this member, an array; a Fault for anything else."""
        status, headers, body = answer
        if status != 200:
            raise fault_of(status, headers, body, self.upstream)
        content = decode_object(body)
        if not isinstance(content.get(member), list):
            raise self.upstream.stranger(f"an answer without {member}")
        return content

    # Writing

    def send(self, answer):
        if answer is not None:
            self.send_text(serialize(answer))

    def send_text(self, text):
        # Nothing should ever send the key back. Should something do, it stops here.
        data = text.replace(self.settings.key, KEY_PREFIX + "[hidden]").encode("ascii") + b"\n"
        with self.writing:
            try:
                while data:
                    data = data[os.write(self.out, data) :]
            except OSError:
                os._exit(0)  # the client has closed its end: nobody is left to answer


def read_lines(stream):
    """Each line of the input but blank ones; None for one beyond MAX_LINE, whose rest is passed over."""
    line = stream.readline(MAX_LINE + 1)
    if line.startswith(b"\xef\xbb\xbf"):
        line = line[3:]  # some shells put a byte order mark before what they pipe
    while line:
        if len(line) > MAX_LINE:
            yield None
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE)
        elif line.strip():
            yield line
        line = stream.readline(MAX_LINE + 1)


def parse(line):
    if line is None:
        raise Fault(f"The message is longer than {MAX_LINE} bytes.", INVALID_REQUEST)
    try:
        return decode_json(line)
    except ValueError:
        raise Fault("The line is not a JSON text in UTF-8.", PARSE_ERROR) from None


def is_id(value):
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def is_well_formed(message):
    return (
        isinstance(message, dict)
        and message.get("jsonrpc") == "2.0"
        and isinstance(message.get("method"), str)
        and (message.get("id") is None or is_id(message["id"]))
    )


def stamp(result, revision):
    """Adds what every result of the stateless revision has."""
    if revision == STATELESS:
        result.update(resultType="complete", _meta={META_SERVER: SERVER_INFO})
    return result


def only_reads(tool):
    annotations = tool.get("annotations")
    return isinstance(annotations, dict) and annotations.get("readOnlyHint") is True


# --- The process ---


def say(stream, text):
    """A line for people; not every console has the arrow, nor every process a stderr."""
    if stream:
        print(text.replace("→", ">"), file=stream, flush=True)


def report(subject, text, mark="ok"):
    say(sys.stdout, f"{mark:<5} {subject:<18} {text}")


def check():
    """Tries the set-up as a client would, a line for each step; returns the exit code."""
    say(sys.stdout, f"svc_mcp_stdio {VERSION}, Python {sys.version.split()[0]}")
    step = "SVC_API_URL"
    try:
        report(step, read_address().url)
        step = "SVC_MCP_KEY"
        length = len(read_key())
        report(step, "set" if length == KEY_LENGTH else f"set, but {length} characters long instead of {KEY_LENGTH}")
        step = "SVC_MCP_READ_ONLY"
        report(step, "1: tools that write are hidden" if read_only() else "0")
        step = "connection"
        bridge, call = Bridge(Settings(), None, None), Call(None, "tools/list", {}, STATELESS, None)
        answer = bridge.upstream.request(call, "GET", "/mcp/v1/tools")
        report(step, ("TLS, certificate trusted" if bridge.upstream.tls else "without TLS") + bridge.upstream.via)
        step = "service"
        tools = bridge.tools_in(answer)
    except Fault as fault:
        if fault.reason in ("mcp_inactive", "key_owner_removed", "rate_limited"):
            report("key", "known to the service")
        report(SUBJECTS.get(fault.reason, step), fault.text, "FAIL")
        return 1
    report("key", "accepted")
    report("plan", "MCP is active")
    report("scope", "read" if all(map(only_reads, tools)) else "write")
    shown = bridge.visible(tools)
    report("tools", f"{len(shown)} that an agent sees:")
    for tool in shown:
        say(sys.stdout, f"      {clean(tool['name'])} ({'reads' if only_reads(tool) else 'writes'})")
    return 0


def private_stdout():
    """Keeps the protocol's stream for the bridge alone: whatever else prints, prints on stderr."""
    out = os.dup(1)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdout = sys.stderr
    return out


def watch(out):
    """Ends the process when the client closes our stdout, also while there is nothing to write."""
    import select

    if hasattr(select, "poll"):  # elsewhere the next write, or the end of stdin, tells
        poller = select.poll()
        poller.register(out, 0)  # asks for nothing: errors and hang-ups are reported unasked
        [(_, event)] = poller.poll()
        if event & (select.POLLERR | select.POLLHUP):  # and not that this kind of file cannot be watched
            os._exit(0)


def serve():
    try:
        settings = Settings()
    except Fault as fault:
        say(sys.stderr, f"svc_mcp_stdio: {fault.text}")
        return 2
    try:
        stream, out = open(0, "rb", 65536, closefd=False), private_stdout()
    except OSError:
        say(sys.stderr, "svc_mcp_stdio: stdin or stdout is closed. It is for an MCP client to start this script.")
        return 2
    if stream.isatty():
        say(sys.stderr, "svc_mcp_stdio: waiting for JSON-RPC lines. To try the set-up, run it with --check.")
    _thread.start_new_thread(watch, (out,))
    return Bridge(settings, stream, out).work()


def main(arguments):
    import signal

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # the kernel's way: at once, whatever any thread is doing
    if not arguments:
        return serve()
    if arguments == ["--check"]:
        try:
            return check()
        except BrokenPipeError:  # nobody reads on, as behind `| head`
            os._exit(1)
    if arguments in (["--version"], ["--help"], ["-h"]):
        say(sys.stdout, f"svc_mcp_stdio {VERSION}" if arguments == ["--version"] else USAGE)
        return 0
    say(sys.stderr, USAGE)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
