"""Feeds random and mutated lines to the bridge's line handler, in this process.

    python3 bridge/tests/fuzz_lines.py --lines 1000000 --seed 1

Every answer must be valid JSON-RPC with an expected id. Nothing may raise, and nothing may be printed. The service is
replaced by a function that returns valid, invalid and random responses. The same seed gives the same lines.
"""

import argparse
import contextlib
import importlib.util
import io
import json
import os
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "svc_mcp_stdio.py"
KEY = "svc_mcp_" + "Fz9" * 16 + "q"
MAX_LINE_BYTES = 3000  # short, so that some lines are too long
MAX_ROUND_LINES = 8  # lines until the calls in flight are executed
REPORT_LINES = 500_000

STATELESS = "2026-07-28"
WITH_BATCHES = "2025-03-26"
REVISIONS = ["2024-11-05", "2025-06-18", "2025-11-25", STATELESS]
STATELESS_META = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientCapabilities": {},
}
METHODS = ["ping"] * 8 + [
    "tools/list",
    "tools/call",
    "initialize",
    "server/discover",
    "resources/list",
    "prompts/get",
    "x",
]
ODD_VALUES = [
    None,
    True,
    False,
    0,
    -1,
    1.5,
    1e300,
    "",
    "x",
    "\u0000",
    "\ud800",
    "🎉",
    [],
    {},
    [[]],
    {"a": None},
    10**40,
]
INSERTIONS = [b"{", b"}", b'"', b"[", b",", b"\\", b"\xff", b"9", b"e9", b"e999", b"NaN", b" ", b"\r"]


class Lines:
    """Generates lines from a seed."""

    def __init__(self, seed, revisions=REVISIONS):
        self.random = random.Random(seed)
        self.revisions = revisions
        self.made = 0

    def value(self, depth=0):
        roll = self.random.random()
        if depth > 4 or roll < 0.6:
            return self.random.choice(ODD_VALUES)
        if roll < 0.8:
            return [self.value(depth + 1) for _ in range(self.random.randrange(4))]
        names = ["jsonrpc", "id", "method", "params", "result", "error", "name", "arguments", "_meta", "q"]
        return {self.random.choice(names): self.value(depth + 1) for _ in range(self.random.randrange(5))}

    def request(self):
        self.made += 1
        method = self.random.choice(METHODS)
        request_id = self.made if self.random.random() < 0.7 else f"id-{self.made}"
        params = {
            "name": self.random.choice(["look", "change"]),
            "arguments": {"text": self.random.choice(["", "é", "x"])},
        }
        if method == "initialize":
            params["protocolVersion"] = self.random.choice(self.revisions)
        elif self.random.random() < 0.3:
            params["_meta"] = dict(STATELESS_META)
        if self.random.random() < 0.1:
            params["arguments"] = self.value()
        message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
        if self.random.random() < 0.15:
            del message["id"]
        if self.random.random() < 0.3:
            message[self.random.choice(["id", "params", "method", "jsonrpc", "extra"])] = self.value()
        return message

    def notification(self, request_id="none that is in flight"):
        params = {"requestId": request_id, "reason": "x"}
        return {
            "jsonrpc": "2.0",
            "method": self.random.choice(["notifications/cancelled", "notifications/x"]),
            "params": params,
        }

    def cancellation(self):
        """Cancels one of the newest requests."""
        return self.notification(max(1, self.made - self.random.randrange(6)))

    def mutate(self, line):
        data = bytearray(line)
        for _ in range(self.random.randrange(1, 4)):
            at = self.random.randrange(len(data) + 1)
            kind = self.random.randrange(4)
            if kind == 0 and data:
                data[at % len(data)] = self.random.randrange(256)
            elif kind == 1:
                data[at:at] = self.random.choice(INSERTIONS)
            elif kind == 2:
                del data[at : at + self.random.randrange(1, 6)]
            else:
                data[at:at] = data[at : at + self.random.randrange(1, 20)]
        return bytes(data)

    def encode(self, message):
        return json.dumps(message, ensure_ascii=self.random.random() < 0.5).encode("utf-8", "surrogatepass")

    def line(self):
        roll = self.random.random()
        if roll < 0.1:
            data = self.random.randbytes(self.random.randrange(60))
        elif roll < 0.2:
            data = json.dumps(self.value()).encode()
        elif roll < 0.25:
            data = json.dumps(self.notification()).encode()
        else:
            data = self.encode(self.request())
            if roll > 0.6:
                data = self.mutate(data)
        return data.replace(b"\n", b" ")

    def any_line(self):
        """A line of any kind: also batches, cancellations, deep nesting, long lines and byte order marks."""
        roll = self.random.random()
        if roll < 0.7:
            return self.line()
        if roll < 0.85:
            kinds = [self.request, self.value, self.cancellation][self.random.randrange(3) :: 2]
            data = self.encode([self.random.choice(kinds)() for _ in range(self.random.randrange(5))])
        elif roll < 0.9:
            data = self.encode(self.cancellation())
        elif roll < 0.96:
            data = self.encode(self.request())
        elif roll < 0.98:
            opening, closing = self.random.choice([(b"[", b"]"), (b'{"a":', b"}"), (b'{"params":[', b"]}")])
            depth = self.random.randrange(1, 1400)
            data = opening * depth + b"1" + closing * depth
        else:
            data = b" " * self.random.randrange(MAX_LINE_BYTES + 1000) + self.encode(self.request())
            if self.random.random() < 0.3:
                data = b"\xef\xbb\xbf" + data.strip()
        if self.random.random() < 0.3:
            data = self.mutate(data)
        return data.replace(b"\n", b" ")


