import datetime

import pytest
from playwright.sync_api import expect

from service import WITH_MCP, WITHOUT_MCP, eventually
from steps import answer_of, choose, dialog, open_settings, row, show_activity


@pytest.fixture
def busy(brand):
    """A brand with activity: 3 allowed calls, 2 refused calls, and changes by users."""
    reading = brand.create_key("Reader", who="dana")
    brand.call(reading, "list_posts")
    brand.call(reading, "list_posts")
    assert brand.call(reading, "create_post") == 403
    gone = brand.create_key("Old one")
    brand.list_tools(gone)
    brand.revoke(gone)
    brand.set_plan(WITHOUT_MCP)
    assert brand.call(reading, "list_posts") == 403
    brand.set_plan(WITH_MCP)
    path = f"/api/brands/{brand.brand_id}/mcp-keys/{reading['key_id']}/reveal"
    brand.service.api("POST", path, brand.token("dana"))
    brand.wait_for_events(9)
    usage = f"/api/brands/{brand.brand_id}/mcp-usage"
    eventually(lambda: sum(line["calls"] + line["denied"] for line in brand.service.api("GET", usage, brand.token("robin"))["usage"]) == 5)
    return brand


def test_daily_calls_are_shown_as_chart_and_table(page, busy):
    open_settings(page, busy.link())
    show_activity(page)
    chart = page.get_by_role("img", name="3 calls allowed, 2 refused in 30 days.")
    expect(chart).to_be_visible()
    today = datetime.datetime.now(datetime.UTC)
    expect(chart.locator("g title").last).to_have_text(f"{today.day} {today:%b}: 3 allowed, 2 refused")
    assert chart.locator("rect.allowed").count() == 1 and chart.locator("rect.denied").count() == 1
    page.get_by_text("Show as a table").click()
    table = page.get_by_role("table", name="Calls a day")
    expect(table.get_by_role("row")).to_have_count(31)
    expect(table.get_by_role("row").nth(1)).to_have_text(f"{today.day} {today:%b}320")
    choose(page, "Period", "7 days")
    expect(page.get_by_role("img", name="3 calls allowed, 2 refused in 7 days.")).to_be_visible()


def test_the_most_used_tools_are_listed(page, busy):
    open_settings(page, busy.link())
    show_activity(page)
    tools = page.get_by_role("table", name="Most used tools").get_by_role("row")
    expect(tools.nth(1)).to_contain_text("Posts200")
    expect(tools.filter(has_text="Listing the tools")).to_contain_text("100")
    expect(tools.filter(has_text="Refused before a tool ran")).to_contain_text("010")


def test_events_have_an_actor_an_action_and_a_reason(page, busy):
    open_settings(page, busy.link())
    show_activity(page)
    events = page.get_by_role("table", name="Events")
    for text in (
        "Dana Okafor created Reader", "Dana Okafor showed the secret of Reader", "You revoked Old one",
        "Old one listed its tools", "Reader called Posts", "the key is not allowed to use this tool", "MCP is not active on the plan",
    ):
        expect(events).to_contain_text(text)


def test_repeated_refusals_are_one_event_with_their_number(page, brand):
    key = brand.create_key("Stubborn")
    brand.revoke(key)
    # More than one event if a minute ends meanwhile.
    assert [brand.list_tools(key) for _ in range(217)] == [401] * 217
    eventually(lambda: sum(event["count"] for event in brand.wait_for_events(1, outcome="denied")) == 217)
    open_settings(page, brand.link())
    show_activity(page)
    refused = page.get_by_role("table", name="Events").get_by_role("row").filter(has_text="Stubborn listed its tools")
    rows = brand.wait_for_events(1, outcome="denied")
    expect(refused).to_have_count(len(rows))
    for number, event in enumerate(rows):
        if event["count"] > 1:
            expect(refused.nth(number)).to_contain_text(f"Stubborn listed its tools, {event['count']:,} times within a minute")


def test_events_that_were_left_out_are_told(page, brand):
    key = brand.create_key("Chatty")
    for _ in range(30):
        brand.list_tools(key)
    brand.wait_for_events(31)

    def with_left_out(route):
        answer = answer_of(route)
        route.fulfill(response=answer, json={**answer.json(), "left_out": 1_200})

    page.route("**/mcp-activity*", with_left_out)
    open_settings(page, brand.link())
    show_activity(page)
    expect(page.get_by_text("1,200 more allowed calls in this time: counted above, but not listed")).to_be_visible()
    page.get_by_role("button", name="Show older events").click()
    expect(page.get_by_text("2,400 more allowed calls in this time")).to_be_visible()


