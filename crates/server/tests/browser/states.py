"""Every state of the page, for the accessibility tests and the screenshots."""

from playwright.sync_api import Page, expect

from approval_states import APPROVAL_STATES, fill_approvals
from connections_states import CONNECTIONS_STATES
from key_states import KEY_STATES
from operator_states import OPERATOR_STATES
from posts_states import POST_STATES, fill_posts
from service import WITHOUT_MCP, Service, eventually, from_now
from sign_in_states import SIGN_IN_STATES
from site_states import SITE_STATES
from steps import choose, create_key, cut_off, dialog, lose_answers, open_settings, shown_secret, start_creating, show_activity, submit


class World:
    """Brands with all the data that the page can show."""

    def __init__(self, service: Service):
        self.service = service
        self.brand = service.brand("Northwind Coffee")
        self.scratch = service.brand("Fresh Start")
        self.paused = service.brand("Sleepy Hollow")
        self.paused.create_key("Claude Desktop, laptop")
        self.paused.create_key("Cursor, office", who="dana", scope="write")
        self.paused.set_plan(WITHOUT_MCP)
        self.asking = service.brand("Careful Goods")
        fill_approvals(self.asking)
        self.writing = service.brand("Writing Room")
        fill_posts(self.writing)
        self.fill(self.brand)
        self.brand.add_member("alex", "member", "Alex Moor")
        self.paused.add_member("alex", "admin", "Alex Moor", user=self.brand.user("alex"))

    def fill(self, brand):
        brand.add_member("sam", "member", "Sam Who Left")
        brand.create_key("Trial of VS Code", expires_at=from_now(seconds=5))
        old = brand.create_key("Old laptop", scope="write")
        brand.create_key("Sam's agent", who="sam")
        reports = brand.create_key("Weekly reports", who="dana", scope="full", expires_at=from_now(days=4))
        brand.create_key("Site audit", scope="write", can_reveal=False, tools=["get_brand", "list_posts"], expires_at=from_now(days=30))
        office = brand.create_key("Cursor, office", who="dana")
        laptop = brand.create_key("Claude Desktop, laptop", scope="write")
        brand.list_tools(old)
        brand.revoke(old)
        brand.remove_member("sam")
        for _ in range(61):
            brand.list_tools(reports)
        for key, tools in ((office, ["get_brand", "create_post"]), (laptop, ["get_brand", "list_posts", "list_posts", "create_post"])):
            brand.list_tools(key)
            for tool in tools:
                brand.call(key, tool)
        brand.wait_for_events(1, key_id=laptop["key_id"], kind="call")
        eventually(lambda: any(key["status"] == "expired" for key in brand.keys()))


def loading(page: Page, world: World):
    # The page never gets a response.
    page.add_init_script("window.fetch = () => new Promise(() => {})")
    page.goto(world.brand.link())
    expect(page.locator("main[aria-busy=true] .placeholder").first).to_be_visible()


def not_loaded(page: Page, world: World):
    cut_off(page)
    page.goto(world.brand.link())
    expect(page.get_by_role("alert")).to_be_visible()


def keys(page: Page, world: World):
    open_settings(page, world.brand.link())
    choose(page, "State", "All")


def keys_of_a_member(page: Page, world: World):
    open_settings(page, world.brand.link("dana"))


def link_of_another_person(page: Page, world: World):
    open_settings(page, world.brand.link())
    page.goto(f"{world.service.url}/settings/mcp#token={world.service.token('a-rather-long-user-id-of-somebody-else-0123456789abcdef')}")
    expect(dialog(page).get_by_role("heading", name="Continue as another person?")).to_be_visible()


def several_brands(page: Page, world: World):
    open_settings(page, world.brand.link("alex"))
    expect(page.get_by_role("combobox", name="Brand")).to_be_visible()


def no_keys(page: Page, world: World):
    open_settings(page, world.service.brand("Fresh Start").link())


def no_match(page: Page, world: World):
    open_settings(page, world.brand.link())
    page.get_by_label("Search keys").fill("nothing like this")


def plan_inactive(page: Page, world: World):
    open_settings(page, world.paused.link())


def create(page: Page, world: World):
    open_settings(page, world.brand.link())
    form = start_creating(page, "Claude Code, workstation")
    form.get_by_label("Can read and write").check()
    form.get_by_text("Opens").first.click()
    form.get_by_label("Only some of these tools").check()
    choose(form, "Expires", "On a date…")


def create_refused(page: Page, world: World):
    open_settings(page, world.brand.link())
    start_creating(page, "x" * 101)
    submit(page)
    expect(dialog(page).get_by_text("Label must be 1 to 100 characters")).to_be_visible()


