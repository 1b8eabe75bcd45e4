"""Every request is answered, and each error says what to do."""

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
    "key_paused": (403, {}, ["paused", "resume", "Settings → MCP"]),
    "brand_suspended": (403, {}, ["suspended", "administrator"]),
    "insufficient_scope": (403, {}, ["scope write", "Settings → MCP"]),
    "rate_limited": (429, {"Retry-After": "17"}, ["Rate limit", "60 requests a minute", "Wait 17 s"]),
    "unavailable": (503, {"Retry-After": "4"}, ["unavailable", "nothing was changed", "in 4 s"]),
    "internal": (500, {}, ["The detail of internal.", "req-1"]),
    "something_new": (418, {}, ["The detail of something_new.", "req-1"]),
}


@pytest.mark.parametrize("code", REFUSALS)
def test_a_refused_call_is_an_error_result_that_says_what_to_do(bridge, upstream, code):
    status, headers, parts = REFUSALS[code]
    upstream.on_call = lambda exchange: exchange.problem(status, code, headers)
    text = text_of(bridge.call())
    assert all(part in text for part in parts), text
    assert len(upstream.exchanges) == 1  # told, not retried


@pytest.mark.parametrize("code", [code for code in REFUSALS if code != "insufficient_scope"])
def test_a_refused_list_is_an_error_with_the_same_message(bridge, upstream, code):
    status, headers, parts = REFUSALS[code]
    upstream.on_list = lambda exchange: exchange.problem(status, code, headers)
    error = bridge.request("tools/list")["error"]
    assert error["code"] == -32603
    assert all(part in error["message"] for part in parts), error
    assert len(upstream.exchanges) == 1


@pytest.mark.parametrize("retry_after", [None, "soon", "Wed, 21 Oct 2026 07:28:00 GMT", "-1", "9" * 40])
def test_a_rate_limit_without_a_valid_time_means_a_minute(bridge, upstream, retry_after):
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    upstream.on_call = lambda exchange: exchange.problem(429, "rate_limited", headers)
    assert "Wait 60 s" in text_of(bridge.call())


def test_an_unknown_tool_is_invalid_params(bridge, upstream):
    detail = "Did you mean `look`? `GET /mcp/v1/tools` lists the tools this key can call."
    upstream.on_call = lambda exchange: exchange.problem(404, "unknown_tool", detail=detail)
    error = bridge.call("lok")["error"]
    assert error == {"code": -32602, "message": "Did you mean `look`? `tools/list` lists the tools this key can call."}


def test_all_argument_errors_are_returned(bridge, upstream):
    faults = [{"field": "text", "message": "must not be empty"}, {"field": "channels[0]", "message": "is unknown"}]
    upstream.on_call = lambda exchange: exchange.problem(422, "invalid_arguments", errors=faults)
    text = text_of(bridge.call())
    assert "text: must not be empty" in text and "channels[0]: is unknown" in text


@pytest.mark.parametrize("errors", [None, [], "x", [1], {}])
def test_argument_errors_without_a_list_return_the_detail(bridge, upstream, errors):
    upstream.on_call = lambda exchange: exchange.problem(422, "invalid_arguments", errors=errors)
    assert "The detail of invalid_arguments." in text_of(bridge.call())


def test_a_failed_tool_result_is_forwarded_unchanged(bridge, upstream):
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


