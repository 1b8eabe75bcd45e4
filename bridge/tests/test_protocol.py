"""Every method under the five revisions, and the JSON-RPC envelope."""

import json

import pytest

from harness import OLD_REVISIONS, REVISIONS, STATELESS, STATELESS_META, params

SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"
FIELDS = {
    "2024-11-05": {"name", "description", "inputSchema"},
    "2025-03-26": {"name", "description", "inputSchema", "annotations"},
    "2025-06-18": {"name", "title", "description", "inputSchema", "outputSchema", "annotations"},
    "2025-11-25": {"name", "title", "description", "inputSchema", "outputSchema", "annotations"},
    "2026-07-28": {"name", "title", "description", "inputSchema", "outputSchema", "annotations"},
}


def assert_stamped(result, revision):
    """A result has the fields of the stateless revision, or none of them."""
    if revision == STATELESS:
        assert result["resultType"] == "complete"
        assert result["_meta"][SERVER_INFO_KEY]["name"] == "svc-mcp"
    else:
        assert not {"resultType", "_meta", "ttlMs", "cacheScope"} & set(result)


@pytest.fixture(params=REVISIONS)
def agreed(request, bridge):
    """A bridge and a revision, initialized if the revision has `initialize`."""
    if request.param != STATELESS:
        bridge.initialize(request.param)
    return bridge, request.param


@pytest.mark.parametrize("revision", OLD_REVISIONS)
def test_initialize_echoes_a_known_revision(bridge, upstream, revision):
    result = bridge.initialize(revision)
    assert result["protocolVersion"] == revision
    assert result["capabilities"] == {"tools": {"listChanged": True}}
    assert set(result["serverInfo"]) == {"name", "title", "version"}
    assert result["instructions"]
    assert upstream.connections == 0


@pytest.mark.parametrize("asked", [STATELESS, "2030-01-01", "1.0", "", None, 7, ["2025-06-18"]])
def test_initialize_offers_the_newest_handshake_revision_for_any_other(bridge, asked):
    assert bridge.initialize(asked)["protocolVersion"] == "2025-11-25"


def test_initialize_is_answered_without_params_too(bridge):
    assert bridge.request("initialize")["result"]["protocolVersion"] == "2025-11-25"


def test_initialize_with_a_progress_token_is_not_stateless(bridge):
    answer = bridge.request("initialize", {"protocolVersion": STATELESS, "_meta": {"progressToken": 0}})
    assert answer["result"]["protocolVersion"] == "2025-11-25"
    assert_stamped(answer["result"], "2025-11-25")


def test_ping(agreed):
    bridge, revision = agreed
    result = bridge.request("ping", params(revision))["result"]
    assert_stamped(result, revision)
    assert not set(result) - {"resultType", "_meta"}


def test_tools_list_has_the_fields_of_the_revision(agreed):
    bridge, revision = agreed
    result = bridge.request("tools/list", params(revision))["result"]
    assert [tool["name"] for tool in result["tools"]] == ["look", "change"]
    assert all(set(tool) == FIELDS[revision] for tool in result["tools"])
    assert_stamped(result, revision)
    if revision == STATELESS:
        assert result["ttlMs"] > 0 and result["cacheScope"] == "private"


def test_tools_call_has_the_fields_of_the_revision(agreed, upstream):
    bridge, revision = agreed
    result = bridge.request("tools/call", params(revision, name="look", arguments={"text": "hä"}))["result"]
    assert json.loads(result["content"][0]["text"]) == {"echo": {"text": "hä"}}
    assert result["isError"] is False
    assert ("structuredContent" in result) == (revision >= "2025-06-18")
    assert_stamped(result, revision)
    [exchange] = upstream.calls()
    assert exchange.path == "/mcp/v1/tools/call"
    assert exchange.json == {"name": "look", "arguments": {"text": "hä"}}


