"""Who gets into the operator's console."""

from playwright.sync_api import expect

from operator_steps import OPERATOR, open_console, operator_link
from service import LEEWAY_SECONDS
from steps import cut_off


def test_a_link_signs_an_operator_in_and_is_removed_from_the_address(page, service):
    open_console(page, service)
    assert page.url == f"{service.url}/operator"
    expect(page.get_by_text(OPERATOR, exact=True)).to_be_visible()
    expect(page.get_by_role("navigation", name="Views").get_by_role("link", name="Brands")).to_have_attribute("aria-current", "page")


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
    policy = page.goto(f"{service.url}/operator").headers["content-security-policy"]
    assert "default-src 'none'" in policy and "require-trusted-types-for 'script'" in policy and "frame-ancestors 'none'" in policy
