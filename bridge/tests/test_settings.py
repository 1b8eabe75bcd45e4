"""Invalid settings (exit code 2), read-only mode, and the command line. The key is never printed."""

import json

import pytest

from harness import KEY, run_bridge, text_of
from upstream import READ, WRITE, tool

URL = "http://127.0.0.1:9"
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


def refusal(**settings):
    done = run_bridge(stdin=PING, **settings)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("svc_mcp_stdio: ")
    return done.stderr


@pytest.mark.parametrize("url", [None, "", "  "])
def test_a_missing_url(url):
    message = refusal(url=url, key=KEY)
    assert "SVC_API_URL is not set" in message and "https://svc.example.com" in message


@pytest.mark.parametrize("key", [None, "", "  "])
def test_a_missing_key(key):
    message = refusal(url=URL, key=key)
    assert "SVC_MCP_KEY is not set" in message and "Settings > MCP" in message


@pytest.mark.parametrize("value", ["${SVC}", "${input:svc}", "${env:SVC}"])
def test_a_variable_that_the_client_did_not_expand(value):
    assert "SVC_API_URL begins with '${'" in refusal(url=value, key=KEY)
    message = refusal(url=URL, key=value)
    assert "SVC_MCP_KEY begins with '${'" in message and value not in message


@pytest.mark.parametrize(
    "url",
    [
        "svc.example.com",
        "ftp://svc.example.com",
        "http://",
        "https:///path",
        "http://a b",
        "http://host:port",
        "http://host:999999",
        "http://host:65536",
        "http://user:secret@host",
        "http://host?x=1",
        "http://host#x",
        "http://höst",
        "http://[::1",
        "http://::1",
        "//host",
        "http:host",
        "http://host\nX: y",
    ],
)
def test_a_malformed_url(url):
    message = refusal(url=url, key=KEY)
    assert "SVC_API_URL is not a valid address" in message and "secret" not in message


# http://

LOOPBACK = ["127.0.0.1", "127.255.0.3", "localhost", "LocalHost", "[::1]", "[0:0:0:0:0:0:0:1]"]
NOT_LOOPBACK = [
    "svc.example.com",
    "10.0.0.1",
    "128.0.0.1",
    "127.0.0.256",
    "127.0.0.1.example.com",
    "127.0.0",
    "0.0.0.0",
    "localhost.example.com",
    "notlocalhost",
    "[::]",
    "[::2]",
    "[fe80::1]",
]


@pytest.mark.parametrize("allow", [None, "", "0", "no"])
@pytest.mark.parametrize("host", NOT_LOOPBACK)
def test_http_to_another_machine_is_refused(host, allow):
    more = {} if allow is None else {"SVC_ALLOW_HTTP": allow}
    message = refusal(url=f"http://{host}:8080", key=KEY, **more)
    assert "in clear text" in message and "https://" in message and "SVC_ALLOW_HTTP" in message


@pytest.mark.parametrize("host", LOOPBACK)
def test_http_to_this_machine_is_allowed(host):
    assert run_bridge(stdin=PING, url=f"http://{host}:9", key=KEY).returncode == 0


@pytest.mark.parametrize("url", ["http://svc.example.com", "http://10.0.0.1", "http://[fe80::1]:80/base"])
def test_http_to_another_machine_can_be_allowed(url):
    done = run_bridge(stdin=PING, url=url, key=KEY, SVC_ALLOW_HTTP="1")
    assert done.returncode == 0 and json.loads(done.stdout)["id"] == 1


def test_https_needs_no_permission():
    assert run_bridge(stdin=PING, url="https://svc.example.com", key=KEY).returncode == 0


@pytest.mark.parametrize("value", ["maybe", "2", "${ALLOW}"])
def test_an_invalid_permission_is_refused(value):
    message = refusal(url="http://svc.example.com", key=KEY, SVC_ALLOW_HTTP=value)
    assert "SVC_ALLOW_HTTP must be 1 or 0" in message


@pytest.mark.parametrize("path", ["/mcp/v1", "/mcp/v1/", "/mcp/v1/tools", "/behind/mcp/v1/tools/call"])
def test_a_url_that_names_an_endpoint(path):
    assert "Remove /mcp/v1" in refusal(url=URL + path, key=KEY)


def test_a_key_in_the_url_is_reported_as_exposed():
    assert "exposed" in refusal(url=f"{URL}/?key={KEY}", key=KEY)


