"""The unmodified official clients with the real service: list, read, write, and an error result."""

import json
import subprocess
import sys

import pytest

from harness import REPOSITORY, SCRIPT, WAIT_TIMEOUT, bridge_environment

HERE = SCRIPT.parent / "tests"
CLIENTS = {
    "mcp 2, auto": ([sys.executable, HERE / "clients" / "mcp2.py", "auto"], "2026-07-28"),
    "mcp 2, legacy": ([sys.executable, HERE / "clients" / "mcp2.py", "legacy"], "2025-11-25"),
    "mcp 2, 2026-07-28": ([sys.executable, HERE / "clients" / "mcp2.py", "2026-07-28"], "2026-07-28"),
    "mcp 1": ([REPOSITORY / ".venv" / "mcp1" / "bin" / "python", HERE / "clients" / "mcp1.py"], "2025-11-25"),
    "rmcp, initialize": ([REPOSITORY / "target" / "rmcp_client" / "debug" / "rmcp-client", "initialize"], "2025-11-25"),
    "rmcp, discover": ([REPOSITORY / "target" / "rmcp_client" / "debug" / "rmcp-client", "discover"], "2026-07-28"),
    "rmcp, auto": ([REPOSITORY / "target" / "rmcp_client" / "debug" / "rmcp-client", "auto"], "2026-07-28"),
}
CALLS = [
    {"name": "get_brand", "arguments": {}},
    {
        "name": "create_post",
        "arguments": {"text": "Written by an official client", "channels": ["feed"], "mode": "now"},
    },
    {"name": "get_post", "arguments": {"post_id": "no-such-post"}},
    {"name": "create_post", "arguments": {"text": "", "channels": "feed"}},
]


@pytest.mark.parametrize("client", CLIENTS)
def test_list_read_write_and_error(service, new_key, client):
    command, revision = CLIENTS[client]
    done = subprocess.run(
        [*map(str, command), "/usr/bin/python3", str(SCRIPT), json.dumps(CALLS)],
        capture_output=True,
        timeout=WAIT_TIMEOUT,
        env=bridge_environment(service.url, new_key("write")),
    )
    assert done.returncode == 0, done.stderr.decode()
    report = json.loads(done.stdout)
    assert report["revision"] == revision
    assert {"get_brand", "list_posts", "get_post", "validate_post", "create_post"} <= set(report["tools"])
    brand, post, missing, wrong = report["results"]
    assert not brand.get("isError") and brand["structuredContent"]["name"]
    assert not post.get("isError") and "Written by an official client" in json.dumps(post["structuredContent"])
    assert missing["isError"] and missing["structuredContent"]["code"]
    assert wrong["isError"] and "text" in wrong["content"][0]["text"] and "channels" in wrong["content"][0]["text"]
