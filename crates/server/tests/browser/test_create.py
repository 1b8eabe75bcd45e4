import datetime
import json
import os
import subprocess
import sys
import tomllib

import pytest
from playwright.sync_api import expect

from service import WAIT_TIMEOUT, eventually
from steps import choose, create_key, dialog, lose_answers, open_settings, row, shown_secret, start_creating, submit

INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "browser test", "version": "1"}},
}
LIST_TOOLS = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


def configuration(page, client):
    dialog(page).get_by_text(client, exact=True).click()
    return dialog(page).get_by_role("region", name="Configuration").inner_text()


def test_the_form_explains_each_access_and_lists_its_tools(page, brand):
    open_settings(page, brand.link())
    form = start_creating(page, "Laptop")
    expect(form).to_contain_text("It cannot change, publish or send anything.")
    expect(form).to_contain_text("publish posts, run analyses and audits, email reports, search for keywords")
    tools = brand.service.api("GET", "/api/tools", brand.token("robin"))["tools"]
    reading = [tool for tool in tools if tool["access"] == "read"]
    form.get_by_text(f"Opens {len(reading)} tools").click()
    expect(form.locator("details[open] li")).to_have_text([tool["title"] for tool in reading])
    expect(form.get_by_text(f"Opens {len(tools)} tools")).to_be_visible()


def test_a_key_is_created_as_chosen(page, brand):
    open_settings(page, brand.link())
    form = start_creating(page, "  Audit robot  ")
    form.get_by_label("Can read and write").check()
    form.get_by_label("Only some of these tools").check()
    for box in form.locator(".tool-choices input").all()[1:]:
        box.uncheck()
    choose(form, "Expires", "In 30 days")
    form.get_by_label("I can show the secret again later").uncheck()
    submit(page)
    secret = shown_secret(page)
    expect(dialog(page)).to_contain_text("Copy it now: it will not be shown again")
    [key] = brand.keys()
    assert (key["label"], key["scope"], key["can_reveal"]) == ("Audit robot", "write", False)
    assert key["tools"] == ["get_brand"]
    lives_for = datetime.datetime.fromisoformat(key["expires_at"]) - datetime.datetime.now(datetime.UTC)
    assert datetime.timedelta(days=29, hours=23) < lives_for < datetime.timedelta(days=30, minutes=1)
    assert brand.list_tools({"api_key": secret}) == 200


def test_an_expiry_date_lasts_to_the_end_of_that_day(page, brand):
    open_settings(page, brand.link())
    form = start_creating(page, "Until then")
    choose(form, "Expires", "On a date…")
    submit(page)
    assert brand.keys() == [], "the browser requires the date first"
    day = datetime.date.today() + datetime.timedelta(days=10)
    form.get_by_label("Expiry date").fill(day.isoformat())
    submit(page)
    shown_secret(page)
    assert brand.keys()[0]["expires_at"].startswith(f"{day}T23:59:59")


def test_errors_of_the_service_are_shown_at_their_fields(page, brand):
    open_settings(page, brand.link())
    form = start_creating(page, "x" * 101)
    submit(page)
    expect(form.get_by_text("Label must be 1 to 100 characters")).to_be_visible()
    expect(form.get_by_label("Label")).to_be_focused()
    form.get_by_label("Label").fill("Fine")
    form.get_by_label("Only some of these tools").check()
    for box in form.locator(".tool-choices input").all():
        box.uncheck()
    submit(page)
    expect(form.get_by_text("Tools must have at least one item")).to_be_visible()
    expect(form.get_by_text("Label must be")).to_have_count(0)


def test_the_secret_can_be_copied(page, brand):
    open_settings(page, brand.link())
    secret = create_key(page, "Laptop")
    expect(dialog(page)).to_contain_text("Copy it now, or show it again later")
    dialog(page).get_by_role("button", name="Copy the key").click()
    expect(dialog(page).get_by_text("Copied", exact=True)).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == secret
    dialog(page).get_by_role("button", name="Done").click()
    expect(row(page, "Laptop")).to_be_visible()


def test_without_a_clipboard_the_text_is_selected(page, brand):
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    open_settings(page, brand.link())
    secret = create_key(page, "Laptop")
    dialog(page).get_by_role("button", name="Copy the key").click()
    expect(dialog(page).get_by_text("Press Ctrl+C", exact=True)).to_be_visible()
    assert page.evaluate("getSelection().toString()") == secret