def refuse(text):
    raise ValueError(text)


def finite(text):
    return refuse(text) if abs(float(text)) == float("inf") else float(text)


def expected_of(message):
    """The ids of the responses to a message that is not a batch."""
    if not isinstance(message, dict):
        return [None]
    if "method" not in message and ("result" in message or "error" in message):
        return []
    if message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        return [None]
    if message.get("id") is None:
        return []
    return [message["id"] if type(message["id"]) in (int, str) else None]


def decode(line):
    return json.loads(line.decode("utf-8"), parse_constant=refuse, parse_float=finite)


def expected_ids(line):
    """The ids of the responses to a line; None for an error without an id."""
    if not line.strip():
        return []
    try:
        return expected_of(decode(line))
    except (ValueError, RecursionError):
        return [None]


class FakeService:
    """Replaces `Upstream.request`: a response of any kind, or an error."""

    CODES = ["key_invalid", "rate_limited", "unavailable", "unknown_tool", "invalid_arguments", "in_progress", "new"]
    STATUSES = [200, 200, 200, 204, 301, 400, 401, 403, 404, 407, 409, 429, 500, 502, 503, 504]
    TOOLS = [
        {"name": "look", "inputSchema": {}, "annotations": {"readOnlyHint": True}},
        {"name": "change", "inputSchema": {}, "annotations": {"readOnlyHint": False}},
    ]

    def __init__(self, lines, bridge_error):
        self.lines, self.random, self.bridge_error = lines, lines.random, bridge_error

    def request(self, call, method, path, body=b"", extra=""):
        call.check()
        assert (method, path) in (("GET", "/mcp/v1/tools"), ("POST", "/mcp/v1/tools/call"))
        if body:
            assert isinstance(decode(body)["arguments"], dict)
        roll = self.random.random()
        if roll < 0.5:
            result = {"tools": self.TOOLS} if method == "GET" else {"content": [{"type": "text", "text": KEY}]}
            return 200, {}, json.dumps(result).encode()
        if roll < 0.55:
            raise self.bridge_error("The service is unreachable.")
        headers = self.random.choice([{}, {"retry-after": "7"}, {"retry-after": "soon"}, {"location": "http://x/\r"}])
        status = self.random.choice(self.STATUSES)
        if roll < 0.7:
            return status, headers, self.random.randbytes(self.random.randrange(40))
        content = {"content": self.lines.value(), "tools": self.lines.value(), "errors": self.lines.value()}
        if roll < 0.85:
            content.update(code=self.random.choice(self.CODES), detail=self.lines.value())
        return status, headers, json.dumps(content).encode()


