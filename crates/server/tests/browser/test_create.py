import datetime

from playwright.sync_api import expect

from steps import choose, create_key, dialog, lose_answers, open_settings, row, shown_secret, start_creating, submit


def test_the_form_explains_each_access_and_lists_its_tools(page, brand):
    open_settings(page, brand.link())
    form = start_creating(page, "Laptop")
    expect(form).to_contain_text("It cannot change, publish or send anything.")
    expect(form).to_contain_text("publish posts, run analyses and audits, email reports, search for keywords")
    tools = brand.service.api("GET", "/api/tools", brand.token("robin"))["tools"]
    reading = [tool for tool in tools if tool["access"] == "read"]
    form.get_by_text(f"Opens {len(reading)} tools").click()
    expect(form.locator("details[open] li")).to_have_text([tool["title"] for tool in reading])
    expect(form.get_by_text(f"Opens {len(tools)} tools")).to_be_visible()


def test_a_key_is_created_as_chosen(page, brand):
    open_settings(page, brand.link())
    form = start_creating(page, "  Audit robot  ")
    form.get_by_label("Can read and write").check()
    form.get_by_label("Only some of these tools").check()
    for box in form.locator(".tool-choices input").all()[1:]:
        box.uncheck()
    choose(form, "Expires", "In 30 days")
    form.get_by_label("I can show the secret again later").uncheck()
    submit(page)
    secret = shown_secret(page)
    expect(dialog(page)).to_contain_text("Copy it now: it will not be shown again")
    [key] = brand.keys()
    assert (key["label"], key["scope"], key["can_reveal"]) == ("Audit robot", "write", False)
    assert key["tools"] == ["get_brand"]
    lives_for = datetime.datetime.fromisoformat(key["expires_at"]) - datetime.datetime.now(datetime.UTC)
    assert datetime.timedelta(days=29, hours=23) < lives_for < datetime.timedelta(days=30, minutes=1)
    assert brand.list_tools({"api_key": secret}) == 200


def test_an_expiry_date_lasts_to_the_end_of_that_day(page, brand):
    open_settings(page, brand.link())
    form = start_creating(page, "Until then")
    choose(form, "Expires", "On a date…")
    submit(page)
    assert brand.keys() == [], "the browser requires the date first"
    day = datetime.date.today() + datetime.timedelta(days=10)
    form.get_by_label("Expiry date").fill(day.isoformat())
    submit(page)
    shown_secret(page)
    assert brand.keys()[0]["expires_at"].startswith(f"{day}T23:59:59")


def test_errors_of_the_service_are_shown_at_their_fields(page, brand):
    open_settings(page, brand.link())
    form = start_creating(page, "x" * 101)
    submit(page)
    expect(form.get_by_text("Label must be 1 to 100 characters")).to_be_visible()
    expect(form.get_by_label("Label")).to_be_focused()
    form.get_by_label("Label").fill("Fine")
    form.get_by_label("Only some of these tools").check()
    for box in form.locator(".tool-choices input").all():
        box.uncheck()
    submit(page)
    expect(form.get_by_text("Tools must have at least one item")).to_be_visible()
    expect(form.get_by_text("Label must be")).to_have_count(0)


def test_the_secret_can_be_copied(page, brand):
    open_settings(page, brand.link())
    secret = create_key(page, "Laptop")
    expect(dialog(page)).to_contain_text("Copy it now, or show it again later")
    dialog(page).get_by_role("button", name="Copy the key").click()
    expect(dialog(page).get_by_text("Copied", exact=True)).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == secret
    dialog(page).get_by_role("button", name="Done").click()
    expect(row(page, "Laptop")).to_be_visible()


def test_without_a_clipboard_the_text_is_selected(page, brand):
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    open_settings(page, brand.link())
    secret = create_key(page, "Laptop")
    dialog(page).get_by_role("button", name="Copy the key").click()
    expect(dialog(page).get_by_text("Press Ctrl+C", exact=True)).to_be_visible()
    assert page.evaluate("getSelection().toString()") == secret


def test_closing_an_uncopied_secret_asks_for_confirmation(page, brand):
    open_settings(page, brand.link())
    form = start_creating(page, "Once")
    form.get_by_label("I can show the secret again later").uncheck()
    submit(page)
    shown_secret(page)
    page.keyboard.press("Escape")
    expect(dialog(page).get_by_role("alert")).to_contain_text("You have not copied the key yet")
    dialog(page).get_by_role("button", name="Close without copying").click()
    expect(dialog(page)).to_have_count(0)


def test_after_a_lost_response_the_created_key_is_found(page, brand):
    open_settings(page, brand.link())
    lose_answers(page, reach_the_service=True)
    start_creating(page, "Laptop")
    submit(page)
    expect(dialog(page)).to_contain_text("“Laptop” was created, but its secret did not arrive")
    dialog(page).get_by_role("button", name="Show its secret").click()
    expect(dialog(page).get_by_role("heading", name="“Laptop” is ready")).to_be_visible()
    assert brand.list_tools({"api_key": shown_secret(page)}) == 200
    assert len(brand.keys()) == 1


def test_after_a_lost_response_a_key_without_reveal_is_replaced(page, brand):
    brand.create_key("Laptop")
    open_settings(page, brand.link())
    lose_answers(page, reach_the_service=True)
    form = start_creating(page, "Laptop")
    form.get_by_label("I can show the secret again later").uncheck()
    submit(page)
    expect(dialog(page)).to_contain_text("its secret is lost. Revoke it and try again.")
    expect(dialog(page).get_by_role("button", name="Show its secret")).to_have_count(0)
    page.unroute_all()
    dialog(page).get_by_role("button", name="Revoke it and try again").click()
    expect(dialog(page).get_by_role("textbox", name="Label")).to_have_value("Laptop")
    submit(page)
    expect(dialog(page).get_by_role("heading", name="“Laptop” is ready")).to_be_visible()
    assert sorted(key["status"] for key in brand.keys()) == ["active", "active", "revoked"]


def test_a_create_that_never_reached_the_service_is_safe_to_repeat(page, brand):
    open_settings(page, brand.link())
    lose_answers(page, reach_the_service=False)
    start_creating(page, "Laptop")
    submit(page)
    expect(dialog(page)).to_contain_text("No key “Laptop” was created")
    page.unroute_all()
    dialog(page).get_by_role("button", name="Try again").click()
    submit(page)
    expect(dialog(page).get_by_role("heading", name="“Laptop” is ready")).to_be_visible()
    assert len(brand.keys()) == 1


def test_a_broken_network_is_reported_until_it_works(page, brand):
    open_settings(page, brand.link())
    page.route("**/mcp-keys*", lambda route: route.abort("internetdisconnected"))
    start_creating(page, "Laptop")
    submit(page)
    expect(dialog(page)).to_contain_text("It is not known whether “Laptop” was created")
    page.unroute_all()
    dialog(page).get_by_role("button", name="Look again").click()
    expect(dialog(page)).to_contain_text("No key “Laptop” was created")


def test_a_second_click_during_a_create_is_ignored(page, brand):
    open_settings(page, brand.link())
    held = []
    page.route("**/mcp-keys", lambda route: held.append(route) if route.request.method == "POST" else route.fallback())
    start_creating(page, "Laptop")
    submit(page)
    expect(dialog(page).get_by_role("button", name="Creating…")).to_be_visible()
    dialog(page).get_by_role("button", name="Creating…").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_be_visible()
    [route] = held
    route.continue_()
    expect(dialog(page).get_by_role("heading", name="“Laptop” is ready")).to_be_visible()
    assert len(brand.keys()) == 1
