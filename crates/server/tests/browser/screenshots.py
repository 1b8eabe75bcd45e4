"""Screenshots of every state of the page, at two widths, light and dark: `screenshots/STATE-WIDTH-SCHEME.png`."""

import datetime
import json
import pathlib
import random
import sys
import tempfile

from playwright.sync_api import Browser, Page, Route, sync_playwright

from conftest import CHROMIUM, CHROMIUM_FLAGS, close, serve_files_of_working_copy
from service import REPOSITORY, Service
from states import STATES, World
from steps import answer_of

FOLDER = REPOSITORY / "screenshots"
PICTURES = REPOSITORY / "docs" / "page"
# The picture, and the state of the page that it shows.
OF_DOCS = {
    "keys": "keys", "approvals": "approvals", "approval": "approval", "posts": "calendar", "site": "site", "connections": "connections", "quotas": "quotas",
    "activity": "activity", "operator": "operator-brands",
}
HEIGHTS = {360: 740, 1440: 900}
SCHEMES = ("light", "dark")
WHOLE_PAGE = {"keys", "activity", "plan-inactive", "approvals"}


def a_month_of_use(route: Route):
    """A new service has usage of one day. The picture shows a month of it."""
    answer = answer_of(route)
    usage = answer.json()
    chance = random.Random(7)
    today = datetime.date.fromisoformat(usage["to"])
    days = [today - datetime.timedelta(days=back) for back in range(30)]
    usage["usage"] = [
        {**line, "day": day.isoformat(), "calls": line["calls"] * chance.randint(2, 9), "denied": line["denied"] * chance.randint(0, 4)}
        for day in days for line in usage["usage"]
    ]
    route.fulfill(response=answer, body=json.dumps(usage))


def open_page(browser: Browser, width: int, height: int) -> Page:
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
    serve_files_of_working_copy(context)
    context.route("**/mcp-usage*", a_month_of_use)
    return context.new_page()


def take_screenshots(browser: Browser, world: World, name: str):
    page = open_page(browser, 1440, HEIGHTS[1440])
    STATES[name](page, world)
    for width, height in HEIGHTS.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=FOLDER / f"{name}-{width}-{scheme}.png", full_page=name in WHOLE_PAGE)
    close(page)


def take_pictures_of_docs(browser: Browser, world: World):
    PICTURES.mkdir(exist_ok=True)
    for picture, state in OF_DOCS.items():
        page = open_page(browser, 1280, 820)
        # All data is a minute old. The pictures are taken with a later clock, so that the times differ.
        page.clock.set_fixed_time(datetime.datetime.now() + datetime.timedelta(minutes=26))
        STATES[state](page, world)
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=PICTURES / f"{picture}.png")
        close(page)


def main():
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        service = Service(pathlib.Path(directory))
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
            world = World(service)
            if "--docs" in sys.argv:
                take_pictures_of_docs(browser, world)
                return
            for name in STATES:
                take_screenshots(browser, world, name)
            print(f"{len(list(FOLDER.glob('*.png')))} pictures in {FOLDER}")
        finally:
            service.stop()


if __name__ == "__main__":
    main()
