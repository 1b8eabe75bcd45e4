"""The bridge with the real service."""

import hashlib

import pytest

from harness import SCRIPT, run_bridge, text_of

POST = {"channels": ["feed"], "mode": "now"}


@pytest.fixture
def connect(start, service, new_key):
    """Starts a bridge for the real service, with a new key."""

    def connect(scope="write", url=None, **options):
        return start(url or service.url, key=new_key(scope), **options)

    return connect


def names(bridge):
    return {tool["name"] for tool in bridge.request("tools/list")["result"]["tools"]}


def posts_with(bridge, text):
    listed = bridge.call("list_posts", {"limit": 100})["result"]
    assert listed["isError"] is False
    return [post for post in listed["structuredContent"]["items"] if post["text"] == text]


def test_a_read_key_lists_and_calls_read_tools(connect):
    bridge = connect("read")
    assert "get_brand" in names(bridge) and "create_post" not in names(bridge)
    assert bridge.call("get_brand")["result"]["isError"] is False
    assert "scope write" in text_of(bridge.call("create_post", {"text": "x", **POST}))


def test_a_write_key_writes(connect):
    bridge = connect()
    assert "create_post" in names(bridge)
    assert bridge.call("create_post", {"text": "A post through the bridge", **POST})["result"]["isError"] is False
    assert len(posts_with(bridge, "A post through the bridge")) == 1


def test_read_only_mode_hides_and_refuses_what_a_write_key_could_do(connect):
    bridge = connect(SVC_MCP_READ_ONLY="1")
    assert "get_brand" in names(bridge) and "create_post" not in names(bridge)
    assert "SVC_MCP_READ_ONLY" in text_of(bridge.call("create_post", {"text": "never written", **POST}))
    assert posts_with(bridge, "never written") == []


def test_a_call_whose_response_is_lost_is_executed_once(connect, breaking_proxy):
    bridge = connect(url=f"http://127.0.0.1:{breaking_proxy.port}")
    names(bridge)  # opens the connection that is reused
    breaking_proxy.break_next.set()
    result = bridge.call("create_post", {"text": "Once and once only", **POST})["result"]
    assert breaking_proxy.broken.is_set()
    assert result["isError"] is False
    assert len(posts_with(bridge, "Once and once only")) == 1


def test_argument_errors_name_their_fields(connect):
    text = text_of(connect().call("create_post", {"text": 7, "channels": "feed"}))
    assert "- text" in text and "- channels" in text


def test_an_unknown_tool_is_invalid_params(connect):
    error = connect().call("creat_post")["error"]
    assert error["code"] == -32602 and "create_post" in error["message"] and "`tools/list`" in error["message"]


def test_a_revoked_key_is_rejected_for_the_next_call(start, service):
    key = service.create_key("read")
    bridge = start(service.url, key=key["api_key"])
    assert bridge.call("get_brand")["result"]["isError"] is False
    service.revoke_key(key)
    text = text_of(bridge.call("get_brand"))
    assert "SVC_MCP_KEY" in text and "Settings → MCP" in text


def test_an_unknown_key_is_rejected(start, service):
    assert "SVC_MCP_KEY" in text_of(start(service.url).call("get_brand"))


def test_an_inactive_plan_refuses_until_it_is_active_again(connect, service):
    bridge = connect()
    service.set_mcp(False)
    try:
        assert "MCP is inactive" in text_of(bridge.call("get_brand"))
        assert "MCP is inactive" in bridge.request("tools/list")["error"]["message"]
    finally:
        service.set_mcp(True)
    assert bridge.call("get_brand")["result"]["isError"] is False


def test_the_61st_request_in_a_minute_is_rate_limited(connect, service):
    bridge = connect()
    ids = [bridge.ask("tools/call", {"name": "get_brand", "arguments": {}}) for _ in range(61)]
    results = [bridge.answer_to(request_id)["result"] for request_id in ids]
    refused = [result for result in results if result["isError"]]
    assert len(refused) == 1
    assert "Rate limit" in refused[0]["content"][0]["text"] and "Wait " in refused[0]["content"][0]["text"]


def test_check_succeeds(service, new_key):
    done = run_bridge("--check", url=service.url, key=new_key("write"))
    assert done.returncode == 0, done.stdout
    assert "FAIL" not in done.stdout and "create_post (writes)" in done.stdout and "get_brand (reads)" in done.stdout


def test_check_names_an_inactive_plan(service, new_key):
    key = new_key("read")
    service.set_mcp(False)
    try:
        done = run_bridge("--check", url=service.url, key=key)
    finally:
        service.set_mcp(True)
    assert done.returncode == 1 and "FAIL  plan" in done.stdout


def test_the_service_serves_this_script_and_its_digest(service):
    script = service.fetch("/bridge/svc_mcp_stdio.py")
    assert script == SCRIPT.read_bytes()
    assert hashlib.sha256(script).hexdigest() in service.fetch("/bridge/svc_mcp_stdio.py.sha256").decode()
