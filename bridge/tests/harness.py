"""Starts the bridge like a client does. Every line of its stdout must be a JSON-RPC message."""

import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPT = REPOSITORY / "bridge" / "svc_mcp_stdio.py"
KEY = "svc_mcp_" + "Kq7" * 16 + "z"
WAIT_TIMEOUT = 300  # seconds; long, so that a wait ends by its condition even on a very busy machine
NO_TIMEOUTS = {"READ_TIMEOUT": 3600, "CALL_TIMEOUT": 3600, "DRAIN_TIMEOUT": 3600}  # longer than any test waits

OLD_REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
STATELESS = "2026-07-28"
REVISIONS = [*OLD_REVISIONS, STATELESS]
STATELESS_META = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def bridge_environment(url=None, key=None, **more):
    """A minimal environment like that of an MCP client, without the proxies of this machine."""
    names = ("PATH", "HOME", "LANG", "SYSTEMROOT")
    environment = {name: os.environ[name] for name in names if name in os.environ}
    environment.update(
        {name: value for name, value in (("SVC_API_URL", url), ("SVC_MCP_KEY", key)) if value is not None}
    )
    environment.update(more)
    return environment


class BridgeProcess:
    def __init__(self, url, key=KEY, flags=(), script=SCRIPT, **environment):
        self.key = key
        self.process = subprocess.Popen(
            [sys.executable, *flags, str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=bridge_environment(url, key, **environment),
        )
        self.ids = itertools.count(1)
        self.answers = queue.SimpleQueue()  # None: the end of stdout
        self.unclaimed = {}
        self.seen = []  # all output, stdout and stderr
        self.threads = [
            threading.Thread(target=self.read_stdout, daemon=True),
            threading.Thread(target=self.read_stderr, daemon=True),
        ]
        for thread in self.threads:
            thread.start()

    def read_stdout(self):
        for line in self.process.stdout:
            self.seen.append(line)
            self.answers.put(json.loads(line))
        self.answers.put(None)

    def read_stderr(self):
        for line in self.process.stderr:
            self.seen.append(line)

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.write(json.dumps(message).encode() + b"\n")

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})})

    def ask(self, method, params=None):
        """Sends a request and returns its id."""
        request_id = next(self.ids)
        self.send(
            {"jsonrpc": "2.0", "id": request_id, "method": method, **({} if params is None else {"params": params})}
        )
        return request_id

    def next(self, timeout=WAIT_TIMEOUT):
        """The next message on stdout; None at its end."""
        return self.answers.get(timeout=timeout)

    def answer_to(self, request_id):
        while request_id not in self.unclaimed:
            message = self.next()
            assert message is not None, "the bridge ended without a response"
            self.unclaimed[message.get("id")] = message
        return self.unclaimed.pop(request_id)

    def request(self, method, params=None):
        return self.answer_to(self.ask(method, params))

    def call(self, name="look", arguments=None, **params):
        return self.request("tools/call", {"name": name, "arguments": arguments or {}, **params})

    def initialize(self, revision="2025-11-25"):
        client = {"name": "test", "version": "1"}
        answer = self.request("initialize", {"protocolVersion": revision, "capabilities": {}, "clientInfo": client})
        self.notify("notifications/initialized")
        return answer["result"]

    def nothing_but_ping(self):
        """Asserts that no other message is pending: the next message is the response to a ping."""
        request_id = self.ask("ping")
        assert self.next() == {"jsonrpc": "2.0", "id": request_id, "result": {}}

    def end_input(self):
        self.process.stdin.close()

    def wait(self, timeout=WAIT_TIMEOUT):
        code = self.process.wait(timeout)
        for thread in self.threads:
            thread.join(WAIT_TIMEOUT)
        return code

    def rest(self):
        """Ends the input and returns the remaining messages."""
        self.end_input()
        messages = list(iter(self.next, None))
        assert self.wait() == 0
        return messages

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except OSError:
                pass
        if self.key:
            assert self.key.encode() not in b"".join(self.seen), "the key is in the output"


def run_bridge(*arguments, url=None, key=None, stdin=b"", **environment):
    """Runs the bridge until it ends."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        input=stdin,
        capture_output=True,
        timeout=WAIT_TIMEOUT,
        env=bridge_environment(url, key, **environment),
    )
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    if key and key != "svc_mcp_":
        assert key not in done.stdout + done.stderr, "the key is in the output"
    return done


def text_of(answer):
    """The text of a tools/call response that must be an error result."""
    result = answer["result"]
    assert result["isError"] is True
    [block] = result["content"]
    assert block["type"] == "text"
    return block["text"]


def params(revision, **members):
    """Request params of a client of this revision."""
    return {**members, "_meta": STATELESS_META} if revision == STATELESS else members
