"""Flows of the views with the keyboard alone. The tests of accessibility, approvals and the calendar have those of their views."""

import re

import pytest
from playwright.sync_api import expect

from connections_states import GOOD_LIST, open_connections, ready, section, stored
from posts_states import open_posts
from site_states import audits_of, open_site, with_site
from steps import dialog, open_settings, open_view, shown_secret, tab_to


@pytest.fixture
def press(page):
    """Moves to an element with the Tab key, and presses Enter."""

    def press(name, role="button"):
        tab_to(page, name, role)
        page.keyboard.press("Enter")

    return press


def replace(page, name, text, role="textbox"):
    tab_to(page, name, role)
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def test_a_key_is_edited_and_gets_a_new_secret(page, brand, press):
    key = brand.create_key("Laptop", scope="write")
    open_settings(page, brand.link())
    press("Laptop")
    expect(dialog(page).get_by_role("heading", name="Laptop", level=2)).to_be_focused()
    press("Edit")
    expect(dialog(page).get_by_role("textbox", name="Label")).to_be_focused()
    replace(page, "Label", "Office")
    tab_to(page, re.compile("^Never"), "radio")
    page.keyboard.press("ArrowDown")
    replace(page, "Networks", "127.0.0.0/8")
    press("Save")
    expect(dialog(page)).to_have_count(0)
    [now] = brand.keys()
    assert (now["label"], now["approval"], now["allowed_networks"]) == ("Office", "outward", ["127.0.0.0/8"])
    expect(page.get_by_role("button", name="Office", exact=True)).to_be_focused()

    page.keyboard.press("Enter")
    expect(dialog(page).get_by_role("heading", name="Office", level=2)).to_be_focused()
    press("New secret…")
    tab_to(page, "The old secret works for", "combobox")
    page.keyboard.press("ArrowDown")
    press("Create the new secret")
    assert brand.list_tools({"api_key": shown_secret(page)}) == 200
    assert brand.list_tools(key) == 200
    press("Done")
    press("Office")
    press("End the old secret…")
    press("End the old secret")
    expect(dialog(page)).to_have_count(0)
    assert brand.list_tools(key) == 401


def test_a_post_is_edited_published_and_withdrawn(page, brand, press):
    agent = brand.create_key("Writing agent", scope="write")
    brand.result(agent, "create_post", {"text": "Fresh beans today.", "channels": ["feed"]})
    open_posts(page, brand.link())
    tab_to(page, "Calendar", "radio")
    page.keyboard.press("ArrowRight")
    press("Fresh beans today.")
    expect(dialog(page).get_by_role("list", name="How it will look")).to_be_visible()
    press("Edit…")
    replace(page, "Text", "Fresh beans tomorrow.")
    press("Add a picture")
    press("Remove picture 1")
    press("Save")
    expect(page.locator(".toast")).to_contain_text("The post was saved.")
    press("Publish…")
    press("Publish now")
    expect(dialog(page).get_by_role("list", name="Channels")).to_contain_text("Published")
    assert brand.feed() == ["Fresh beans tomorrow."]
    press("Withdraw…")
    press("Withdraw from 1 channel")
    expect(dialog(page).get_by_role("list", name="Channels")).to_contain_text("Withdrawn")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Fresh beans tomorrow.")).to_be_focused()
    assert brand.feed() == []


def test_an_audit_is_run_and_read_and_a_schedule_is_added_and_removed(page, service, press):
    brand = with_site(service.brand())
    open_site(page, brand)
    press("Run an audit now")
    expect(page.locator(".site-number")).to_be_visible()
    fixes = audits_of(brand, f"/{audits_of(brand)['audits'][0]['audit_id']}")["fixes"]
    press(f"Show all {len(fixes)} causes")
    expect(page.locator(".site-fix-list > li")).to_have_count(len(fixes))
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.site-fix-list summary')"):
            break
    page.keyboard.press("Enter")
    expect(page.locator(".site-fix-list details[open]")).to_have_count(1)

    press("Add schedule")
    tab_to(page, "How often", "combobox")
    page.keyboard.press("ArrowDown")
    tab_to(page, "Day of the month", "combobox")
    page.keyboard.type("15")
    press("Add")
    schedules = page.get_by_role("region", name="Schedules")
    expect(schedules).to_contain_text("Every month on day 15 at 09:00 (UTC)")
    press("Remove: Audit of the site: Every month on day 15 at 09:00 (UTC)")
    press("Remove schedule")
    expect(schedules).to_contain_text("Nothing repeats yet.")


def test_connections_are_added_tested_and_removed(page, brand, press):
    open_connections(page, brand)
    ready(page)
    press("Add channel")
    tab_to(page, "Kind", "combobox")
    page.keyboard.press("ArrowDown")
    replace(page, "Name", "news")
    replace(page, "Server", "https://mastodon.example")
    replace(page, "Access token", "a-token")
    press("Save")
    expect(dialog(page)).to_have_count(0)
    press("Send a test to news")
    expect(section(page, "Channels").locator(".notice")).to_be_visible()
    press("Remove news")
    press("Remove channel")
    expect(page.get_by_role("button", name="Remove news")).to_have_count(0)

    press("Add recipients")
    replace(page, "Email addresses", "ada@northwind.example")
    press("Add")
    expect(section(page, "Report recipients").get_by_text("Not confirmed yet")).to_be_visible()

    with page.expect_file_chooser() as chosen:
        press("Upload a file")
    chosen.value.set_files({"name": "good.csv", "mimeType": "text/csv", "buffer": GOOD_LIST.encode()})
    expect(section(page, "Keyword lists")).to_contain_text("2 keywords were imported.")

    press("Add endpoint")
    replace(page, "Name", "crm")
    replace(page, "Address", "https://crm.example/events")
    tab_to(page, "All events", "radio")
    page.keyboard.press("ArrowDown")
    tab_to(page, "Key created", "checkbox")
    page.keyboard.press("Space")
    press("Save")
    press("Copy the signing secret")
    press("Done")
    expect(section(page, "Event endpoints")).to_contain_text("One kind of event")
    assert stored(brand, "event-endpoints")["event_endpoints"][0]["types"] == ["key.created"]


def test_quotas_are_loaded_again_and_lead_to_the_activity(page, brand, press):
    open_view(page, brand.link(), "usage", "Quotas")
    press("Refresh")
    expect(page.locator("#live")).to_have_text("Up to date.")
    tab_to(page, "Sign out")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("Boolean(document.activeElement.closest('.view a'))"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Activity", level=1)).to_be_visible()
