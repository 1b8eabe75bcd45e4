"""The states of the page around changing, rotating and ending a key."""

from playwright.sync_api import Page, expect

from steps import dialog, open_settings, shown_secret


def details_of(page: Page, brand, label: str):
    open_settings(page, brand.link())
    page.get_by_role("button", name=label, exact=True).click()
    expect(dialog(page).get_by_role("table", name="Events")).to_be_visible()


def edit_key(page: Page, world):
    details_of(page, world.brand, "Site audit")
    dialog(page).get_by_role("button", name="Edit", exact=True).click()
    expect(dialog(page).get_by_role("textbox", name="Networks")).to_be_visible()


def edit_key_of_another(page: Page, world):
    details_of(page, world.brand, "Weekly reports")
    dialog(page).get_by_role("button", name="Edit", exact=True).click()
    expect(dialog(page)).to_contain_text("only stricter")


def edit_key_refused(page: Page, world):
    edit_key(page, world)
    dialog(page).get_by_role("textbox", name="Networks").fill("203.0.113.7/24")
    dialog(page).get_by_role("button", name="Save").click()
    expect(dialog(page).get_by_role("alert")).to_be_visible()


def new_secret(page: Page, world):
    details_of(page, world.brand, "Claude Desktop, laptop")
    dialog(page).get_by_role("button", name="New secret…").click()
    expect(dialog(page).get_by_role("combobox")).to_be_visible()


def key_with_two_secrets(world):
    """A key whose old secret is in use."""
    key = world.scratch.create_key("Build server")
    path = f"/api/brands/{world.scratch.brand_id}/mcp-keys/{key['key_id']}/rotate"
    world.service.api("POST", path, world.scratch.token("robin"), {})
    world.scratch.list_tools(key)
    return key


def rotated(page: Page, world):
    world.scratch.create_key("Changed today")
    details_of(page, world.scratch, "Changed today")
    dialog(page).get_by_role("button", name="New secret…").click()
    dialog(page).get_by_role("button", name="Create the new secret").click()
    shown_secret(page)
    world.scratch.revoke(next(key for key in world.scratch.keys() if key["label"] == "Changed today" and key["status"] == "active"))


def old_secret(page: Page, world):
    key = key_with_two_secrets(world)
    details_of(page, world.scratch, "Build server")
    expect(dialog(page)).to_contain_text("The old secret works until")
    world.scratch.revoke(key)


def end_old_secret(page: Page, world):
    old_secret(page, world)
    dialog(page).get_by_role("button", name="End the old secret…").click()
    expect(dialog(page).get_by_role("heading", name="End the old secret?")).to_be_visible()


def revoked_with_work(page: Page, world):
    counts = {"posts": 3, "mails": 1, "jobs": 0, "approvals": 1, "schedules": 0}
    answer = {"cancelled": counts, "already_sending": {"posts": 1, "mails": 0, "jobs": 0}}
    open_settings(page, world.brand.link())
    page.route("**/mcp-keys/*", lambda route: route.fulfill(json=answer) if route.request.method == "DELETE" else route.fallback())
    page.get_by_role("button", name="Revoke Claude Desktop, laptop").click()
    dialog(page).get_by_role("button", name="Revoke key").click()
    expect(dialog(page)).to_contain_text("Cancelled: 3 posts, 1 report email")


KEY_STATES = (
    edit_key, edit_key_of_another, edit_key_refused, new_secret, rotated, old_secret, end_old_secret, revoked_with_work,
)
