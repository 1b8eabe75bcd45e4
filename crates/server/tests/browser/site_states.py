"""The states of the views of the site and of the quotas."""

from playwright.sync_api import Page, expect

from service import WITH_MCP, eventually
from steps import answer_of, dialog, open_view, open_view_while_cut_off


def with_site(brand):
    """The brand owns the sample site of the demo, so that audits find pages."""
    brand.set_plan(WITH_MCP, brand.service.site_url)
    return brand


def audits_of(brand, path="", method="GET", who="robin"):
    return brand.service.api(method, f"/api/brands/{brand.brand_id}/audits{path}", brand.token(who))


def run_audits(brand, count):
    """Runs audits to their end, one after the other."""
    for _ in range(count):
        started = audits_of(brand, method="POST")
        eventually(lambda: audits_of(brand, f"/{started['audit_id']}")["finished_at"])
    return brand


def schedule(brand, **body):
    return brand.service.api("POST", f"/api/brands/{brand.brand_id}/schedules", brand.token("robin"), body)["schedule"]


def open_site(page: Page, brand, who="robin"):
    open_view(page, brand.link(who), "site", "Site")


def show_running(page: Page):
    """The newest audit seems to run, because the sample site is read within a second."""
    def handle(route):
        answer = answer_of(route)
        listed = answer.json()
        progress = {"stage": "pages", "visited": 31, "waiting": 53, "url": "https://northwind.example/coffee/beans"}
        listed["audits"][0].update(status="running", score=None, finished_at=None, progress=progress)
        route.fulfill(response=answer, json=listed)

    page.route("**/audits?*", handle)


def site(page: Page, world):
    brand = run_audits(with_site(world.service.brand()), 3)
    schedule(brand, kind="audit", every="week", weekday="monday", at="09:00")
    schedule(brand, kind="report", every="month", day=31, at="08:00")
    show_running(page)
    open_site(page, brand)
    expect(page.locator(".site-fix-list > li").first).to_be_visible()
    expect(page.locator(".chart .point")).to_have_count(2)
    expect(page.locator(".site-schedule-list > li")).to_have_count(2)
    page.locator(".site-fix-list summary").first.click()
    page.get_by_text("Show as a table").click()


def site_partly_read(page: Page, world):
    """The newest audit has failed, and the one before did not read the whole site."""
    def handle(route):
        answer = answer_of(route)
        listed = answer.json()
        listed["audits"][0].update(status="failed", score=None, failure="The site did not answer.")
        listed["audits"][1].update(end="limited")
        route.fulfill(response=answer, json=listed)

    page.route("**/audits?*", handle)
    open_site(page, run_audits(with_site(world.service.brand()), 2))
    expect(page.get_by_text("This audit did not read the whole site")).to_be_visible()
    expect(page.get_by_text("The site did not answer.")).to_be_visible()


def site_empty(page: Page, world):
    open_site(page, world.service.brand("Fresh Start"))
    expect(page.get_by_role("heading", name="No audit yet")).to_be_visible()
    expect(page.get_by_text("Nothing repeats yet.")).to_be_visible()


def site_not_loaded(page: Page, world):
    open_view_while_cut_off(page, world.brand.link(), "Site")
    expect(page.get_by_role("alert")).to_have_count(2)


def add_schedule(page: Page, world):
    site_empty(page, world)
    page.get_by_role("button", name="Add schedule").click()
    dialog(page).get_by_label("How often").select_option("Every month")
    expect(dialog(page)).to_contain_text("UTC")


def remove_schedule(page: Page, world):
    brand = world.service.brand()
    schedule(brand, kind="audit", every="week", weekday="monday", at="09:00")
    open_site(page, brand)
    page.get_by_role("button", name="Remove: Audit of the site").click()
    expect(dialog(page)).to_contain_text("all later ones do not run")


def quotas(page: Page, world):
    brand = with_site(world.service.brand())
    world.service.api("PUT", "/api/admin/plans/small", world.service.operator_token, {"name": "Small", "mcp_enabled": True, "quotas": {"keys": 2, "schedules": 5}})
    brand.set_plan("small")
    brand.create_key("Laptop")
    brand.create_key("Office")
    for day in (1, 2, 3, 4):
        schedule(brand, kind="audit", every="month", day=day, at="09:00")
    open_view(page, brand.link(), "usage", "Quotas")
    expect(page.get_by_text("One quota is used up")).to_be_visible()


def quotas_not_loaded(page: Page, world):
    open_view_while_cut_off(page, world.brand.link(), "Quotas")
    expect(page.get_by_role("alert")).to_be_visible()


SITE_STATES = (site, site_partly_read, site_empty, site_not_loaded, add_schedule, remove_schedule, quotas, quotas_not_loaded)
