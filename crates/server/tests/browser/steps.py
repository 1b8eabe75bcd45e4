"""Actions of a user on the page."""

import datetime
import re

from playwright.sync_api import APIResponse, Locator, Page, Route, expect


def open_settings(page: Page, link: str):
    page.goto(link)
    expect(page.get_by_role("heading", name="MCP keys", level=1)).to_be_visible()
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")


def open_view(page: Page, link: str, view: str, heading: str):
    """Opens a view by its address."""
    page.goto(link.replace("#", f"?view={view}#"))
    expect(page.get_by_role("heading", name=heading, level=1, exact=True)).to_be_visible()
    expect(page.locator("main")).to_have_attribute("aria-busy", "false")


def open_approvals(page: Page, link: str):
    open_view(page, link, "approvals", "Approvals")


def open_view_while_cut_off(page: Page, link: str, name: str):
    """Opens a view by the navigation, while the service is unreachable."""
    open_view(page, link, "activity", "Activity")
    cut_off(page)
    page.get_by_role("link", name=name).click()


def row(page: Page, label: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("button", name=label, exact=True))


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog")


def choose(where: Page | Locator, name: str, option: str):
    where.get_by_role("combobox", name=name, exact=True).select_option(option)


def start_creating(page: Page, label: str) -> Locator:
    """Opens the form and fills in the label. The other fields keep their defaults."""
    page.get_by_role("button", name="Create key").first.click()
    form = dialog(page)
    form.get_by_role("textbox", name="Label").fill(label)
    return form


def submit(page: Page):
    dialog(page).get_by_role("button", name="Create key").click()


def create_key(page: Page, label: str) -> str:
    """Creates a key and returns the secret that is shown."""
    start_creating(page, label)
    submit(page)
    expect(dialog(page).get_by_role("heading", name=f"“{label}” is ready")).to_be_visible()
    return shown_secret(page)


def shown_secret(page: Page) -> str:
    secret = dialog(page).locator(".secret")
    expect(secret).to_contain_text("svc_mcp_")
    return secret.inner_text()


def choose_client(page: Page, name: str):
    dialog(page).get_by_role("group", name="Your assistant").get_by_text(name, exact=True).click()


def open_by_hand(page: Page):
    """Opens the part that shows the configuration, if it is closed."""
    by_hand = dialog(page).locator("details", has_text="Or add it by hand")
    if by_hand.get_attribute("open") is None:
        by_hand.locator("summary").click()


def install_line(page: Page) -> str:
    return dialog(page).get_by_role("region", name="Install line").inner_text()


def show_activity(page: Page):
    page.get_by_role("link", name="Activity").click()
    expect(page.get_by_role("heading", name="Recent events")).to_be_visible()


def read_approval(page: Page) -> Locator:
    """Opens the newest action that waits and that the user may decide on."""
    page.get_by_role("button", name="Read and decide").first.click()
    expect(dialog(page).get_by_role("button", name="Reject…")).to_be_visible()
    return dialog(page)


def answer_of(route: Route) -> APIResponse:
    """Sends the request of the page. Playwright leaves out the header that says that it comes from the page."""
    return route.fetch(headers={**route.request.headers, "sec-fetch-site": "same-origin"})


def lose_answers(page: Page, reach_the_service: bool):
    """From now on the response to a create is lost. `reach_the_service`: the service handles the request."""

    def handle(route):
        if route.request.method != "POST":
            return route.fallback()
        if reach_the_service:
            answer_of(route)
        return route.abort("connectionreset")

    page.route("**/mcp-keys", handle)


def lose_answers_of(page: Page, path: str, method: str):
    """From now on the service handles these requests, and its answers are lost."""

    def handle(route):
        if route.request.method != method:
            return route.fallback()
        answer_of(route)
        return route.abort("connectionreset")

    page.route(path, handle)


def cut_off(page: Page):
    """From now on the service is unreachable."""
    page.route("**/api/**", lambda route: route.abort("internetdisconnected"))


def connect_again(page: Page):
    page.unroute("**/api/**")


def pause_clock(page: Page):
    """Stops an installed clock, which else goes on with the real one: from then on only `run_for` moves it."""
    page.clock.pause_at(datetime.datetime.now() + datetime.timedelta(minutes=2))


def tab_to(page: Page, target: Locator | str | re.Pattern, role="button"):
    """Presses the Tab key until this element, or the one of this name and role, has the focus."""
    found = target if isinstance(target, Locator) else page.get_by_role(role, name=target, exact=True)
    for _ in range(80):
        if found.evaluate_all("found => found.includes(document.activeElement)"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{target} cannot be reached with the Tab key")
