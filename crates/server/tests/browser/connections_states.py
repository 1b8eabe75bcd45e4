"""The states of the connections view."""

import re

from playwright.sync_api import Locator, Page, expect

from service import eventually
from steps import answer_of, dialog, open_view, open_view_while_cut_off

SEMRUSH = "Keyword,Intent,Volume,Keyword Difficulty,CPC (USD),Competitive Density\n"
GOOD_LIST = SEMRUSH + "coffee beans,Commercial,1300,45,0.9,0.3\nbuy coffee,Transactional,700,38,1.2,0.8\n"
MIXED_LIST = GOOD_LIST + ",Commercial,10,1,0.1,0.1\ncoffee beans,Commercial,20,1,0.1,0.1\ntea,Commercial,many,1,0.1,0.1\n"


def section(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def open_connections(page: Page, brand, who="robin"):
    open_view(page, brand.link(who), "connections", "Connections")


def set_up(brand):
    """Some of everything."""
    def put(path, body):
        return brand.service.api("PUT", f"/api/brands/{brand.brand_id}/{path}", brand.token("robin"), body)

    put("channels/news", {"kind": "webhook", "settings": {"url": "https://northwind.example/hooks/posts-of-the-brand"}})
    put("channels/bluesky", {"kind": "bluesky", "settings": {"identifier": "northwind.bsky.social", "app_password": "abcd-efgh-ijkl-mnop"}})
    put("channels/mastodon", {"kind": "mastodon", "settings": {"server": "https://mastodon.example", "access_token": "secret-token", "visibility": "unlisted"}})
    put("report-recipients", {"recipients": ["ada@northwind.example", "grace@northwind.example"]})
    put("event-endpoints/crm", {"url": "http://127.0.0.1:9/events", "types": ["key.created", "key.leaked"]})
    put("event-endpoints/archive", {"url": "https://archive.northwind.example/a/rather/long/path/to/events", "enabled": False})
    return brand


def stored(brand, path):
    return brand.service.api("GET", f"/api/brands/{brand.brand_id}/{path}", brand.token("robin"))


def confirm_by_mail(page, brand, address):
    """Presses the button behind the link of the confirmation email."""
    def link():
        for mail in (brand.service.directory / "mail").rglob("*.eml"):
            text = mail.read_text().replace("=\r\n", "").replace("=\n", "").replace("=3D", "=")
            if address in text and (found := re.search(rf"http\S+/confirm/{brand.brand_id}/[\w-]+", text)):
                return found[0]
        return None

    page.goto(eventually(link))
    page.get_by_role("button").click()
    eventually(lambda: "confirmed" in [one["status"] for one in stored(brand, "report-recipients")["recipients"]])


def ready(page: Page):
    for name in ("Channels", "Report recipients", "Keyword lists", "Event endpoints"):
        expect(section(page, name).locator(".placeholder")).to_have_count(0)


def upload(page: Page, name: str, text: str):
    section(page, "Keyword lists").locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": text.encode()})


def connections(page: Page, world):
    open_connections(page, set_up(world.service.brand()))
    ready(page)
    upload(page, "semrush.csv", MIXED_LIST)
    expect(page.get_by_text("3 rows were skipped:")).to_be_visible()


def connections_empty(page: Page, world):
    open_connections(page, world.service.brand("Fresh Start"))
    ready(page)
    expect(page.get_by_text("No recipients yet.")).to_be_visible()


def connections_of_a_member(page: Page, world):
    open_connections(page, world.brand, "dana")
    expect(page.get_by_role("heading", name="Only administrators see connections")).to_be_visible()


def connections_not_loaded(page: Page, world):
    open_view_while_cut_off(page, world.brand.link(), "Connections")
    expect(page.get_by_role("alert")).to_have_count(4)


def add_channel(page: Page, world):
    connections_empty(page, world)
    page.get_by_role("button", name="Add channel").click()
    expect(dialog(page).get_by_label("Kind")).to_be_visible()
    dialog(page).get_by_label("Kind").select_option("mastodon")


def channel_refused(page: Page, world):
    connections_empty(page, world)
    page.get_by_role("button", name="Add channel").click()
    dialog(page).get_by_label("Name").fill("news")
    dialog(page).get_by_label("Address").fill("northwind")
    dialog(page).get_by_role("button", name="Save").click()
    expect(dialog(page).locator(".field-fault")).to_be_visible()


def channel_secret(page: Page, world):
    connections_empty(page, world)
    page.get_by_role("button", name="Add channel").click()
    dialog(page).get_by_label("Name").fill("news")
    dialog(page).get_by_label("Address").fill("https://northwind.example/hook")
    dialog(page).get_by_role("button", name="Save").click()
    expect(dialog(page).locator(".secret")).to_contain_text("whsec_")
    page.keyboard.press("Escape")
    expect(dialog(page).get_by_role("alert")).to_be_visible()


def remove_channel(page: Page, world):
    open_connections(page, set_up(world.service.brand()))
    page.get_by_role("button", name="Remove news").click()
    expect(dialog(page)).to_contain_text("No scheduled post is lost.")


def add_recipients(page: Page, world):
    connections_empty(page, world)
    page.get_by_role("button", name="Add recipients").click()
    dialog(page).get_by_label("Email addresses").fill("ada@northwind.example, grace")
    dialog(page).get_by_role("button", name="Add", exact=True).click()
    expect(dialog(page).locator(".field-fault")).to_be_visible()


def add_endpoint(page: Page, world):
    connections_empty(page, world)
    page.get_by_role("button", name="Add endpoint").click()
    dialog(page).get_by_label("Only some events").check()
    expect(dialog(page).get_by_label("Key leaked")).to_be_visible()


def connection_test_failed(page: Page, world):
    open_connections(page, set_up(world.service.brand()))
    page.get_by_role("button", name="Send a test to crm").click()
    expect(section(page, "Event endpoints").get_by_role("alert")).to_be_visible()


def keyword_list_refused(page: Page, world):
    connections_empty(page, world)
    upload(page, "notes.csv", "a,b\n1,2\n")
    expect(section(page, "Keyword lists").get_by_role("alert")).to_be_visible()


def change_endpoint(page: Page, world):
    open_connections(page, set_up(world.service.brand()))
    page.get_by_role("button", name="Change crm").click()
    dialog(page).get_by_label("Replace the signing secret").check()


def endpoint_switched_off(page: Page, world):
    def handle(route):
        answer = answer_of(route)
        listed = answer.json()
        listed["event_endpoints"][0].update(disabled_at="2026-11-01T10:00:00.000Z", disabled_reason="It answered 500.", failing_since="2026-10-29T10:00:00.000Z")
        listed["event_endpoints"][1].update(enabled=True, failing_since="2026-10-29T10:00:00.000Z", dropped=3)
        route.fulfill(response=answer, json=listed)

    page.route("**/event-endpoints", handle)
    open_connections(page, set_up(world.service.brand()))
    expect(page.get_by_role("button", name="Switch on")).to_be_visible()
    expect(page.get_by_text("3 events were given up")).to_be_visible()


def remove_endpoint(page: Page, world):
    open_connections(page, set_up(world.service.brand()))
    page.get_by_role("button", name="Remove crm").click()
    expect(dialog(page)).to_contain_text("Its signing secret is deleted.")


def deliveries(page: Page, world):
    brand = set_up(world.service.brand())
    brand.create_key("Laptop")
    open_connections(page, brand)
    page.get_by_role("button", name="Deliveries to crm").click()
    expect(dialog(page).get_by_role("row", name="Key created")).to_be_visible()


CONNECTIONS_STATES = (
    connections, connections_empty, connections_of_a_member, connections_not_loaded, add_channel, channel_refused, channel_secret,
    remove_channel, add_recipients, add_endpoint, connection_test_failed, keyword_list_refused, change_endpoint, endpoint_switched_off,
    remove_endpoint, deliveries,
)
