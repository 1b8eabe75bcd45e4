"""From a new key to "Connected": the line that the page shows is run as it is."""

import json
import os
import subprocess

import pytest
from playwright.sync_api import expect

from service import WAIT_TIMEOUT
from steps import choose_client, create_key, dialog, install_line, open_settings

CONFIGURATIONS = {
    "Cursor": ".cursor/mcp.json",
    "Windsurf": ".codeium/windsurf/mcp_config.json",
    "Gemini CLI": ".gemini/settings.json",
}
INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "browser-test", "version": "1"}},
}
LIST_TOOLS = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def run(command, folder, environment, stdin=""):
    done = subprocess.run(command, cwd=folder, env=environment, input=stdin, capture_output=True, text=True, timeout=WAIT_TIMEOUT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("client", CONFIGURATIONS)
def test_the_shown_line_connects_the_assistant(page, brand, tmp_path, client):
    open_settings(page, brand.link())
    secret = create_key(page, "Laptop")
    choose_client(page, client)
    line = install_line(page)
    assert secret not in line
    dialog(page).get_by_role("button", name="Test the connection").click()
    expect(dialog(page).get_by_text("Waiting for the first call of this key…").first).to_be_visible()

    home, downloads = tmp_path / "home", tmp_path / "downloads"
    configuration = home / CONFIGURATIONS[client]
    for folder in (configuration.parent, downloads):
        folder.mkdir(parents=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "NO_PROXY": "127.0.0.1"}
    said = run(["sh", "-c", line], downloads, {**environment, "SVC_MCP_KEY": secret})
    assert secret not in said

    # What the assistant does when it starts.
    [entry] = json.loads(configuration.read_text())["mcpServers"].values()
    messages = "".join(json.dumps(message) + "\n" for message in (INITIALIZE, LIST_TOOLS))
    answers = run([entry["command"], *entry["args"]], home, {**environment, **entry["env"]}, messages)
    assert "get_brand" in answers

    connected = dialog(page).locator(".notice.good")
    expect(connected).to_contain_text("Connected")
    [key] = brand.keys()
    if key.get("last_used_client"):
        expect(connected).to_contain_text("browser-test/1")
