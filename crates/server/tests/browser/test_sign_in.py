import pytest
from playwright.sync_api import expect

from service import LEEWAY_SECONDS, Service, eventually
from steps import choose, create_key, dialog, open_settings, row, start_creating, submit


@pytest.mark.parametrize("kind", ["code", "token"])
def test_a_link_signs_in_and_is_removed_from_the_address(page, brand, kind):
    open_settings(page, brand.code_link() if kind == "code" else brand.link())
    assert page.url == f"{brand.service.url}/settings/mcp"
    assert page.evaluate("history.state") is None
    page.goto("about:blank")
    page.go_back()
    expect(page.get_by_role("heading", name="MCP keys", level=1)).to_be_visible()
    assert "token" not in page.url and "code" not in page.url


def test_without_a_link_the_page_explains_how_to_sign_in(page, brand):
    page.goto(f"{brand.service.url}/settings/mcp")
    expect(page.get_by_role("heading", name="Sign in to manage MCP keys")).to_be_visible()
    expect(page.get_by_text("open its settings and choose MCP")).to_be_visible()
    expect(page.get_by_text("svc-mcp token --user you")).to_be_visible()


def test_a_pasted_link_signs_in_and_other_text_is_refused(page, brand):
    page.goto(f"{brand.service.url}/settings/mcp")
    field = page.get_by_label("Sign-in link")
    field.fill("hello")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("This is not a sign-in link")
    expect(field).to_have_value("")
    field.fill(brand.link())
    field.press("Enter")
    expect(page.get_by_role("heading", name="MCP keys")).to_be_visible()


def test_a_reload_and_another_tab_keep_the_session(page, brand):
    open_settings(page, brand.code_link())
    page.reload()
    expect(page.get_by_role("heading", name="No keys yet")).to_be_visible()
    tab = page.context.new_page()
    tab.goto(brand.service.url)  # the root leads to the page
    expect(tab.get_by_role("heading", name="No keys yet")).to_be_visible()
    assert tab.url == f"{brand.service.url}/settings/mcp"


def test_signing_out_ends_the_session_in_every_tab(page, brand):
    open_settings(page, brand.link())
    cookies = page.context.cookies()
    tab = page.context.new_page()
    open_settings(tab, f"{brand.service.url}/settings/mcp")
    page.get_by_role("button", name="Sign out").click()
    for signed_out in (page, tab):
        expect(signed_out.get_by_role("heading", name="You are signed out")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Sign in to manage MCP keys")).to_be_visible()
    # A copy of the cookie is of no use either.
    page.context.add_cookies(cookies)
    page.reload()
    expect(page.get_by_role("heading", name="Sign in to manage MCP keys")).to_be_visible()


def test_a_link_that_does_not_work_is_reported_and_a_new_one_signs_in(page, brand):
    expired = brand.service.token(brand.user("robin"), lives_for=-LEEWAY_SECONDS - 5)
    used = brand.code_link()
    open_settings(page, used)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    for link in (f"{brand.service.url}/settings/mcp#token={expired}", used):
        page.goto(link)
        expect(page.get_by_role("heading", name="This link does not work any more")).to_be_visible()
        expect(page.get_by_text("Your keys are kept and go on working")).to_be_visible()
        page.goto("about:blank")
    open_settings(page, brand.code_link())
    assert "code" not in page.url


def test_a_session_that_ends_in_use_keeps_what_was_typed(page, brand):
    open_settings(page, brand.link())
    start_creating(page, "Typed before the end")
    page.context.clear_cookies()
    submit(page)
    expect(dialog(page).get_by_role("alert")).to_contain_text("The key was not created.")
    expect(dialog(page).locator(".session-warning")).to_contain_text("Your sign-in has ended")
    assert brand.keys() == []
    tab = page.context.new_page()
    open_settings(tab, brand.code_link())
    expect(page.locator(".session-warning")).to_have_count(0)
    submit(page)
    expect(dialog(page).get_by_role("heading", name="“Typed before the end” is ready")).to_be_visible()


def test_a_session_that_ends_without_a_form_shows_the_sign_in(page, brand):
    open_settings(page, brand.link())
    page.context.clear_cookies()
    page.get_by_role("button", name="Refresh").click()
    expect(page.get_by_role("heading", name="Your sign-in has ended")).to_be_visible()
    page.get_by_label("Sign-in link").fill(brand.code_link())
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="No keys yet")).to_be_visible()


