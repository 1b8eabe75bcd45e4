"""Plans and quotas in the operator's console."""

import itertools

import pytest
from playwright.sync_api import expect

from operator_steps import assert_typing_is_needed, confirm, listed, open_console
from service import WITH_MCP
from steps import dialog

NUMBERS = itertools.count(1)


@pytest.fixture
def plan(service):
    name = f"trial-{next(NUMBERS)}"
    service.api("PUT", f"/api/admin/plans/{name}", service.operator_token, {"name": "Trial", "mcp_enabled": True, "quotas": {"keys": 3}})
    return name


def stored(service, plan):
    return service.request("GET", f"/api/admin/plans/{plan}", service.operator_token)


def open_plan(page, service, plan):
    open_console(page, service, f"?view=plans&open={plan}", "Trial")
    expect(page.get_by_label("Active keys")).to_have_value("3")


def test_plans_are_listed_with_the_quotas_they_set(page, service, plan):
    open_console(page, service, "?view=plans", "Plans")
    row = listed(page, "Plans").filter(has_text=plan)
    expect(row).to_contain_text("Active keys: 3")
    row.get_by_role("link", name="Brands on this plan").click()
    expect(page.get_by_role("heading", name="Nothing fits these filters")).to_be_visible()


def test_a_plan_is_added_and_never_overwrites_another(page, service, plan):
    open_console(page, service, "?view=plans", "Plans")
    page.get_by_role("button", name="Add a plan").click()
    expect(page.get_by_role("heading", name="Add a plan", level=1)).to_be_focused()
    page.get_by_role("button", name="Add plan").click()
    expect(page.get_by_text("Use 1 to 64 letters, digits, - and _.")).to_be_visible()
    expect(page.get_by_text("Give the plan a name.")).to_be_visible()
    page.get_by_label("Id", exact=True).fill(plan)
    page.get_by_label("Name").fill("Large")
    page.get_by_label("Posts a day").fill("1000")
    page.get_by_role("button", name="Add plan").click()
    expect(page.get_by_role("alert").first).to_contain_text("There is a plan with this id already.")
    assert stored(service, plan)[1]["name"] == "Trial"
    page.get_by_label("Id", exact=True).fill(f"{plan}-large")
    page.get_by_role("button", name="Add plan").click()
    expect(page.get_by_role("heading", name="Large", level=1)).to_be_visible()
    assert stored(service, f"{plan}-large")[1]["quotas"] == {"posts_per_day": 1000}


def test_a_plan_is_changed_and_an_empty_quota_is_the_default(page, service, plan):
    open_plan(page, service, plan)
    page.get_by_label("Active keys").fill("")
    page.get_by_label("Posts a day").fill("many")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_label("Posts a day")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Posts a day").fill("7")
    page.get_by_label("Brands on this plan can use MCP").uncheck()
    page.route("**/api/admin/plans/*", lambda route: route.abort() if route.request.method == "PUT" else route.fallback(), times=1)
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_role("alert")).to_contain_text("The plan was not saved.")
    expect(page.get_by_label("Posts a day")).to_have_value("7")
    page.get_by_role("button", name="Save changes").click()
    expect(page.locator(".toast")).to_contain_text("The plan is saved.")
    answer = stored(service, plan)[1]
    assert answer["quotas"] == {"posts_per_day": 7} and answer["mcp_enabled"] is False


def test_a_plan_is_removed_only_after_its_id_was_typed(page, service, plan):
    open_plan(page, service, plan)
    page.get_by_role("button", name="Remove…").click()
    assert_typing_is_needed(page, "Remove plan", plan)
    assert stored(service, plan)[0] == 200
    confirm(page, "Remove plan", plan)
    expect(page.get_by_role("heading", name="Plans", level=1)).to_be_visible()
    assert stored(service, plan)[0] == 404


def test_a_plan_in_use_is_not_removed(page, brand):
    open_console(page, brand.service, f"?view=plans&open={WITH_MCP}", "Growth")
    page.get_by_role("button", name="Remove…").click()
    confirm(page, "Remove plan", WITH_MCP)
    expect(dialog(page).get_by_role("alert")).to_contain_text("The plan was not removed.")
    assert stored(brand.service, WITH_MCP)[0] == 200
