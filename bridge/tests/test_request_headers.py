"""The headers of a request: the name of the client, and the trace of the request."""

import json

import pytest

from harness import STATELESS_META

PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
OTHER_PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"
STATE = "congo=t61rcWkgMzE,rojo=00f067aa0ba902b7"


def initialize(bridge, client):
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, **({} if client is None else {"clientInfo": client})}
    assert "result" in bridge.request("initialize", params)


def sent_client(upstream):
    return upstream.exchanges[-1].headers.get("x-mcp-client")


CLIENTS = {
    "both": ({"name": "claude-ai", "version": "0.1.0"}, "claude-ai/0.1.0"),
    "spaces": ({"name": "Visual Studio Code", "version": "1.104 (user)"}, "Visual-Studio-Code/1.104-(user)"),
    "no version": ({"name": "cursor"}, "cursor"),
    "another type of version": ({"name": "cursor", "version": 3}, "cursor"),
    "an empty version": ({"name": "cursor", "version": ""}, "cursor"),
    "a new line": ({"name": "a\r\nX-Other: b", "version": "1\n2"}, "a-X-Other:-b/1-2"),
    "other alphabets": ({"name": "Агент 7 ü", "version": "1"}, "7/1"),
    "too long": ({"name": "n" * 500, "version": "v" * 500}, "n" * 100),
    "a long version": ({"name": "name", "version": "v" * 500}, "name/" + "v" * 95),
    "no visible character": ({"name": " \u00a0\u200b", "version": "1"}, None),
    "an empty name": ({"name": "", "version": "1"}, None),
    "another type": ({"name": ["x"], "version": "1"}, None),
    "no object": ("claude", None),
    "nothing": (None, None),
}


@pytest.mark.parametrize("case", CLIENTS)
def test_the_client_is_named_in_a_header(bridge, upstream, case):
    client, expected = CLIENTS[case]
    initialize(bridge, client)
    bridge.request("tools/list")
    assert sent_client(upstream) == expected
    bridge.call()
    assert sent_client(upstream) == expected and "x-other" not in upstream.exchanges[-1].headers


def test_a_stateless_request_names_its_own_client(bridge, upstream):
    meta = {**STATELESS_META, "io.modelcontextprotocol/clientInfo": {"name": "new", "version": "2"}}
    bridge.call(_meta=meta)
    assert sent_client(upstream) == "new/2"
    initialize(bridge, {"name": "old", "version": "1"})
    bridge.call(_meta=meta)
    assert sent_client(upstream) == "new/2"
    bridge.call()
    assert sent_client(upstream) == "old/1"


def test_a_client_without_a_name_sends_no_header(bridge, upstream):
    bridge.call()
    assert sent_client(upstream) is None


def test_the_trace_of_a_request_is_forwarded(bridge, upstream):
    for ask in (lambda **params: bridge.call(**params), lambda **params: bridge.request("tools/list", params)):
        ask(_meta={"traceparent": PARENT, "tracestate": STATE})
        headers = upstream.exchanges[-1].headers
        assert (headers["traceparent"], headers["tracestate"]) == (PARENT, STATE)
    bridge.call()
    assert not {"traceparent", "tracestate"} & set(upstream.exchanges[-1].headers), "only for the request that has it"


WRONG_PARENTS = [
    PARENT.upper(), PARENT[:-1], PARENT + "0", PARENT + "\r\nX-Other: 1", PARENT + "\n", " " + PARENT, "ff" + PARENT[2:],
    "00-" + "0" * 32 + PARENT[35:], PARENT[:36] + "0" * 16 + "-01", "", 7, None, [PARENT], {"x": PARENT},
]  # fmt: skip


@pytest.mark.parametrize("parent", WRONG_PARENTS)
def test_a_trace_that_is_not_well_formed_is_left_out(bridge, upstream, parent):
    assert bridge.call(_meta={"traceparent": parent, "tracestate": STATE})["result"]["isError"] is False
    assert not {"traceparent", "tracestate", "x-other"} & set(upstream.exchanges[-1].headers)


@pytest.mark.parametrize("state", ["a=1", "a=1, b=2", "tenant@system=x y", "a=" + "x" * 256])
def test_a_trace_state_is_forwarded(bridge, upstream, state):
    bridge.call(_meta={"traceparent": PARENT, "tracestate": state})
    assert upstream.exchanges[-1].headers["tracestate"] == state


WRONG_STATES = ["", "a", "a=", "A=1", "a=1,", "a=1\r\nX-Other: 1", "a=1\n", "a=ü", "a=1;b==2", "a=" + "x" * 600, 7, ["a=1"]]


@pytest.mark.parametrize("state", WRONG_STATES)
def test_a_trace_state_that_is_not_well_formed_is_left_out(bridge, upstream, state):
    bridge.call(_meta={"traceparent": PARENT, "tracestate": state})
    headers = upstream.exchanges[-1].headers
    assert headers["traceparent"] == PARENT and not {"tracestate", "x-other"} & set(headers)


def test_the_trace_of_the_environment_is_forwarded(start, upstream):
    bridge = start(TRACEPARENT=PARENT, TRACESTATE=STATE)
    bridge.call()
    headers = upstream.exchanges[-1].headers
    assert (headers["traceparent"], headers["tracestate"]) == (PARENT, STATE)
    bridge.call(_meta={"traceparent": OTHER_PARENT})
    headers = upstream.exchanges[-1].headers
    assert headers["traceparent"] == OTHER_PARENT and "tracestate" not in headers, "the request has a trace of its own"
    bridge.call(_meta={"traceparent": "nonsense"})
    assert not {"traceparent", "tracestate"} & set(upstream.exchanges[-1].headers)


@pytest.mark.parametrize("parent", ["", "nonsense", PARENT.upper(), PARENT + "\nX-Other: 1"])
def test_a_trace_of_the_environment_that_is_not_well_formed_is_left_out(start, upstream, parent):
    start(TRACEPARENT=parent, TRACESTATE=STATE).call()
    assert not {"traceparent", "tracestate", "x-other"} & set(upstream.exchanges[-1].headers)


def test_the_body_of_a_call_does_not_contain_its_meta(bridge, upstream):
    bridge.call("look", {"text": "x"}, _meta={"traceparent": PARENT, "progressToken": "secret-token"})
    assert json.loads(upstream.exchanges[-1].body) == {"name": "look", "arguments": {"text": "x"}}


def test_the_service_accepts_the_headers(start, service, new_key):
    bridge = start(service.url, key=new_key("read"))
    initialize(bridge, {"name": "Visual Studio Code", "version": "1.104"})
    assert bridge.call("get_brand", _meta={"traceparent": PARENT, "tracestate": STATE})["result"]["isError"] is False
