"""The states of the operator's console."""

from playwright.sync_api import Page, expect

from operator_steps import confirm, listed, open_brand, open_console, operator_link, schedule_post
from service import WITH_MCP
from steps import cut_off, dialog


def operator_sign_in(page: Page, world):
    page.goto(f"{world.service.url}/operator")
    page.get_by_label("Link or token").fill("hello")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()


def operator_role_missing(page: Page, world):
    page.goto(f"{world.service.url}/operator#token={world.brand.token('robin')}")
    expect(page.get_by_role("heading", name="You do not have the operator role")).to_be_visible()


def operator_not_loaded(page: Page, world):
    cut_off(page)
    page.goto(operator_link(world.service))
    expect(page.get_by_role("alert")).to_be_visible()


def operator_brands(page: Page, world):
    open_console(page, world.service)
    expect(listed(page, "Brands").first).to_be_visible()


def operator_no_match(page: Page, world):
    open_console(page, world.service, "?q=nothing-like-this")
    expect(page.get_by_role("heading", name="Nothing fits these filters")).to_be_visible()


def operator_brand(page: Page, world):
    open_brand(page, world.brand)
    expect(listed(page, "Members").first).to_be_visible()


def operator_brand_suspended(page: Page, world):
    gone = world.service.brand("Unpaid and Sons")
    world.service.api("POST", f"/api/admin/brands/{gone.brand_id}/suspend", world.service.operator_token, {"reason": "Unpaid since October"})
    open_brand(page, gone)
    expect(page.get_by_text("This brand is suspended")).to_be_visible()


def operator_brand_keys(page: Page, world):
    open_brand(page, world.brand, "keys")
    expect(listed(page, "Keys").first).to_be_visible()


def operator_brand_posts(page: Page, world):
    writer = world.scratch.create_key("Writer", scope="write")
    schedule_post(world.scratch, writer)
    open_brand(page, world.scratch, "posts")
    expect(listed(page, "Posts").first).to_be_visible()


def operator_suspend(page: Page, world):
    operator_brand(page, world)
    page.get_by_role("button", name="Suspend…").click()
    expect(dialog(page).get_by_label("Reason")).to_be_visible()


def operator_erase_refused(page: Page, world):
    operator_brand(page, world)
    page.get_by_role("button", name="Erase…").click()
    confirm(page, "Erase brand")
    expect(dialog(page).get_by_role("alert")).to_be_visible()


def operator_erasure(page: Page, world):
    gone = world.service.brand("Closed Shop")
    open_brand(page, gone)
    page.get_by_role("button", name="Erase…").click()
    confirm(page, "Erase brand", gone.brand_id)
    expect(page.get_by_role("region", name="Receipt of an erasure")).to_be_visible()


def operator_people(page: Page, world):
    open_console(page, world.service, "?view=people", "People")
    expect(listed(page, "People").first).to_be_visible()


def operator_person(page: Page, world):
    user = world.brand.user("dana")
    open_console(page, world.service, f"?view=people&open={user}", user)
    expect(listed(page, "Keys").first).to_be_visible()


def operator_keys(page: Page, world):
    key = world.brand.create_key("Found in a public file", scope="write")
    open_console(page, world.service, "?view=keys", "Keys")
    page.get_by_role("textbox", name="Secret", exact=True).fill(key["api_key"])
    page.get_by_role("button", name="Find key").click()
    expect(page.get_by_text("The secret belongs to the key")).to_be_visible()
    expect(listed(page, "Keys").first).to_be_visible()


def operator_key_details(page: Page, world):
    open_console(page, world.service, f"?view=keys&brand={world.brand.brand_id}", "Keys")
    page.get_by_role("button", name="Show the details of Claude Desktop, laptop").click()
    expect(dialog(page)).to_be_visible()


def operator_jobs(page: Page, world):
    writer = world.scratch.create_key("Auditor", scope="write")
    world.scratch.call(writer, "run_audit")
    open_console(page, world.service, "?view=jobs", "Jobs")
    expect(listed(page, "Jobs").first).to_be_visible()


def operator_jobs_held(page: Page, world):
    hold = {"since": "2026-01-01T00:00:00Z", "cause": "restore", "backup_at": "2025-12-31T00:00:00Z"}
    page.route("**/api/admin/jobs?*", lambda route: route.fulfill(json={"jobs": [], "hold": hold, "next_cursor": None}))
    open_console(page, world.service, "?view=jobs", "Jobs")
    page.get_by_role("button", name="Resume all jobs…").click()
    expect(dialog(page).get_by_role("checkbox")).to_be_checked()


def operator_events(page: Page, world):
    body = {"url": "https://crm.example/hook"}
    world.scratch.service.api("PUT", f"/api/brands/{world.scratch.brand_id}/event-endpoints/crm", world.scratch.token("robin"), body)
    world.scratch.create_key("Laptop with events")
    open_console(page, world.service, "?view=events", "Events")
    expect(listed(page, "Events").first).to_be_visible()


def operator_approvals(page: Page, world):
    open_console(page, world.service, "?view=approvals", "Approvals")
    expect(listed(page, "Approvals").first).to_be_visible()


def operator_activity(page: Page, world):
    open_console(page, world.service, "?view=activity", "Activity")
    expect(listed(page, "Activity").first).to_be_visible()


def operator_audit(page: Page, world):
    open_console(page, world.service, "?view=audit", "Audit log")
    listed(page, "Audit log").first.get_by_text("Where it came from").click()


def operator_plans(page: Page, world):
    open_console(page, world.service, "?view=plans", "Plans")
    expect(listed(page, "Plans").first).to_be_visible()


def operator_plan(page: Page, world):
    open_console(page, world.service, f"?view=plans&open={WITH_MCP}", "Growth")
    page.get_by_label("Posts a day").fill("many")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_role("alert")).to_be_visible()


def operator_new_plan(page: Page, world):
    open_console(page, world.service, "?view=plans&add=yes", "Add a plan")
    page.get_by_role("button", name="Add plan").click()
    expect(page.get_by_role("alert").first).to_be_visible()


def operator_hold(page: Page, world):
    open_console(page, world.service, "?view=jobs", "Jobs")
    page.get_by_role("button", name="Hold all jobs…").click()
    expect(dialog(page)).to_be_visible()


def operator_export(page: Page, world):
    operator_brand(page, world)
    page.get_by_role("button", name="Export…").click()
    confirm(page, "Download")
    expect(dialog(page)).to_contain_text("rows were exported")


def operator_erasures(page: Page, world):
    operator_erasure(page, world)
    page.get_by_role("link", name="All erasures").click()
    expect(listed(page, "Erasures").first).to_be_visible()


def operator_revoke_keys(page: Page, world):
    operator_person(page, world)
    page.get_by_role("button", name="Revoke all keys…").click()
    confirm(page, "Revoke all keys")
    expect(dialog(page).get_by_role("alert")).to_be_visible()


OPERATOR_STATES = (
    operator_sign_in, operator_role_missing, operator_not_loaded, operator_brands, operator_no_match, operator_brand, operator_brand_suspended,
    operator_brand_keys, operator_brand_posts, operator_suspend, operator_erase_refused, operator_erasure, operator_people, operator_person,
    operator_keys, operator_key_details, operator_jobs, operator_jobs_held, operator_events, operator_approvals, operator_activity, operator_audit,
    operator_plans, operator_plan, operator_new_plan, operator_hold, operator_export, operator_erasures, operator_revoke_keys,
)
