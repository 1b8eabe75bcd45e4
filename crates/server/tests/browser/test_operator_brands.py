"""Brands in the operator's console."""

import json

import pytest
from playwright.sync_api import expect

from operator_steps import assert_typing_is_needed, confirm, listed, open_brand, open_console, schedule_post
from service import WITH_MCP, WITHOUT_MCP, eventually
from steps import choose, cut_off, dialog, tab_to


@pytest.fixture
def goods(service):
    return service.brand("Careful Goods")


def status_of(brand):
    return brand.service.api("GET", f"/api/admin/brands/{brand.brand_id}", brand.service.operator_token)["status"]


def test_brands_are_found_by_the_beginning_of_their_name_and_the_address_keeps_it(page, goods):
    open_console(page, goods.service)
    page.get_by_role("searchbox", name="Search by the beginning").fill("careful")
    expect(listed(page, "Brands").first).to_contain_text("Careful Goods")
    expect(listed(page, "Brands").filter(has_text="Northwind Coffee")).to_have_count(0)
    page.wait_for_url("**/operator?q=careful")
    page.get_by_role("searchbox").fill("no such brand")
    expect(page.get_by_role("heading", name="Nothing fits these filters")).to_be_visible()
    page.get_by_role("button", name="Clear the filters").click()
    expect(listed(page, "Brands").first).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_brands_are_filtered_by_plan_and_status(page, goods):
    goods.set_plan(WITHOUT_MCP)
    goods.service.api("POST", f"/api/admin/brands/{goods.brand_id}/suspend", goods.service.operator_token)
    open_console(page, goods.service, f"?q={goods.brand_id}&plan={WITHOUT_MCP}&status=suspended")
    expect(listed(page, "Brands")).to_have_count(1)
    expect(page.get_by_role("combobox", name="Status")).to_have_value("suspended")
    choose(page, "Status", "Active")
    expect(page.get_by_role("heading", name="Nothing fits these filters")).to_be_visible()
    choose(page, "Status", "All")
    choose(page, "Plan", "Growth")
    expect(page.get_by_role("heading", name="Nothing fits these filters")).to_be_visible()
    assert f"plan={WITH_MCP}" in page.url and "status" not in page.url


def test_more_brands_are_loaded_on_demand(page, service):
    body = {"name": "Chain", "website": "https://chain.example", "plan_id": WITH_MCP}
    for number in range(55):
        service.api("PUT", f"/api/admin/brands/chain-{number:02}", service.operator_token, body)
    open_console(page, service, "?q=chain-")
    expect(listed(page, "Brands")).to_have_count(50)
    expect(page.get_by_text("50 entries are shown. There are more.")).to_be_visible()
    page.route("**/api/admin/brands?*cursor*", lambda route: route.abort(), times=1)
    page.get_by_role("button", name="Load more").click()
    expect(page.get_by_role("alert")).to_contain_text("The next entries could not be loaded.")
    expect(listed(page, "Brands")).to_have_count(50)
    page.get_by_role("button", name="Load more").click()
    expect(listed(page, "Brands")).to_have_count(55)
    expect(page.get_by_text("55 entries.")).to_be_focused()


def test_a_brand_shows_its_members_keys_and_posts(page, goods):
    key = goods.create_key("Laptop", scope="write")
    goods.result(key, "create_post", {"title": "Hello", "text": "The first post.", "channels": ["feed"], "mode": "now"})
    open_console(page, goods.service, f"?q={goods.brand_id}")
    page.get_by_role("link", name="Careful Goods").click()
    expect(page.get_by_role("heading", name="Careful Goods", level=1)).to_be_focused()
    members = listed(page, "Members")
    expect(members).to_have_count(2)
    expect(members.filter(has_text="Robin Vale")).to_contain_text("Administrator")
    parts = page.get_by_role("navigation", name="Parts of the brand")
    parts.get_by_role("link", name="Keys").click()
    expect(listed(page, "Keys")).to_contain_text(["Laptop"])
    parts.get_by_role("link", name="Posts").click()
    expect(listed(page, "Posts")).to_contain_text(["The first post."])
    choose(page, "Status", "Scheduled")
    expect(page.get_by_role("heading", name="Nothing fits these filters")).to_be_visible()
    page.reload()
    assert f"open={goods.brand_id}&part=posts&status=scheduled" in page.url


def test_a_brand_that_does_not_exist_is_reported(page, service):
    open_console(page, service, "?view=brands&open=no-such-brand", "no-such-brand")
    expect(page.get_by_role("alert")).to_contain_text("This brand could not be loaded.")
    expect(page.get_by_role("button", name="Erase…")).to_have_count(0)
    page.get_by_role("link", name="All brands").click()
    expect(page.get_by_role("heading", name="Brands", level=1)).to_be_visible()


def test_a_brand_is_suspended_with_a_reason_and_resumed(page, goods):
    key = goods.create_key("Laptop")
    open_brand(page, goods)
    page.get_by_role("button", name="Suspend…").click()
    dialog(page).get_by_label("Reason").fill("Unpaid since October")
    page.route("**/suspend", lambda route: route.abort(), times=1)
    confirm(page, "Suspend brand")
    expect(dialog(page).get_by_role("alert")).to_contain_text("The brand was not suspended.")
    expect(dialog(page).get_by_label("Reason")).to_have_value("Unpaid since October")
    assert status_of(goods) == "active"
    confirm(page, "Suspend brand")
    expect(page.get_by_text("This brand is suspended")).to_be_visible()
    expect(page.get_by_text("Unpaid since October")).to_be_visible()
    expect(page.locator(".toast")).to_contain_text("Careful Goods is suspended.")
    assert status_of(goods) == "suspended" and goods.list_tools(key) == 403
    page.get_by_role("button", name="Resume…").click()
    confirm(page, "Resume brand")
    expect(page.get_by_text("This brand is suspended")).to_have_count(0)
    assert status_of(goods) == "active" and goods.list_tools(key) == 200


