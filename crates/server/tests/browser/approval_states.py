"""The states of the approvals view."""

import re

from playwright.sync_api import Page, expect

from service import from_now
from steps import answer_of, dialog, open_approvals, read_approval


def fill_approvals(brand):
    """Calls that wait, with every kind of channel, and calls that were decided."""
    for channel, body in {
        "mastodon": {"kind": "mastodon", "settings": {"server": "http://127.0.0.1:9", "access_token": "t"}},
        "bluesky": {"kind": "bluesky", "settings": {"server": "http://127.0.0.1:9", "identifier": "northwind.example", "app_password": "p"}},
        "hook": {"kind": "webhook", "settings": {"url": "http://127.0.0.1:9/hook"}},
    }.items():
        brand.service.api("PUT", f"/api/brands/{brand.brand_id}/channels/{channel}", brand.token("robin"), body)
    agent = brand.create_key("Agent that asks first", scope="write", approval="all")
    early = brand.ask(agent, "create_post", {"text": "Everything is free today.", "channels": ["feed"], "mode": "now"})
    brand.approvals(f"/{early}/reject", method="POST", body={"reason": "Nothing is free."})
    brand.ask(agent, "run_audit", {})
    brand.ask(agent, "create_post", {
        "title": "Cupping on Friday", "text": "Taste six coffees side by side, Friday at 17.\n\nFree, and no booking needed.",
        "link": "https://northwind.example/cupping", "channels": ["feed", "mastodon", "bluesky", "hook"], "mode": "schedule",
        "scheduled_at": from_now(days=2),
    })


def approvals(page: Page, world):
    open_approvals(page, world.asking.link())
    expect(page.locator(".approvals > li")).to_have_count(2)
    expect(page.get_by_role("table", name="Decided")).to_be_visible()


def no_approvals(page: Page, world):
    open_approvals(page, world.service.brand("Quiet Place").link())
    expect(page.get_by_role("heading", name="Nothing waits for approval")).to_be_visible()
    expect(page.get_by_text("Nothing was decided yet.")).to_be_visible()


def approval(page: Page, world):
    approvals(page, world)
    read_approval(page)
    expect(dialog(page).get_by_text("of 500 characters")).to_be_visible()


def approval_of_a_member(page: Page, world):
    open_approvals(page, world.asking.link("dana"))
    page.get_by_role("button", name="Read: Create a post").click()
    expect(dialog(page)).to_contain_text("Only Robin Vale or an administrator can decide on it.")


def approval_edit(page: Page, world):
    approval(page, world)
    dialog(page).get_by_role("button", name="Edit…").click()
    dialog(page).get_by_role("textbox", name="Text").fill("Taste seven coffees side by side, Friday at 18.\n\nNo booking needed.")
    expect(dialog(page).locator(".difference ins").first).to_be_visible()


def approval_reject(page: Page, world):
    approval(page, world)
    dialog(page).get_by_role("button", name="Reject…").click()
    expect(dialog(page).get_by_label("Reason")).to_be_focused()


def approval_changed(page: Page, world):
    problem = {"code": "approval_changed", "title": "The approval has changed", "detail": "Read it again.", "status": 409}
    page.route("**/approve", lambda route: route.fulfill(status=409, json=problem))
    approval(page, world)
    dialog(page).get_by_role("button", name="Approve", exact=True).click()
    expect(dialog(page)).to_contain_text("It has changed since you looked at it")


def approval_failed(page: Page, world):
    pending = world.asking.approvals("?status=pending")["approvals"][0]
    decided = {**pending, "status": "failed", "decided_by": world.asking.user("dana"), "decided_at": from_now(), "failure": {"message": "The channel was removed."}}
    page.route("**/approve", lambda route: route.fulfill(json=decided))
    approval(page, world)
    dialog(page).get_by_role("button", name="Approve", exact=True).click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("The channel was removed.")


def approval_that_would_fail(page: Page, world):
    def handle(route):
        answer = answer_of(route)
        route.fulfill(response=answer, json={**answer.json(), "problem": {"message": "The channel was removed."}})

    page.route(re.compile(r"/approvals/[\w-]+$"), handle)
    approval(page, world)
    expect(dialog(page)).to_contain_text("It would fail now")


def approval_decided(page: Page, world):
    approvals(page, world)
    page.get_by_role("table", name="Decided").get_by_role("button").first.click()
    expect(dialog(page)).to_contain_text("You rejected it, so it did not run")


APPROVAL_STATES = (
    approvals, no_approvals, approval, approval_of_a_member, approval_edit, approval_reject, approval_changed, approval_failed,
    approval_that_would_fail, approval_decided,
)
