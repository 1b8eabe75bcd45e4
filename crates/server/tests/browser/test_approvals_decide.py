"""Deciding on calls that wait: with changes, with the keyboard, while others decide, and without a connection."""

import pytest
from playwright.sync_api import expect

from approval_steps import post, waiting
from conftest import serve_files_of_working_copy
from service import WAIT_TIMEOUT, eventually
from steps import choose, cut_off, dialog, open_approvals, read_approval


@pytest.fixture
def asking(brand):
    return brand.create_key("Careful agent", scope="write", approval="outward")


def edit(page):
    details = read_approval(page)
    details.get_by_role("button", name="Edit…").click()
    expect(details.get_by_role("heading", name="Edit: Create a post")).to_be_visible()
    return details


def test_arguments_are_changed_with_a_difference_and_a_note(page, brand, asking):
    approval_id = brand.ask(asking, "create_post", post("Fresh beans today."))
    open_approvals(page, brand.link())
    details = read_approval(page)
    details.get_by_label("Note (optional)").fill("Say when next time.")
    details.get_by_role("button", name="Edit…").click()
    expect(details).to_contain_text("Nothing is changed yet.")
    details.get_by_role("textbox", name="Text").fill("Fresh beans tomorrow.")
    details.get_by_role("textbox", name="Title").fill("New harvest")
    changes = details.get_by_role("region", name="Your changes")
    expect(changes.locator("del")).to_have_text(["today"])
    expect(changes.locator("ins")).to_have_text(["tomorrow", "New harvest"])
    details.get_by_role("button", name="Back").click()
    expect(details).to_contain_text("You have changed 2 arguments")
    details.get_by_role("button", name="Approve with changes").click()
    expect(page.locator(".toast")).to_contain_text("was approved and has run")
    assert brand.feed() == ["Fresh beans tomorrow."]
    done = brand.approvals(f"/{approval_id}")
    assert done["note"] == "Say when next time."
    assert {change["field"] for change in done["changes"]} == {"text", "title"}

    page.get_by_role("table", name="Decided").get_by_role("button", name="Create a post").click()
    for text in ("You approved it, and it has run", "Note: Say when next time.", "What the approver changed"):
        expect(dialog(page)).to_contain_text(text)
    expect(dialog(page).locator(".difference ins")).to_have_text(["tomorrow", "New harvest"])


def test_changes_that_the_tool_refuses_stay_in_the_form(page, brand, asking):
    brand.ask(asking, "create_post", post("Fresh beans today.", link="https://northwind.example/beans"))
    open_approvals(page, brand.link())
    details = edit(page)
    details.get_by_role("textbox", name="Link").fill("not a link")
    details.get_by_role("button", name="Approve with changes").click()
    expect(details.get_by_role("alert").first).to_be_visible()
    expect(details).to_contain_text("Nothing was decided.")
    expect(details.get_by_role("textbox", name="Link")).to_have_value("not a link")
    assert brand.feed() == []


def test_a_changed_call_keeps_what_was_typed(page, brand, asking):
    free = brand.create_key("Free agent", scope="write")
    post_id = brand.result(free, "create_post", {"text": "First.", "channels": ["feed"]})["post"]["post_id"]
    brand.ask(asking, "publish_post", {"post_id": post_id})
    open_approvals(page, brand.link())
    details = read_approval(page)
    details.get_by_label("Note (optional)").fill("Good work.")
    brand.result(free, "update_post", {"post_id": post_id, "text": "Second."})
    details.get_by_role("button", name="Approve", exact=True).click()
    expect(details).to_contain_text("It has changed since you looked at it")
    expect(details.get_by_label("Note (optional)")).to_have_value("Good work.")


def test_two_people_decide_at_the_same_moment(page, browser, brand, asking):
    brand.add_member("kim", "admin", "Kim Reyes")
    approval_id = brand.ask(asking, "create_post", post("Fresh beans today."))
    other = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    serve_files_of_working_copy(other)
    other.set_default_timeout(WAIT_TIMEOUT * 1000)
    kims = other.new_page()
    open_approvals(page, brand.link())
    open_approvals(kims, brand.link("kim"))
    for one in (page, kims):
        read_approval(one)
    for one in (page, kims):
        # Both requests are sent without waiting for the other.
        one.evaluate("setTimeout(() => [...document.querySelectorAll('dialog button')].find((one) => one.textContent.includes('Approve')).click(), 50)")

    def has_ended(one):
        return one.locator(".toast").count() or one.get_by_text("approved it, and it has run").count()

    eventually(lambda: has_ended(page) and has_ended(kims))
    first, second = (page, kims) if page.locator(".toast").count() else (kims, page)
    expect(first.locator(".toast")).to_contain_text("was approved and has run")
    expect(second.locator(".toast")).to_have_count(0)
    name = {page: "Robin Vale", kims: "Kim Reyes"}[first]
    expect(dialog(second)).to_contain_text(f"{name} approved it, and it has run")
    expect(dialog(second)).to_contain_text("just now")
    expect(dialog(second).get_by_role("button", name="Approve")).to_have_count(0)
    assert brand.approvals(f"/{approval_id}")["decided_by"] == brand.user({page: "robin", kims: "kim"}[first])
    assert brand.feed() == ["Fresh beans today."]
    other.close()