def test_the_end_of_a_session_is_announced_in_time(page, brand):
    clock = page.context.clock
    clock.install()
    open_settings(page, brand.link())
    form = start_creating(page, "Half typed")
    warning = page.locator(".session-warning")
    clock.run_for("54:30")
    expect(warning).to_have_count(0)
    clock.run_for("01:00")
    expect(dialog(page).locator(".session-warning")).to_contain_text("Your sign-in ends soon")
    expect(form.get_by_role("textbox", name="Label")).to_have_value("Half typed")
    # A sign-in in another tab is enough.
    tab = page.context.new_page()
    open_settings(tab, brand.link())
    expect(warning).to_have_count(0)
    tab.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()


def test_the_page_notices_when_its_session_is_over(page, brand):
    open_settings(page, f"{brand.service.url}/settings/mcp#token={brand.service.token(brand.user('robin'), lives_for=5)}")
    expect(page.locator(".session-warning")).to_contain_text("Your sign-in ends soon")
    expect(page.get_by_role("heading", name="Your sign-in has ended")).to_be_visible()


def test_a_brand_that_is_not_the_persons_is_not_replaced_by_another(page, service):
    brand, other = service.brand("Northwind Coffee"), service.brand("Südwind Tea & Sons")
    for unknown in (other.brand_id, "no-such-brand"):
        page.goto(brand.link().replace("#", f"?brand={unknown}#"))
        expect(page.get_by_role("heading", name="You do not act for this brand")).to_be_visible()
        expect(page.get_by_text(unknown)).to_be_visible()
        page.reload()
        expect(page.get_by_role("heading", name="You do not act for this brand")).to_be_visible()
    page.get_by_role("button", name="Northwind Coffee").click()
    expect(page.get_by_role("heading", name="No keys yet")).to_be_visible()
    assert page.url.endswith(f"?brand={brand.brand_id}")


def test_a_lost_membership_does_not_lead_to_another_brand(page, service):
    first, second = service.brand("Northwind Coffee"), service.brand("Südwind Tea & Sons")
    second.add_member("robin", "member", "Robin Vale", user=first.user("robin"))
    open_settings(page, first.link())
    first.remove_member("robin")
    page.reload()
    expect(page.get_by_role("heading", name="You do not act for this brand")).to_be_visible()
    expect(page.get_by_role("button", name="Südwind Tea & Sons")).to_be_visible()


def test_a_user_with_several_brands_can_switch(page, service):
    first, second = service.brand("Northwind Coffee"), service.brand("Südwind Tea & Sons")
    second.add_member("robin", "member", "Robin Vale", user=first.user("robin"))
    first.create_key("Key of the first")
    second.create_key("Key of the second")
    open_settings(page, first.link())
    expect(row(page, "Key of the first")).to_be_visible()
    choose(page, "Brand", "Südwind Tea & Sons")
    expect(row(page, "Key of the second")).to_be_visible()
    expect(row(page, "Key of the first")).to_have_count(0)
    expect(page.get_by_role("banner")).to_contain_text("Member")
    assert page.url.endswith(f"?brand={second.brand_id}")
    # A host application can link to a brand the same way.
    page.goto("about:blank")
    open_settings(page, first.link().replace("#", f"?brand={second.brand_id}#"))
    expect(row(page, "Key of the second")).to_be_visible()


def test_a_user_without_a_brand_gets_advice(page, service):
    brand = service.brand()
    page.goto(brand.link("newcomer"))
    expect(page.get_by_role("heading", name="You are not a member of a brand yet")).to_be_visible()
    expect(page.get_by_text(brand.user("newcomer"))).to_be_visible()
    brand.add_member("newcomer", "member", "Noa Lind")
    page.get_by_role("button", name="Look again").click()
    expect(page.get_by_role("heading", name="MCP keys")).to_be_visible()


def test_an_unreachable_service_is_reported_with_a_retry(page, brand):
    page.route("**/api/me", lambda route: route.abort("connectionrefused"), times=1)
    page.goto(brand.link())
    expect(page.get_by_role("alert")).to_contain_text("Your settings could not be loaded.")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="No keys yet")).to_be_visible()


