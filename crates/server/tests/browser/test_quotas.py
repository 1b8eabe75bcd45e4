"""The quotas of the plan on the page."""

from playwright.sync_api import expect

from site_states import quotas
from steps import cut_off, open_view


def line(page, name):
    return page.get_by_role("listitem").filter(has_text=name)


class World:
    def __init__(self, service):
        self.service = service


def test_quotas_show_what_is_used_and_stand_out_when_used_up(page, service):
    quotas(page, World(service))
    keys = line(page, "Active keys")
    expect(keys).to_contain_text("2 of 2")
    expect(keys).to_contain_text("Used up")
    expect(keys).to_contain_text("Revoke a key to free one.")
    assert keys.locator(".bar span").evaluate("bar => bar.style.width") == "100%"
    expect(keys.locator(".bar span")).to_have_class("high")
    schedules = line(page, "Schedules")
    expect(schedules).to_contain_text("4 of 5")
    assert schedules.locator(".bar span").evaluate("bar => bar.style.width") == "80%"


def test_a_daily_quota_says_when_it_frees(page, brand):
    agent = brand.create_key("Agent", scope="write")
    brand.result(agent, "create_post", {"text": "Cupping on Friday", "channels": ["feed"], "mode": "now"})
    open_view(page, brand.link("dana"), "usage", "Quotas")
    posts = line(page, "Posts a day")
    expect(posts).to_contain_text("1 of 500")
    expect(posts.get_by_role("time")).to_be_visible()
    expect(page.get_by_text("There is enough of everything")).to_be_visible()


def test_every_quota_of_the_service_has_a_name(page, brand):
    open_view(page, brand.link(), "usage", "Quotas")
    listed = brand.service.api("GET", f"/api/brands/{brand.brand_id}/quotas", brand.token("robin"))["quotas"]
    expect(page.locator(".limits li")).to_have_count(len(listed))
    expect(page.get_by_role("heading", name="Others")).to_have_count(0)
    assert "usage-" not in page.locator("main").inner_text()


def test_an_outage_is_reported_and_can_be_tried_again(page, brand):
    open_view(page, brand.link(), "activity", "Activity")
    cut_off(page)
    page.get_by_role("link", name="Quotas").click()
    expect(page.get_by_role("alert")).to_contain_text("The quotas could not be loaded.")
    page.unroute("**/api/**")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".limits li").first).to_be_visible()
