"""The token and the secrets of keys are not stored by the page."""

import pytest
from playwright.sync_api import expect

from steps import create_key, dialog, open_settings, show_activity, shown_secret

STORED = """async () => JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, document.cookie, await indexedDB.databases(), await caches.keys(),
    history.state, location.href, window.name, performance.getEntriesByType("resource").map((entry) => entry.name),
])"""


@pytest.fixture
def stored_text(watched, context):
    """All storage, history, logs and requests of the page, as one text."""
    page = watched.page

    def collect():
        navigation = context.new_cdp_session(page).send("Page.getNavigationHistory")
        addresses = [entry["url"] for entry in navigation["entries"]]
        return "\n".join([page.evaluate(STORED), page.content(), *addresses, *watched.console, *watched.requests])

    return collect


def test_a_created_secret_is_not_stored_after_closing(page, brand, stored_text):
    open_settings(page, brand.link())
    secret = create_key(page, "Laptop")
    assert secret in page.content()
    dialog(page).get_by_role("button", name="Done").click()
    expect(dialog(page)).to_have_count(0)
    show_activity(page)
    assert secret not in stored_text()
    assert secret[len("svc_mcp_") + 6:] not in stored_text()


def test_a_revealed_secret_is_not_stored_after_hiding(page, brand, stored_text):
    secret = brand.create_key("Laptop")["api_key"]
    open_settings(page, brand.link())
    page.get_by_role("button", name="Show the secret of Laptop").click()
    assert shown_secret(page) == secret
    page.evaluate("dispatchEvent(new Event('blur'))")
    expect(dialog(page)).to_contain_text("Hidden.")
    assert secret not in stored_text()


def test_a_secret_is_not_stored_when_its_dialog_is_closed_early(page, brand, stored_text):
    secret = brand.create_key("Laptop")["api_key"]
    page.clock.install()
    open_settings(page, brand.link())
    page.get_by_role("button", name="Show the secret of Laptop").click()
    shown_secret(page)
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    page.clock.run_for(40_000)
    assert secret not in stored_text()


def test_a_closed_secret_is_not_in_memory(page, context, brand):
    secret = brand.create_key("Laptop")["api_key"]
    open_settings(page, brand.link())
    page.get_by_role("button", name="Show the secret of Laptop").click()
    expect(dialog(page).locator(".secret")).to_contain_text("svc_mcp_")
    assert secret in heap(page, context)
    dialog(page).get_by_role("button", name="Done").click()
    expect(dialog(page)).to_have_count(0)
    assert secret not in heap(page, context)


def heap(page, context):
    session = context.new_cdp_session(page)
    chunks = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda event: chunks.append(event["chunk"]))
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    session.detach()
    return "".join(chunks)


@pytest.mark.parametrize("kind", ["code", "token"])
def test_a_link_and_its_session_are_not_stored_where_scripts_read(page, watched, brand, stored_text, kind):
    link = brand.code_link() if kind == "code" else brand.link()
    secret = link.split(f"{kind}=")[1]
    open_settings(page, link)
    show_activity(page)
    [cookie] = page.context.cookies()
    assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == ("svc_session", True, "Strict", "/")
    assert cookie["value"] not in stored_text()
    assert cookie["value"] not in heap(page, page.context)
    found = [line for line in stored_text().splitlines() if secret in line]
    # Playwright records the navigation with its fragment, which is not sent.
    assert found in ([], [f"GET {link}"])


def test_a_pasted_link_is_removed_from_its_field(page, brand, stored_text):
    page.goto(f"{brand.service.url}/settings/mcp")
    page.get_by_label("Sign-in link").fill(brand.link())
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="MCP keys")).to_be_visible()
    assert brand.link().split("token=")[1] not in stored_text()
