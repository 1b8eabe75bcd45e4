from playwright.sync_api import expect

from service import eventually
from steps import answer_of, choose, dialog, open_by_hand, open_settings, pause_clock, row, shown_secret, submit


def show(page, label):
    page.get_by_role("button", name=f"Show the secret of {label}").click()


def set_focus(context, page, focused):
    """Gives the window of a page the focus, or takes it away. Playwright emulates focus for every page: this ends it for one."""
    session = context.new_cdp_session(page)
    session.send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    window = session.send("Browser.getWindowForTarget")["windowId"]
    session.send("Browser.setWindowBounds", {"windowId": window, "bounds": {"windowState": "normal" if focused else "minimized"}})
    session.detach()
    eventually(lambda: page.evaluate("document.hasFocus()") == focused)


def stop_countdown(page):
    """Only the focus hides a secret then. `countdown` is true as soon as the page would count, and listens to the focus."""
    page.add_init_script("window.setInterval = (_, every) => { window.countdown ||= every === 1000; return 0; }")


def secret_on_paused_clock(page):
    """The page draws only while its clock moves."""
    eventually(lambda: page.clock.run_for(20) or dialog(page).locator(".secret").count())
    return shown_secret(page)


def test_a_revealed_secret_is_hidden_after_thirty_seconds(page, brand):
    key = brand.create_key("Laptop")
    page.clock.install()
    open_settings(page, brand.link())
    pause_clock(page)
    show(page, "Laptop")
    assert secret_on_paused_clock(page) == key["api_key"]
    open_by_hand(page)
    expect(dialog(page).get_by_role("region", name="Configuration")).to_contain_text(key["api_key"])
    page.clock.run_for(29_000)
    expect(dialog(page)).to_contain_text(key["api_key"])
    page.clock.run_for(2_000)
    expect(dialog(page)).to_contain_text("Hidden.")
    assert key["api_key"] not in page.content()
    dialog(page).get_by_role("button", name="Show again").click()
    assert secret_on_paused_clock(page) == key["api_key"]
    brand.wait_for_events(2, kind="revealed")


def test_a_revealed_secret_is_hidden_when_the_tab_loses_focus(context, page, brand):
    key = brand.create_key("Laptop")
    stop_countdown(page)
    open_settings(page, brand.link())
    set_focus(context, page, True)
    show(page, "Laptop")
    assert shown_secret(page) == key["api_key"]
    page.wait_for_function("window.countdown")
    set_focus(context, page, False)
    eventually(lambda: key["api_key"] not in page.content())
    set_focus(context, page, True)
    expect(dialog(page)).to_contain_text("Hidden.")


def test_a_secret_that_arrives_without_focus_is_not_shown(context, page, brand):
    key = brand.create_key("Laptop")
    held = []
    page.route("**/reveal", lambda route: held.append(route))
    stop_countdown(page)
    open_settings(page, brand.link())
    set_focus(context, page, True)
    with page.expect_request("**/reveal"):
        show(page, "Laptop")
    set_focus(context, page, False)
    held[0].continue_()
    expect(dialog(page)).to_contain_text("Hidden.")
    assert key["api_key"] not in page.content()


def test_a_key_without_reveal_offers_a_replacement(page, brand):
    old = brand.create_key("Laptop", scope="write", can_reveal=False, tools=["list_posts", "create_post"])
    open_settings(page, brand.link())
    show(page, "Laptop")
    expect(dialog(page)).to_contain_text("The secret of this key cannot be shown")
    expect(dialog(page)).to_contain_text("keeps only a fingerprint")
    dialog(page).get_by_role("button", name="Revoke and create a new one").click()
    dialog(page).get_by_role("button", name="Revoke key").click()
    expect(dialog(page).get_by_role("heading", name="Create a key")).to_be_visible()
    expect(dialog(page).get_by_role("textbox", name="Label")).to_have_value("Laptop")
    submit(page)
    expect(dialog(page).get_by_role("heading", name="“Laptop” is ready")).to_be_visible()
    new, before = brand.keys()
    assert (new["scope"], new["tools"], new["can_reveal"]) == ("write", old["tools"], False)
    assert before["status"] == "revoked"


def test_revoking_shows_the_key_and_is_effective_at_once(page, brand):
    key = brand.create_key("Laptop", who="dana")
    assert brand.list_tools(key) == 200
    eventually(lambda: brand.keys()[0]["last_used_at"])
    open_settings(page, brand.link())
    page.get_by_role("button", name="Revoke Laptop").click()
    question = dialog(page)
    for text in ("Laptop", key["prefix"], "just now", "Dana Okafor", "scheduled posts and report emails, is cancelled", "This cannot be undone"):
        expect(question).to_contain_text(text)
    question.get_by_role("button", name="Keep it").click()
    assert brand.list_tools(key) == 200
    page.get_by_role("button", name="Revoke Laptop").click()
    question.get_by_role("button", name="Revoke key").click()
    expect(page.locator(".toast")).to_contain_text("“Laptop” was revoked. Its next call is refused.")
    assert brand.list_tools(key) == 401
    expect(row(page, "Laptop")).to_have_count(0)
    choose(page, "State", "Revoked")
    expect(row(page, "Laptop")).to_contain_text("Revoked")


def test_pausing_and_resuming_are_effective_at_once(page, brand):
    key = brand.create_key("Laptop", who="dana")
    open_settings(page, brand.link())
    for button, badge, status in [("Pause", "Paused", 403), ("Resume", "Active", 200)]:
        page.get_by_role("button", name="Laptop", exact=True).click()
        dialog(page).get_by_role("button", name=button, exact=True).click()
        expect(page.locator(".toast")).to_contain_text("is paused" if status == 403 else "works again")
        assert brand.list_tools(key) == status
        expect(row(page, "Laptop")).to_contain_text(badge)
        expect(page.get_by_text("1 key is paused.")).to_have_count(1 if status == 403 else 0)


def test_revoking_over_a_broken_network_can_be_repeated(page, brand):
    brand.create_key("Laptop")
    open_settings(page, brand.link())
    page.route("**/mcp-keys/*", lambda route: (answer_of(route), route.abort("connectionreset")), times=1)
    page.get_by_role("button", name="Revoke Laptop").click()
    dialog(page).get_by_role("button", name="Revoke key").click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("“Laptop” could not be revoked.")
    dialog(page).get_by_role("button", name="Revoke key").click()
    expect(page.locator(".toast")).to_contain_text("was revoked")


def test_a_key_revoked_in_another_tab_is_reported_and_the_list_updated(context, page, brand):
    brand.create_key("Laptop")
    open_settings(page, brand.link())
    second = context.new_page()
    open_settings(second, brand.link())
    second.get_by_role("button", name="Revoke Laptop").click()
    dialog(second).get_by_role("button", name="Revoke key").click()
    expect(second.locator(".toast")).to_contain_text("was revoked")

    show(page, "Laptop")
    expect(dialog(page)).to_contain_text("This key was revoked meanwhile")
    expect(dialog(page).get_by_role("button", name="Create a new key")).to_be_visible()
    dialog(page).get_by_role("button", name="Close").last.click()
    expect(row(page, "Laptop")).to_have_count(0)


def test_revoking_a_revoked_key_succeeds(context, page, brand):
    key = brand.create_key("Laptop")
    open_settings(page, brand.link())
    brand.revoke(key)
    page.get_by_role("button", name="Revoke Laptop").click()
    dialog(page).get_by_role("button", name="Revoke key").click()
    expect(page.locator(".toast")).to_contain_text("was revoked")
