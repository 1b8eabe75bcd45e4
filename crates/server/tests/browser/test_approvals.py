"""Actions of agents that wait for approval, and when agents ask first."""

import pytest
from playwright.sync_api import expect

from approval_steps import post, waiting
from service import eventually
from steps import choose, dialog, open_approvals, open_settings, read_approval, row, show_activity, start_creating, submit


def approve(page):
    dialog(page).get_by_role("button", name="Approve", exact=True).click()


def reload(page, link):
    page.goto("about:blank")
    page.context.clear_cookies()
    open_approvals(page, link)


@pytest.fixture
def asking(brand):
    """A key of the administrator that asks before anything goes out."""
    return brand.create_key("Careful agent", scope="write", approval="outward")


@pytest.fixture
def draft(brand, asking):
    """A draft that `asking` wants to publish: a key that may change it, and its id."""
    free = brand.create_key("Free agent", scope="write")
    post_id = brand.result(free, "create_post", {"text": "First version.", "channels": ["feed"]})["post"]["post_id"]
    brand.ask(asking, "publish_post", {"post_id": post_id})
    return free, post_id


def test_without_waiting_actions_the_view_says_so(page, brand):
    open_settings(page, brand.link())
    expect(page.get_by_role("link", name="for approval")).to_have_count(0)
    page.get_by_role("link", name="Approvals").click()
    expect(page.get_by_role("heading", name="Nothing waits for approval")).to_be_visible()
    expect(page.get_by_text("Nothing was decided yet.")).to_be_visible()
    expect(page).to_have_title("Approvals · Northwind Coffee")


def test_the_keys_view_leads_to_what_waits(page, brand, asking):
    brand.ask(asking, "create_post", post("Fresh beans today."))
    open_settings(page, brand.link())
    page.get_by_role("link", name="1 action waits for approval").click()
    expect(waiting(page)).to_have_count(1)
    expect(page).to_have_title("(1) Approvals · Northwind Coffee")


def test_a_waiting_post_is_shown_and_approved(page, brand, asking):
    brand.ask(asking, "create_post", post("Fresh <b>beans</b> today.", title="New harvest"))
    open_approvals(page, brand.link())
    expect(waiting(page)).to_have_count(1)
    for text in ("Create a post", "Careful agent", "Fresh <b>beans</b> today.", "Requested just now, expires in 3 days"):
        expect(waiting(page)).to_contain_text(text)
    details = read_approval(page)
    for text in ("New harvest", "Fresh <b>beans</b> today.", "25 of 10,000 characters"):
        expect(details.get_by_role("list", name="How it will look")).to_contain_text(text)
    for text in ("feed (then published)", "As soon as it is approved", "Careful agent", "You"):
        expect(details.locator(".preview").first).to_contain_text(text)
    assert brand.feed() == []
    approve(page)
    expect(page.locator(".toast")).to_contain_text("“Create a post” was approved and has run.")
    expect(dialog(page)).to_have_count(0)
    expect(waiting(page)).to_have_count(0)
    expect(page.get_by_role("heading", name="Nothing waits for approval")).to_be_visible()
    expect(page.get_by_role("table", name="Decided").get_by_role("row").nth(1)).to_contain_text("Approved")
    assert brand.feed() == ["Fresh <b>beans</b> today."]
    brand.wait_for_events(1, kind="approved")
    show_activity(page)
    expect(page.get_by_role("table", name="Events")).to_contain_text("You approved a call of Careful agent: Create a post")


