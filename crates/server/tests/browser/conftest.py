import pathlib

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from service import Service

# As root there is no sandbox, and without the rest the browser looks for its maker's hosts.
CHROMIUM_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]

expect.set_options(timeout=10_000)


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    running = Service(tmp_path_factory.mktemp("service"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=CHROMIUM_FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def brand(service):
    return service.brand()


@pytest.fixture
def context(browser):
    opened = browser.new_context(viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"])
    opened.set_default_timeout(10_000)
    yield opened
    opened.close()


def close(page: Page):
    """Also where requests were held back for good."""
    page.unroute_all(behavior="ignoreErrors")
    page.context.close()


class Watched:
    """What a page did besides what it shows."""

    def __init__(self, page: Page):
        self.page = page
        self.console: list[str] = []
        self.faults: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.console.append(message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", lambda request: self.requests.append(f"{request.method} {request.url}"))


@pytest.fixture
def watched(context, service):
    """A page that is watched: no test passes if the page fails inside or asks another host for anything."""
    page = context.new_page()
    seen = Watched(page)
    yield seen
    page.unroute_all(behavior="ignoreErrors")
    assert seen.faults == []
    strangers = [request for request in seen.requests if not request.split()[1].startswith((service.url, "about:", "blob:"))]
    assert strangers == []
    # The browser itself notes failed requests; the page writes nothing at all.
    own_words = [text for text in seen.console if not text.startswith("Failed to load resource")]
    assert own_words == []


@pytest.fixture
def page(watched) -> Page:
    return watched.page


@pytest.fixture(scope="session")
def axe_source():
    return (pathlib.Path(__file__).parents[4] / "target/axe/node_modules/axe-core/axe.min.js").read_text()