def test_an_error_result_is_stamped_like_any_other(agreed, upstream):
    bridge, revision = agreed
    upstream.on_call = lambda exchange: exchange.problem(403, "mcp_inactive")
    result = bridge.request("tools/call", params(revision, name="look"))["result"]
    assert result["isError"] is True
    assert_stamped(result, revision)


@pytest.mark.parametrize(
    "method",
    [
        "resources/list",
        "prompts/list",
        "sampling/createMessage",
        "logging/setLevel",
        "completion/complete",
        "subscriptions/listen",
        "tools/forget",
        "",
        "rpc.x",
    ],
)
def test_other_methods_are_not_found(agreed, method):
    bridge, revision = agreed
    assert bridge.request(method, params(revision))["error"]["code"] == -32601


def test_server_discover(bridge, upstream):
    result = bridge.request("server/discover", {"_meta": STATELESS_META})["result"]
    assert result["supportedVersions"] == [STATELESS]
    assert result["capabilities"] == {"tools": {}}
    assert result["instructions"] and result["ttlMs"] > 0 and result["cacheScope"] == "private"
    assert_stamped(result, STATELESS)
    assert upstream.connections == 0


@pytest.mark.parametrize("missing", STATELESS_META)
@pytest.mark.parametrize("method", ["server/discover", "tools/list"])
def test_a_missing_meta_field_of_the_stateless_revision_is_named(bridge, method, missing):
    meta = {name: value for name, value in STATELESS_META.items() if name != missing}
    answer = bridge.request(method, {"_meta": meta})
    if method == "tools/list" and missing.endswith("protocolVersion"):
        assert "result" in answer  # without it, the request is not stateless
    else:
        assert answer["error"]["code"] == -32602
        assert missing in answer["error"]["message"]


def test_server_discover_without_meta_is_refused(bridge):
    assert bridge.request("server/discover")["error"]["code"] == -32602


@pytest.mark.parametrize("method", ["server/discover", "tools/list", "tools/call", "ping"])
@pytest.mark.parametrize("asked", ["2025-11-25", "2027-01-01"])
def test_an_unsupported_stateless_revision_is_named_with_the_supported_ones(bridge, method, asked):
    meta = {**STATELESS_META, "io.modelcontextprotocol/protocolVersion": asked}
    error = bridge.request(method, {"_meta": meta, "name": "look"})["error"]
    assert error["code"] == -32022
    assert error["data"] == {"supported": [STATELESS], "requested": asked}


def test_stateless_and_other_requests_can_be_mixed(bridge):
    bridge.request("server/discover", {"_meta": STATELESS_META})
    bridge.initialize("2024-11-05")
    stateless = bridge.request("tools/list", {"_meta": STATELESS_META})["result"]
    old = bridge.request("tools/list")["result"]
    assert set(stateless["tools"][0]) == FIELDS[STATELESS] and set(old["tools"][0]) == FIELDS["2024-11-05"]
    bridge.initialize("2025-11-25")
    assert set(bridge.request("tools/list")["result"]["tools"][0]) == FIELDS["2025-11-25"]


def test_a_progress_token_alone_does_not_make_a_request_stateless(bridge):
    result = bridge.request("tools/list", {"_meta": {"progressToken": 1}})["result"]
    assert_stamped(result, "2025-11-25")


def test_tools_before_initialize_use_the_newest_handshake_revision(bridge):
    tools = bridge.request("tools/list")["result"]["tools"]
    assert set(tools[0]) == FIELDS["2025-11-25"]
    assert "structuredContent" in bridge.call()["result"]


def test_notifications_are_never_answered(agreed):
    bridge, _ = agreed
    for method in (
        "notifications/initialized",
        "notifications/whatever",
        "notifications/cancelled",
        "tools/call",
        "ping",
    ):
        bridge.notify(method)
        bridge.notify(method, [1])
        bridge.send({"jsonrpc": "2.0", "id": None, "method": method})
    bridge.nothing_but_ping()


