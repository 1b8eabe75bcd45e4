"""Connections are reused and replaced, calls are executed once, redirects are not followed."""

import threading

import pytest

from harness import KEY, WAIT_TIMEOUT, text_of
from upstream import Upstream, call_tool, list_tools


def keys(upstream):
    return [exchange.headers["idempotency-key"] for exchange in upstream.calls()]


def test_one_connection_serves_calls_one_after_the_other(bridge, upstream):
    for _ in range(5):
        bridge.call()
        bridge.request("tools/list")
    assert upstream.connections == 1


def test_a_closed_idle_connection_is_replaced(bridge, upstream):
    bridge.call()
    upstream.hang_up()
    assert upstream.closed.acquire(timeout=WAIT_TIMEOUT)
    assert bridge.call()["result"]["isError"] is False
    assert [exchange.connection for exchange in upstream.exchanges] == [1, 2]


def test_a_connection_that_breaks_during_reuse_is_replaced(bridge, upstream):
    def drop_reused(exchange):
        if exchange.connection == 1 and len(upstream.calls()) > 1:
            exchange.drop()
        else:
            call_tool(exchange)

    upstream.on_call = drop_reused
    assert bridge.call()["result"]["isError"] is False
    assert bridge.call()["result"]["isError"] is False
    assert [exchange.connection for exchange in upstream.exchanges] == [1, 1, 2]


def test_a_long_idle_connection_is_not_reused(start, upstream):
    bridge = start(limits={"MAX_IDLE": 0})
    bridge.call()
    bridge.call()
    assert upstream.connections == 2


def test_a_broken_call_is_repeated_with_the_same_idempotency_key(bridge, upstream):
    breaks = iter([True, True, False])
    upstream.on_call = lambda exchange: exchange.drop() if next(breaks) else call_tool(exchange)
    assert bridge.call("change", {"text": "once"})["result"]["isError"] is False
    assert len(keys(upstream)) == 3 and len(set(keys(upstream))) == 1
    assert len({exchange.body for exchange in upstream.calls()}) == 1


def test_an_incomplete_response_counts_as_a_broken_connection(bridge, upstream):
    def cut_first(exchange):
        if len(upstream.calls()) == 1:
            exchange.raw(b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"content"')
            exchange.drop()
        else:
            call_tool(exchange)

    upstream.on_call = cut_first
    assert bridge.call()["result"]["isError"] is False
    assert len(set(keys(upstream))) == 1


def test_a_call_is_sent_three_times_at_most(bridge, upstream):
    upstream.on_call = lambda exchange: exchange.drop()
    assert "unreachable" in text_of(bridge.call("change"))
    assert len(keys(upstream)) == 3


def test_a_broken_list_is_repeated(bridge, upstream):
    breaks = iter([True, False])
    upstream.on_list = lambda exchange: exchange.drop() if next(breaks) else list_tools(exchange)
    assert "result" in bridge.request("tools/list")


def test_a_call_during_a_restart_of_the_service_is_answered(start, closing, upstream, tmp_path):
    restarted = tmp_path / "restarted"
    # The last retry waits for the restart instead of a fixed time.
    patch = f"""
original = bridge.Call.pause

def pause(self, seconds):
    original(self, seconds)
    while seconds and not os.path.exists({str(restarted)!r}):
        time.sleep(0.02)

import time
bridge.Call.pause = pause
"""
    bridge = start(patch=patch)
    bridge.call()
    upstream.server.shutdown()
    upstream.server.server_close()
    upstream.hang_up()
    request_id = bridge.ask("tools/call", {"name": "look"})
    closing(Upstream(port=upstream.port))
    restarted.touch()
    assert bridge.answer_to(request_id)["result"]["isError"] is False


def test_every_call_has_its_own_idempotency_key(bridge, upstream):
    for _ in range(3):
        bridge.call("change", {"text": "the same"})
    assert len(set(keys(upstream))) == 3
    assert all(1 <= len(key) <= 255 and key.isascii() for key in keys(upstream))


def test_a_call_with_the_key_of_the_agent_has_a_key_for_its_attempts_too(bridge, upstream):
    bridge.call("change", {"text": "x", "idempotency_key": "mine"})
    [call] = upstream.calls()
    assert call.headers["idempotency-key"] != "mine" and call.json["arguments"]["idempotency_key"] == "mine"


def test_a_call_in_progress_is_repeated_with_the_same_idempotency_key(bridge, upstream):
    def once_in_progress(exchange):
        if len(upstream.calls()) < 3:
            exchange.problem(409, "in_progress", {"Retry-After": "0"} if len(upstream.calls()) == 1 else {})
        else:
            call_tool(exchange)

    upstream.on_call = once_in_progress
    assert bridge.call("change")["result"]["isError"] is False
    assert len(keys(upstream)) == 3 and len(set(keys(upstream))) == 1


def test_a_call_that_stays_in_progress_times_out(start, upstream):
    upstream.on_call = lambda exchange: exchange.problem(409, "in_progress", {"Retry-After": "1"})
    assert "in time" in text_of(start(limits={"CALL_TIMEOUT": 0.5}).call("change"))


def test_another_conflict_is_not_repeated(bridge, upstream):
    upstream.on_call = lambda exchange: exchange.problem(409, "key_limit_reached")
    assert "The detail of key_limit_reached." in text_of(bridge.call())
    assert len(upstream.calls()) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(bridge, upstream, closing, status):
    elsewhere = closing(Upstream())
    location = {"Location": f"{elsewhere.url}/mcp/v1/tools"}
    upstream.on_call = upstream.on_list = lambda exchange: exchange.answer(status, b"", location)
    text = text_of(bridge.call())
    assert elsewhere.url in text and "SVC_API_URL" in text
    assert bridge.request("tools/list")["error"]["message"] == text
    assert elsewhere.connections == 0


def test_the_key_is_sent_only_in_the_authorization_header(bridge, upstream):
    bridge.request("tools/list")
    bridge.call()
    for exchange in upstream.exchanges:
        assert exchange.headers.pop("authorization") == f"Bearer {KEY}"
        assert KEY not in exchange.path + str(exchange.headers) + exchange.body.decode()


def test_a_path_in_the_url_is_used_without_a_trailing_slash(start, upstream):
    bridge = start(f"{upstream.url}/behind/a/gateway/")
    bridge.request("tools/list")
    bridge.call()
    assert [exchange.path for exchange in upstream.exchanges] == [
        "/behind/a/gateway/mcp/v1/tools",
        "/behind/a/gateway/mcp/v1/tools/call",
    ]


def test_concurrent_calls_use_connections_that_are_reused(bridge, upstream):
    all_here = threading.Barrier(4)

    def together(exchange):
        all_here.wait(WAIT_TIMEOUT)
        call_tool(exchange)

    upstream.on_call = together
    for _ in range(3):
        ids = [bridge.ask("tools/call", {"name": "look"}) for _ in range(4)]
        assert all("result" in bridge.answer_to(request_id) for request_id in ids)
    assert upstream.connections == 4
