"""100,000 random and mutated lines: no crash, no hang, and exactly the expected responses."""

import json
import os
import random
from collections import Counter

import pytest

from harness import STATELESS_META

LINES = 100_000
SEED = int(os.environ.get("BRIDGE_FUZZ_SEED") or random.SystemRandom().randrange(2**32))

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


class Lines:
    """Generates lines from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
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
            params["protocolVersion"] = self.random.choice(["2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"])
        elif self.random.random() < 0.3:
            params["_meta"] = dict(STATELESS_META)
        message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
        if self.random.random() < 0.15:
            del message["id"]
        if self.random.random() < 0.3:
            message[self.random.choice(["id", "params", "method", "jsonrpc", "extra"])] = self.value()
        return message

    def notification(self):
        params = {"requestId": "none that is in flight", "reason": "x"}
        return {
            "jsonrpc": "2.0",
            "method": self.random.choice(["notifications/cancelled", "notifications/x"]),
            "params": params,
        }

    def mutate(self, line):
        data = bytearray(line)
        for _ in range(self.random.randrange(1, 4)):
            at = self.random.randrange(len(data) + 1)
            kind = self.random.randrange(4)
            if kind == 0 and data:
                data[at % len(data)] = self.random.randrange(256)
            elif kind == 1:
                data[at:at] = self.random.choice(
                    [b"{", b"}", b'"', b"[", b",", b"\\", b"\xff", b"9", b"e9", b" ", b"\r"]
                )
            elif kind == 2:
                del data[at : at + self.random.randrange(1, 6)]
            else:
                data[at:at] = data[at : at + self.random.randrange(1, 20)]
        return bytes(data)

    def line(self):
        roll = self.random.random()
        if roll < 0.1:
            data = self.random.randbytes(self.random.randrange(60))
        elif roll < 0.2:
            data = json.dumps(self.value()).encode()
        elif roll < 0.25:
            data = json.dumps(self.notification()).encode()
        else:
            data = json.dumps(self.request(), ensure_ascii=self.random.random() < 0.5).encode("utf-8", "surrogatepass")
            if roll > 0.6:
                data = self.mutate(data)
        return data.replace(b"\n", b" ")


def refuse(text):
    raise ValueError(text)


def expected_ids(line):
    """The ids of the responses to a line; None for an error without an id."""
    if not line.strip():
        return []
    try:
        message = json.loads(
            line.decode("utf-8"),
            parse_constant=refuse,
            parse_float=lambda text: refuse(text) if abs(float(text)) == float("inf") else float(text),
        )
    except ValueError:
        return [None]
    if not isinstance(message, dict):
        return [None]
    if "method" not in message and ("result" in message or "error" in message):
        return []
    if message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        return [None]
    if message.get("id") is None:
        return []
    return [message["id"] if type(message["id"]) in (int, str) else None]


@pytest.fixture
def lines():
    print(f"BRIDGE_FUZZ_SEED={SEED}")  # shown when the test fails
    return Lines(SEED)


def test_every_line_gets_the_expected_responses(bridge, lines):
    expected = Counter()
    written = []
    for _ in range(LINES):
        line = lines.line()
        expected.update(expected_ids(line))
        written.append(line + b"\n")
        if len(written) == 500:
            bridge.write(b"".join(written))
            written.clear()
    answers = bridge.rest()
    assert all(answer["jsonrpc"] == "2.0" and ("result" in answer) != ("error" in answer) for answer in answers)
    assert Counter(answer["id"] for answer in answers) == expected
    without_id = {answer["error"]["code"] for answer in answers if answer["id"] is None}
    assert without_id == {-32700, -32600}


def test_batches_get_the_expected_responses(bridge, lines):
    bridge.initialize("2025-03-26")
    expected = []
    for _ in range(2000):
        batch = [lines.request() for _ in range(lines.random.randrange(6))]
        batch = [item for item in batch if item.get("method") != "initialize"]
        ids = sum((expected_ids(json.dumps(item).encode()) for item in batch), []) if batch else None
        if ids != []:
            expected.append(Counter(ids) if batch else None)
        bridge.send(batch)
    answers = bridge.rest()
    singles = [answer for answer in answers if isinstance(answer, dict)]
    assert len(singles) == expected.count(None) and all(answer["error"]["code"] == -32600 for answer in singles)
    arrays = [Counter(item["id"] for item in answer) for answer in answers if isinstance(answer, list)]
    as_set = lambda counters: Counter(frozenset(counter.items()) for counter in counters if counter is not None)
    assert as_set(arrays) == as_set(expected)