@pytest.mark.parametrize("kind", ["code", "token"])
@pytest.mark.parametrize("opened", ["same tab", "new tab"])
def test_another_persons_link_asks_and_staying_keeps_the_session(page, brand, kind, opened):
    brand.create_key("Key of Robin", can_reveal=False)
    open_settings(page, brand.link("robin"))
    if opened == "new tab":
        page = page.context.new_page()
    page.goto(brand.code_link("dana") if kind == "code" else brand.link("dana"))
    question = dialog(page)
    expect(question.get_by_role("heading", name="Continue as another person?")).to_be_visible()
    expect(question).to_contain_text(f"belongs to {brand.user('dana')}. You are signed in as {brand.user('robin')}.")
    assert "token" not in page.url and "code" not in page.url
    question.get_by_role("button", name=f"Stay as {brand.user('robin')}").click()
    expect(question).to_have_count(0)
    expect(page.get_by_role("banner")).to_contain_text("Administrator")
    page.get_by_role("button", name="Refresh").click()
    create_key(page, "Still Robin's")
    assert {key["created_by"] for key in brand.keys()} == {brand.user("robin")}


def test_another_persons_link_replaces_the_session_of_every_tab_after_a_yes(page, brand):
    open_settings(page, brand.link("robin"))
    expect(page.get_by_role("banner")).to_contain_text("Administrator")
    tab = page.context.new_page()
    tab.goto(brand.code_link("dana"))
    dialog(tab).get_by_role("button", name=f"Continue as {brand.user('dana')}").click()
    for one in (tab, page):
        expect(one.get_by_role("banner")).to_contain_text("Member")
        expect(dialog(one)).to_have_count(0)
    create_key(page, "Dana's")
    assert [key["created_by"] for key in brand.keys()] == [brand.user("dana")]


def test_escape_stays_and_only_the_newest_link_is_asked_about(page, brand):
    brand.add_member("alex", "member", "Alex Moor")
    open_settings(page, brand.link("robin"))
    page.goto(brand.link("dana"))
    expect(dialog(page)).to_contain_text(brand.user("dana"))
    page.goto(brand.link("alex"))
    expect(dialog(page)).to_contain_text(brand.user("alex"))
    expect(dialog(page)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    expect(page.get_by_role("banner")).to_contain_text("Administrator")


def test_an_own_new_link_replaces_the_session_without_a_question(page, brand):
    open_settings(page, brand.link())
    before = page.context.cookies()[0]["value"]
    page.goto(brand.code_link())
    eventually(lambda: page.context.cookies()[0]["value"] != before)
    expect(page.get_by_role("heading", name="No keys yet")).to_be_visible()
    expect(dialog(page)).to_have_count(0)


def test_an_invalid_link_does_not_end_the_session(page, brand):
    open_settings(page, brand.link())
    expired = brand.service.token(brand.user("dana"), lives_for=-LEEWAY_SECONDS - 5)
    page.goto(f"{brand.service.url}/settings/mcp#token={expired}")
    expect(page.locator(".toast")).to_contain_text("You stay signed in")
    create_key(page, "Still signed in")
    assert [key["created_by"] for key in brand.keys()] == [brand.user("robin")]


def test_a_link_replaces_a_session_that_has_ended(page, brand):
    open_settings(page, brand.link())
    page.context.clear_cookies()
    page.goto(brand.link("dana"))
    expect(page.get_by_role("banner")).to_contain_text("Member")
    expect(dialog(page)).to_have_count(0)


def test_a_person_without_a_session_is_led_to_the_login_page(browser, tmp_path):
    service = Service(tmp_path, "--login-url", "https://app.example/login?to=mcp")
    page = browser.new_page()
    page.goto(f"{service.url}/settings/mcp")
    link = page.get_by_role("link", name="Continue to sign in")
    expect(link).to_have_attribute("href", "https://app.example/login?to=mcp")
    page.close()
    service.stop()


def test_another_site_keeps_no_handle_to_the_page(page, brand):
    page.goto(f"{brand.service.url}/feeds/none/feed.json")  # a page of the same host, without the header
    with page.context.expect_page() as opened:
        page.evaluate("address => { window.handle = open(address) }", brand.link())
    settings = opened.value
    expect(settings.get_by_role("heading", name="MCP keys", level=1)).to_be_visible()
    assert settings.evaluate("window.opener") is None
    page.wait_for_function("window.handle.closed")