def created(page: Page, world: World):
    open_settings(page, world.scratch.link())
    create_key(page, "Claude Code, workstation")


def created_shown_once(page: Page, world: World):
    open_settings(page, world.scratch.link())
    form = start_creating(page, "Build server")
    form.get_by_label("I can show the secret again later").uncheck()
    submit(page)
    shown_secret(page)
    page.keyboard.press("Escape")
    expect(dialog(page).get_by_role("alert")).to_be_visible()


def waiting_for_a_call(page: Page, world: World):
    created(page, world)
    dialog(page).get_by_role("button", name="Test the connection").click()
    expect(dialog(page).locator(".waiting")).to_be_visible()
    dialog(page).locator(".waiting").scroll_into_view_if_needed()


def connected(page: Page, world: World):
    waiting_for_a_call(page, world)
    world.scratch.list_tools({"api_key": dialog(page).locator(".secret").inner_text()})
    expect(dialog(page).locator(".notice.good")).to_be_visible()
    dialog(page).locator(".notice.good").scroll_into_view_if_needed()


def answer_lost(page: Page, world: World):
    open_settings(page, world.scratch.link())
    lose_answers(page, reach_the_service=True)
    start_creating(page, "Over a bad line")
    submit(page)
    expect(dialog(page)).to_contain_text("did not arrive")


def answer_unknown(page: Page, world: World):
    open_settings(page, world.scratch.link())
    start_creating(page, "Over no line")
    cut_off(page)
    submit(page)
    expect(dialog(page)).to_contain_text("It is not known")


def revealed(page: Page, world: World):
    open_settings(page, world.brand.link())
    page.get_by_role("button", name="Show the secret of Claude Desktop, laptop").click()
    shown_secret(page)


def hidden_again(page: Page, world: World):
    revealed(page, world)
    page.evaluate("dispatchEvent(new Event('blur'))")
    expect(dialog(page)).to_contain_text("Hidden.")


def not_revealable(page: Page, world: World):
    open_settings(page, world.brand.link())
    page.get_by_role("button", name="Show the secret of Site audit").click()
    expect(dialog(page)).to_contain_text("cannot be shown")


def details(page: Page, world: World):
    open_settings(page, world.brand.link())
    page.get_by_role("button", name="Claude Desktop, laptop", exact=True).click()
    expect(dialog(page).get_by_role("table", name="Events")).to_be_visible()


def details_of_anothers(page: Page, world: World):
    open_settings(page, world.brand.link())
    page.get_by_role("button", name="Weekly reports", exact=True).click()
    expect(dialog(page).get_by_role("table", name="Events")).to_be_visible()


def revoke(page: Page, world: World):
    open_settings(page, world.brand.link())
    page.get_by_role("button", name="Revoke Weekly reports").click()
    expect(dialog(page)).to_contain_text("Revoke this key?")


def revoked(page: Page, world: World):
    world.scratch.create_key("No longer needed", who="dana")
    open_settings(page, world.scratch.link("dana"))
    page.get_by_role("button", name="Revoke No longer needed").click()
    dialog(page).get_by_role("button", name="Revoke key").click()
    expect(page.locator(".toast")).to_be_visible()


def activity(page: Page, world: World):
    open_settings(page, world.brand.link())
    show_activity(page)
    expect(page.locator(".chart svg")).to_be_visible()
    expect(page.get_by_role("table", name="Events")).to_be_visible()
    page.get_by_text("Show as a table").click()


def no_activity(page: Page, world: World):
    fresh = world.service.brand("Quiet Place")
    open_settings(page, fresh.link())
    show_activity(page)
    expect(page.get_by_text("Nothing has happened yet.")).to_be_visible()


def activity_not_loaded(page: Page, world: World):
    open_settings(page, world.brand.link())
    cut_off(page)
    show_activity(page)
    expect(page.get_by_role("alert")).to_have_count(2)


STATES = {
    state.__name__.replace("_", "-"): state
    for state in (
        *SIGN_IN_STATES, *KEY_STATES, loading, not_loaded, keys, keys_of_a_member, link_of_another_person,
        several_brands, no_keys, no_match, plan_inactive,
        create, create_refused, created, created_shown_once, waiting_for_a_call, connected, answer_lost, answer_unknown,
        revealed, hidden_again, not_revealable, details, details_of_anothers, revoke, revoked,
        activity, no_activity, activity_not_loaded,
        *APPROVAL_STATES, *POST_STATES, *CONNECTIONS_STATES, *SITE_STATES, *OPERATOR_STATES,
    )
}
