"""Channels, report recipients and keyword lists on the page."""

import re

import pytest
from playwright.sync_api import expect

from connections_states import GOOD_LIST, MIXED_LIST, confirm_by_mail, open_connections, ready, section, set_up, stored, upload
from states import from_now
from steps import cut_off, dialog, lose_answers_of


def channel(brand, name):
    return next((one for one in stored(brand, "channels")["channels"] if one["channel_id"] == name), None)


def save(page):
    dialog(page).get_by_role("button", name="Save").click()


def start_adding(page, kind, name):
    page.get_by_role("button", name="Add channel").click()
    dialog(page).get_by_label("Kind").select_option(kind)
    dialog(page).get_by_label("Name").fill(name)
    return dialog(page)


def test_a_webhook_is_added_and_its_secret_is_shown_once(page, brand):
    open_connections(page, brand)
    form = start_adding(page, "webhook", "news")
    form.get_by_label("Address").fill("https://northwind.example/hook")
    save(page)
    shown = dialog(page).locator(".secret")
    expect(shown).to_contain_text("whsec_")
    secret = shown.inner_text()
    page.keyboard.press("Escape")
    expect(dialog(page).get_by_role("alert")).to_contain_text("The secret was not copied yet")
    dialog(page).get_by_role("button", name="Copy the signing secret").click()
    expect(dialog(page).get_by_role("alert")).to_have_count(0)
    assert page.evaluate("navigator.clipboard.readText()") == secret
    dialog(page).get_by_role("button", name="Done").click()
    expect(section(page, "Channels")).to_contain_text("Signing secret: set")
    assert secret not in page.content()
    assert channel(brand, "news")["secret_set"]


def test_a_channel_is_changed_without_typing_its_secret_again(page, brand):
    set_up(brand)
    open_connections(page, brand)
    page.get_by_role("button", name="Change mastodon").click()
    expect(dialog(page).get_by_label("Name")).to_be_disabled()
    token = dialog(page).get_by_label("Access token")
    expect(token).to_have_value("")
    expect(token).to_have_attribute("type", "password")
    dialog(page).get_by_label("Longest post").fill("1000")
    save(page)
    expect(dialog(page)).to_have_count(0)
    after = channel(brand, "mastodon")
    assert after["text_limit"] == 1000 and after["secret_set"] and after["settings"]["visibility"] == "unlisted"


def test_another_server_needs_the_secret_again_and_typed_text_stays(page, brand):
    set_up(brand)
    open_connections(page, brand)
    page.get_by_role("button", name="Change mastodon").click()
    dialog(page).get_by_label("Server").fill("https://other.example")
    save(page)
    expect(dialog(page).locator(".field-fault")).to_contain_text("Access token is required: the stored one belongs to another account or server")
    expect(dialog(page).get_by_label("Server")).to_have_value("https://other.example")
    dialog(page).get_by_label("Access token").fill("new-token")
    save(page)
    expect(dialog(page)).to_have_count(0)
    assert channel(brand, "mastodon")["settings"]["server"].startswith("https://other.example")


def test_a_new_channel_never_replaces_one_with_the_same_name(page, brand):
    set_up(brand)
    open_connections(page, brand)
    form = start_adding(page, "webhook", "mastodon")
    form.get_by_label("Address").fill("https://northwind.example/hook")
    save(page)
    expect(dialog(page).locator(".field-fault")).to_contain_text("This name is in use")
    assert channel(brand, "mastodon")["kind"] == "mastodon"


def test_a_lost_answer_keeps_what_was_typed_and_says_that_the_secret_is_lost(page, brand):
    open_connections(page, brand)
    form = start_adding(page, "webhook", "news")
    form.get_by_label("Address").fill("https://northwind.example/hook")
    lose_answers_of(page, "**/channels/news", "PUT")
    save(page)
    expect(dialog(page).get_by_role("alert")).to_contain_text("The channel could not be saved")
    expect(form.get_by_label("Address")).to_have_value("https://northwind.example/hook")
    page.unroute("**/channels/news")
    save(page)
    expect(dialog(page)).to_contain_text("its signing secret did not arrive")


def test_removing_a_channel_says_how_many_posts_are_cancelled(page, brand):
    set_up(brand)
    agent = brand.create_key("Agent", scope="write")
    post = brand.result(agent, "create_post", {"text": "Cupping", "channels": ["news", "feed"], "mode": "schedule", "scheduled_at": from_now(days=2)})
    open_connections(page, brand)
    page.get_by_role("button", name="Remove news").click()
    expect(dialog(page)).to_contain_text("One post that is scheduled for it is cancelled there.")
    dialog(page).get_by_role("button", name="Cancel").click()
    assert channel(brand, "news")
    page.get_by_role("button", name="Remove news").click()
    dialog(page).get_by_role("button", name="Remove channel").click()
    expect(page.get_by_role("button", name="Remove news")).to_have_count(0)
    assert channel(brand, "news") is None
    found = stored(brand, f"posts/{post['post']['post_id']}")
    assert {target["channel"]: target["status"] for target in found["targets"]} == {"news": "cancelled", "feed": "scheduled"}


