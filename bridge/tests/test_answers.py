"""1 and 12: every request gets an answer, and the words say what to do."""

import gzip
import json
import socket

import pytest

from harness import KEY, text_of
from network import Server

REFUSALS = {
    "key_invalid": (401, {}, ["SVC_MCP_KEY", "Settings → MCP"]),
    "credential_missing": (401, {}, ["SVC_MCP_KEY", "Settings → MCP"]),
    "mcp_inactive": (403, {}, ["MCP is inactive", "plan"]),
    "key_owner_removed": (403, {}, ["no longer a member", "Settings → MCP"]),
    "insufficient_scope": (403, {}, ["scope write", "Settings → MCP"]),
    "rate_limited": (429, {"Retry-After": "17"}, ["Rate limit", "60 requests a minute", "Wait 17 s"]),
    "unavailable": (503, {"Retry-After": "4"}, ["unavailable", "nothing was changed", "in 4 s"]),
    "internal": (500, {}, ["The detail of internal.", "req-1"]),
    "something_new": (418, {}, ["The detail of something_new.", "req-1"]),
}


@pytest.mark.parametrize("code", REFUSALS)
def test_a_refused_call_is_an_error_result_that_says_what_to_do(bridge, upstream, code):
    status, headers, words = REFUSALS[code]
    upstream.on_call = lambda exchange: exchange.problem(status, code, headers)
    text = text_of(bridge.call())
    assert all(word in text for word in words), text
    assert len(upstream.exchanges) == 1  # told, not retried


@pytest.mark.parametrize("code", [code for code in REFUSALS if code != "insufficient_scope"])
def test_a_refused_list_is_an_error_with_the_same_words(bridge, upstream, code):
    status, headers, words = REFUSALS[code]
    upstream.on_list = lambda exchange: exchange.problem(status, code, headers)
    error = bridge.request("tools/list")["error"]
    assert error["code"] == -32603
    assert all(word in error["message"] for word in words), error
    assert len(upstream.exchanges) == 1


@pytest.mark.parametrize("retry_after", [None, "soon", "Wed, 21 Oct 2026 07:28:00 GMT", "-1", "9" * 40])
def test_a_rate_limit_without_a_usable_time_means_the_whole_minute(bridge, upstream, retry_after):
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    upstream.on_call = lambda exchange: exchange.problem(429, "rate_limited", headers)
    assert "Wait 60 s" in text_of(bridge.call())


def test_an_unknown_tool_is_invalid_params(bridge, upstream):
    upstream.on_call = lambda exchange: exchange.problem(404, "unknown_tool", detail="No tool lok; did you mean look?")
    error = bridge.call("lok")["error"]
    assert error == {"code": -32602, "message": "No tool lok; did you mean look?"}


def test_wrong_arguments_come_back_with_every_fault_for_the_model_to_correct(bridge, upstream):
    faults = [{"field": "text", "message": "must not be empty"}, {"field": "channels[0]", "message": "is unknown"}]
    upstream.on_call = lambda exchange: exchange.problem(422, "invalid_arguments", errors=faults)
    text = text_of(bridge.call())
    assert "text: must not be empty" in text and "channels[0]: is unknown" in text


@pytest.mark.parametrize("errors", [None, [], "x", [1], {}])
def test_wrong_arguments_without_a_usable_list_come_back_with_the_detail(bridge, upstream, errors):
    upstream.on_call = lambda exchange: exchange.problem(422, "invalid_arguments", errors=errors)
    assert "The detail of invalid_arguments." in text_of(bridge.call())


def test_a_tools_own_failure_passes_through_untouched(bridge, upstream):
    result = {
        "content": [{"type": "text", "text": "{}"}],
        "isError": True,
        "structuredContent": {"code": "not_found", "message": "no such post", "hint": "", "retryable": False},
    }
    upstream.on_call = lambda exchange: exchange.answer(200, result)
    assert bridge.call()["result"] == result



def packed(body, end=None):
    body = gzip.compress(body)[:end]
    return b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


STRANGERS = {
    "a page": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n<html",
    "JSON of another kind": b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n[{}]",
    "an empty body": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    "not found": b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnope",
    "a gateway's error": b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
    "another protocol's greeting": b"SSH-2.0-OpenSSH_9.2\r\n",
    "a status that is none": b"HTTP/1.1 abc\r\n\r\n",
    "a length that is none": b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
    "a negative length": b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
    "an enormous length": b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
    "a broken chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "gzip that is none": b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
    "gzip that is cut off": packed(b"{}", -4),
    "gzip that becomes enormous": packed(b" " * (17 << 20)),
    "an endless head": b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20000,
    "a number that is none": b"HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n" + b'{"content":[NaN]}',
}


@pytest.mark.parametrize("what", STRANGERS)
def test_an_answer_that_is_not_the_services_is_said_to_be_none(bridge, upstream, what):
    def answer(exchange):
        exchange.raw(STRANGERS[what])
        exchange.drop()

    upstream.on_call = upstream.on_list = answer
    text = text_of(bridge.call())
    assert "is not the service" in text and "SVC_API_URL" in text
    assert bridge.request("tools/list")["error"]["message"][:20] == text[:20]


