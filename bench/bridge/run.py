"""Measures how long the bridge takes to start, list and call, compared with a bare interpreter, a bare POST and other
bridges.

    python3 bench/bridge/run.py [--runs 20] [--no-peers]

All runs are interleaved, so that other load on the machine affects all of them alike. Medians of one run of this script
are compared. The figures go to stdout as a table and to bench/out/bridge.json.
"""

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import peers

REPOSITORY = Path(__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3"  # wrappers and site files of other interpreters would add time
BRIDGE = [PYTHON, str(REPOSITORY / "bridge" / "svc_mcp_stdio.py")]
BARE = [PYTHON, "-c", "import json, os, sys, threading"]
KEY = "svc_mcp_" + "b" * 49
CALLS = 40  # in a run; its figure is their median
ARGUMENTS = {"text": "a short text"}

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": "initialize",
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST = {"jsonrpc": "2.0", "id": "list", "method": "tools/list"}


class Stdio:
    """A bridge, driven like an MCP client does."""

    def __init__(self, command, port):
        environment = dict(os.environ, SVC_API_URL=f"http://127.0.0.1:{port}", SVC_MCP_KEY=KEY)
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self, request_id):
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("it ended without a response")
            message = json.loads(line)
            if message.get("id") == request_id:
                return message["result"]

    def call(self, request_id, arguments):
        self.send(
            {
                "jsonrpc": "2.0",
                "id": request_id,
                "method": "tools/call",
                "params": {"name": "look", "arguments": arguments},
            }
        )

    def initialize(self):
        self.send(INITIALIZE)
        self.answer("initialize")
        self.send(INITIALIZED)

    def list(self):
        self.send(LIST)
        self.answer("list")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def timed(action):
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def spawn_to_answers(command, port):
    """(seconds from the start of the process to the response to initialize, the same to tools/list)"""
    start = time.perf_counter()
    bridge = Stdio(command, port)
    try:
        bridge.initialize()
        first = time.perf_counter() - start
        bridge.list()
        return first, time.perf_counter() - start
    finally:
        bridge.close()


class Calls:
    """A running bridge that gets many calls."""

    def __init__(self, command, port):
        self.bridge = Stdio(command, port)
        self.bridge.initialize()
        self.bridge.list()

    def once(self):
        self.bridge.call("call", ARGUMENTS)
        self.bridge.answer("call")

    def close(self):
        self.bridge.close()


class Posts:
    """An open connection of Python's http.client that sends the same POST many times."""

    def __init__(self, port, path, body):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.path, self.body = path, json.dumps(body).encode()

    def once(self):
        headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json", "Accept": "application/json"}
        self.connection.request("POST", self.path, self.body, headers)
        json.loads(self.connection.getresponse().read())

    def close(self):
        self.connection.close()


def run_of_calls(caller):
    return statistics.median(timed(caller.once) for _ in range(CALLS))


def waiting_calls(bridge, count):
    """Seconds for several calls of 1 s sent together, and whether a ping sent after them was answered first."""
    start = time.perf_counter()
    for number in range(count):
        bridge.call(number, {"wait": 1})
    bridge.send({"jsonrpc": "2.0", "id": "ping", "method": "ping"})
    order = [json.loads(bridge.process.stdout.readline())["id"] for _ in range(count + 1)]
    return time.perf_counter() - start, order[0] == "ping"


def measure(port, runs, peer_commands, failed):
    """name → list of seconds."""
    samples = defaultdict(list)
    callers = {
        "POST to REST": Posts(port, "/mcp/v1/tools/call", {"name": "look", "arguments": ARGUMENTS}),
        "POST to MCP": Posts(
            port,
            "/mcp",
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "look", "arguments": ARGUMENTS}},
        ),
        "call bridge": Calls(BRIDGE, port),
    }
    for name, command in list(peer_commands.items()):
        try:
            callers[f"call {name}"] = Calls(command, port)
        except (OSError, RuntimeError, KeyError, ValueError) as error:
            failed[name] = f"not started: {error}"
            del peer_commands[name]
    for caller in callers.values():
        run_of_calls(caller)  # connections, caches and JITs are warm
    waiting = Stdio(BRIDGE, port)
    waiting.list()
    pings = []
    for number in range(runs):
        print(f"\rrun {number + 1} of {runs}", end="", file=sys.stderr)
        samples["bare interpreter"].append(timed(lambda: subprocess.run(BARE, check=True)))
        for name, command in {"bridge": BRIDGE, **peer_commands}.items():
            first, listed = spawn_to_answers(command, port)
            samples[f"initialize {name}"].append(first)
            samples[f"list {name}"].append(listed)
        for name, caller in callers.items():
            samples[name].append(run_of_calls(caller))
        for count in (1, 16):
            seconds, ping_first = waiting_calls(waiting, count)
            samples[f"{count} waiting"].append(seconds)
            pings.append(ping_first)
    print(file=sys.stderr)
    for thing in [*callers.values(), waiting]:
        thing.close()
    return samples, all(pings)


def report(samples, ping_first, peer_names, failed):
    medians = {name: statistics.median(values) for name, values in samples.items()}
    ratio = lambda one, other: medians[one] / medians[other]
    rows = [
        ("spawn to initialize / bare interpreter", ratio("initialize bridge", "bare interpreter"), "<= 1.3"),
        ("spawn to tools/list / bare interpreter", ratio("list bridge", "bare interpreter"), ""),
        ("tools/call / the same POST by http.client", ratio("call bridge", "POST to REST"), "<= 1.6"),
        ("16 calls of 1 s together / one", ratio("16 waiting", "1 waiting"), "< 2"),
    ]
    added = {"bridge": medians["call bridge"] - medians["POST to REST"]}
    for name in peer_names:
        added[name] = medians[f"call {name}"] - medians["POST to MCP"]
        rows.append((f"spawn to tools/list: {name} / bridge", ratio(f"list {name}", "list bridge"), ">= 10"))
        # The bridge may add less than nothing, because its HTTP client is faster. Below 10 µs the figure is noise.
        rows.append((f"added to a call: {name} / bridge", added[name] / max(added["bridge"], 1e-5), ">= 10"))
    print(f"{'median':<44}{'ms':>10}{'runs':>6}")
    for name, value in medians.items():
        print(f"{name:<44}{value * 1000:>10.3f}{len(samples[name]):>6}")
    for name, value in added.items():
        print(f"{'added to a call by ' + name:<44}{value * 1000:>10.3f}")
    print(f"\n{'ratio':<44}{'':>10}{'target':>8}")
    for name, value, target in rows:
        print(f"{name:<44}{value:>10.2f}{target:>8}")
    print(f"{'ping after the calls answered first':<44}{str(ping_first).lower():>10}")
    for name, reason in failed.items():
        print(f"{name}: {reason}")
    return {
        "medians": medians,
        "added": added,
        "ratios": {name: value for name, value, _ in rows},
        "ping_first": ping_first,
        "failed": failed,
        "samples": samples,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--no-peers", action="store_true")
    arguments = parser.parse_args()
    server = subprocess.Popen([PYTHON, str(Path(__file__).with_name("server.py"))], stdout=subprocess.PIPE)
    try:
        port = int(server.stdout.readline())
        peer_commands, failed = ({}, {}) if arguments.no_peers else peers.commands(f"http://127.0.0.1:{port}/mcp")
        samples, ping_first = measure(port, arguments.runs, peer_commands, failed)
    finally:
        server.kill()
    figures = report(samples, ping_first, list(peer_commands), failed)
    out = REPOSITORY / "bench" / "out"
    out.mkdir(parents=True, exist_ok=True)
    (out / "bridge.json").write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
