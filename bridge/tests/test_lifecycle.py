"""The process ends when its client does."""

import os
import signal
import socket
import subprocess
import sys
import threading

import pytest

from harness import KEY, NO_TIMEOUTS, SCRIPT, WAIT_TIMEOUT, bridge_environment, text_of


@pytest.fixture
def stuck(start, upstream):
    """A bridge with a call in flight that is never answered and does not time out."""
    bridge = start(limits=NO_TIMEOUTS)
    upstream.on_call = lambda exchange: threading.Event().wait()
    bridge.ask("tools/call", {"name": "look"})
    assert upstream.arrived.acquire(timeout=WAIT_TIMEOUT)
    return bridge


def test_the_end_of_input_ends_an_idle_bridge(start):
    bridge = start(limits=NO_TIMEOUTS)
    bridge.initialize()
    bridge.end_input()
    assert bridge.wait(WAIT_TIMEOUT) == 0


def test_the_end_of_input_ends_a_bridge_whose_calls_are_answered(start):
    bridge = start(limits=NO_TIMEOUTS)
    bridge.call()
    bridge.end_input()
    assert bridge.wait(WAIT_TIMEOUT) == 0


def test_calls_before_the_end_of_input_are_answered(start, upstream):
    bridge = start(limits=NO_TIMEOUTS)
    go_on = threading.Event()
    answer = upstream.on_call

    def slow(exchange):
        go_on.wait()
        answer(exchange)

    upstream.on_call = slow
    wanted = [bridge.ask("tools/call", {"name": "look"}) for _ in range(3)] + [bridge.ask("tools/list")]
    for _ in wanted:
        assert upstream.arrived.acquire(timeout=WAIT_TIMEOUT)
    bridge.end_input()
    assert "result" in bridge.answer_to(wanted.pop())
    go_on.set()
    assert all("result" in bridge.answer_to(request_id) for request_id in wanted)
    assert bridge.wait(WAIT_TIMEOUT) == 0


def test_calls_that_exceed_the_drain_timeout_are_answered_with_an_error(start, upstream):
    upstream.on_call = lambda exchange: threading.Event().wait()
    bridge = start(limits={"DRAIN_TIMEOUT": 0.3})
    request_id = bridge.ask("tools/call", {"name": "look"})
    assert upstream.arrived.acquire(timeout=WAIT_TIMEOUT)
    [answer] = bridge.rest()
    assert answer["id"] == request_id and "input ended" in answer["error"]["message"]


def test_the_last_line_needs_no_newline(bridge):
    bridge.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
    assert bridge.rest() == [{"jsonrpc": "2.0", "id": 1, "result": {}}]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_an_idle_bridge(bridge, number):
    bridge.initialize()
    bridge.process.send_signal(number)
    assert bridge.wait(WAIT_TIMEOUT) == -number


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_bridge_with_a_call_in_flight(stuck, number):
    stuck.process.send_signal(number)
    assert stuck.wait(WAIT_TIMEOUT) == -number


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_bridge_that_drains(stuck, number):
    stuck.end_input()
    stuck.process.send_signal(number)
    assert stuck.wait(WAIT_TIMEOUT) == -number


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_that_the_parent_ignores_ends_the_bridge(upstream, number):
    ignoring = (
        f"import os, signal, sys; signal.signal({int(number)}, signal.SIG_IGN); os.execv(sys.executable, sys.argv[1:])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", ignoring, sys.executable, str(SCRIPT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=bridge_environment(upstream.url, KEY),
    ) as process:
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(number)
        assert process.wait(WAIT_TIMEOUT) == -number


def test_a_signal_ends_a_bridge_that_blocks_on_stdout(upstream):
    with subprocess.Popen(
        [sys.executable, str(SCRIPT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=bridge_environment(upstream.url, KEY),
    ) as process:
        ping = b'{"jsonrpc":"2.0","id":"' + b"x" * 1000 + b'","method":"ping"}\n'
        os.set_blocking(process.stdin.fileno(), False)
        try:
            while True:  # until both pipes are full
                os.write(process.stdin.fileno(), ping)
        except BlockingIOError:
            pass
        process.terminate()
        assert process.wait(WAIT_TIMEOUT) == -signal.SIGTERM


def run_with_stdout(upstream, make_ends):
    """Starts a bridge with one end as its stdout. Returns the process and the other end."""
    ours, theirs = make_ends()
    process = subprocess.Popen(
        [sys.executable, str(SCRIPT)], stdin=subprocess.PIPE, stdout=theirs, env=bridge_environment(upstream.url, KEY)
    )
    theirs.close()
    return process, ours


def pipe():
    reading, writing = os.pipe()
    return open(reading, "rb", 0), open(writing, "wb", 0)


def socket_pair():
    ours, theirs = socket.socketpair()
    return ours, theirs


@pytest.mark.parametrize("make_ends", [pipe, socket_pair])
@pytest.mark.parametrize("in_flight", [False, True])
def test_a_closed_stdout_ends_the_bridge(upstream, make_ends, in_flight):
    upstream.on_call = lambda exchange: threading.Event().wait()
    process, ours = run_with_stdout(upstream, make_ends)
    try:
        if in_flight:
            process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}}\n')
            process.stdin.flush()
            assert upstream.arrived.acquire(timeout=WAIT_TIMEOUT)
        ours.close()
        assert process.wait(WAIT_TIMEOUT) == 0
    finally:
        process.kill()
        process.wait()
        process.stdin.close()


def test_stdout_can_be_a_file(upstream, tmp_path):
    with open(tmp_path / "out", "wb") as out:
        lines = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n'
        subprocess.run(
            [sys.executable, str(SCRIPT)],
            input=lines,
            stdout=out,
            timeout=WAIT_TIMEOUT,
            check=True,
            env=bridge_environment(upstream.url, KEY),
        )
    assert len((tmp_path / "out").read_bytes().splitlines()) == 2


def test_only_a_sent_call_is_reported_as_possibly_executed(start, upstream):
    upstream.on_call = lambda exchange: exchange.drop()
    assert "may or may not have been executed" in text_of(start().call("change"))
    upstream.close()
    assert "executed" not in text_of(start().call("change"))