def test_an_unreachable_service_is_named(start):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
    bridge = start(url)
    text = text_of(bridge.call())
    assert "unreachable" in text and url in text
    assert bridge.request("tools/list")["error"] == {"code": -32603, "message": text}


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a" * 70 + ".invalid"])
def test_an_unknown_host_is_named(start, host):
    assert f"{host} is not known" in text_of(start(f"http://{host}").call())


# Time limits


class Silent(Server):
    """Accepts and never says a word."""

    def serve(self, sock):
        while sock.recv(65536):
            pass


def test_a_silent_service_runs_into_the_read_limit(start, closing):
    silent = closing(Silent())
    bridge = start(f"http://127.0.0.1:{silent.port}", limits={"READ_LIMIT": 0.3})
    text = text_of(bridge.call())
    assert "did not answer in time" in text and "check before you repeat" in text
    assert "did not answer in time" in bridge.request("tools/list")["error"]["message"]


def test_a_silent_service_runs_into_the_total_limit_where_that_is_nearer(start, closing):
    silent = closing(Silent())
    bridge = start(f"http://127.0.0.1:{silent.port}", limits={"TOTAL_LIMIT": 0.3})
    assert "did not answer in time" in text_of(bridge.call())


def test_a_service_that_drips_runs_into_the_total_limit(start, upstream):
    def drip(exchange):
        exchange.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while not upstream.closed.acquire(timeout=0.05):
            exchange.raw(b"{")

    upstream.on_call = drip
    bridge = start(limits={"READ_LIMIT": 10, "TOTAL_LIMIT": 0.5})
    assert "did not answer in time" in text_of(bridge.call())


def test_a_connection_that_does_not_come_about_runs_into_the_connect_limit(start):
    with socket.socket() as full:  # its queue is full, so further connections wait
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for sock in waiting:
            sock.setblocking(False)
            sock.connect_ex(full.getsockname())
        bridge = start(f"http://127.0.0.1:{full.getsockname()[1]}", limits={"CONNECT_LIMIT": 0.3})
        assert "unreachable" in text_of(bridge.call())
        for sock in waiting:
            sock.close()


def test_a_resolver_that_hangs_runs_into_the_connect_limit(start):
    patch = "import socket, threading; socket.getaddrinfo = lambda *a, **k: threading.Event().wait()"
    bridge = start("http://service.test", limits={"CONNECT_LIMIT": 0.3}, patch=patch)
    assert "unreachable" in text_of(bridge.call())
    assert bridge.rest() == []


def test_a_tls_handshake_that_hangs_runs_into_the_connect_limit(start, closing):
    bridge = start(f"https://127.0.0.1:{closing(Silent()).port}", limits={"CONNECT_LIMIT": 0.3})
    assert "unreachable" in text_of(bridge.call())


def test_an_error_in_the_bridge_itself_is_an_answer_too(start):
    bridge = start(patch="bridge.Upstream.request = None")
    assert bridge.call()["error"] == {"code": -32603, "message": "The bridge failed (TypeError)."}


def test_more_than_the_service_takes_is_refused_before_it_is_sent(bridge, upstream):
    assert "too large" in text_of(bridge.call("look", {"text": "x" * (1 << 20)}))
    assert upstream.connections == 0


def test_answers_may_come_packed_in_chunks_after_interim_ones_or_end_with_the_connection(bridge, upstream):
    result = {"content": [], "isError": False}
    body = json.dumps(result).encode()
    shapes = [
        b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s"
        % (len(body), body),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\n%s\r\n%x\r\n%s\r\n0\r\nTrailer: z\r\n\r\n"
        % (body[:4], len(body) - 4, body[4:]),
        packed(body),
        b"HTTP/1.0 200 OK\r\n\r\n" + body,
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body),
    ]
    for shape in shapes:

        def answer(exchange, shape=shape):  # bound now: the loop may move on before it drops
            exchange.raw(shape)
            if b"HTTP/1.0" in shape or b"close" in shape:
                exchange.drop()

        upstream.on_call = answer
        assert bridge.call()["result"] == result
    assert [exchange.connection for exchange in upstream.exchanges] == [1, 1, 1, 1, 2]


def test_an_answer_that_never_has_a_body_is_not_waited_for(bridge, upstream):
    upstream.on_call = lambda exchange: exchange.raw(b"HTTP/1.1 204 No Content\r\n\r\n")
    assert "is not the service (HTTP 204)" in text_of(bridge.call())


def test_the_key_in_an_answer_is_hidden(bridge, upstream):
    upstream.on_call = lambda exchange: exchange.answer(200, {"content": [{"type": "text", "text": f"it is {KEY}"}]})
    assert "it is svc_mcp_[hidden]" in bridge.call()["result"]["content"][0]["text"]
