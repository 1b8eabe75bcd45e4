from playwright.sync_api import expect

from service import LEEWAY_SECONDS
from steps import choose, create_key, dialog, open_settings, row, start_creating, submit


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


def test_another_persons_link_asks_and_staying_keeps_the_session(page, brand):
    brand.create_key("Key of Robin", can_reveal=False)
    open_settings(page, brand.link("robin"))
    sent = []
    page.on("request", lambda request: sent.append((request.url.rpartition("/")[2], request.headers.get("authorization", ""))))
    link = brand.link("dana")
    page.goto(link)
    question = dialog(page)
    expect(question.get_by_role("heading", name="Continue as another person?")).to_be_visible()
    expect(question).to_contain_text(f"belongs to {brand.user('dana')}. You are signed in as {brand.user('robin')}.")
    assert "token" not in page.url
    question.get_by_role("button", name=f"Stay as {brand.user('robin')}").click()
    expect(question).to_have_count(0)
    expect(page.get_by_role("banner")).to_contain_text("Administrator")
    assert {path for path, credential in sent if credential == f"Bearer {link.partition('token=')[2]}"} == {"me"}
    page.get_by_role("button", name="Refresh").click()
    create_key(page, "Still Robin's")
    assert {key["created_by"] for key in brand.keys()} == {brand.user("robin")}


def test_another_persons_link_replaces_the_session_after_a_yes(page, brand):
    open_settings(page, brand.link("robin"))
    expect(page.get_by_role("banner")).to_contain_text("Administrator")
    page.goto(brand.link("dana"))
    dialog(page).get_by_role("button", name=f"Continue as {brand.user('dana')}").click()
    expect(page.get_by_role("banner")).to_contain_text("Member")
    expect(dialog(page)).to_have_count(0)
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
    fresh = brand.service.token(brand.user("robin"), lives_for=1800)
    with page.expect_request(lambda request: request.url.endswith("/mcp-keys?include_revoked=true&limit=100")) as loaded:
        page.goto(f"{brand.service.url}/settings/mcp#token={fresh}")
    assert loaded.value.headers["authorization"] == f"Bearer {fresh}"
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
    expired = f"Bearer {brand.service.token(brand.user('robin'), lives_for=-LEEWAY_SECONDS - 5)}"
    page.route("**/api/me", lambda route: route.continue_(headers={**route.request.headers, "authorization": expired}), times=1)
    page.goto(brand.link("dana"))
    expect(page.get_by_role("banner")).to_contain_text("Member")
    expect(dialog(page)).to_have_count(0)


def test_another_site_keeps_no_handle_to_the_page(page, brand):
    page.goto(f"{brand.service.url}/feeds/none/feed.json")  # a page of the same host, without the header
    with page.context.expect_page() as opened:
        page.evaluate("address => { window.handle = open(address) }", brand.link())
    settings = opened.value
    expect(settings.get_by_role("heading", name="MCP keys", level=1)).to_be_visible()
    assert settings.evaluate("window.opener") is None
    page.wait_for_function("window.handle.closed")
