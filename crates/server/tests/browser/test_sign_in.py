from playwright.sync_api import expect

from service import LEEWAY_SECONDS
from steps import choose, dialog, open_settings, row, start_creating, submit


def test_the_link_signs_in_and_its_token_is_removed_from_the_address(page, brand):
    open_settings(page, brand.link())
    assert page.url == f"{brand.service.url}/settings/mcp"
    assert page.evaluate("history.state") is None
    page.goto("about:blank")
    page.go_back()
    expect(page.get_by_role("heading", name="Sign in to manage MCP keys")).to_be_visible()
    assert "token" not in page.url


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


def test_a_reload_signs_out(page, brand):
    open_settings(page, brand.link())
    page.reload()
    expect(page.get_by_role("heading", name="Sign in to manage MCP keys")).to_be_visible()


def test_an_expired_link_is_reported_and_a_new_one_signs_in(page, brand):
    expired = brand.service.token(brand.user("robin"), lives_for=-LEEWAY_SECONDS - 5)
    page.goto(f"{brand.service.url}/settings/mcp#token={expired}")
    expect(page.get_by_role("heading", name="Your sign-in has ended")).to_be_visible()
    expect(page.get_by_text("your keys are kept and go on working")).to_be_visible()
    page.goto(brand.link())
    expect(page.get_by_role("heading", name="MCP keys")).to_be_visible()
    assert "token" not in page.url


def test_a_token_that_expires_in_use_is_reported_and_nothing_is_created(page, brand):
    open_settings(page, brand.link())
    start_creating(page, "Too late")
    # From now on the page's token has expired.
    expired = brand.service.token(brand.user("robin"), lives_for=-LEEWAY_SECONDS - 5)
    with_expired = lambda route: route.continue_(headers={**route.request.headers, "authorization": f"Bearer {expired}"})
    page.route("**/api/**", with_expired)
    submit(page)
    expect(page.get_by_role("heading", name="Your sign-in has ended")).to_be_visible()
    expect(dialog(page)).to_have_count(0)
    page.unroute_all()
    assert brand.keys() == []
    page.get_by_label("Sign-in link").fill(brand.link())
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="No keys yet")).to_be_visible()


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
