"""9 and 10: connections are kept and replaced, and nothing is written twice. 5, in part: no redirect is followed."""

import threading

import pytest

from harness import KEY, text_of
from upstream import Upstream, call_tool, list_tools


def keys(upstream):
    return [exchange.headers["idempotency-key"] for exchange in upstream.calls()]


def test_one_connection_serves_calls_one_after_the_other(bridge, upstream):
    for _ in range(5):
        bridge.call()
        bridge.request("tools/list")
    assert upstream.connections == 1


def test_a_connection_that_the_service_closed_meanwhile_is_replaced_before_anything_is_sent_on_it(bridge, upstream):
    bridge.call()
    upstream.hang_up()
    assert upstream.closed.acquire(timeout=10)
    assert bridge.call()["result"]["isError"] is False
    assert [exchange.connection for exchange in upstream.exchanges] == [1, 2]


def test_a_connection_that_breaks_just_as_it_is_reused_is_replaced_unnoticed(bridge, upstream):
    def drop_reused(exchange):
        if exchange.connection == 1 and len(upstream.calls()) > 1:
            exchange.drop()
        else:
            call_tool(exchange)

    upstream.on_call = drop_reused
    assert bridge.call()["result"]["isError"] is False
    assert bridge.call()["result"]["isError"] is False
    assert [exchange.connection for exchange in upstream.exchanges] == [1, 1, 2]


def test_a_connection_that_lay_idle_for_long_is_not_trusted(start, upstream):
    bridge = start(limits={"IDLE_LIMIT": 0})
    bridge.call()
    bridge.call()
    assert upstream.connections == 2


def test_a_call_whose_connection_broke_is_sent_again_under_the_same_idempotency_key(bridge, upstream):
    breaks = iter([True, True, False])
    upstream.on_call = lambda exchange: exchange.drop() if next(breaks) else call_tool(exchange)
    assert bridge.call("change", {"text": "once"})["result"]["isError"] is False
    assert len(keys(upstream)) == 3 and len(set(keys(upstream))) == 1
    assert len({exchange.body for exchange in upstream.calls()}) == 1


def test_an_answer_cut_short_counts_as_broken(bridge, upstream):
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


def test_a_list_whose_connection_broke_is_sent_again(bridge, upstream):
    breaks = iter([True, False])
    upstream.on_list = lambda exchange: exchange.drop() if next(breaks) else list_tools(exchange)
    assert "result" in bridge.request("tools/list")


def test_a_service_that_restarts_is_met_again(start, closing, upstream):
    bridge = start()
    bridge.call()
    upstream.server.shutdown()
    upstream.server.server_close()
    upstream.hang_up()
    request_id = bridge.ask("tools/call", {"name": "look"})
    closing(Upstream(port=upstream.port))
    assert bridge.answer_to(request_id)["result"]["isError"] is False


def test_every_call_has_an_idempotency_key_of_its_own(bridge, upstream):
    for _ in range(3):
        bridge.call("change", {"text": "the same"})
    assert len(set(keys(upstream))) == 3
    assert all(1 <= len(key) <= 255 and key.isascii() for key in keys(upstream))


def test_a_call_in_progress_is_waited_out_under_the_same_idempotency_key(bridge, upstream):
    def once_in_progress(exchange):
        if len(upstream.calls()) < 3:
            exchange.problem(409, "in_progress", {"Retry-After": "0"} if len(upstream.calls()) == 1 else {})
        else:
            call_tool(exchange)

    upstream.on_call = once_in_progress
    assert bridge.call("change")["result"]["isError"] is False
    assert len(keys(upstream)) == 3 and len(set(keys(upstream))) == 1


def test_a_call_that_stays_in_progress_is_answered_at_its_time_limit(start, upstream):
    upstream.on_call = lambda exchange: exchange.problem(409, "in_progress", {"Retry-After": "1"})
    assert "did not answer in time" in text_of(start(limits={"TOTAL_LIMIT": 0.5}).call("change"))


def test_any_other_conflict_is_not_waited_out(bridge, upstream):
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


def test_the_key_travels_in_the_authorization_header_alone(bridge, upstream):
    bridge.request("tools/list")
    bridge.call()
    for exchange in upstream.exchanges:
        assert exchange.headers.pop("authorization") == f"Bearer {KEY}"
        assert KEY not in exchange.path + str(exchange.headers) + exchange.body.decode()


def test_a_path_in_the_address_and_a_trailing_slash_are_kept_and_dropped(start, upstream):
    bridge = start(f"{upstream.url}/behind/a/gateway/")
    bridge.request("tools/list")
    bridge.call()
    assert [exchange.path for exchange in upstream.exchanges] == [
        "/behind/a/gateway/mcp/v1/tools",
        "/behind/a/gateway/mcp/v1/tools/call",
    ]


def test_parallel_calls_use_parallel_connections_and_leave_them_for_later(bridge, upstream):
    all_here = threading.Barrier(4)

    def together(exchange):
        all_here.wait(10)
        call_tool(exchange)

    upstream.on_call = together
    for _ in range(3):
        ids = [bridge.ask("tools/call", {"name": "look"}) for _ in range(4)]
        assert all("result" in bridge.answer_to(request_id) for request_id in ids)
    assert upstream.connections == 4
