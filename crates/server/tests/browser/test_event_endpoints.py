"""Event endpoints and their deliveries on the page."""

from playwright.sync_api import expect

from connections_states import open_connections, ready, section
from receiver import receiver, service
from service import eventually
from steps import answer_of, dialog, lose_answers_of


def endpoints(brand):
    return brand.service.api("GET", f"/api/brands/{brand.brand_id}/event-endpoints", brand.token("robin"))["event_endpoints"]


def put(brand, name, **body):
    return brand.service.api("PUT", f"/api/brands/{brand.brand_id}/event-endpoints/{name}", brand.token("robin"), body)


def start_adding(page, name, url):
    page.get_by_role("button", name="Add endpoint").click()
    dialog(page).get_by_label("Name").fill(name)
    dialog(page).get_by_label("Address").fill(url)
    return dialog(page)


def save(page):
    dialog(page).get_by_role("button", name="Save").click()


def test_an_endpoint_gets_the_chosen_events_and_shows_its_deliveries(page, brand, receiver):
    open_connections(page, brand)
    form = start_adding(page, "crm", receiver.url)
    form.get_by_label("Only some events").check()
    save(page)
    expect(form.locator(".field-fault")).to_have_text("Choose at least one event, or all events.")
    form.get_by_label("Key created").check()
    save(page)
    expect(dialog(page).locator(".secret")).to_contain_text("whsec_")
    dialog(page).get_by_role("button", name="Copy the signing secret").click()
    dialog(page).get_by_role("button", name="Done").click()
    expect(section(page, "Event endpoints")).to_contain_text("One kind of event")
    assert endpoints(brand)[0]["types"] == ["key.created"]

    brand.create_key("Laptop")
    eventually(lambda: receiver.received)
    page.get_by_role("button", name="Deliveries to crm").click()
    row = dialog(page).get_by_role("row", name="Key created")
    expect(row).to_contain_text("Answer 200")
    expect(row).to_contain_text("Delivered")
    row.get_by_role("button", name="Send again: Key created").click()
    eventually(lambda: len(receiver.received) == 2)
    first, second = (message["headers"]["webhook-id"] for message in receiver.received)
    assert first == second
    dialog(page).get_by_label("State").select_option("Failed")
    expect(dialog(page)).to_contain_text("No delivery has this state.")


def test_a_failed_delivery_says_why_and_when_it_is_tried_again(page, brand, receiver):
    receiver.status = 503
    put(brand, "crm", url=receiver.url)
    brand.create_key("Laptop")
    eventually(lambda: endpoints(brand)[0]["failing_since"])
    open_connections(page, brand)
    expect(section(page, "Event endpoints").get_by_text("Failing", exact=True)).to_be_visible()
    page.get_by_role("button", name="Deliveries to crm").click()
    row = dialog(page).get_by_role("row", name="Key created")
    expect(row).to_contain_text("Answer 503")
    expect(row).to_contain_text("Next try:")
    receiver.status = 200
    row.get_by_role("button", name="Send again").click()
    expect(row).to_contain_text("Delivered")


def test_an_endpoint_is_changed_and_gets_a_new_secret(page, brand, receiver):
    put(brand, "crm", url=receiver.url, types=["key.leaked"])
    open_connections(page, brand)
    page.get_by_role("button", name="Change crm").click()
    expect(dialog(page).get_by_label("Key leaked")).to_be_checked()
    dialog(page).get_by_label("All events").check()
    dialog(page).get_by_label("It gets events").uncheck()
    dialog(page).get_by_label("Replace the signing secret").check()
    save(page)
    expect(dialog(page).locator(".secret")).to_contain_text("whsec_")
    after = endpoints(brand)[0]
    assert after["types"] is None and after["enabled"] is False


def test_after_a_lost_answer_the_next_try_shows_a_secret(page, brand):
    open_connections(page, brand)
    form = start_adding(page, "crm", "https://crm.example/events")
    lose_answers_of(page, "**/event-endpoints/crm", "PUT")
    save(page)
    expect(form.get_by_role("alert")).to_contain_text("The endpoint could not be saved.")
    page.unroute("**/event-endpoints/crm")
    save(page)
    expect(dialog(page).locator(".secret")).to_contain_text("whsec_")


def test_faults_stand_at_their_fields_and_a_name_is_not_taken_twice(page, brand):
    put(brand, "crm", url="https://crm.example/events")
    open_connections(page, brand)
    form = start_adding(page, "crm", "ftp://crm.example")
    save(page)
    expect(form.locator(".field-fault")).to_contain_text("This name is in use")
    form.get_by_label("Name").fill("crm-2")
    save(page)
    expect(form.locator(".field-fault")).to_contain_text("Address")
    expect(form.get_by_label("Address")).to_have_value("ftp://crm.example")
    assert [one["endpoint_id"] for one in endpoints(brand)] == ["crm"]


def test_an_endpoint_that_was_switched_off_says_why_and_is_switched_on(page, brand):
    put(brand, "crm", url="https://crm.example/events")

    def switched_off(route):
        """The answer after three days of failures."""
        answer = answer_of(route)
        listed = answer.json()
        listed["event_endpoints"][0].update(disabled_at="2026-11-01T10:00:00.000Z", disabled_reason="It answered 500.", failing_since="2026-10-29T10:00:00.000Z")
        route.fulfill(response=answer, json=listed)

    page.route("**/event-endpoints", switched_off)
    open_connections(page, brand)
    listed = section(page, "Event endpoints")
    expect(listed).to_contain_text("The last error: It answered 500.")
    page.unroute("**/event-endpoints")
    listed.get_by_role("button", name="Switch on").click()
    expect(listed.get_by_text("Active", exact=True)).to_be_visible()


def test_removing_an_endpoint_says_what_is_lost(page, brand):
    put(brand, "crm", url="https://crm.example/events")
    open_connections(page, brand)
    page.get_by_role("button", name="Remove crm").click()
    expect(dialog(page)).to_contain_text("Nothing more is sent to https://crm.example/events")
    expect(dialog(page)).to_contain_text("The list of its deliveries is deleted.")
    dialog(page).get_by_role("button", name="Remove endpoint").click()
    expect(section(page, "Event endpoints")).to_contain_text("No endpoint yet.")
    assert endpoints(brand) == []


def test_the_page_offers_every_event_of_the_api(page, brand):
    document = brand.service.request("GET", "/openapi.json", "none")[1]
    known = document["components"]["schemas"]["PutEndpoint"]["properties"]["types"]["items"]["enum"]
    open_connections(page, brand)
    ready(page)
    offered = page.evaluate("import('/settings/assets/views/connections/eventtypes.js').then(({ EVENT_TYPES, eventName }) => Object.values(EVENT_TYPES).flat().map((type) => [type, eventName(type)]))")
    assert [type for type, _ in offered] == known
    assert not [name for _, name in offered if name.startswith("connections-")]
