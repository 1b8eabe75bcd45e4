"""What the tests of the approvals view share."""

from playwright.sync_api import Locator, Page


def post(text: str, **more) -> dict:
    """The arguments of a call that publishes a post in the feed."""
    return {"text": text, "channels": ["feed"], "mode": "now", **more}


def waiting(page: Page) -> Locator:
    """The calls that wait, in the order of the page."""
    return page.locator(".approvals > li")