OTHER_RESPONSES = {
    "a page": b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n<html",
    "JSON of another kind": b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n[{}]",
    "an empty body": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    "not found": b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnope",
    "an error page": b"HTTP/1.1 500 Oops\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n<html",
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


@pytest.mark.parametrize("what", OTHER_RESPONSES)
def test_a_response_of_another_server_is_reported(bridge, upstream, what):
    def answer(exchange):
        exchange.raw(OTHER_RESPONSES[what])
        exchange.drop()

    upstream.on_call = upstream.on_list = answer
    text = text_of(bridge.call())
    assert "is not the service" in text and "SVC_API_URL" in text
    assert bridge.request("tools/list")["error"]["message"][:20] == text[:20]


@pytest.mark.parametrize("status", [502, 503, 504])
@pytest.mark.parametrize("body", [b"", b"<html><body>No server is available</body></html>", b'{"message":"no upstream"}'])
def test_an_error_of_a_gateway_means_try_again(bridge, upstream, status, body):
    upstream.on_call = upstream.on_list = lambda exchange: exchange.answer(status, body, content_type="text/html")
    text = text_of(bridge.call())
    assert "The service is unavailable" in text and f"HTTP {status}" in text and "Try again in 60 s" in text
    assert "may or may not have been executed" in text  # the gateway may have sent it to the service
    assert "is not the service" not in text and "SVC_API_URL" not in text
    listed = bridge.request("tools/list")["error"]["message"]
    assert "The service is unavailable" in listed and "executed" not in listed


def test_the_time_of_a_gateway_is_passed_on(bridge, upstream):
    upstream.on_call = lambda exchange: exchange.answer(503, b"<html>", {"Retry-After": "7"}, "text/html")
    assert "Try again in 7 s" in text_of(bridge.call())


def test_an_unreachable_service_is_named(start):
    with socket.socket() as unused:  # bound and not listening: connections are refused
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        bridge = start(url)
        text = text_of(bridge.call())
        assert "unreachable" in text and url in text
        assert bridge.request("tools/list")["error"] == {"code": -32603, "message": text}


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a" * 70 + ".invalid"])
def test_an_unknown_host_is_named(start, host):
    assert f"{host} is not known" in text_of(start(f"https://{host}").call())


# Timeouts


class Silent(Server):
    """Accepts connections and never responds."""

    def serve(self, sock):
        while sock.recv(65536):
            pass


def test_a_silent_service_exceeds_the_read_timeout(start, closing):
    silent = closing(Silent())
    bridge = start(f"http://127.0.0.1:{silent.port}", limits={"READ_TIMEOUT": 0.3})
    text = text_of(bridge.call())
    assert "did not answer in time" in text and "check before you repeat" in text
    assert "did not answer in time" in bridge.request("tools/list")["error"]["message"]


def test_a_silent_service_exceeds_the_call_timeout(start, closing):
    silent = closing(Silent())
    bridge = start(f"http://127.0.0.1:{silent.port}", limits={"CALL_TIMEOUT": 0.3})
    assert "in time" in text_of(bridge.call())


def test_a_slow_service_exceeds_the_call_timeout(start, upstream):
    def drip(exchange):
        exchange.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while not upstream.closed.acquire(timeout=0.05):
            exchange.raw(b"{")

    upstream.on_call = drip
    bridge = start(limits={"READ_TIMEOUT": 10, "CALL_TIMEOUT": 0.5})
    assert "in time" in text_of(bridge.call())


def test_a_connection_that_is_not_accepted_exceeds_the_connect_timeout(start):
    with socket.socket() as full:  # its queue is full, so further connections wait
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for sock in waiting:
            sock.setblocking(False)
            sock.connect_ex(full.getsockname())
        bridge = start(f"http://127.0.0.1:{full.getsockname()[1]}", limits={"CONNECT_TIMEOUT": 0.3})
        assert "unreachable" in text_of(bridge.call())
        for sock in waiting:
            sock.close()


def test_a_hanging_resolver_exceeds_the_connect_timeout(start):
    patch = "import socket, threading; socket.getaddrinfo = lambda *a, **k: threading.Event().wait()"
    bridge = start("https://service.test", limits={"CONNECT_TIMEOUT": 0.3}, patch=patch)
    assert "unreachable" in text_of(bridge.call())
    assert bridge.rest() == []


def test_a_hanging_tls_handshake_exceeds_the_connect_timeout(start, closing):
    bridge = start(f"https://127.0.0.1:{closing(Silent()).port}", limits={"CONNECT_TIMEOUT": 0.3})
    assert "unreachable" in text_of(bridge.call())


def test_an_error_of_the_bridge_is_answered(start):
    bridge = start(patch="bridge.Upstream.request = None")
    message = "The bridge failed (TypeError). Call again, and report it if this repeats."
    assert bridge.call()["error"] == {"code": -32603, "message": message}


def test_large_arguments_are_refused_before_they_are_sent(bridge, upstream):
    assert "too large" in text_of(bridge.call("look", {"text": "x" * (1 << 20)}))
    assert upstream.connections == 0


def test_compressed_chunked_interim_and_unbounded_responses_are_read(bridge, upstream):
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


def test_a_response_without_a_body_is_read(bridge, upstream):
    upstream.on_call = lambda exchange: exchange.raw(b"HTTP/1.1 204 No Content\r\n\r\n")
    assert "is not the service (HTTP 204)" in text_of(bridge.call())


def test_the_key_in_a_response_is_hidden(bridge, upstream):
    upstream.on_call = lambda exchange: exchange.answer(200, {"content": [{"type": "text", "text": f"it is {KEY}"}]})
    assert "it is svc_mcp_[hidden]" in bridge.call()["result"]["content"][0]["text"]
