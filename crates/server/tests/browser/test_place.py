"""The address names the brand and the view, so that links, reloads and the history of the browser lead to the same place."""

import re

import pytest
from playwright.sync_api import expect

from steps import choose, open_settings, row


@pytest.fixture
def brands(service):
    first, second = service.brand("Northwind Coffee"), service.brand("Südwind Tea & Sons")
    second.add_member("robin", "member", "Robin Vale", user=first.user("robin"))
    first.create_key("Key of the first")
    second.create_key("Key of the second")
    return first, second


def test_the_switcher_keeps_the_view(page, brands):
    first, second = brands
    open_settings(page, first.link())
    page.get_by_role("link", name="Activity").click()
    expect(page.get_by_role("heading", name="Activity", level=1)).to_be_visible()
    choose(page, "Brand", second.name)
    expect(page.get_by_role("banner")).to_contain_text("Member")
    expect(page.get_by_role("heading", name="Activity", level=1)).to_be_visible()
    assert page.url.endswith(f"?brand={second.brand_id}&view=activity")
    page.reload()
    expect(page.get_by_role("heading", name="Activity", level=1)).to_be_visible()
    expect(page.get_by_role("combobox", name="Brand")).to_have_value(second.brand_id)


def test_back_and_forward_lead_through_brands_and_views(page, brands):
    first, second = brands
    open_settings(page, first.link())
    choose(page, "Brand", second.name)
    expect(row(page, "Key of the second")).to_be_visible()
    page.get_by_role("link", name="Activity").click()
    expect(page.get_by_role("heading", name="Activity", level=1)).to_be_visible()
    page.go_back()
    expect(row(page, "Key of the second")).to_be_visible()
    page.go_back()
    expect(row(page, "Key of the first")).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("Administrator")
    page.go_forward()
    expect(row(page, "Key of the second")).to_be_visible()
    expect(page.get_by_role("combobox", name="Brand")).to_have_value(second.brand_id)


def test_the_title_names_the_view_the_brand_and_how_much_waits(page, brand):
    open_settings(page, brand.link())
    expect(page).to_have_title("Keys · Northwind Coffee")
    agent = brand.create_key("Agent", scope="write", approval="all")
    for number in range(3):
        brand.ask(agent, "create_post", {"text": f"Post {number}.", "channels": ["feed"], "mode": "now"})
    page.get_by_role("button", name="Refresh").click()
    expect(page).to_have_title("(3) Keys · Northwind Coffee")
    page.get_by_role("link", name="Activity").click()
    expect(page).to_have_title("(3) Activity · Northwind Coffee")


def test_the_title_counts_what_waits_in_every_view_and_in_a_hidden_tab(page, brand):
    agent = brand.create_key("Agent", scope="write", approval="all")
    page.clock.install()
    open_settings(page, brand.link())
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
    for view, count in (("Keys", 1), ("Activity", 2), ("Approvals", 3)):
        page.get_by_role("link", name=view).click()
        expect(page).to_have_title(re.compile(f"{view} · Northwind Coffee$"))
        brand.ask(agent, "create_post", {"text": f"Post {count}.", "channels": ["feed"], "mode": "now"})
        page.clock.run_for("01:15")
        expect(page).to_have_title(f"({count}) {view} · Northwind Coffee")
    expect(page.locator("#live")).to_contain_text("A new action waits for approval. 3 actions wait in all.")


def test_an_unknown_view_is_not_replaced_by_another(page, brand):
    open_settings(page, brand.link())
    page.goto(f"{brand.service.url}/settings/mcp?view=nothing")
    expect(page.get_by_role("heading", name="There is no such view")).to_be_visible()
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")