class Fuzzer:
    def __init__(self, seed):
        self.lines = Lines(seed, REVISIONS + [WITH_BATCHES] * 8)
        self.module = load_bridge()
        self.module.MAX_LINE_BYTES = MAX_LINE_BYTES
        self.module.Call.pause = lambda call, seconds: call.check()  # no waiting
        self.out = tempfile.TemporaryFile()
        environment = {"SVC_API_URL": "http://127.0.0.1:9", "SVC_MCP_KEY": KEY}
        with replaced_environment(environment):
            self.bridge = self.module.Bridge(self.module.Settings(), io.BytesIO(), self.out.fileno())
            self.bridge.upstream.prepare()
        self.bridge.upstream.request = FakeService(self.lines, self.module.BridgeError).request
        self.codes = {
            value
            for name, value in vars(self.module).items()
            if name.isupper() and isinstance(value, int) and -32800 < value <= -32000
        }
        self.bridge.cancel = self.cancel
        self.cancelled = Counter()
        self.answers = 0

    def run(self, count):
        done = 0
        while done < count:
            if self.lines.random.random() < 0.01:
                self.bridge.settings.read_only = not self.bridge.settings.read_only
            size = min(count - done, self.lines.random.randrange(1, MAX_ROUND_LINES + 1))
            self.round([self.lines.any_line() for _ in range(size)])
            done += size

    def round(self, lines):
        expected = Counter()
        for line in lines:
            expected.update(self.expected(line))
            for part in self.module.read_lines(io.BytesIO(line + b"\n")):
                self.bridge.handle_line(part)
        while self.bridge.backlog:
            call = self.bridge.backlog.popleft()
            self.bridge.finish(call, self.bridge.execute(call))
        assert not self.bridge.in_flight, "a call has not ended"
        expected.subtract(self.cancelled)
        self.cancelled.clear()
        answers = self.read_answers()
        for answer in answers:
            self.assert_valid(answer)
        found = Counter(answer["id"] for answer in answers)
        assert found == +expected, f"answered {found}, expected {+expected}, lines: {lines}"
        self.answers += len(answers)

    def expected(self, line):
        if len(line) + 1 > MAX_LINE_BYTES:
            return [None]
        message = self.decoded(line)
        if isinstance(message, list) and message and self.bridge.revision == WITH_BATCHES:
            return [request_id for item in message for request_id in expected_of(item)]
        return expected_ids(strip_mark(line))

    def cancel(self, request_id):
        """Replaces `Bridge.cancel`, to count the calls that get no response."""
        is_id = type(request_id) in (int, str)
        self.cancelled.update(call.id for call in self.bridge.in_flight if is_id and call.id == request_id)
        self.module.Bridge.cancel(self.bridge, request_id)

    @staticmethod
    def decoded(line):
        try:
            return decode(strip_mark(line))
        except (ValueError, RecursionError):
            return None

    def read_answers(self):
        """The messages that were written, those of batches too."""
        self.out.seek(0)
        data = self.out.read()
        self.out.seek(0)
        self.out.truncate()
        assert KEY.encode() not in data, "the key is in the output"
        assert not data or data.endswith(b"\n")
        answers = []
        for line in data.splitlines():
            message = decode(line.decode("ascii").encode())
            assert message != [], "an empty batch"
            answers += message if isinstance(message, list) else [message]
        return answers

    def assert_valid(self, answer):
        assert isinstance(answer, dict) and answer["jsonrpc"] == "2.0", answer
        assert set(answer) in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"}), answer
        assert type(answer["id"]) in (int, str, type(None)), answer
        if "result" in answer:
            assert isinstance(answer["result"], dict) and answer["id"] is not None, answer
            return
        error = answer["error"]
        assert error["code"] in self.codes and isinstance(error["message"], str), answer
        assert answer["id"] is not None or error["code"] in (-32700, -32600), answer
        assert not error["message"].startswith("The bridge failed"), answer


def strip_mark(line):
    return line[3:] if line.startswith(b"\xef\xbb\xbf") else line


def load_bridge():
    spec = importlib.util.spec_from_file_location("fuzzed_bridge", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def replaced_environment(environment):
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(environment)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def no_output():
    """Fails if anything is written to stdout or stderr, also by file descriptor."""
    streams, saved = (sys.stdout, sys.stderr), (os.dup(1), os.dup(2))
    for stream in streams:
        stream.flush()
    with tempfile.TemporaryFile() as caught:
        os.dup2(caught.fileno(), 1)
        os.dup2(caught.fileno(), 2)
        sys.stdout = sys.stderr = printed = io.StringIO()
        try:
            yield
        finally:
            sys.stdout, sys.stderr = streams
            for number, descriptor in zip((1, 2), saved):
                os.dup2(descriptor, number)
                os.close(descriptor)
        caught.seek(0)
        output = printed.getvalue().encode() + caught.read()
    assert not output, f"printed: {output[:500]}"


def fuzz(count, seed):
    """Feeds this many lines, and returns the number of answers."""
    fuzzer = Fuzzer(seed)
    with fuzzer.out, no_output():
        fuzzer.run(count)
    return fuzzer.answers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    done = answers = part = 0
    while done < arguments.lines:
        count = min(REPORT_LINES, arguments.lines - done)
        answers += fuzz(count, arguments.seed + part)
        done, part = done + count, part + 1
        print(f"{done} lines, {answers} answers", flush=True)


if __name__ == "__main__":
    main()
