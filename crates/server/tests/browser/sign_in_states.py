"""The states of the page around signing in and out."""

from playwright.sync_api import Page, expect

from service import LEEWAY_SECONDS
from steps import dialog, open_settings, start_creating, submit


def sign_in(page: Page, world):
    page.goto(f"{world.service.url}/settings/mcp")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def sign_in_wrong(page: Page, world):
    sign_in(page, world)
    page.get_by_label("Sign-in link").fill("hello")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()


def link_too_old(page: Page, world):
    token = world.service.token(world.brand.user("robin"), lives_for=-LEEWAY_SECONDS - 5)
    page.goto(f"{world.service.url}/settings/mcp#token={token}")
    expect(page.get_by_role("heading", name="This link does not work any more")).to_be_visible()


def signed_out(page: Page, world):
    open_settings(page, world.brand.link())
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()


def session_ends_soon(page: Page, world):
    token = world.service.token(world.brand.user("robin"), lives_for=290)
    open_settings(page, f"{world.service.url}/settings/mcp#token={token}")
    expect(page.locator(".session-warning")).to_be_visible()


def session_ended_while_typing(page: Page, world):
    open_settings(page, world.brand.link())
    start_creating(page, "Claude Code, workstation")
    page.context.clear_cookies()
    submit(page)
    expect(dialog(page).locator(".session-warning")).to_be_visible()


def unknown_brand(page: Page, world):
    page.goto(world.brand.link().replace("#", "?brand=no-such-brand#"))
    expect(page.get_by_role("heading", name="You do not act for this brand")).to_be_visible()


def no_brand(page: Page, world):
    page.goto(world.brand.link("nobody"))
    expect(page.get_by_role("heading", name="You are not a member")).to_be_visible()


def unknown_view(page: Page, world):
    page.goto(world.brand.link().replace("#", "?view=weather#"))
    expect(page.get_by_role("heading", name="There is no such view")).to_be_visible()


def insecure(page: Page, world):
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { get: () => false })")
    page.goto(world.brand.link())
    expect(page.get_by_role("heading", name="This page needs a secure connection")).to_be_visible()


SIGN_IN_STATES = (
    sign_in, sign_in_wrong, link_too_old, signed_out, session_ends_soon, session_ended_while_typing, unknown_brand, no_brand,
    unknown_view, insecure,
)
