"""Concurrent calls, pings during calls, and cancellation."""

import threading

import pytest

from harness import WAIT_TIMEOUT, text_of
from upstream import call_tool


class Gate:
    """Holds every call at the service until the test opens the gate."""

    def __init__(self, upstream):
        self.opened = threading.Event()
        self.upstream = upstream
        upstream.on_call = self.answer

    def answer(self, exchange):
        self.opened.wait()
        call_tool(exchange)

    def wait_for(self, count):
        for _ in range(count):
            assert self.upstream.arrived.acquire(timeout=WAIT_TIMEOUT)


@pytest.fixture
def gate(upstream):
    gate = Gate(upstream)
    yield gate
    gate.opened.set()


def test_sixteen_calls_are_sent_concurrently(bridge, gate):
    ids = [bridge.ask("tools/call", {"name": "look"}) for _ in range(16)]
    gate.wait_for(16)  # all have arrived, none has been answered
    gate.opened.set()
    assert all("result" in bridge.answer_to(request_id) for request_id in ids)


def test_a_ping_is_answered_before_slow_calls(bridge, gate):
    ids = [bridge.ask("tools/call", {"name": "look"}) for _ in range(16)]
    gate.wait_for(16)
    bridge.nothing_but_ping()
    gate.opened.set()
    assert all("result" in bridge.answer_to(request_id) for request_id in ids)


def test_list_and_initialize_are_answered_before_slow_calls(bridge, gate):
    slow = bridge.ask("tools/call", {"name": "look"})
    gate.wait_for(1)
    assert "result" in bridge.request("tools/list")
    assert bridge.initialize()["protocolVersion"] == "2025-11-25"
    gate.opened.set()
    assert "result" in bridge.answer_to(slow)


def test_calls_wait_for_a_worker_and_pings_do_not(start, gate):
    bridge = start(limits={"MAX_WORKERS": 3})  # one of them reads
    ids = [bridge.ask("tools/call", {"name": "look"}) for _ in range(9)]
    gate.wait_for(2)
    bridge.nothing_but_ping()
    gate.opened.set()
    assert all("result" in bridge.answer_to(request_id) for request_id in ids)


def test_a_call_that_waits_too_long_for_a_worker_times_out(start, gate):
    bridge = start(limits={"MAX_WORKERS": 2, "CALL_TIMEOUT": 0.5})
    first, second = (bridge.ask("tools/call", {"name": "look"}) for _ in range(2))
    assert "in time" in text_of(bridge.answer_to(first))
    assert "in time" in text_of(bridge.answer_to(second))


@pytest.mark.parametrize("request_id", [7, 0, "seven"])
def test_a_cancelled_call_is_closed_and_not_answered(bridge, upstream, gate, request_id):
    bridge.send({"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": {"name": "look"}})
    gate.wait_for(1)
    sock = upstream.exchanges[0].sock
    bridge.notify("notifications/cancelled", {"requestId": request_id, "reason": "the user changed their mind"})
    sock.settimeout(WAIT_TIMEOUT)
    assert sock.recv(1) == b""  # the bridge has hung up
    bridge.nothing_but_ping()
    gate.opened.set()
    assert bridge.rest() == []
    assert len(upstream.calls()) == 1  # a cancelled call is not repeated


def test_other_calls_are_not_cancelled(bridge, gate):
    ids = [bridge.ask("tools/call", {"name": "look"}) for _ in range(3)]
    gate.wait_for(3)
    bridge.notify("notifications/cancelled", {"requestId": ids[1]})
    bridge.nothing_but_ping()  # the cancellation has been read
    gate.opened.set()
    assert {bridge.next()["id"], bridge.next()["id"]} == {ids[0], ids[2]}
    bridge.nothing_but_ping()


@pytest.mark.parametrize(
    "params",
    [{}, {"requestId": None}, {"requestId": "1"}, {"requestId": True}, {"requestId": [1]}, {"requestId": 99}, [], None],
)
def test_an_invalid_cancellation_is_ignored(bridge, gate, params):
    bridge.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "look"}})
    gate.wait_for(1)
    bridge.notify("notifications/cancelled", params)
    gate.opened.set()
    assert "result" in bridge.next()


def test_a_call_cancelled_while_it_waits_for_a_worker_is_never_sent(start, upstream, gate):
    bridge = start(limits={"MAX_WORKERS": 2})
    first, second = (bridge.ask("tools/call", {"name": "look"}) for _ in range(2))
    gate.wait_for(1)
    bridge.notify("notifications/cancelled", {"requestId": second})
    bridge.nothing_but_ping()
    gate.opened.set()
    assert "result" in bridge.answer_to(first)
    assert bridge.rest() == []
    assert len(upstream.calls()) == 1


def test_a_call_cancelled_during_a_retry_pause_is_not_repeated(bridge, upstream):
    answered = threading.Event()

    def in_progress(exchange):
        exchange.problem(409, "in_progress", {"Retry-After": "50"})
        answered.set()

    upstream.on_call = in_progress
    request_id = bridge.ask("tools/call", {"name": "change"})
    assert answered.wait(WAIT_TIMEOUT)
    bridge.notify("notifications/cancelled", {"requestId": request_id})
    bridge.nothing_but_ping()
    bridge.end_input()
    assert bridge.wait(WAIT_TIMEOUT) == 0
    assert len(upstream.calls()) == 1


def test_a_call_over_tls_is_cancelled(start, closing, tls_upstream, authority):
    gate = Gate(tls_upstream)
    bridge = start(tls_upstream.url, SSL_CERT_FILE=str(authority.certificate))
    request_id = bridge.ask("tools/call", {"name": "look"})
    gate.wait_for(1)
    bridge.notify("notifications/cancelled", {"requestId": request_id})
    bridge.nothing_but_ping()
    assert bridge.rest() == []
    gate.opened.set()


def test_calls_that_share_an_id_are_each_answered_once(bridge, gate):
    for _ in range(3):
        bridge.send({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "look"}})
    gate.wait_for(3)
    gate.opened.set()
    assert [bridge.next()["id"] for _ in range(3)] == [5, 5, 5]
    bridge.nothing_but_ping()


def test_a_batch_is_answered_without_its_cancelled_call(bridge, gate):
    bridge.initialize("2025-03-26")
    bridge.send([{"jsonrpc": "2.0", "id": name, "method": "tools/call", "params": {"name": "look"}} for name in "ab"])
    gate.wait_for(2)
    bridge.notify("notifications/cancelled", {"requestId": "a"})
    bridge.nothing_but_ping()
    gate.opened.set()
    assert [answer["id"] for answer in bridge.next()] == ["b"]
