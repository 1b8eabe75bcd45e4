"""A broken line never loses what a person typed: every form sends it again as it was. Other tests have the forms of keys, edited posts and schedules."""

import pytest
from playwright.sync_api import expect

from connections_states import GOOD_LIST, open_connections, ready, section, stored, upload
from operator_steps import confirm, listed, open_brand, open_console
from posts_states import open_post, open_posts, show_list
from service import from_now
from steps import choose, connect_again, cut_off, dialog, open_approvals, open_settings, read_approval


def lose_first(page, send, *kept):
    """Sends a form while the service is unreachable. `kept`: its fields with what they must still hold."""
    cut_off(page)
    send()
    expect(page.get_by_role("alert").first).to_be_visible()
    for field, value in kept:
        expect(field).to_have_value(value)
    connect_again(page)


def press(page, name):
    return lambda: dialog(page).get_by_role("button", name=name, exact=True).click()


@pytest.fixture
def asking(page, brand):
    """An open approval."""
    agent = brand.create_key("Careful agent", scope="write", approval="outward")
    brand.ask(agent, "create_post", {"text": "Fresh beans today.", "channels": ["feed"], "mode": "now"})
    open_approvals(page, brand.link())
    return read_approval(page)


def test_the_reason_of_a_rejection(page, brand, asking):
    asking.get_by_role("button", name="Reject…").click()
    reason = asking.get_by_label("Reason")
    reason.fill("Nothing is free.")
    lose_first(page, press(page, "Reject"), (reason, "Nothing is free."))
    expect(asking.get_by_role("alert")).to_contain_text("It is not known whether your decision arrived.")
    press(page, "Reject")()
    expect(page.locator(".toast")).to_contain_text("was rejected")
    assert brand.approvals("?status=rejected")["approvals"][0]["reason"] == "Nothing is free."


def test_the_note_of_an_approval(page, brand, asking):
    note = asking.get_by_label("Note (optional)")
    note.fill("Good work.")
    approve = asking.get_by_role("button", name="Approve", exact=True)
    lose_first(page, approve.click, (note, "Good work."))
    approve.click()
    expect(page.locator(".toast")).to_contain_text("was approved and has run")
    assert brand.approvals("?status=done")["approvals"][0]["note"] == "Good work."


def test_the_time_of_a_post(page, brand):
    agent = brand.create_key("Writing agent", scope="write")
    post = brand.result(agent, "create_post", {"text": "Fresh beans today.", "channels": ["feed"]})["post"]
    open_posts(page, brand.link())
    show_list(page)
    details = open_post(page, "Fresh beans today.")
    details.get_by_role("button", name="Publish…").click()
    details.get_by_label("At a time").check()
    time = details.get_by_label("Time", exact=True)
    time.fill("2027-01-31T09:00")
    lose_first(page, press(page, "Schedule"), (time, "2027-01-31T09:00"))
    press(page, "Schedule")()
    expect(page.locator(".toast")).to_contain_text("The post is scheduled.")
    assert brand.post(post["post_id"])["scheduled_at"].startswith("2027-01-31T09:00")


def test_the_time_that_the_old_secret_of_a_key_works(page, brand):
    brand.create_key("Laptop")
    open_settings(page, brand.link())
    page.get_by_role("button", name="Laptop", exact=True).click()
    dialog(page).get_by_role("button", name="New secret…").click()
    choose(dialog(page), "The old secret works for", "3 days")
    lose_first(page, press(page, "Create the new secret"))
    press(page, "Look again")()
    press(page, "Try again")()
    expect(dialog(page).get_by_role("combobox", name="The old secret works for")).to_have_value("259200")


def test_a_channel_with_its_secret(page, brand):
    open_connections(page, brand)
    page.get_by_role("button", name="Add channel").click()
    form = dialog(page)
    form.get_by_label("Kind").select_option("mastodon")
    typed = {"Name": "news", "Server": "https://mastodon.example", "Access token": "a-token", "Longest post": "1000"}
    for label, value in typed.items():
        form.get_by_label(label).fill(value)
    lose_first(page, press(page, "Save"), *((form.get_by_label(label), value) for label, value in typed.items()))
    press(page, "Save")()
    expect(dialog(page)).to_have_count(0)
    found = next(one for one in stored(brand, "channels")["channels"] if one["channel_id"] == "news")
    assert found["text_limit"] == 1000 and found["secret_set"]


def test_addresses_of_recipients(page, brand):
    open_connections(page, brand)
    page.get_by_role("button", name="Add recipients").click()
    field = dialog(page).get_by_label("Email addresses")
    field.fill("ada@northwind.example, grace@northwind.example")
    lose_first(page, press(page, "Add"), (field, "ada@northwind.example, grace@northwind.example"))
    press(page, "Add")()
    expect(section(page, "Report recipients").get_by_role("listitem")).to_have_count(2)


