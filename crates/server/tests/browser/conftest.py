import os
import pathlib
import urllib.parse

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from service import REPOSITORY, WAIT_TIMEOUT, Service

# Chromium's engine without windows. A page costs a third of the CPU time that it costs in the whole browser.
CHROMIUM = "/usr/bin/chromium-headless-shell"
# Root needs --no-sandbox. The other flags stop requests to the browser's vendor.
CHROMIUM_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]

expect.set_options(timeout=WAIT_TIMEOUT * 1000)


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    running = Service(tmp_path_factory.mktemp("service"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def brand(service):
    return service.brand()


@pytest.fixture
def context(browser):
    opened = browser.new_context(
        viewport={"width": 1280, "height": 900}, locale="en-GB", permissions=["clipboard-read", "clipboard-write"])
    serve_files_of_working_copy(opened)
    opened.set_default_timeout(WAIT_TIMEOUT * 1000)
    yield opened
    opened.close()


def serve_files_of_working_copy(context):
    """With UI_FROM_DISK=1 scripts, styles and texts come from `crates/server/ui`, so a change of them needs no build."""
    if not os.environ.get("UI_FROM_DISK"):
        return
    files = REPOSITORY / "crates/server/ui"

    def asset(route):
        path = files / urllib.parse.urlparse(route.request.url).path.split("/settings/assets/")[1]
        if not path.is_file():
            return route.fallback()
        kind = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}.get(path.suffix, "text/plain")
        return route.fulfill(path=path, content_type=f"{kind}; charset=utf-8")

    context.route("**/settings/assets/**", asset)


def close(page: Page):
    """Closes a page, also with requests that are held back."""
    page.unroute_all(behavior="ignoreErrors")
    page.context.close()


class Watched:
    """Console messages, errors and requests of a page."""

    def __init__(self, page: Page):
        self.page = page
        self.console: list[str] = []
        self.errors: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.console.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(f"{request.method} {request.url}"))


@pytest.fixture
def watched(context, service):
    """A watched page. A test fails if the page has an error or sends a request to another host."""
    page = context.new_page()
    seen = Watched(page)
    yield seen
    page.unroute_all(behavior="ignoreErrors")
    assert seen.errors == []
    foreign = [request for request in seen.requests if not request.split()[1].startswith((service.url, "about:", "blob:"))]
    assert foreign == []
    # The browser logs failed requests; the page logs nothing.
    own_messages = [text for text in seen.console if not text.startswith("Failed to load resource")]
    assert own_messages == []


@pytest.fixture
def page(watched) -> Page:
    return watched.page


@pytest.fixture(scope="session")
def axe_source():
    return (pathlib.Path(__file__).parents[4] / "target/axe/node_modules/axe-core/axe.min.js").read_text()
