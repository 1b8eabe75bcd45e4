"""Connecting an assistant by hand, and the test of the connection."""

import json
import os
import subprocess
import sys
import time
import tomllib

import pytest
from playwright.sync_api import expect

from axe import assert_accessible
from service import WAIT_TIMEOUT, eventually
from steps import choose, choose_client, create_key, dialog, open_by_hand, open_settings, row

INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "browser test", "version": "1"}},
}
LIST_TOOLS = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def configuration(page, client):
    open_by_hand(page)
    choose_client(page, client)
    return dialog(page).get_by_role("region", name="Configuration").inner_text()


@pytest.mark.parametrize("client", ["Claude Desktop", "Cursor", "Windsurf", "Gemini CLI"])
def test_clients_with_mcp_servers_get_a_complete_entry(page, brand, client):
    open_settings(page, brand.link())
    secret = create_key(page, "Laptop")
    open_by_hand(page)
    dialog(page).get_by_label("Where you saved it").fill("/opt/it's here/svc_mcp_stdio.py")
    entry = json.loads(configuration(page, client))["mcpServers"]["svc"]
    assert entry == {
        "command": "python3", "args": ["/opt/it's here/svc_mcp_stdio.py"],
        "env": {"SVC_API_URL": brand.service.url, "SVC_MCP_KEY": secret, "SVC_MCP_READ_ONLY": "0"},
    }


def test_the_vs_code_entry_does_not_contain_the_key(page, brand):
    open_settings(page, brand.link())
    secret = create_key(page, "Laptop")
    text = configuration(page, "VS Code")
    entry = json.loads(text)
    assert secret not in text
    assert entry["inputs"][0]["password"] is True
    assert entry["servers"]["svc"]["env"]["SVC_MCP_KEY"] == "${input:%s}" % entry["inputs"][0]["id"]


def test_zed_gets_its_own_kind_of_entry(page, brand):
    open_settings(page, brand.link())
    secret = create_key(page, "Laptop")
    entry = json.loads(configuration(page, "Zed"))["context_servers"]["svc"]
    assert entry["command"] == "python3" and entry["env"]["SVC_MCP_KEY"] == secret


def test_codex_and_claude_code_get_entries_for_every_system(page, brand):
    open_settings(page, brand.link())
    secret = create_key(page, "Laptop")
    entry = tomllib.loads(configuration(page, "Codex"))["mcp_servers"]["svc"]
    assert entry["env"]["SVC_MCP_KEY"] == secret and entry["command"] == "python3"
    command = configuration(page, "Claude Code")
    assert command.startswith("claude mcp add --env ") and command.endswith("--transport stdio svc -- python3 /home/you/Downloads/svc_mcp_stdio.py")
    choose(dialog(page), "System", "Windows")
    assert configuration(page, "Claude Code").endswith("-- py 'C:\\Users\\you\\Downloads\\svc_mcp_stdio.py'")
    expect(dialog(page).get_by_text("%USERPROFILE%")).to_have_count(0)
    configuration(page, "Cursor")
    expect(dialog(page).get_by_text("%USERPROFILE%\\.cursor\\mcp.json")).to_be_visible()


def test_the_connection_test_succeeds_with_the_shown_configuration(page, brand, tmp_path):
    open_settings(page, brand.link())
    create_key(page, "Laptop")
    open_by_hand(page)
    with page.expect_download() as download:
        dialog(page).get_by_role("link", name="svc_mcp_stdio.py", exact=True).click()
    script = tmp_path / "svc_mcp_stdio.py"
    download.value.save_as(script)
    dialog(page).get_by_label("Where you saved it").fill(str(script))
    entry = json.loads(configuration(page, "Claude Desktop"))["mcpServers"]["svc"]
    dialog(page).get_by_role("button", name="Test the connection").click()
    expect(dialog(page).get_by_text("Waiting for the first call of this key…").first).to_be_visible()

    messages = "".join(json.dumps(message) + "\n" for message in (INITIALIZE, LIST_TOOLS))
    answers = subprocess.run([sys.executable, *entry["args"]], input=messages, env={**os.environ, **entry["env"]}, capture_output=True, text=True, timeout=WAIT_TIMEOUT, check=True)
    assert "get_brand" in answers.stdout

    expect(dialog(page).locator(".notice.good")).to_contain_text("Connected")
    dialog(page).get_by_role("button", name="Done").click()
    expect(row(page, "Laptop").get_by_role("cell").nth(2)).to_have_text("just now")


def test_the_connection_test_polls_slowly_and_ends_with_advice(watched, brand):
    page = watched.page
    page.clock.install()
    open_settings(page, brand.link())
    create_key(page, "Laptop")
    dialog(page).get_by_role("button", name="Test the connection").click()
    [key] = brand.keys()

    def request_count():
        page.evaluate("0")  # processes pending events of the page
        return len([request for request in watched.requests if request.endswith(key["key_id"])])

    # The clock also goes on by itself, so a slow machine may see more requests: one every two seconds.
    started = time.monotonic()
    eventually(lambda: request_count() >= 1)
    page.clock.run_for(2_100)
    eventually(lambda: request_count() >= 2)
    assert request_count() <= 2 + (time.monotonic() - started) / 2
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    before = request_count()
    page.clock.run_for(10_000)
    assert request_count() == before, "a hidden tab sends no requests"
    page.evaluate("Object.defineProperty(document, 'hidden', { value: false, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))")
    eventually(lambda: request_count() > before)
    page.clock.fast_forward("05:00")
    expect(dialog(page).get_by_text("No call in five minutes").first).to_be_visible()
    expect(dialog(page)).to_contain_text("--check")
    dialog(page).get_by_role("button", name="Wait again").click()
    brand.revoke(key)
    page.clock.run_for(2_100)
    expect(dialog(page).get_by_text("This key was revoked meanwhile").first).to_be_visible()


def test_the_connection_test_names_the_client(page, brand):
    open_settings(page, brand.link())
    create_key(page, "Laptop")
    [key] = brand.keys()
    connected = {**key, "last_used_at": key["created_at"], "last_used_client": "claude-ai/0.1.0"}
    page.route(f"**/mcp-keys/{key['key_id']}", lambda route: route.fulfill(json=connected))
    dialog(page).get_by_role("button", name="Test the connection").click()
    expect(dialog(page).locator(".notice.good")).to_contain_text("claude-ai/0.1.0 used this key")


@pytest.mark.parametrize("client", ["Claude Desktop", "Cursor", "VS Code"])
def test_the_ways_to_connect_are_accessible(page, brand, axe_source, client):
    open_settings(page, brand.link())
    create_key(page, "Laptop")
    configuration(page, client)
    assert_accessible(page, axe_source, client)
