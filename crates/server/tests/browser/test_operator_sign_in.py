"""Who gets into the operator's console."""

import re

from playwright.sync_api import expect

from operator_steps import OPERATOR, confirm, open_console, operator_link
from service import LEEWAY_SECONDS
from steps import cut_off, dialog, open_settings


def test_a_link_signs_an_operator_in_and_is_removed_from_the_address(page, service):
    open_console(page, service)
    assert page.url == f"{service.url}/operator"
    expect(page.get_by_text(OPERATOR, exact=True)).to_be_visible()
    expect(page.get_by_role("navigation", name="Views").get_by_role("link", name="Brands")).to_have_attribute("aria-current", "page")


def test_a_reload_and_another_tab_keep_the_session_and_no_script_has_the_token(page, service):
    open_console(page, service, "?view=plans", "Plans")
    page.reload()
    expect(page.get_by_role("heading", name="Plans", level=1)).to_be_visible()
    tab = page.context.new_page()
    sent = []
    tab.on("request", lambda request: sent.append(request.headers) if "/api/" in request.url else None)
    tab.goto(f"{service.url}/operator?view=jobs")
    expect(tab.get_by_role("heading", name="Jobs", level=1)).to_be_visible()
    assert sent and not any("authorization" in headers for headers in sent)
    assert tab.evaluate("document.cookie") == ""


def test_a_code_signs_an_operator_in(page, service):
    code = service.api("POST", "/api/sign-in-codes", service.token(OPERATOR, operator=True))["code"]
    page.goto(f"{service.url}/operator#code={code}")
    expect(page.get_by_role("heading", name="Brands", level=1)).to_be_visible()
    assert "code" not in page.url


def test_signing_out_ends_the_session_in_every_tab(page, service):
    open_console(page, service)
    tab = page.context.new_page()
    tab.goto(f"{service.url}/operator")
    expect(tab.get_by_role("heading", name="Brands", level=1)).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(tab.get_by_role("heading", name="You are signed out")).to_be_visible()


def test_a_sign_in_without_the_role_takes_it_from_every_tab(page, service):
    open_console(page, service)
    tab = page.context.new_page()
    tab.goto(f"{service.url}/operator#token={service.token(OPERATOR)}")
    for shown in (tab, page):
        expect(shown.get_by_role("heading", name="You do not have the operator role")).to_be_visible()


def test_a_session_that_ends_keeps_what_was_typed(page, brand):
    open_console(page, brand.service, f"?view=brands&open={brand.brand_id}", brand.name)
    page.get_by_role("button", name="Suspend…").click()
    dialog(page).get_by_label("Reason").fill("Unpaid since October")
    page.context.clear_cookies()
    confirm(page, "Suspend brand")
    expect(dialog(page).locator(".session-warning")).to_contain_text("Your sign-in has ended")
    expect(dialog(page).get_by_label("Reason")).to_have_value("Unpaid since October")
    tab = page.context.new_page()
    tab.goto(operator_link(brand.service))
    expect(tab.get_by_role("heading", name="Brands", level=1)).to_be_visible()
    expect(dialog(page).locator(".session-warning")).to_have_count(0)
    confirm(page, "Suspend brand")
    expect(page.get_by_text("This brand is suspended")).to_be_visible()


def test_a_session_that_ends_without_typed_text_leads_to_the_sign_in(page, service):
    open_console(page, service)
    page.context.clear_cookies()
    page.get_by_role("button", name="Refresh").click()
    expect(page.get_by_role("heading", name="Your sign-in has ended")).to_be_focused()


def test_the_settings_page_leads_operators_to_the_console(page, brand):
    token = brand.service.token(brand.user("robin"), operator=True)
    open_settings(page, f"{brand.service.url}/settings/mcp#token={token}")
    page.get_by_role("link", name="Operator console").click()
    expect(page.get_by_role("heading", name="Brands", level=1)).to_be_visible()


def test_the_settings_page_leads_an_operator_without_a_brand_to_the_console(page, service):
    page.goto(f"{service.url}/settings/mcp#token={service.token('operator-only', operator=True)}")
    page.get_by_role("link", name="Operator console").click()
    expect(page.get_by_role("heading", name="Brands", level=1)).to_be_visible()


def test_the_settings_page_shows_others_no_link_to_the_console(page, brand):
    open_settings(page, brand.link())
    expect(page.get_by_role("link", name="Operator console")).to_have_count(0)


def test_a_pasted_token_signs_in_and_other_text_is_refused(page, service):
    page.goto(f"{service.url}/operator")
    expect(page.get_by_role("heading", name="Sign in as an operator")).to_be_visible()
    expect(page.get_by_text("svc-mcp token --user you --operator")).to_be_visible()
    field = page.get_by_label("Link or token")
    field.fill("hello")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("This is not a sign-in link or token")
    expect(field).to_have_value("")
    field.fill(service.token(OPERATOR, operator=True))
    field.press("Enter")
    expect(page.get_by_role("heading", name="Brands", level=1)).to_be_visible()


def test_a_person_without_the_role_is_led_to_the_settings_page(page, brand):
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/api/admin/" in request.url else None)
    page.goto(f"{brand.service.url}/operator#token={brand.token('robin')}")
    expect(page.get_by_role("heading", name="You do not have the operator role")).to_be_visible()
    expect(page.get_by_text(f"You are signed in as {brand.user('robin')}")).to_be_visible()
    expect(page.get_by_role("navigation")).to_have_count(0)
    assert asked == []
    page.get_by_role("link", name="Go to the settings page").click()
    expect(page.get_by_role("heading", name="MCP keys", level=1)).to_be_visible()


def test_a_link_that_has_expired_is_reported(page, service):
    token = service.token(OPERATOR, lives_for=-LEEWAY_SECONDS - 5, operator=True)
    page.goto(f"{service.url}/operator#token={token}")
    expect(page.get_by_role("heading", name="This link does not work any more")).to_be_focused()
    page.get_by_label("Link or token").fill(operator_link(service))
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Brands", level=1)).to_be_visible()


def test_signing_out_forgets_everything(page, brand):
    open_console(page, brand.service)
    expect(page.get_by_role("link", name=brand.name).first).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_focused()
    expect(page.get_by_text(brand.name)).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", name="Sign in as an operator")).to_be_visible()


def test_an_operator_can_try_again_while_the_service_is_unreachable(page, service):
    cut_off(page)
    page.goto(operator_link(service))
    expect(page.get_by_role("alert")).to_contain_text("The service could not be reached")
    page.unroute("**/api/**")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Brands", level=1)).to_be_visible()


def test_the_address_keeps_the_view_and_back_returns_to_it(page, service):
    open_console(page, service, "?view=plans", "Plans")
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Jobs").click()
    expect(page.get_by_role("heading", name="Jobs", level=1)).to_be_visible()
    assert page.url == f"{service.url}/operator?view=jobs"
    page.go_back()
    expect(page.get_by_role("heading", name="Plans", level=1)).to_be_visible()


def test_an_unknown_view_is_reported(page, service):
    open_console(page, service, "?view=weather", "There is no such view")
    page.get_by_role("main").get_by_role("link", name="Brands").last.click()
    expect(page.get_by_role("heading", name="Brands", level=1)).to_be_focused()


def test_the_console_has_the_same_strict_policy(context, service):
    page = context.new_page()
    answer = page.goto(f"{service.url}/operator")
    policy = answer.headers["content-security-policy"]
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc=)", answer.text())
    assert "default-src 'none'" in policy and "require-trusted-types-for 'script'" in policy and "frame-ancestors 'none'" in policy
