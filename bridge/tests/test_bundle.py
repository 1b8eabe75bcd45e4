"""The MCP Bundle of the real service: checked and unpacked with the official tool, and started like an application does."""

import hashlib
import json
import os
import subprocess
import sys

import pytest

from harness import REPOSITORY, SCRIPT, WAIT_TIMEOUT, bridge_environment

TOOL = REPOSITORY / "target" / "mcpb"
HERE = SCRIPT.parent / "tests"
CLIENTS = {
    "mcp 1": [REPOSITORY / ".venv" / "mcp1" / "bin" / "python", HERE / "clients" / "mcp1.py"],
    "mcp 2": [sys.executable, HERE / "clients" / "mcp2.py", "auto"],
}


def run(*command, **environment):
    done = subprocess.run(
        [*map(str, command)], capture_output=True, timeout=WAIT_TIMEOUT, env={**os.environ, **environment}
    )
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    return done.stdout.decode()


@pytest.fixture(scope="module")
def unpacked(service, tmp_path_factory):
    """The folder of the bundle, unpacked by the official tool."""
    folder = tmp_path_factory.mktemp("bundle")
    (folder / "svc-mcp.mcpb").write_bytes(service.fetch("/bridge/svc-mcp.mcpb"))
    run(TOOL / "node_modules" / ".bin" / "mcpb", "unpack", folder / "svc-mcp.mcpb", folder / "unpacked")
    return folder / "unpacked"


def started_with(unpacked, **user_config):
    """Command, arguments and environment that an application uses; None if a required value is missing."""
    script = HERE / "mcpb" / "config.mjs"
    return json.loads(run("node", script, unpacked, json.dumps(user_config), MCPB_FOLDER=str(TOOL)))


def test_the_manifest_is_valid(unpacked):
    assert "passes" in run(TOOL / "node_modules" / ".bin" / "mcpb", "validate", unpacked)
    assert json.loads((unpacked / "manifest.json").read_text())["manifest_version"] == "0.3"


def test_it_has_the_script_and_nothing_else(unpacked):
    assert sorted(path.name for path in unpacked.iterdir()) == ["manifest.json", "svc_mcp_stdio.py"]
    assert (unpacked / "svc_mcp_stdio.py").read_bytes() == SCRIPT.read_bytes()


def test_its_digest_is_served(service):
    bundle = service.fetch("/bridge/svc-mcp.mcpb")
    assert bundle == service.fetch("/bridge/svc-mcp.mcpb")
    line = service.fetch("/bridge/svc-mcp.mcpb.sha256").decode()
    assert line == f"{hashlib.sha256(bundle).hexdigest()}  svc-mcp.mcpb\n"


def test_the_key_is_required_and_the_address_is_filled_in(unpacked, service):
    assert started_with(unpacked) is None
    assert started_with(unpacked, address=service.url) is None
    assert started_with(unpacked, api_key="svc_mcp_x")["env"]["SVC_API_URL"] == service.url


@pytest.mark.parametrize("client", CLIENTS)
def test_the_official_clients_use_it(unpacked, service, new_key, client):
    key = new_key("write")
    config = started_with(unpacked, api_key=key)
    assert config["env"] == {"SVC_API_URL": service.url, "SVC_MCP_KEY": key, "SVC_MCP_READ_ONLY": "false"}
    [script] = config["args"]
    calls = json.dumps([{"name": "get_brand", "arguments": {}}])
    done = subprocess.run(
        [*map(str, CLIENTS[client]), config["command"], script, calls],
        capture_output=True, timeout=WAIT_TIMEOUT, env=bridge_environment(**config["env"]),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    report = json.loads(done.stdout)
    assert "create_post" in report["tools"]
    [brand] = report["results"]
    assert not brand.get("isError") and brand["structuredContent"]["name"]


def test_its_switch_hides_the_tools_that_write(unpacked, new_key):
    config = started_with(unpacked, api_key=new_key("write"), read_only=True)
    done = subprocess.run(
        [config["command"], *config["args"], "--check"],
        capture_output=True, timeout=WAIT_TIMEOUT, env=bridge_environment(**config["env"]),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout.decode()
    assert b"get_brand" in done.stdout and b"create_post" not in done.stdout