def test_closing_an_uncopied_secret_asks_for_confirmation(page, brand):
    open_settings(page, brand.link())
    form = start_creating(page, "Once")
    form.get_by_label("I can show the secret again later").uncheck()
    submit(page)
    shown_secret(page)
    page.keyboard.press("Escape")
    expect(dialog(page).get_by_role("alert")).to_contain_text("You have not copied the key yet")
    dialog(page).get_by_role("button", name="Close without copying").click()
    expect(dialog(page)).to_have_count(0)


@pytest.mark.parametrize("client", ["Claude Desktop", "Cursor", "Windsurf"])
def test_clients_with_mcp_servers_get_a_complete_entry(page, brand, client):
    open_settings(page, brand.link())
    secret = create_key(page, "Laptop")
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

    eventually(lambda: request_count() == 1)
    page.clock.run_for(2_100)
    eventually(lambda: request_count() == 2)
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    page.clock.run_for(10_000)
    assert request_count() == 2, "a hidden tab sends no requests"
    page.evaluate("Object.defineProperty(document, 'hidden', { value: false, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))")
    eventually(lambda: request_count() == 3)
    page.clock.fast_forward("05:00")
    expect(dialog(page).get_by_text("No call in five minutes").first).to_be_visible()
    expect(dialog(page)).to_contain_text("--check")
    dialog(page).get_by_role("button", name="Wait again").click()
    brand.revoke(key)
    page.clock.run_for(2_100)
    expect(dialog(page).get_by_text("This key was revoked meanwhile").first).to_be_visible()


def test_after_a_lost_response_the_created_key_is_found(page, brand):
    open_settings(page, brand.link())
    lose_answers(page, reach_the_service=True)
    start_creating(page, "Laptop")
    submit(page)
    expect(dialog(page)).to_contain_text("“Laptop” was created, but its secret did not arrive")
    dialog(page).get_by_role("button", name="Show its secret").click()
    expect(dialog(page).get_by_role("heading", name="“Laptop” is ready")).to_be_visible()
    assert brand.list_tools({"api_key": shown_secret(page)}) == 200
    assert len(brand.keys()) == 1


def test_after_a_lost_response_a_key_without_reveal_is_replaced(page, brand):
    brand.create_key("Laptop")
    open_settings(page, brand.link())
    lose_answers(page, reach_the_service=True)
    form = start_creating(page, "Laptop")
    form.get_by_label("I can show the secret again later").uncheck()
    submit(page)
    expect(dialog(page)).to_contain_text("its secret is lost. Revoke it and try again.")
    expect(dialog(page).get_by_role("button", name="Show its secret")).to_have_count(0)
    page.unroute_all()
    dialog(page).get_by_role("button", name="Revoke it and try again").click()
    expect(dialog(page).get_by_role("textbox", name="Label")).to_have_value("Laptop")
    submit(page)
    expect(dialog(page).get_by_role("heading", name="“Laptop” is ready")).to_be_visible()
    assert sorted(key["status"] for key in brand.keys()) == ["active", "active", "revoked"]


def test_a_create_that_never_reached_the_service_is_safe_to_repeat(page, brand):
    open_settings(page, brand.link())
    lose_answers(page, reach_the_service=False)
    start_creating(page, "Laptop")
    submit(page)
    expect(dialog(page)).to_contain_text("No key “Laptop” was created")
    page.unroute_all()
    dialog(page).get_by_role("button", name="Try again").click()
    submit(page)
    expect(dialog(page).get_by_role("heading", name="“Laptop” is ready")).to_be_visible()
    assert len(brand.keys()) == 1


def test_a_broken_network_is_reported_until_it_works(page, brand):
    open_settings(page, brand.link())
    page.route("**/mcp-keys*", lambda route: route.abort("internetdisconnected"))
    start_creating(page, "Laptop")
    submit(page)
    expect(dialog(page)).to_contain_text("It is not known whether “Laptop” was created")
    page.unroute_all()
    dialog(page).get_by_role("button", name="Look again").click()
    expect(dialog(page)).to_contain_text("No key “Laptop” was created")


def test_a_second_click_during_a_create_is_ignored(page, brand):
    open_settings(page, brand.link())
    held = []
    page.route("**/mcp-keys", lambda route: held.append(route) if route.request.method == "POST" else route.fallback())
    start_creating(page, "Laptop")
    submit(page)
    expect(dialog(page).get_by_role("button", name="Creating…")).to_be_visible()
    dialog(page).get_by_role("button", name="Creating…").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_be_visible()
    [route] = held
    route.continue_()
    expect(dialog(page).get_by_role("heading", name="“Laptop” is ready")).to_be_visible()
    assert len(brand.keys()) == 1