def test_a_brand_is_found_and_suspended_with_the_keyboard(page, goods):
    open_console(page, goods.service)
    tab_to(page, "Search by the beginning of the id or name", "searchbox")
    page.keyboard.type(goods.brand_id)
    expect(listed(page, "Brands")).to_have_count(1)
    tab_to(page, "Careful Goods", "link")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Careful Goods", level=1)).to_be_focused()
    expect(page.get_by_role("button", name="Suspend…")).to_be_visible()
    tab_to(page, "Suspend…", "button")
    page.keyboard.press("Enter")
    expect(dialog(page).get_by_role("heading", name="Suspend this brand?")).to_be_focused()
    tab_to(page, "Suspend brand", "button")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Resume…")).to_be_focused()
    assert status_of(goods) == "suspended"


def test_all_keys_of_a_brand_are_revoked_only_after_its_id_was_typed(page, goods):
    keys = [goods.create_key("Laptop", scope="write"), goods.create_key("Office")]
    schedule_post(goods, keys[0])
    open_brand(page, goods, "keys")
    page.get_by_role("button", name="Revoke all keys…").click()
    assert_typing_is_needed(page, "Revoke all keys", goods.brand_id)
    assert [goods.list_tools(key) for key in keys] == [200, 200]
    confirm(page, "Revoke all keys", goods.brand_id)
    expect(dialog(page).get_by_role("heading", name="2 keys were revoked")).to_be_focused()
    expect(dialog(page)).to_contain_text("Posts cancelled1")
    dialog(page).get_by_role("button", name="Close").last.click()
    expect(listed(page, "Keys").filter(has_text="Revoked")).to_have_count(2)
    assert [goods.list_tools(key) for key in keys] == [401, 401]


def test_a_brand_is_exported_as_a_complete_file(page, goods):
    goods.create_key("Laptop")
    open_brand(page, goods)
    page.get_by_role("button", name="Export…").click()
    with page.expect_download() as waiting:
        confirm(page, "Download")
    lines = [json.loads(line) for line in waiting.value.path().read_text().splitlines()]
    assert waiting.value.suggested_filename == f"{goods.brand_id}.ndjson"
    expect(dialog(page)).to_contain_text(f"{lines[-1]['rows']} rows were exported")


def test_an_export_that_breaks_off_is_not_saved(page, goods):
    open_brand(page, goods)
    page.get_by_role("button", name="Export…").click()
    page.route("**/export", lambda route: route.fulfill(body='{"format": 1}\n{"table": "keys", "row": {}}\n'))
    confirm(page, "Download")
    expect(dialog(page).get_by_role("alert")).to_contain_text("The export broke off before its end.")


def test_a_brand_is_erased_only_after_its_id_was_typed_and_the_receipt_shows_the_progress(page, goods):
    key = goods.create_key("Laptop")
    open_brand(page, goods)
    page.get_by_role("button", name="Erase…").click()
    assert_typing_is_needed(page, "Erase brand", goods.brand_id)
    assert status_of(goods) == "active"
    confirm(page, "Erase brand", goods.brand_id)
    expect(page.get_by_role("heading", name="Receipt of an erasure", level=1)).to_be_visible()
    receipt = page.get_by_role("region", name="Receipt of an erasure")
    expect(receipt).to_contain_text(goods.brand_id)
    eventually(lambda: goods.list_tools(key) == 401)
    expect(page.get_by_text("The brand is being erased")).to_be_visible()
    page.get_by_role("link", name="All erasures").click()
    expect(listed(page, "Erasures").filter(has_text=goods.brand_id)).to_contain_text("Brand")


def test_a_receipt_follows_the_erasure_until_it_is_done(page, goods):
    receipt = goods.service.api("DELETE", f"/api/admin/brands/{goods.brand_id}", goods.service.operator_token)
    open_console(page, goods.service, f"?view=erasures&open={receipt['receipt_id']}", "Receipt of an erasure")
    expect(page.get_by_text("The brand is being erased")).to_be_visible()
    done = {**receipt, "status": "done", "deleted_rows": 1234, "finished_at": "2026-01-01T00:00:00Z"}
    page.route("**/api/admin/erasures/*", lambda route: route.fulfill(json=done))
    expect(page.get_by_text("The brand is erased: 1,234 rows were deleted")).to_be_visible()


def test_a_list_that_cannot_be_loaded_can_be_tried_again(page, service, goods):
    open_console(page, service, f"?view=brands&q={goods.brand_id}")
    expect(listed(page, "Brands")).to_have_count(1)
    cut_off(page)
    page.get_by_role("button", name="Refresh").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The list could not be loaded.")
    expect(listed(page, "Brands")).to_have_count(1)
    page.unroute("**/api/**")
    alert.get_by_role("button", name="Try again").click()
    expect(alert).to_have_count(0)
