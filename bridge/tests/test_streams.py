"""Only protocol messages on stdout, encodings, and invalid input."""

import json
import subprocess
import sys

import pytest

from harness import KEY, SCRIPT, WAIT_TIMEOUT, bridge_environment

NOISE = """
original = bridge.Bridge.respond

def noisy(self, call):
    print("stray")
    os.write(1, b"stray\\n")
    os.system("echo stray")
    return original(self, call)

bridge.Bridge.respond = noisy
"""


def test_other_output_goes_to_stderr(start):
    bridge = start(patch=NOISE)
    assert "result" in bridge.call()
    assert bridge.rest() == []  # the harness fails on a line that is not JSON
    assert bridge.seen.count(b"stray\n") == 3


def test_it_works_without_a_stderr(upstream):
    closed = f"import os, sys; os.close(2); os.execv(sys.executable, [sys.executable, {str(SCRIPT)!r}])"
    done = subprocess.run(
        [sys.executable, "-c", closed],
        input=b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n',
        stdout=subprocess.PIPE,
        timeout=WAIT_TIMEOUT,
        env=bridge_environment(upstream.url, KEY),
    )
    assert "result" in json.loads(done.stdout)


@pytest.mark.parametrize("closed", [0, 1])
def test_it_refuses_to_run_without_stdin_or_stdout(upstream, closed):
    script = f"import os, sys; os.close({closed}); os.execv(sys.executable, [sys.executable, {str(SCRIPT)!r}])"
    done = subprocess.run(
        [sys.executable, "-c", script],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=WAIT_TIMEOUT,
        env=bridge_environment(upstream.url, KEY),
    )
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1 and done.stdout == b""


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "utf-16"},
        {"LC_ALL": "C", "PYTHONUTF8": "0"},
    ],
)
def test_the_encoding_of_the_environment_does_not_matter(start, environment):
    text = "Grüße, 世界 🎉 \u2028"
    bridge = start(**environment)
    bridge.write(
        json.dumps(
            {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": "look", "arguments": {"text": text}},
            },
            ensure_ascii=False,
        ).encode()
        + b"\n"
    )
    assert bridge.next()["result"]["structuredContent"] == {"echo": {"text": text}}
    assert all(line.isascii() for line in bridge.seen)


def test_lines_end_with_a_newline(bridge):
    bridge.request("ping")
    assert bridge.seen[0].endswith(b"}\n") and b"\r" not in bridge.seen[0]


def test_carriage_returns_blank_lines_and_a_byte_order_mark_are_ignored(bridge):
    bridge.write(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n\r\n\n   \n\t\r\n')
    assert bridge.next() == {"jsonrpc": "2.0", "id": 1, "result": {}}
    bridge.nothing_but_ping()


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"nonsense",
        b'{"jsonrpc":"2.0","id":1,"method":"ping"} x',
        b"\xff\xfe{}",
        b'"\xed\xa0\x80"',
        b"\x00",
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}',
        b"[Infinity]",
        b"[-Infinity]",
        b"[1e999]",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"9" * 5000,
        '{"jsonrpc":"2.0"}'.encode("utf-16"),
        b"{'jsonrpc':'2.0'}",
    ],
)
def test_invalid_json_is_a_parse_error_without_id(bridge, line):
    bridge.write(line + b"\n")
    answer = bridge.next()
    assert answer["error"]["code"] == -32700 and answer["id"] is None
    bridge.nothing_but_ping()


def test_a_long_integer_is_a_parse_error_on_every_python(start):
    bridge = start(patch="getattr(sys, 'set_int_max_str_digits', id)(0)")  # Python before 3.11 had no limit
    bridge.write(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":' + b"9" * 5000 + b"}}\n")
    assert bridge.next()["error"]["code"] == -32700


def test_a_long_line_is_refused_before_its_end(start):
    bridge = start(limits={"MAX_LINE_BYTES": 1000})
    bridge.write(b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * 5000)
    answer = bridge.next()  # before the end of the line
    assert answer["error"]["code"] == -32600 and answer["id"] is None
    bridge.write(b"x" * 5000 + b'"}\n')
    bridge.nothing_but_ping()


def test_lines_around_the_limit(start):
    bridge = start(limits={"MAX_LINE_BYTES": 1000})
    frame = b'{"jsonrpc":"2.0","id":"%s","method":"ping"}'
    for length, accepted in ((999, True), (1000, False), (1001, False)):
        bridge.write(frame % (b"x" * (length - len(frame) + 2)) + b"\n")
        assert ("result" in bridge.next()) == accepted
        bridge.nothing_but_ping()


def test_deeply_nested_arguments_are_invalid_params(bridge, upstream):
    deep = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{"a":%s%s}}}\n'
    answers = set()
    for depth in range(900, 1000, 3):  # near this depth parsing succeeds and serializing fails
        bridge.write(deep % (b"[" * depth, b"]" * depth))
        answer = bridge.next()
        answers.add(answer["error"]["code"] if "error" in answer else "result")
    assert answers <= {-32700, -32602, "result"} and -32700 in answers


def test_a_deeply_nested_response_is_an_error(bridge, upstream):
    for depth in range(900, 1000, 3):
        body = b'{"content":[],"structuredContent":{"a":%s%s}}' % (b"[" * depth, b"]" * depth)
        upstream.on_call = lambda exchange: exchange.answer(200, body)
        answer = bridge.call()
        assert "result" in answer or answer["error"]["code"] == -32603


def test_lone_surrogates_are_escaped(bridge, upstream):
    params = b'{"name":"look","arguments":{"text":"\\udfff"}}'
    bridge.write(b'{"jsonrpc":"2.0","id":"\\ud800","method":"tools/call","params":%s}\n' % params)
    assert bridge.next()["id"] == "\ud800"
    assert b"\\udfff" in upstream.calls()[0].body


def test_long_responses_are_written_completely(bridge, upstream):
    long = "x" * 300_000  # more than the buffer of a pipe
    upstream.on_call = lambda exchange: exchange.answer(200, {"content": [{"type": "text", "text": long}]})
    calls = [bridge.ask("tools/call", {"name": "look"}) for _ in range(12)]
    pings = [bridge.ask("ping") for _ in range(50)]
    assert all(bridge.answer_to(request_id)["result"]["content"][0]["text"] == long for request_id in calls)
    assert all(bridge.answer_to(request_id)["result"] == {} for request_id in pings)


def test_split_input_is_joined(bridge):
    for piece in (
        b'{"jsonrpc":"2.0",',
        b'"id":1,"method"',
        b':"ping"}',
        b"\n",
        b'{"jsonrpc":"2.0","id":2,"method":"ping"}\n{',
    ):
        bridge.write(piece)
    assert [bridge.next()["id"], bridge.next()["id"]] == [1, 2]
    bridge.write(b"}\n")
    assert bridge.next()["error"]["code"] == -32600
