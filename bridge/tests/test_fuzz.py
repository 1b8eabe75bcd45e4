"""100,000 random and mutated lines: no crash, no hang, and exactly the expected responses. fuzz_lines.py makes them."""

import json
import os
import random
from collections import Counter

import pytest

from fuzz_lines import Lines, expected_ids, fuzz

LINES = 100_000
SEED = int(os.environ.get("BRIDGE_FUZZ_SEED") or random.SystemRandom().randrange(2**32))


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


def test_the_line_handler_answers_every_line():
    assert fuzz(20_000, seed=1) > 10_000
