"""The calendar of posts: months, time zones, and moving a post to another day."""

import datetime

import pytest
from playwright.sync_api import expect

from conftest import serve_files_of_working_copy
from posts_states import open_posts
from service import WAIT_TIMEOUT
from steps import dialog


def next_month(day, hour=12):
    """A time in the middle of the next month, so that a move never leaves it."""
    first = (datetime.datetime.now(datetime.UTC).replace(day=1) + datetime.timedelta(days=32)).replace(day=1)
    return first.replace(day=day, hour=hour, minute=0, second=0, microsecond=0)


@pytest.fixture
def agent(brand):
    return brand.create_key("Writing agent", scope="write")


def schedule(brand, key, text, day=10, hour=12, mode="schedule"):
    arguments = {"text": text, "channels": ["feed"], "mode": mode, "scheduled_at": next_month(day, hour).isoformat()}
    return brand.result(key, "create_post", arguments)["post"]["post_id"]


def day_of(brand, post_id):
    return datetime.datetime.fromisoformat(brand.post(post_id)["scheduled_at"])


def open_calendar(page, brand, who="robin"):
    open_posts(page, brand.link(who))
    page.get_by_role("button", name="Next month").click()
    return page.get_by_role("button", name="Fresh beans")


def cell(page, day):
    return page.locator(".month td:not(.other-month)").nth(day - 1)


def test_a_month_shows_its_posts_and_opens_them(page, brand, agent):
    schedule(brand, agent, "Fresh beans today.")
    open_posts(page, brand.link())
    expect(page.get_by_role("region", name="Calendar")).to_be_visible()
    expect(page.locator(".month .today")).to_have_count(1)
    page.get_by_role("button", name="Next month").click()
    expect(page.get_by_role("heading", name=next_month(1).strftime("%B %Y"))).to_be_visible()
    expect(cell(page, 10).get_by_role("button", name="12:00, Scheduled: Fresh beans today.")).to_be_visible()
    cell(page, 10).get_by_role("button").click()
    expect(dialog(page).get_by_role("heading", name="Fresh beans today.")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Today").click()
    expect(page.locator(".month .today")).to_have_count(1)


def test_a_published_post_stands_on_its_day(page, brand, agent):
    brand.result(agent, "create_post", {"text": "Fresh beans today.", "channels": ["feed"], "mode": "now"})
    brand.result(agent, "create_post", {"text": "Without a time.", "channels": ["feed"]})
    open_posts(page, brand.link())
    expect(page.locator(".month .today").get_by_role("button", name="Published: Fresh beans today.")).to_be_visible()
    expect(page.locator(".post-chip")).to_have_count(1)


def test_a_post_is_dragged_to_another_day_and_back(page, brand, agent):
    post_id = schedule(brand, agent, "Fresh beans today.")
    chip = open_calendar(page, brand)
    chip.drag_to(cell(page, 12))
    expect(cell(page, 12).get_by_role("button", name="12:00, Scheduled: Fresh beans today.")).to_be_visible()
    assert day_of(brand, post_id) == next_month(12)
    expect(page.locator(".moved")).to_contain_text("Moved to 12 ")
    page.get_by_role("button", name="Undo").click()
    expect(cell(page, 10).get_by_role("button", name="Fresh beans today.")).to_be_visible()
    assert day_of(brand, post_id) == next_month(10)


def test_a_post_is_moved_with_the_keyboard(page, brand, agent):
    post_id = schedule(brand, agent, "Fresh beans today.")
    chip = open_calendar(page, brand)
    chip.focus()
    for key, day in (("ArrowRight", 11), ("ArrowDown", 18), ("ArrowLeft", 17), ("ArrowUp", 10)):
        page.keyboard.press(f"Shift+{key}")
        expect(cell(page, day).get_by_role("button", name="Fresh beans today.")).to_be_focused()
        assert day_of(brand, post_id) == next_month(day)


def test_a_post_that_was_changed_meanwhile_is_not_moved(page, brand, agent):
    post_id = schedule(brand, agent, "Fresh beans today.")
    chip = open_calendar(page, brand)
    expect(chip).to_be_visible()
    brand.change_post(post_id, {"text": "Fresh beans tomorrow.", "scheduled_at": next_month(20).isoformat()})
    chip.focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.get_by_role("alert")).to_contain_text("The post was not moved.")
    expect(cell(page, 20).get_by_role("button", name="Fresh beans tomorrow.")).to_be_visible()
    assert day_of(brand, post_id) == next_month(20)


def test_posts_of_others_cannot_be_moved_by_a_member(page, brand, agent):
    post_id = schedule(brand, agent, "Fresh beans today.")
    chip = open_calendar(page, brand, who="dana")
    expect(chip).to_have_attribute("draggable", "false")
    chip.focus()
    page.keyboard.press("Shift+ArrowRight")
    chip.drag_to(cell(page, 12))
    expect(cell(page, 10).get_by_role("button", name="Fresh beans today.")).to_be_visible()
    assert day_of(brand, post_id) == next_month(10)


def test_a_full_day_shows_the_rest_on_demand(page, brand, agent):
    for hour in range(8, 14):
        schedule(brand, agent, f"Fresh beans at {hour}.", hour=hour)
    open_calendar(page, brand)
    expect(cell(page, 10).locator(".post-chip")).to_have_count(4)
    cell(page, 10).get_by_role("button", name="Show 2 more posts").click()
    expect(cell(page, 10).locator(".post-chip")).to_have_count(6)


def test_a_narrow_screen_has_a_list_of_days(page, brand, agent):
    schedule(brand, agent, "Fresh beans today.")
    page.set_viewport_size({"width": 360, "height": 780})
    open_calendar(page, brand)
    expect(page.locator(".month")).to_have_count(0)
    expect(page.locator(".agenda-day").get_by_role("heading")).to_contain_text(f"10 {next_month(1):%B}")
    page.get_by_role("button", name="Fresh beans today.").click()
    dialog(page).get_by_role("button", name="Edit…").click()
    dialog(page).get_by_label("Time", exact=True).fill(next_month(12).strftime("%Y-%m-%dT%H:%M"))
    dialog(page).get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_contain_text("The post was saved.")
    page.keyboard.press("Escape")
    expect(page.locator(".agenda-day").get_by_role("heading")).to_contain_text(f"12 {next_month(1):%B}")


def test_times_are_in_the_time_zone_of_the_person(browser, brand, agent):
    schedule(brand, agent, "Fresh beans today.", hour=20)
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB", timezone_id="Asia/Tokyo")
    serve_files_of_working_copy(context)
    context.set_default_timeout(WAIT_TIMEOUT * 1000)
    page = context.new_page()
    open_calendar(page, brand)
    expect(page.get_by_text("Times are in your time zone: Japan Standard Time.")).to_be_visible()
    expect(cell(page, 11).get_by_role("button", name="05:00, Scheduled: Fresh beans today.")).to_be_visible()
    context.close()
