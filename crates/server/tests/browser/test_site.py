"""Audits of the site, what to fix, and schedules on the page."""

import pytest
from playwright.sync_api import expect

from service import WITHOUT_MCP
from site_states import audits_of, open_site, run_audits, schedule, show_running, with_site
from steps import choose, cut_off, dialog


@pytest.fixture
def brand(service):
    return with_site(service.brand())


def part(page, name):
    return page.get_by_role("region", name=name, exact=True)


def run(page):
    page.get_by_role("button", name="Run an audit now").click()


def operator(brand, path, body=None):
    return brand.service.api("POST", f"/api/admin/{path}", brand.service.operator_token, body)


def test_an_audit_waits_runs_and_shows_its_score_and_what_to_fix(page, brand):
    open_site(page, brand)
    operator(brand, "jobs/hold")
    try:
        run(page)
        expect(page.get_by_role("heading", name="An audit waits for its turn")).to_be_visible()
        expect(page.get_by_role("button", name="An audit is running")).to_be_disabled()
    finally:
        operator(brand, "jobs/resume", {})
    expect(page.locator(".site-number")).to_be_visible()
    expect(page.locator("#live")).to_contain_text("The audit is done. The score is")
    audit, = audits_of(brand)["audits"]
    assert audit["requested_by"] == brand.user("robin")
    expect(page.locator(".site-number")).to_have_text(f"{audit['score']:g}")
    expect(page.locator(".chart .point")).to_have_count(1)

    fixes = audits_of(brand, f"/{audit['audit_id']}")["fixes"]
    expect(page.locator(".site-fix-list > li")).to_have_count(5)
    page.get_by_role("button", name=f"Show all {len(fixes)} causes").click()
    expect(page.locator(".site-fix-list > li")).to_have_count(len(fixes))
    first = page.locator(".site-fix-list > li").first
    expect(first).to_contain_text(fixes[0]["title"])
    first.locator("summary").click()
    expect(first.get_by_role("link", name=fixes[0]["pages"][0]).first).to_have_attribute("href", fixes[0]["pages"][0])
    expect(part(page, "Last audits").get_by_role("row").nth(1)).to_contain_text("You")


def test_the_progress_of_a_running_audit_is_drawn(page, brand):
    run_audits(brand, 1)
    show_running(page)
    open_site(page, brand)
    running = part(page, "An audit is running")
    expect(running).to_contain_text("31 pages were read, 53 more are known.")
    expect(running.get_by_role("progressbar")).to_have_attribute("value", "37")
    page.unroute("**/audits?*")
    expect(running).to_have_count(0)
    expect(page.locator(".site-number")).to_be_visible()


def test_the_score_over_time_is_a_line_and_a_table(page, brand):
    run_audits(brand, 3)
    open_site(page, brand)
    expect(page.locator(".chart .point")).to_have_count(3)
    expect(page.get_by_role("img", name="The scores of 3 audits")).to_be_visible()
    expect(part(page, "Score")).to_contain_text("The same as in the audit before")
    page.get_by_text("Show as a table").click()
    expect(page.get_by_role("table", name="Scores of the audits").get_by_role("row")).to_have_count(4)


def test_what_to_fix_of_an_older_audit_can_be_read(page, brand):
    run_audits(brand, 2)
    open_site(page, brand)
    fixes = part(page, "What to fix")
    expect(fixes).to_contain_text("From the newest audit")
    part(page, "Last audits").get_by_role("button", name="Show what to fix").last.click()
    expect(fixes).to_contain_text("From an older audit")
    expect(fixes.get_by_role("heading", name="What to fix")).to_be_focused()
    fixes.get_by_role("button", name="Show the newest").click()
    expect(fixes).to_contain_text("From the newest audit")
    expect(fixes.get_by_role("heading", name="What to fix")).to_be_focused()


def test_a_used_up_quota_says_when_it_frees_and_starts_nothing(page, brand):
    plan = {"name": "Tiny", "mcp_enabled": True, "quotas": {"audits_per_day": 0}}
    brand.service.api("PUT", "/api/admin/plans/tiny", brand.service.operator_token, plan)
    brand.set_plan("tiny", brand.service.site_url)
    open_site(page, brand)
    run(page)
    expect(page.get_by_role("alert")).to_contain_text("The audit could not be started.")
    assert audits_of(brand)["audits"] == []


def test_without_mcp_on_the_plan_an_audit_is_refused(page, brand):
    brand.set_plan(WITHOUT_MCP, brand.service.site_url)
    open_site(page, brand)
    run(page)
    expect(page.get_by_role("alert")).to_contain_text("The audit could not be started.")
    assert audits_of(brand)["audits"] == []


def test_members_run_audits_and_only_read_schedules(page, brand):
    made = schedule(brand, kind="audit", every="week", weekday="friday", at="17:30")
    open_site(page, brand, "dana")
    schedules = part(page, "Schedules")
    expect(schedules).to_contain_text("Every Friday at 17:30 (UTC)")
    expect(schedules.get_by_role("button")).to_have_count(0)
    path = f"/api/brands/{brand.brand_id}/schedules"
    assert brand.service.request("DELETE", f"{path}/{made['schedule_id']}", brand.token("dana"))[0] == 403
    run(page)
    expect(page.locator(".site-number")).to_be_visible()
    assert audits_of(brand)["audits"][0]["requested_by"] == brand.user("dana")


def add_schedule(page, every, day_name, day, at):
    page.get_by_role("button", name="Add schedule").click()
    choose(dialog(page), "How often", every)
    choose(dialog(page), day_name, day)
    dialog(page).get_by_label("Time of day").fill(at)
    dialog(page).get_by_role("button", name="Add", exact=True).click()
    expect(dialog(page)).to_have_count(0)


def test_schedules_are_added_once_and_removed(page, brand):
    open_site(page, brand)
    schedules = part(page, "Schedules")
    add_schedule(page, "Every week", "Day of the week", "Wednesday", "07:15")
    expect(schedules).to_contain_text("Every Wednesday at 07:15 (UTC)")
    add_schedule(page, "Every month", "Day of the month", "31", "08:00")
    expect(schedules).to_contain_text("Every month on day 31 at 08:00 (UTC)")
    add_schedule(page, "Every week", "Day of the week", "Wednesday", "07:15")
    expect(page.locator(".toast")).to_contain_text("There was an equal schedule already.")
    expect(schedules.get_by_role("listitem")).to_have_count(2)
    schedules.get_by_role("button", name="Remove: Audit of the site: Every Wednesday").click()
    expect(dialog(page)).to_contain_text("An audit that runs now goes on, and past audits stay.")
    dialog(page).get_by_role("button", name="Remove schedule").click()
    expect(schedules.get_by_role("listitem")).to_have_count(1)


def test_a_schedule_that_could_not_be_sent_keeps_what_was_chosen(page, brand):
    open_site(page, brand)
    page.get_by_role("button", name="Add schedule").click()
    choose(dialog(page), "What repeats", "Report by email")
    dialog(page).get_by_label("Time of day").fill("06:45")
    cut_off(page)
    dialog(page).get_by_role("button", name="Add", exact=True).click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("The schedule could not be added.")
    expect(dialog(page).get_by_label("What repeats")).to_have_value("report")
    expect(dialog(page).get_by_label("Time of day")).to_have_value("06:45")