def test_actions_are_read_approved_and_rejected_with_the_keyboard(page, brand, asking):
    for number in range(3):
        brand.ask(asking, "create_post", post(f"Post {number}."))
    open_approvals(page, brand.link())
    buttons = waiting(page).get_by_role("button")
    for key, index in (("j", 0), ("j", 1), ("ArrowDown", 2), ("j", 2), ("k", 1), ("ArrowUp", 0)):
        page.keyboard.press(key)
        expect(buttons.nth(index)).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog(page).get_by_role("button", name="Approve", exact=True)).to_have_attribute("aria-keyshortcuts", "a")
    dialog(page).get_by_label("Note (optional)").press("a")
    expect(dialog(page).get_by_label("Note (optional)")).to_have_value("a")
    dialog(page).get_by_role("heading", level=2).focus()
    page.keyboard.press("a")
    expect(page.locator(".toast")).to_contain_text("was approved")
    expect(waiting(page)).to_have_count(2)
    assert brand.feed() == ["Post 2."]
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(dialog(page).get_by_role("button", name="Reject…")).to_be_visible()
    page.keyboard.press("r")
    expect(dialog(page).get_by_label("Reason")).to_be_focused()
    page.keyboard.type("are better")
    expect(dialog(page).get_by_label("Reason")).to_have_value("are better")
    dialog(page).get_by_role("button", name="Reject", exact=True).press("Enter")
    expect(waiting(page)).to_have_count(1)
    [rejected] = brand.approvals("?status=rejected")["approvals"]
    assert rejected["reason"] == "are better"


def test_shortcuts_can_be_switched_off(page, brand, asking):
    brand.ask(asking, "create_post", post("Fresh beans today."))
    open_approvals(page, brand.link())
    page.get_by_label("Use keyboard shortcuts").uncheck()
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("j")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    read_approval(page)
    expect(dialog(page).locator("kbd")).to_have_count(0)
    page.keyboard.press("a")
    page.keyboard.press("r")
    expect(dialog(page).get_by_role("button", name="Approve", exact=True)).to_be_visible()
    assert brand.approvals("?status=pending")["total"] == 1


def test_a_member_cannot_decide_with_the_keyboard(page, brand, asking):
    brand.ask(asking, "create_post", post("Of Robin."))
    open_approvals(page, brand.link("dana"))
    page.get_by_role("button", name="Read: Create a post").click()
    expect(dialog(page)).to_contain_text("Only Robin Vale or an administrator can decide on it.")
    page.keyboard.press("a")
    page.keyboard.press("r")
    expect(dialog(page).get_by_label("Reason")).to_have_count(0)
    assert brand.approvals("?status=pending")["total"] == 1


def test_new_actions_appear_without_a_reload(page, brand, asking):
    page.clock.install()
    open_approvals(page, brand.link())
    expect(page.get_by_role("heading", name="Nothing waits for approval")).to_be_visible()
    brand.ask(asking, "create_post", post("Fresh beans today."))
    page.clock.run_for(16_000)
    expect(waiting(page)).to_have_count(1)
    expect(page.locator("#live")).to_contain_text("A new action waits for approval.")
    expect(page).to_have_title("(1) Approvals · Northwind Coffee")
    brand.ask(asking, "create_post", post("More beans today."))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(waiting(page)).to_have_count(2)
    cut_off(page)
    page.clock.run_for(16_000)
    expect(page.get_by_text("The list could not be refreshed.")).to_be_visible()
    expect(waiting(page)).to_have_count(2)


def test_a_lost_line_keeps_what_was_typed(page, brand, asking):
    brand.ask(asking, "create_post", post("Fresh beans today."))
    open_approvals(page, brand.link())
    details = edit(page)
    details.get_by_role("textbox", name="Text").fill("Fresh beans tomorrow.")
    cut_off(page)
    details.get_by_role("button", name="Approve with changes").click()
    expect(details).to_contain_text("It is not known whether your decision arrived. You can safely try again.")
    page.unroute_all()
    expect(details.get_by_role("textbox", name="Text")).to_have_value("Fresh beans tomorrow.")
    serve_files_of_working_copy(page.context)
    details.get_by_role("button", name="Approve with changes").click()
    expect(page.locator(".toast")).to_contain_text("was approved and has run")
    assert brand.feed() == ["Fresh beans tomorrow."]


def test_decided_actions_are_filtered_by_their_result(page, brand, asking):
    ids = [brand.ask(asking, "create_post", post(f"Post {number}.")) for number in range(3)]
    brand.approvals(f"/{ids[0]}/reject", method="POST", body={"reason": "Too early."})
    digest = brand.approvals(f"/{ids[1]}")["digest"]
    brand.approvals(f"/{ids[1]}/approve", method="POST", body={"digest": digest})
    open_approvals(page, brand.link())
    table = page.get_by_role("table", name="Decided")
    expect(table.get_by_role("row")).to_have_count(3)
    choose(page, "Result", "Rejected")
    expect(table.get_by_role("row")).to_have_count(2)
    expect(table).to_contain_text("Rejected")
    table.get_by_role("button").click()
    expect(dialog(page)).to_contain_text("Reason: Too early.")
    expect(dialog(page).get_by_role("button", name="Approve")).to_have_count(0)
    page.keyboard.press("Escape")
    choose(page, "Result", "Expired")
    expect(page.get_by_text("Nothing has this result.")).to_be_visible()
