"""Actions of an operator in the console."""

import datetime

from playwright.sync_api import Locator, Page, expect

from service import Brand, Service
from steps import dialog

OPERATOR = "olga"


def operator_link(service: Service, address="", user=OPERATOR) -> str:
    return f"{service.url}/operator{address}#token={service.token(user, operator=True)}"


def open_console(page: Page, service: Service, address="", title="Brands"):
    page.goto(operator_link(service, address))
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")


def open_brand(page: Page, brand: Brand, part=""):
    open_console(page, brand.service, f"?view=brands&open={brand.brand_id}{part and f'&part={part}'}", brand.name)
    expect(page.get_by_role("region", name="About the brand")).to_be_visible()


def schedule_post(brand: Brand, key):
    """A post that waits for its time."""
    at = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=2)).isoformat()
    post = {"title": "Cupping on Friday", "text": "Taste six coffees side by side.", "channels": ["feed"], "mode": "schedule", "scheduled_at": at}
    brand.result(key, "create_post", post)


def listed(page: Page, name: str) -> Locator:
    """The rows of a list, without its head."""
    return page.get_by_role("table", name=name).locator("tbody").get_by_role("row")


def confirm(page: Page, action: str, typed=""):
    """Answers the question of an open dialog."""
    if typed:
        dialog(page).get_by_role("textbox", name=f"Type {typed} to confirm").fill(typed)
    dialog(page).get_by_role("button", name=action, exact=True).click()


def assert_typing_is_needed(page: Page, action: str, expected: str):
    """Asserts that nothing is sent before the person typed exactly `expected`."""
    sent = []
    page.on("request", lambda request: sent.append(request.method) if request.method != "GET" else None)
    for text in ("", f"{expected}x", expected.upper()):
        dialog(page).get_by_role("textbox", name=f"Type {expected} to confirm").fill(text)
        dialog(page).get_by_role("button", name=action, exact=True).click()
        expect(dialog(page).get_by_role("alert")).to_contain_text(f"Type exactly {expected} to confirm.")
    assert sent == []