def test_events_are_filtered(page, busy):
    gone = next(key for key in busy.keys() if key["label"] == "Old one")
    open_settings(page, busy.link())
    show_activity(page)
    events = page.get_by_role("table", name="Events").get_by_role("row")
    choose(page, "Result", "Refused")
    expect(events).to_have_count(1 + 2)
    choose(page, "Event", "Calls")
    expect(events).to_have_count(1 + 2)
    choose(page, "Event", "Revoked")
    expect(page.get_by_text("No event fits these filters.")).to_be_visible()
    choose(page, "Result", "Any")
    expect(events).to_have_count(1 + 1)
    choose(page, "Event", "All")
    choose(page, "Key", gone["key_id"])
    expect(events).to_have_count(1 + 3)
    expect(events.nth(1)).to_contain_text("Old one")


def test_older_events_are_fetched_on_demand(page, brand):
    key = brand.create_key("Chatty")
    for _ in range(30):
        brand.list_tools(key)
    brand.wait_for_events(31)
    open_settings(page, brand.link())
    show_activity(page)
    rows = page.get_by_role("table", name="Events").get_by_role("row")
    expect(rows).to_have_count(1 + 25)
    page.get_by_role("button", name="Show older events").click()
    expect(rows).to_have_count(1 + 31)
    expect(page.get_by_role("button", name="Show older events")).to_be_hidden()


def test_a_brand_without_activity_has_a_message(page, brand):
    open_settings(page, brand.link())
    show_activity(page)
    for text in ("No calls in this period.", "No tool was used in this period.", "No key made a request in the last hour.", "Nothing has happened yet."):
        expect(page.get_by_text(text)).to_be_visible()


def test_loading_of_activity_can_be_repeated(page, busy):
    open_settings(page, busy.link())
    page.route("**/mcp-usage*", lambda route: route.abort(), times=1)
    page.route("**/mcp-activity*", lambda route: route.abort(), times=1)
    show_activity(page)
    for text in ("The usage could not be loaded.", "The events could not be loaded."):
        alert = page.get_by_role("alert").filter(has_text=text)
        alert.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("img", name="3 calls allowed")).to_be_visible()
    expect(page.get_by_role("table", name="Events")).to_be_visible()


def test_the_peak_rate_of_each_key_is_shown(page, brand):
    brand.create_key("Idle")
    careful, hasty = brand.create_key("Careful"), brand.create_key("Hasty")
    for _ in range(3):
        brand.list_tools(careful)
    answers = [brand.list_tools(hasty) for _ in range(62)]
    assert answers.count(429) == 2
    # Two events if a minute ends meanwhile.
    eventually(lambda: sum(event["count"] for event in brand.wait_for_events(1, outcome="denied")) == 2)
    usage = f"/api/brands/{brand.brand_id}/mcp-usage"
    eventually(lambda: sum(peak["most_in_a_minute"] for peak in brand.service.api("GET", usage, brand.token("robin"))["peaks"]) == 63)
    open_settings(page, brand.link())
    show_activity(page)
    limits = page.locator(".limits li")
    expect(limits).to_have_count(2)
    expect(limits.nth(0)).to_contain_text("Hasty")
    expect(limits.nth(0)).to_contain_text("60 of 60")
    expect(limits.nth(0)).to_contain_text("At the limit")
    expect(limits.nth(1)).to_contain_text("3 of 60")
    expect(page.get_by_role("table", name="Events")).to_contain_text("more than 60 requests in a minute")


def test_an_inactive_plan_is_explained_and_keys_are_paused(page, brand):
    key = brand.create_key("Laptop")
    brand.set_plan(WITHOUT_MCP)
    open_settings(page, brand.link())
    expect(page.get_by_text("MCP is not active on the plan “Starter”")).to_be_visible()
    expect(page.get_by_text("each call with one is refused (403)")).to_be_visible()
    expect(page.get_by_text("move Northwind Coffee to a plan that includes MCP")).to_be_visible()
    expect(row(page, "Laptop")).to_contain_text("Paused")
    assert brand.list_tools(key) == 403
    page.get_by_role("button", name="Create key").click()
    expect(dialog(page).get_by_role("heading", name="Create a key")).to_be_visible()
    page.keyboard.press("Escape")
    brand.set_plan(WITH_MCP)
    page.get_by_role("button", name="Refresh").click()
    expect(row(page, "Laptop")).to_contain_text("Active")
    expect(page.get_by_text("MCP is not active on the plan")).to_have_count(0)


def test_a_member_is_referred_to_an_administrator_for_the_plan(page, brand):
    brand.set_plan(WITHOUT_MCP)
    open_settings(page, brand.link("dana"))
    expect(page.get_by_text("ask an administrator of Northwind Coffee for a plan that includes MCP")).to_be_visible()
