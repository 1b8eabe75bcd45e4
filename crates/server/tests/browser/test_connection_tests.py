"""“Send a test” for channels, report recipients and event endpoints. Nothing is published."""

import pytest
from playwright.sync_api import expect

from connections_states import confirm_by_mail, open_connections, section
from receiver import receiver, service
from service import eventually
from steps import cut_off


def put(brand, path, body):
    return brand.service.api("PUT", f"/api/brands/{brand.brand_id}/{path}", brand.token("robin"), body)


CONNECTIONS = {
    "Channels": lambda brand, url: put(brand, "channels/news", {"kind": "webhook", "settings": {"url": url}}),
    "Event endpoints": lambda brand, url: put(brand, "event-endpoints/news", {"url": url}),
}


@pytest.mark.parametrize("kind", CONNECTIONS)
def test_a_test_reaches_the_other_side(page, brand, receiver, kind):
    CONNECTIONS[kind](brand, receiver.url)
    open_connections(page, brand)
    section(page, kind).get_by_role("button", name="Send a test to news").click()
    expect(section(page, kind).locator(".notice.good")).to_contain_text("The test was successful")
    message, = receiver.received
    assert message["body"]["type"] == "ping" and "test" in message["body"]["data"]["message"]
    assert message["headers"]["webhook-signature"].startswith("v1,")
    assert brand.feed() == []


@pytest.mark.parametrize("kind", CONNECTIONS)
def test_a_failed_test_says_what_the_other_side_answered(page, brand, receiver, kind):
    receiver.status = 500
    CONNECTIONS[kind](brand, receiver.url)
    open_connections(page, brand)
    section(page, kind).get_by_role("button", name="Send a test to news").click()
    failed = section(page, kind).get_by_role("alert")
    expect(failed).to_contain_text("The test failed")
    expect(failed).to_contain_text("500")


def test_the_feed_names_its_address(page, brand):
    open_connections(page, brand)
    section(page, "Channels").get_by_role("button", name="Send a test to feed").click()
    expect(section(page, "Channels").locator(".notice.good")).to_contain_text(f"/feeds/{brand.brand_id}/")


def test_recipients_who_have_confirmed_get_a_test_mail(page, brand):
    put(brand, "report-recipients", {"recipients": ["ada@northwind.example", "grace@northwind.example"]})
    confirm_by_mail(page, brand, "ada@northwind.example")
    open_connections(page, brand)
    mails = brand.service.directory / "mail"
    before = set(mails.rglob("*.eml"))
    section(page, "Report recipients").get_by_role("button", name="Send a test mail to the confirmed recipient").click()
    expect(section(page, "Report recipients").locator(".notice.good")).to_contain_text("The test was successful")
    new, = eventually(lambda: set(mails.rglob("*.eml")) - before)
    assert "To: ada@northwind.example" in new.read_text()


def test_a_broken_connection_is_reported(page, brand):
    open_connections(page, brand)
    button = section(page, "Channels").get_by_role("button", name="Send a test to feed")
    expect(button).to_be_enabled()
    cut_off(page)
    button.click()
    expect(section(page, "Channels").get_by_role("alert")).to_contain_text("The test could not be sent.")
    expect(button).to_be_enabled()


@pytest.mark.parametrize("path", ["channels/feed", "event-endpoints/crm", "report-recipients"])
def test_members_cannot_send_tests(brand, path):
    put(brand, "event-endpoints/crm", {"url": "https://crm.example/events"})
    assert brand.service.request("POST", f"/api/brands/{brand.brand_id}/{path}/test", brand.token("dana"))[0] == 403
