"""Sign-in with a real OpenID Connect provider."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from axe import assert_accessible
from oidc_provider import OidcProvider
from service import Service


@pytest.fixture(scope="module")
def provider():
    running = OidcProvider()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def service_with_provider(provider, tmp_path_factory):
    running = provider.serve(tmp_path_factory.mktemp("oidc"))
    yield running
    running.stop()


@pytest.fixture
def oidc_brand(service_with_provider):
    return service_with_provider.brand()


@pytest.fixture
def visitor(context):
    """A page that may send requests to the provider, unlike `page`."""
    return context.new_page()


def type_credentials(page, user):
    """Fills in the form of the provider. A page with the button "Continue" comes next."""
    page.get_by_placeholder("Enter any login").fill(user)
    page.get_by_placeholder("and password").fill("any")
    page.get_by_role("button", name="Sign-in").click()


def sign_in_at_provider(page, user):
    page.get_by_role("link", name="Sign in", exact=True).click()
    type_credentials(page, user)
    page.get_by_role("button", name="Continue").click()


def session(page):
    return page.evaluate("fetch('/api/session').then((answer) => answer.json())")


def test_a_person_signs_in_and_returns_to_the_same_place(visitor, oidc_brand):
    page, url = visitor, oidc_brand.service.url
    page.goto(f"{url}/settings/mcp?brand={oidc_brand.brand_id}&view=activity")
    sign_in_at_provider(page, oidc_brand.user("robin"))
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    assert page.url == f"{url}/settings/mcp?brand={oidc_brand.brand_id}&view=activity"
    assert session(page)["user_id"] == oidc_brand.user("robin")
    assert session(page)["operator"] is False
    names = {cookie["name"]: cookie for cookie in page.context.cookies(url)}
    assert "svc_sign_in" not in names
    assert (names["svc_session"]["httpOnly"], names["svc_session"]["sameSite"]) == (True, "Strict")
    page.reload()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    # The person is still signed in at the provider, so it asks for no password.
    page.get_by_role("link", name="Sign in", exact=True).click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def test_an_operator_signs_in_to_the_console_and_returns_to_the_same_place(visitor, oidc_brand):
    page, url = visitor, oidc_brand.service.url
    page.goto(f"{url}/operator?view=jobs")
    sign_in_at_provider(page, "olga")
    expect(page.get_by_role("heading", name="Jobs", level=1)).to_be_visible()
    assert page.url == f"{url}/operator?view=jobs"
    answer = session(page)
    assert (answer["user_id"], answer["operator"]) == ("olga", True)
    assert 3000 < answer["expires_in"] <= 3600
    assert page.evaluate("fetch('/mcp/v1/tools').then((answer) => answer.status)") == 401
    page.reload()
    expect(page.get_by_role("heading", name="Jobs", level=1)).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    expect(page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()


def test_a_person_without_the_role_does_not_get_into_the_console(visitor, oidc_brand):
    page, url = visitor, oidc_brand.service.url
    page.goto(f"{url}/operator?view=jobs")
    sign_in_at_provider(page, oidc_brand.user("robin"))
    expect(page.get_by_role("heading", name="You do not have the operator role")).to_be_visible()
    assert session(page)["operator"] is False
    assert page.evaluate("fetch('/api/admin/brands').then((answer) => answer.status)") == 403
    page.get_by_role("link", name=re.compile("settings page")).click()
    expect(page.get_by_role("heading", name="MCP keys", level=1)).to_be_visible()


def test_a_person_who_cancels_sees_why(visitor, oidc_brand):
    page, url = visitor, oidc_brand.service.url
    for path in ("/operator?view=jobs", "/settings/mcp?view=posts"):
        page.goto(url + path)
        page.get_by_role("link", name="Sign in", exact=True).click()
        page.get_by_role("link", name=re.compile("Cancel")).click()
        expect(page.get_by_role("heading", name="You were not signed in")).to_be_focused()
        expect(page.get_by_text("The sign-in was cancelled or refused.")).to_be_visible()
        assert page.url == url + path
    # The next attempt works.
    sign_in_at_provider(page, oidc_brand.user("dana"))
    expect(page.get_by_role("heading", name="Posts", level=1)).to_be_visible()
    assert page.url == url + path


def test_a_link_of_the_application_still_works(visitor, oidc_brand):
    visitor.goto(f"{oidc_brand.service.url}/settings/mcp")
    visitor.get_by_text("Other ways to sign in").click()
    visitor.get_by_label("Sign-in link").fill(oidc_brand.code_link("dana"))
    visitor.get_by_role("button", name="Sign in").click()
    expect(visitor.get_by_role("button", name="Sign out")).to_be_visible()
    assert session(visitor)["user_id"] == oidc_brand.user("dana")


def test_every_reason_is_explained_and_accessible(visitor, oidc_brand, axe_source):
    url = oidc_brand.service.url
    for page in ("/settings/mcp", "/operator"):
        for reason, title in {
            "denied": "You were not signed in", "expired": "This sign-in does not work any more", "failed": "You were not signed in",
            "unavailable": "The sign-in is not available", "<b>": "You were not signed in",
        }.items():
            visitor.goto("about:blank")
            visitor.goto(f"{url}{page}#sign-in={reason}")
            expect(visitor.get_by_role("heading", name=title)).to_be_focused()
            assert visitor.url == url + page
        assert_accessible(visitor, axe_source, page)


def test_the_login_page_of_the_application_is_offered_too(visitor, provider, tmp_path):
    service = Service(tmp_path, *provider.settings(), "--login-url", "https://app.example/login")
    for page in ("/settings/mcp", "/operator"):
        visitor.goto(service.url + page)
        expect(visitor.get_by_role("link", name="Sign in", exact=True)).to_have_attribute("href", f"{service.url}/api/sign-in/oidc?return={quote(page, safe='')}")
        expect(visitor.get_by_role("link", name="Sign in with your application")).to_have_attribute("href", "https://app.example/login")
    service.stop()


def test_the_answer_of_another_browser_signs_nobody_in(visitor, oidc_brand, browser):
    """An attacker gives the victim a link to the callback, with a code that nobody has used."""
    url = oidc_brand.service.url
    attacker = browser.new_context()
    page = attacker.new_page()
    links = []
    page.on("request", lambda request: links.append(request.url) if "/callback?" in request.url else None)
    page.goto(f"{url}/settings/mcp")
    page.get_by_role("link", name="Sign in", exact=True).click()
    type_credentials(page, oidc_brand.user("robin"))
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    # Without the cookie, the service does not use the code.
    attacker.clear_cookies(name="svc_sign_in")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="This sign-in does not work any more")).to_be_visible()
    # The victim has started a sign-in too.
    visitor.goto(f"{url}/api/sign-in/oidc")
    visitor.goto(links[0])
    expect(visitor.get_by_role("heading", name="This sign-in does not work any more")).to_be_visible()
    assert session(visitor)["code"] == "credential_missing"
    attacker.close()


def test_another_person_is_asked_before_the_session_is_replaced(visitor, oidc_brand):
    page, url = visitor, oidc_brand.service.url
    page.goto(oidc_brand.link("dana"))
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.goto(f"{url}/api/sign-in/oidc")
    type_credentials(page, oidc_brand.user("robin"))
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Continue as another person?")).to_be_visible()
    page.get_by_role("button", name=f"Continue as {oidc_brand.user('robin')}").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    assert session(page)["user_id"] == oidc_brand.user("robin")


def test_a_provider_that_is_down_is_reported(visitor, tmp_path):
    provider = OidcProvider()
    provider.stop()
    service = Service(tmp_path, *provider.settings())
    visitor.goto(f"{service.url}/settings/mcp")
    visitor.get_by_role("link", name="Sign in", exact=True).click()
    expect(visitor.get_by_role("heading", name="The sign-in is not available")).to_be_visible()
    service.stop()
