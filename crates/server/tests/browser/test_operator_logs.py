"""Events, approvals, activity and the audit log in the operator's console."""

import datetime

import pytest
from playwright.sync_api import expect

from operator_steps import listed, open_console
from service import WITHOUT_MCP, eventually
from steps import choose


@pytest.fixture
def endpoint(brand):
    """An event endpoint that does not exist, and one delivery to it that failed."""
    path = f"/api/brands/{brand.brand_id}/event-endpoints/crm"
    body = {"url": "https://crm.example/hook"}
    brand.service.api("PUT", path, brand.token("robin"), body)
    brand.create_key("Laptop")
    eventually(lambda: [one for one in deliveries(brand) if one["last_error"]])
    return "crm"


def deliveries(brand):
    return brand.service.api("GET", f"/api/admin/event-deliveries?brand={brand.brand_id}", brand.service.operator_token)["event_deliveries"]


def test_deliveries_show_the_last_answer_and_are_sent_again(page, brand, endpoint):
    open_console(page, brand.service, f"?view=events&brand={brand.brand_id}&endpoint={endpoint}", "Events")
    row = listed(page, "Events").filter(has_text="key.created")
    expect(row).to_contain_text(next(one for one in deliveries(brand) if one["type"] == "key.created")["last_error"])
    before = next(one for one in deliveries(brand) if one["type"] == "key.created")["last_try_at"]
    page.get_by_role("button", name="Send again: key.created to crm").click()
    expect(page.locator(".toast")).to_contain_text("key.created is sent again, with the same id.")
    eventually(lambda: next(one for one in deliveries(brand) if one["type"] == "key.created")["last_try_at"] != before)
    choose(page, "Status", "Delivered")
    expect(page.get_by_role("heading", name="Nothing fits these filters")).to_be_visible()


def test_an_endpoint_that_is_gone_gets_nothing_and_the_reason_is_shown(page, brand, endpoint):
    open_console(page, brand.service, f"?view=events&brand={brand.brand_id}", "Events")
    expect(listed(page, "Events").first).to_be_visible()
    problem = {"code": "endpoint_off", "title": "The endpoint is off", "detail": "An administrator of the brand saves it first.", "status": 409}
    page.route("**/resend", lambda route: route.fulfill(status=409, json=problem))
    page.get_by_role("button", name="Send again: key.created to crm").click()
    expect(page.get_by_role("alert")).to_contain_text("An administrator of the brand saves it first.")


def test_approvals_of_all_brands_are_filtered(page, brand):
    agent = brand.create_key("Agent", scope="write", approval="all")
    brand.ask(agent, "run_audit", {})
    rejected = brand.ask(agent, "create_post", {"text": "Hello", "channels": ["feed"], "mode": "now"})
    brand.approvals(f"/{rejected}/reject", method="POST", body={"reason": "Not today"})
    open_console(page, brand.service, f"?view=approvals&brand={brand.brand_id}", "Approvals")
    expect(listed(page, "Approvals")).to_have_count(2)
    choose(page, "Status", "Rejected")
    expect(listed(page, "Approvals")).to_have_count(1)
    expect(listed(page, "Approvals")).to_contain_text("Not today")
    choose(page, "Status", "Pending")
    expect(listed(page, "Approvals")).to_contain_text(["run_audit"])
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)


def test_the_activity_of_all_brands_is_shown_for_a_time(page, brand):
    key = brand.create_key("Laptop")
    brand.call(key, "create_post")
    brand.wait_for_events(2)
    since = datetime.datetime.now(datetime.UTC) - datetime.timedelta(minutes=30)
    open_console(page, brand.service, f"?view=activity&since={since.isoformat()[:19]}Z", "Activity")
    expect(listed(page, "Activity").first).to_be_visible()
    for _ in range(100):
        if not page.get_by_role("button", name="Load more").count():
            break
        shown = listed(page, "Activity").count()
        page.get_by_role("button", name="Load more").click()
        expect(listed(page, "Activity")).not_to_have_count(shown)
    rows = listed(page, "Activity").filter(has_text=key["key_id"])
    expect(rows).to_contain_text(["Key created", "create_post"])
    expect(rows.filter(has_text="Refused")).to_contain_text("The key is not allowed to use this tool")
    page.get_by_label("Since").fill("2099-01-01T00:00")
    page.get_by_label("Since").blur()
    expect(page.get_by_role("heading", name="Nothing happened in this time")).to_be_visible()


def test_the_audit_log_shows_who_changed_what(page, brand):
    brand.set_plan(WITHOUT_MCP)
    open_console(page, brand.service, f"?view=audit&brand={brand.brand_id}&action=brand.put", "Audit log")
    change = listed(page, "Audit log").last
    expect(change).to_contain_text("Operator")
    expect(change.locator("del")).to_have_text("with-mcp")
    expect(change.locator("ins")).to_have_text("without-mcp")
    change.get_by_text("Where it came from").click()
    expect(change).to_contain_text("127.0.0.1")


def test_the_audit_log_is_filtered_by_actor_and_action_and_time(page, brand):
    brand.create_key("Laptop")
    brand.create_key("Office", who="dana")
    open_console(page, brand.service, f"?view=audit&brand={brand.brand_id}&action=key.create", "Audit log")
    rows = listed(page, "Audit log")
    expect(rows).to_have_count(2)
    page.get_by_label("User id of the actor").fill(brand.user("dana"))
    page.keyboard.press("Enter")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Member")
    page.get_by_label("Until").fill("2020-01-01T00:00")
    page.get_by_label("Until").blur()
    expect(page.get_by_role("heading", name="Nothing fits these filters")).to_be_visible()


def test_every_action_of_the_audit_log_can_be_chosen(page, service):
    document = service.api("GET", "/openapi.json", service.operator_token)
    parameters = document["paths"]["/api/admin/audit"]["get"]["parameters"]
    [known] = [parameter["schema"]["enum"] for parameter in parameters if parameter["name"] == "action"]
    open_console(page, service, "?view=audit", "Audit log")
    offered = page.get_by_role("combobox", name="Action").locator("option").evaluate_all("options => options.map((option) => option.value)")
    assert sorted(offered) == sorted(["", *known])