@pytest.mark.parametrize(
    "key",
    [
        "secret",
        "svc_mcp_",
        f'"{KEY}"',
        f"Bearer {KEY}",
        KEY.upper(),
        KEY + "é",
        KEY[:20] + " " + KEY[20:],
        KEY[:20] + "\r\nX-Injected: 1",
        "sk-1234",
    ],
)
def test_a_malformed_key_is_not_shown(key):
    message = refusal(url=URL, key=key)
    assert "SVC_MCP_KEY is not an MCP key" in message
    assert "secret" not in message and "1234" not in message and KEY[10:18] not in message


@pytest.mark.parametrize("value", ["maybe", "2", "${READ_ONLY}"])
def test_an_invalid_read_only_switch(value):
    assert "SVC_MCP_READ_ONLY" in refusal(url=URL, key=KEY, SVC_MCP_READ_ONLY=value)


def test_spaces_around_values_and_a_trailing_slash_are_tolerated(start, upstream):
    assert "result" in start(f"  {upstream.url}/ ").request("tools/list")
    assert upstream.exchanges[0].path == "/mcp/v1/tools"


# Read only


@pytest.fixture
def reading(start, upstream):
    odd = [tool("odd", None), tool("odder", {"readOnlyHint": "true"}), tool("oddest", {})]
    tools = [tool("look", READ), tool("change", WRITE), *odd]
    upstream.on_list = lambda exchange: exchange.answer(200, {"tools": tools})
    return start(SVC_MCP_READ_ONLY="1")


def test_read_only_lists_only_read_tools(reading):
    assert [t["name"] for t in reading.request("tools/list")["result"]["tools"]] == ["look"]


@pytest.mark.parametrize("name", ["change", "odd", "odder", "oddest"])
@pytest.mark.parametrize("listed", [False, True])
def test_read_only_refuses_a_call_that_writes_before_it_is_sent(reading, upstream, name, listed):
    if listed:
        reading.request("tools/list")
    text = text_of(reading.call(name))
    assert name in text and "SVC_MCP_READ_ONLY" in text
    assert upstream.calls() == []


def test_read_only_forwards_reads_and_fetches_the_tools_once(reading, upstream):
    for _ in range(3):
        assert reading.call("look")["result"]["isError"] is False
    assert [exchange.method for exchange in upstream.exchanges] == ["GET", "POST", "POST", "POST"]


def test_read_only_refuses_unknown_tools(reading, upstream):
    error = reading.call("nothing")["error"]
    assert error["code"] == -32602 and "`tools/list`" in error["message"]
    assert upstream.calls() == []


def test_read_only_refuses_calls_if_the_tools_are_unavailable(start, upstream):
    upstream.on_list = lambda exchange: exchange.problem(503, "unavailable")
    assert "unavailable" in text_of(start(SVC_MCP_READ_ONLY="1").call("look"))
    assert upstream.calls() == []


@pytest.mark.parametrize("value", ["", "0", "false"])
def test_read_only_is_off_by_default(start, upstream, value):
    bridge = start(SVC_MCP_READ_ONLY=value)
    assert len(bridge.request("tools/list")["result"]["tools"]) == 2
    assert bridge.call("change")["result"]["isError"] is False


# The command line


def test_version():
    done = run_bridge("--version")
    assert (done.returncode, done.stdout) == (0, "svc_mcp_stdio 0.1.0\n")


@pytest.mark.parametrize("argument", ["--help", "-h"])
def test_help_names_every_variable(argument):
    done = run_bridge(argument)
    assert done.returncode == 0
    for name in (
        "SVC_API_URL",
        "SVC_MCP_KEY",
        "SVC_MCP_READ_ONLY",
        "SVC_ALLOW_HTTP",
        "HTTPS_PROXY",
        "NO_PROXY",
        "SSL_CERT_FILE",
        "--check",
    ):
        assert name in done.stdout


def test_other_arguments_are_refused_and_not_shown():
    done = run_bridge("--key", KEY, key=KEY)
    assert done.returncode == 2 and "usage:" in done.stderr and done.stdout == ""


def test_the_manual_test_of_the_readme(upstream):
    lines = [
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "me", "version": "1"},
            },
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    done = run_bridge(url=upstream.url, key=KEY, stdin="\n".join(map(json.dumps, lines)).encode())
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["result"]["protocolVersion"] == "2025-06-18"
    assert len(second["result"]["tools"]) == 2