def test_responses_are_ignored(bridge):
    bridge.send({"jsonrpc": "2.0", "id": 1, "result": {}})
    bridge.send({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}})
    bridge.nothing_but_ping()


@pytest.mark.parametrize("request_id", [0, -1, 1, 10**30, "", "0", "a\u2028b", "\ud800"])
def test_ids_are_returned_unchanged(bridge, request_id):
    bridge.send({"jsonrpc": "2.0", "id": request_id, "method": "ping"})
    answer = bridge.next()
    assert answer == {"jsonrpc": "2.0", "id": request_id, "result": {}}
    assert type(answer["id"]) is type(request_id)


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":true,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1.0,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":[1],"method":"ping"}',
        b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
        b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
        b'{"id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1}',
        b'{"jsonrpc":"2.0","id":1,"method":7}',
        b'{"jsonrpc":"2.0","method":null}',
        b"1",
        b'"ping"',
        b"null",
        b"true",
        b"{}",
        b"[]",
        b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    ],
)
def test_a_bad_envelope_is_an_invalid_request_without_id(bridge, line):
    bridge.write(line + b"\n")
    answer = bridge.next()
    assert answer["error"]["code"] == -32600 and answer["id"] is None
    bridge.nothing_but_ping()


@pytest.mark.parametrize("method", ["ping", "initialize", "tools/list", "tools/call"])
@pytest.mark.parametrize("bad", [[], [1], "x", 0, False])
def test_params_that_are_not_an_object_are_refused(bridge, method, bad):
    assert bridge.request(method, bad)["error"]["code"] == -32602


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"name": 1},
        {"name": None},
        {"name": "look", "arguments": [1]},
        {"name": "look", "arguments": "text"},
        {"name": "look", "arguments": []},
        {"name": "look", "arguments": ""},
        {"name": "look", "arguments": False},
    ],
)
def test_a_call_with_invalid_params_is_not_sent(bridge, upstream, bad):
    assert bridge.request("tools/call", bad)["error"]["code"] == -32602
    assert upstream.connections == 0


@pytest.mark.parametrize("given", [{}, {"arguments": None}, {"arguments": {}}])
def test_missing_arguments_are_an_empty_object(bridge, upstream, given):
    assert bridge.request("tools/call", {"name": "look", **given})["result"]["isError"] is False
    assert upstream.calls()[0].json == {"name": "look", "arguments": {}}


def test_batches_are_answered_under_2025_03_26_as_one_array(bridge):
    bridge.initialize("2025-03-26")
    bridge.send(
        [
            {"jsonrpc": "2.0", "id": "a", "method": "ping"},
            {"jsonrpc": "2.0", "method": "notifications/whatever"},
            {"jsonrpc": "2.0", "id": "b", "method": "tools/list"},
            {"jsonrpc": "2.0", "id": "c", "method": "nothing"},
            5,
            {"jsonrpc": "2.0", "id": "d", "method": "tools/call", "params": {"name": "look"}},
        ]
    )
    answers = {answer["id"]: answer for answer in bridge.next()}
    assert set(answers) == {"a", "b", "c", "d", None}
    assert answers["a"]["result"] == {} and answers[None]["error"]["code"] == -32600
    assert answers["c"]["error"]["code"] == -32601 and "result" in answers["b"] and "result" in answers["d"]
    bridge.send([{"jsonrpc": "2.0", "method": "notifications/whatever"}])
    bridge.nothing_but_ping()
    bridge.send([])
    assert bridge.next()["error"]["code"] == -32600


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-06-18", "2025-11-25"])
def test_batches_are_refused_under_the_other_revisions(bridge, revision):
    bridge.initialize(revision)
    bridge.send([{"jsonrpc": "2.0", "id": 1, "method": "ping"}])
    assert bridge.next()["error"]["code"] == -32600