def test_an_action_is_rejected_with_a_reason(page, brand, asking):
    brand.ask(asking, "create_post", post("Everything is free today."))
    open_approvals(page, brand.link())
    question = read_approval(page)
    question.get_by_role("button", name="Reject…").click()
    expect(question.get_by_label("Reason")).to_be_focused()
    for missing in ("", "   "):
        question.get_by_label("Reason").fill(missing)
        question.get_by_role("button", name="Reject", exact=True).click()
        expect(question.get_by_label("Reason")).to_be_focused()
    expect(question.get_by_role("alert")).to_have_text("Write a reason, so that the assistant can do better.")
    assert brand.approvals("?status=pending")["total"] == 1, "the page requires the reason first"
    question.get_by_label("Reason").fill("Nothing is free.")
    question.get_by_role("button", name="Reject", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("was rejected")
    expect(waiting(page)).to_have_count(0)
    [rejected] = brand.approvals("?status=rejected")["approvals"]
    assert rejected["reason"] == "Nothing is free."
    assert brand.feed() == []


def test_an_action_that_changed_meanwhile_is_shown_again(page, brand, draft):
    free, post_id = draft
    open_approvals(page, brand.link())
    details = read_approval(page)
    expect(details).to_contain_text("First version.")
    brand.result(free, "update_post", {"post_id": post_id, "text": "Second version."})
    approve(page)
    expect(details).to_contain_text("It has changed since you looked at it")
    expect(details).to_contain_text("Second version.")
    expect(details).not_to_contain_text("First version.")
    assert brand.feed() == []
    approve(page)
    expect(page.locator(".toast")).to_contain_text("was approved and has run")
    assert brand.feed() == ["Second version."]


def test_an_action_that_would_fail_cannot_be_approved(page, brand, draft):
    free, post_id = draft
    brand.result(free, "cancel_post", {"post_id": post_id})
    open_approvals(page, brand.link())
    details = read_approval(page)
    expect(details).to_contain_text("It would fail now")
    expect(details.get_by_role("button", name="Approve", exact=True)).to_have_count(0)
    expect(details.get_by_role("button", name="Look again")).to_be_visible()


def test_an_action_that_somebody_else_decided_on_is_removed(page, brand):
    key = brand.create_key("Of Dana", who="dana", scope="write", approval="outward")
    approval_id = brand.ask(key, "create_post", post("Fresh beans today."))
    open_approvals(page, brand.link())
    details = read_approval(page)
    brand.approvals(f"/{approval_id}/reject", who="dana", method="POST", body={"reason": "Too early."})
    approve(page)
    for text in ("Dana Okafor rejected it, so it did not run", "just now", "Too early."):
        expect(details).to_contain_text(text)
    details.get_by_role("button", name="Close").last.click()
    expect(waiting(page)).to_have_count(0)
    assert brand.feed() == []


def test_other_refusals_are_shown(page, brand, asking):
    brand.ask(asking, "create_post", post("Fresh beans today."))
    open_approvals(page, brand.link())
    read_approval(page)
    brand.service.api("PATCH", f"/api/brands/{brand.brand_id}/mcp-keys/{asking['key_id']}", brand.token("robin"), {"paused": True})
    approve(page)
    expect(dialog(page).get_by_role("alert")).to_contain_text("Nothing was decided.")
    expect(dialog(page).get_by_role("alert")).to_contain_text("as soon as it is resumed")
    expect(waiting(page)).to_have_count(1)


def test_a_member_decides_only_on_calls_of_own_keys(page, brand, asking):
    brand.ask(asking, "create_post", post("Of Robin."))
    open_approvals(page, brand.link("dana"))
    waiting(page).get_by_role("button", name="Read: Create a post").click()
    expect(dialog(page)).to_contain_text("Only Robin Vale or an administrator can decide on it.")
    expect(dialog(page)).to_contain_text("Of Robin.")
    for name in ("Approve", "Reject"):
        expect(dialog(page).get_by_role("button", name=name)).to_have_count(0)

    own = brand.create_key("Of Dana", who="dana", scope="write", approval="outward")
    brand.ask(own, "create_post", post("Of Dana."))
    reload(page, brand.link("dana"))
    expect(page.get_by_role("button", name="Read and decide")).to_have_count(1)
    brand.approval_settings(method="PATCH", body={"approvers": "admins"})
    reload(page, brand.link("dana"))
    expect(waiting(page)).to_have_count(2)
    expect(page.get_by_role("button", name="Read and decide")).to_have_count(0)
    waiting(page).filter(has_text="Of Dana.").get_by_role("button").click()
    expect(dialog(page)).to_contain_text("Only an administrator can decide on it.")


def test_older_actions_are_fetched_on_demand(page, brand, asking):
    for number in range(22):
        brand.ask(asking, "create_post", post(f"Post {number}."))
    open_approvals(page, brand.link())
    expect(page.get_by_text("22 actions wait for a decision.")).to_be_visible()
    expect(waiting(page)).to_have_count(20)
    page.get_by_role("button", name="Show older actions").click()
    expect(waiting(page)).to_have_count(22)
    expect(waiting(page).nth(20).get_by_role("button")).to_be_focused()
    expect(page.get_by_role("button", name="Show older actions")).to_have_count(0)


def test_emails_need_an_address_and_can_be_switched(page, brand):
    open_approvals(page, brand.link("dana"))
    box = page.get_by_label("Email me when something waits for my approval")
    expect(box).not_to_be_checked()
    box.click()
    expect(page.get_by_role("alert")).to_contain_text("Your membership of this brand has no email address.")
    expect(box).not_to_be_checked()
    brand.add_member("dana", "member", "Dana Okafor", email="dana@northwind.example")
    box.click()
    expect(page.locator(".toast")).to_contain_text("Saved.")
    expect(page.get_by_role("alert")).to_have_count(0)
    reload(page, brand.link("dana"))
    expect(box).to_be_checked()
    box.click()
    eventually(lambda: not brand.approval_settings("dana")["emails"])


def test_administrators_set_the_rule_of_the_brand_and_who_decides(page, brand):
    open_approvals(page, brand.link())
    choose(page, "All keys ask first", "Before every change")
    eventually(lambda: brand.approval_settings()["approval_minimum"] == "all")
    choose(page, "Who decides", "Only administrators")
    eventually(lambda: brand.approval_settings()["approvers"] == "admins")
    reload(page, brand.link())
    expect(page.get_by_role("combobox", name="All keys ask first")).to_have_value("all")
    expect(page.get_by_role("combobox", name="Who decides")).to_have_value("admins")
    reload(page, brand.link("dana"))
    expect(page.get_by_role("heading", name="When keys ask first")).to_be_visible()
    expect(page.get_by_role("combobox", name="Who decides")).to_have_count(0)


def test_settings_that_are_changed_quickly_are_all_saved(page, brand):
    open_approvals(page, brand.link())
    held = []
    page.route("**/approval-settings", lambda route: held.append(route) if route.request.method == "PATCH" and not held else route.fallback())
    with page.expect_request(lambda request: request.method == "PATCH"):
        choose(page, "All keys ask first", "Before every change")
    choose(page, "Who decides", "Only administrators")
    with page.expect_response(lambda answer: "approvers" in (answer.request.post_data or "")):
        held[0].continue_()
    settings = brand.approval_settings()
    assert (settings["approval_minimum"], settings["approvers"]) == ("all", "admins")


def test_a_key_that_asks_first_is_created_and_marked(page, brand):
    open_settings(page, brand.link())
    form = start_creating(page, "Careful agent")
    expect(form.get_by_role("group", name="Ask first")).to_have_count(0)
    form.get_by_label("Can read and write").check()
    expect(form).to_contain_text("A person approves everything it does, except reading.")
    form.get_by_label("Before anything goes out").check()
    submit(page)
    dialog(page).get_by_role("button", name="Done").click()
    expect(row(page, "Careful agent").get_by_text("Asks first")).to_be_visible()
    assert brand.keys()[0]["approval"] == "outward"


def test_the_rule_of_a_key_is_changed_in_its_details(page, brand):
    brand.create_key("Of Robin", scope="write")
    brand.create_key("Of Dana", who="dana", scope="write", approval="outward")
    open_settings(page, brand.link())
    expect(row(page, "Of Robin").get_by_text("Asks first")).to_have_count(0)
    page.get_by_role("button", name="Of Robin", exact=True).click()
    expect(dialog(page)).to_contain_text("It acts at once, without asking.")
    choose(dialog(page), "Ask first", "Before every change")
    expect(dialog(page)).to_contain_text("A person approves everything it does, except reading.")
    page.keyboard.press("Escape")
    expect(row(page, "Of Robin").get_by_text("Asks first")).to_be_visible()

    page.get_by_role("button", name="Of Dana", exact=True).click()
    options = dialog(page).get_by_role("combobox", name="Ask first").locator("option")
    expect(options).to_have_text(["Before anything goes out", "Before every change"])
    page.goto("about:blank")
    page.context.clear_cookies()
    open_settings(page, brand.link("dana"))
    page.get_by_role("button", name="Of Robin", exact=True).click()
    expect(dialog(page)).to_contain_text("Before every change")
    expect(dialog(page).get_by_role("combobox", name="Ask first")).to_have_count(0)