def test_the_feed_can_be_neither_changed_nor_removed(page, brand):
    open_connections(page, brand)
    ready(page)
    expect(page.get_by_role("button", name="Send a test to feed")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^(Change|Remove) feed"))).to_have_count(0)


def start_adding_recipients(page):
    page.get_by_role("button", name="Add recipients").click()
    return dialog(page).get_by_label("Email addresses")


def send_recipients(page):
    dialog(page).get_by_role("button", name="Add", exact=True).click()


def test_recipients_are_added_confirmed_and_removed(page, brand):
    open_connections(page, brand)
    field = start_adding_recipients(page)
    field.fill("ada@northwind.example, not-an-address")
    send_recipients(page)
    expect(dialog(page).locator(".field-fault")).to_have_text("This is not an email address: not-an-address")
    expect(field).to_have_value("ada@northwind.example, not-an-address")
    field.fill("ada@northwind.example\nGrace@northwind.example")
    send_recipients(page)
    recipients = section(page, "Report recipients")
    expect(recipients.get_by_text("Not confirmed yet")).to_have_count(2)
    expect(recipients.get_by_role("button", name="Send a test mail")).to_have_count(0)
    confirm_by_mail(page, brand, "ada@northwind.example")
    open_connections(page, brand)
    expect(recipients.get_by_text("Confirmed", exact=True)).to_be_visible()
    recipients.get_by_role("button", name="Remove ada@northwind.example").click()
    expect(dialog(page)).to_contain_text("The person gets no more reports.")
    dialog(page).get_by_role("button", name="Remove recipient").click()
    expect(recipients.get_by_role("button", name="Remove ada@northwind.example")).to_have_count(0)
    assert [one["email"] for one in stored(brand, "report-recipients")["recipients"]] == ["grace@northwind.example"]


def test_adding_keeps_the_recipients_that_another_administrator_added_meanwhile(page, brand):
    open_connections(page, brand)
    ready(page)
    brand.service.api("PUT", f"/api/brands/{brand.brand_id}/report-recipients", brand.token("robin"), {"recipients": ["grace@northwind.example"]})
    start_adding_recipients(page).fill("ada@northwind.example")
    send_recipients(page)
    expect(section(page, "Report recipients").get_by_role("listitem")).to_have_count(2)


def test_a_list_is_uploaded_with_what_was_skipped_and_why(page, brand):
    open_connections(page, brand)
    ready(page)
    lists = section(page, "Keyword lists")
    upload(page, "semrush.csv", MIXED_LIST)
    expect(lists).to_contain_text("“semrush.csv” was recognised as an export of Semrush")
    expect(lists.locator(".notice li")).to_have_text(["Line 4: has no keyword", "Line 5: has the same keyword as line 2", re.compile("Line 6: .*`many`")])
    upload(page, "good.csv", GOOD_LIST)
    expect(lists.locator(".notice.good")).to_contain_text("2 keywords were imported.")
    upload(page, "good.csv", GOOD_LIST)
    expect(lists).to_contain_text("The same file was imported before.")
    expect(lists.locator(".connection-rows > li")).to_have_count(2)
    lists.get_by_role("button", name=re.compile("^Remove Semrush")).first.click()
    expect(dialog(page)).to_contain_text("Its 2 keywords and their figures are deleted.")
    dialog(page).get_by_role("button", name="Remove list").click()
    expect(lists.locator(".connection-rows > li")).to_have_count(1)


@pytest.mark.parametrize(("name", "text", "reason"), [
    ("notes.csv", "a,b\n1,2\n", "The header of the list is unknown"),
    ("large.csv", "x" * (5 * 1024 * 1024 + 1), "larger than 5 MiB"),
])
def test_a_file_that_cannot_be_read_is_refused_with_the_reason(page, brand, name, text, reason):
    open_connections(page, brand)
    ready(page)
    upload(page, name, text)
    expect(page.get_by_role("alert")).to_contain_text(reason)
    assert stored(brand, "keyword-imports")["imports"] == []


def test_a_broken_connection_is_reported_and_nothing_is_removed(page, brand):
    set_up(brand)
    open_connections(page, brand)
    ready(page)
    cut_off(page)
    page.get_by_role("button", name="Remove ada@northwind.example").click()
    dialog(page).get_by_role("button", name="Remove recipient").click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("The recipient could not be removed.")
    assert len(stored(brand, "report-recipients")["recipients"]) == 2


def test_members_see_who_can_change_connections_and_ask_for_nothing(watched, brand):
    open_connections(watched.page, brand, "dana")
    expect(watched.page.get_by_role("list", name="Administrators")).to_have_text("Robin Vale")
    paths = ("/channels", "/report-recipients", "/keyword-imports", "/event-endpoints")
    assert not [request for request in watched.requests if request.endswith(paths)]
    for path in paths:
        assert brand.service.request("GET", f"/api/brands/{brand.brand_id}{path}", brand.token("dana"))[0] == 403