def test_an_endpoint_with_its_events(page, brand):
    open_connections(page, brand)
    page.get_by_role("button", name="Add endpoint").click()
    form = dialog(page)
    form.get_by_label("Name").fill("crm")
    form.get_by_label("Address").fill("https://crm.example/events")
    form.get_by_label("Only some events").check()
    form.get_by_label("Key leaked").check()
    lose_first(page, press(page, "Save"), (form.get_by_label("Name"), "crm"), (form.get_by_label("Address"), "https://crm.example/events"))
    expect(form.get_by_label("Key leaked")).to_be_checked()
    press(page, "Save")()
    expect(dialog(page).locator(".secret")).to_contain_text("whsec_")
    assert stored(brand, "event-endpoints")["event_endpoints"][0]["types"] == ["key.leaked"]


def test_a_keyword_list_is_named_and_can_be_sent_again(page, brand):
    open_connections(page, brand)
    ready(page)
    lose_first(page, lambda: upload(page, "good.csv", GOOD_LIST))
    expect(section(page, "Keyword lists").get_by_role("alert")).to_contain_text("“good.csv” was not imported")
    upload(page, "good.csv", GOOD_LIST)
    expect(section(page, "Keyword lists")).to_contain_text("2 keywords were imported.")


def test_a_typed_confirmation(page, service):
    brand = service.brand("Careful Goods")
    open_brand(page, brand)
    page.get_by_role("button", name="Erase…").click()
    field = dialog(page).get_by_role("textbox", name=f"Type {brand.brand_id} to confirm")
    lose_first(page, lambda: confirm(page, "Erase brand", brand.brand_id), (field, brand.brand_id))
    expect(dialog(page).get_by_role("alert")).to_contain_text("The brand was not erased.")
    press(page, "Erase brand")()
    expect(page.get_by_role("heading", name="Receipt of an erasure", level=1)).to_be_visible()


def test_a_new_plan(page, service):
    open_console(page, service, "?view=plans&add=yes", "Add a plan")
    typed = {"Id": "lost-line", "Name": "Lost line", "Posts a day": "12"}
    fields = [(page.get_by_label(label, exact=True), value) for label, value in typed.items()]
    for field, value in fields:
        field.fill(value)
    send = page.get_by_role("button", name="Add plan")
    lose_first(page, send.click, *fields)
    send.click()
    expect(page.get_by_role("heading", name="Lost line", level=1)).to_be_visible()
    assert service.api("GET", "/api/admin/plans/lost-line", service.operator_token)["quotas"] == {"posts_per_day": 12}


def test_a_pasted_secret_that_was_not_searched(page, brand):
    key = brand.create_key("Laptop")
    open_console(page, brand.service, "?view=keys", "Keys")
    field = page.get_by_role("textbox", name="Secret", exact=True)
    field.fill(key["api_key"])
    find = page.get_by_role("button", name="Find key")
    lose_first(page, find.click, (field, key["api_key"]))
    find.click()
    expect(page.get_by_text("The secret belongs to the key “Laptop”")).to_be_visible()
    expect(field).to_have_value("")


def test_a_pasted_link(page, brand):
    page.goto(f"{brand.service.url}/settings/mcp")
    page.get_by_label("Sign-in link").fill(brand.code_link())
    lose_first(page, page.get_by_role("button", name="Sign in").click)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="No keys yet")).to_be_visible()


def test_a_post_that_is_moved_over_a_broken_line_stays(page, brand):
    agent = brand.create_key("Writing agent", scope="write")
    at = from_now(days=1)
    post = brand.result(agent, "create_post", {"text": "Fresh beans today.", "channels": ["feed"], "mode": "schedule", "scheduled_at": at})["post"]
    open_posts(page, brand.link())
    chip = page.get_by_role("button", name="Fresh beans")
    chip.focus()
    lose_first(page, lambda: page.keyboard.press("Shift+ArrowRight"))
    expect(page.get_by_role("alert").filter(has_text="The post was not moved.")).to_be_visible()
    assert brand.post(post["post_id"])["scheduled_at"][:16] == at[:16]


def test_a_secret_that_is_shown_once_stays_when_the_session_ends(page, brand):
    open_settings(page, brand.link())
    page.get_by_role("button", name="Create key").first.click()
    dialog(page).get_by_role("textbox", name="Label").fill("Build server")
    dialog(page).get_by_label("I can show the secret again later").uncheck()
    dialog(page).get_by_role("button", name="Create key").click()
    secret = dialog(page).locator(".secret")
    expect(secret).to_contain_text("svc_mcp_")
    shown = secret.inner_text()
    page.context.clear_cookies()
    dialog(page).get_by_role("button", name="Test the connection").click()
    expect(dialog(page).locator(".session-warning")).to_contain_text("Your sign-in has ended")
    expect(secret).to_have_text(shown)


def test_filters_of_a_list(page, service):
    open_console(page, service, "?view=keys", "Keys")
    field = page.get_by_label("User id of the creator")
    field.fill("robin-of-somewhere")
    lose_first(page, lambda: field.press("Enter"), (field, "robin-of-somewhere"))
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Nothing fits these filters")).to_be_visible()
    assert listed(page, "Keys").count() == 0
