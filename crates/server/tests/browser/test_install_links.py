"""The quick ways to connect an assistant: lines, links and the bundle. None of them contains the key."""

import base64
import hashlib
import json
import shlex
import urllib.parse

import pytest
from playwright.sync_api import expect

from steps import choose, choose_client, create_key, dialog, install_line, open_by_hand, open_settings, tab_to

CLIENTS = {
    "Claude Desktop": "claude-desktop", "Claude Code": "claude-code", "Cursor": "cursor", "VS Code": "vscode",
    "Windsurf": "windsurf", "Codex": "codex", "Gemini CLI": "gemini-cli", "Zed": "zed",
}
SYSTEMS = ["macOS", "Windows", "Linux"]


@pytest.fixture
def created(page, brand):
    """The dialog of a new key. Returns its secret."""
    open_settings(page, brand.link())
    return create_key(page, "Laptop")


def link(page, name):
    return dialog(page).get_by_role("link", name=name, exact=True).get_attribute("href")


def cursor_entry(page):
    address = urllib.parse.urlsplit(link(page, "Add to Cursor"))
    assert (address.scheme, address.netloc, address.path) == ("cursor", "anysphere.cursor-deeplink", "/mcp/install")
    query = urllib.parse.parse_qs(address.query, strict_parsing=True)
    assert query["name"] == ["svc"]
    return json.loads(base64.b64decode(query["config"][0], validate=True))


def vs_code_entry(page):
    start, _, config = link(page, "Add to VS Code").partition("?")
    assert start == "vscode:mcp/install"
    return json.loads(urllib.parse.unquote(config))


def test_every_client_has_a_line(page, brand, created):
    shown = dialog(page).get_by_role("group", name="Your assistant").get_by_role("radio")
    assert shown.count() == len(CLIENTS)
    for name, client in CLIENTS.items():
        choose_client(page, name)
        words = shlex.split(install_line(page))
        assert words == [
            "curl", "-fsSO", f"{brand.service.url}/bridge/svc_mcp_stdio.py", "&&",
            f"SVC_API_URL={brand.service.url}", "python3", "svc_mcp_stdio.py", "--install", client,
        ]


def test_windows_has_a_line_for_powershell(page, brand, created):
    choose(dialog(page), "System", "Windows")
    choose_client(page, "Cursor")
    url = brand.service.url
    assert install_line(page) == (
        f"curl.exe -fsSO {url}/bridge/svc_mcp_stdio.py; $env:SVC_API_URL='{url}'; py svc_mcp_stdio.py --install cursor"
    )
    expect(dialog(page)).to_contain_text("Run it in PowerShell.")


def test_the_line_can_be_copied_with_the_keyboard(page, created):
    group = dialog(page).get_by_role("group", name="Your assistant")
    group.get_by_role("radio", name="Claude Desktop").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(group.get_by_role("radio", name="Cursor")).to_be_checked()
    copy = dialog(page).get_by_role("button", name="Copy the line")
    tab_to(page, copy)
    page.keyboard.press("Enter")
    expect(dialog(page).get_by_text("Copied", exact=True)).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == install_line(page)
    tab_to(page, dialog(page).locator("summary", has_text="Or add it by hand"))
    page.keyboard.press("Enter")
    tab_to(page, dialog(page).get_by_role("link", name="Add to Cursor"))


def test_the_cursor_link_has_the_entry_with_a_placeholder(page, brand, created):
    choose_client(page, "Cursor")
    open_by_hand(page)
    path = "/opt/пример & 100%/svc_mcp_stdio.py"
    dialog(page).get_by_label("Where you saved it").fill(path)
    entry = cursor_entry(page)
    assert entry["command"] == "python3" and entry["args"] == [path]
    assert entry["env"] == {"SVC_API_URL": brand.service.url, "SVC_MCP_KEY": "paste-your-key-here", "SVC_MCP_READ_ONLY": "0"}
    expect(dialog(page)).to_contain_text("Then replace “paste-your-key-here” with the key.")


def test_the_vs_code_link_asks_for_the_key(page, brand, created):
    choose_client(page, "VS Code")
    open_by_hand(page)
    entry = vs_code_entry(page)
    [asked] = entry["inputs"]
    assert asked["type"] == "promptString" and asked["password"] is True
    assert entry["env"]["SVC_MCP_KEY"] == "${input:%s}" % asked["id"]
    assert (entry["name"], entry["type"], entry["command"]) == ("svc", "stdio", "python3")


def test_only_cursor_and_vs_code_have_a_link(page, created):
    open_by_hand(page)
    for name in CLIENTS:
        choose_client(page, name)
        links = dialog(page).get_by_role("link", name="Add to ").all_inner_texts()
        assert links == ([f"Add to {name}"] if name in ("Cursor", "VS Code") else [])


def test_the_extension_is_offered_for_claude_desktop(page, brand, created, tmp_path):
    expect(dialog(page)).to_contain_text(f"The address must be {brand.service.url}.")
    files = []
    for name in ("Download the extension", "SHA-256 checksum of svc-mcp.mcpb"):
        with page.expect_download() as download:
            dialog(page).get_by_role("link", name=name, exact=True).click()
        files.append(tmp_path / download.value.suggested_filename)
        download.value.save_as(files[-1])
    bundle, checksum = files
    assert (bundle.name, checksum.name) == ("svc-mcp.mcpb", "svc-mcp.mcpb.sha256")
    assert checksum.read_text() == f"{hashlib.sha256(bundle.read_bytes()).hexdigest()}  svc-mcp.mcpb\n"
    choose_client(page, "Cursor")
    expect(dialog(page).get_by_role("link", name="Download the extension")).to_have_count(0)


def readable(address):
    """An address, with everything in it that can be decoded."""
    plain = urllib.parse.unquote(address)
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)
    return plain + "".join(base64.b64decode(value).decode() for value in query.get("config", []))


def test_no_link_and_no_line_contains_the_key(page, created):
    open_by_hand(page)
    own_part = created[len("svc_mcp_") + 6:]
    for system in SYSTEMS:
        choose(dialog(page), "System", system)
        for name in CLIENTS:
            choose_client(page, name)
            addresses = page.locator("[href], [src], [action]").evaluate_all(
                "all => all.flatMap((one) => ['href', 'src', 'action'].map((name) => one.getAttribute(name)).filter(Boolean))"
            )
            assert addresses
            for text in (*map(readable, addresses), install_line(page)):
                assert own_part not in text, (system, name)
