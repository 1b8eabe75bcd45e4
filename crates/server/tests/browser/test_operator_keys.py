"""Keys of all brands in the operator's console."""

import pytest
from playwright.sync_api import expect

from operator_steps import confirm, listed, open_console, schedule_post
from steps import choose, dialog


@pytest.fixture
def key(brand):
    return brand.create_key("Laptop", who="dana", scope="write", allowed_networks=["127.0.0.0/8"])


def open_keys(page, brand, filters=""):
    open_console(page, brand.service, f"?view=keys{filters}", "Keys")


def find(page, secret):
    field = page.get_by_role("textbox", name="Secret", exact=True)
    expect(field).to_have_attribute("type", "password")
    field.fill(secret)
    field.press("Enter")
    expect(field).to_have_value("")


def test_keys_are_filtered_by_prefix_user_brand_and_status(page, brand, key):
    other = brand.create_key("Office")
    brand.revoke(other)
    open_keys(page, brand, f"&brand={brand.brand_id}")
    rows = listed(page, "Keys")
    expect(rows).to_have_count(2)
    choose(page, "Status", "Revoked")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Office")
    choose(page, "Status", "All")
    page.get_by_label("User id of the creator").fill(brand.user("dana"))
    page.keyboard.press("Enter")
    expect(rows).to_contain_text(["Laptop"])
    expect(rows).to_have_count(1)
    page.get_by_label("Beginning of the secret").fill(other["prefix"])
    page.keyboard.press("Tab")
    expect(page.get_by_role("heading", name="Nothing fits these filters")).to_be_visible()
    page.get_by_role("button", name="Clear the filters").click()
    page.get_by_label("Beginning of the secret").fill(key["prefix"])
    page.keyboard.press("Enter")
    expect(rows).to_have_count(1)
    expect(page.get_by_label("Brand id")).to_have_value("")
    assert page.url.endswith(f"/operator?view=keys&prefix={key['prefix']}")


def test_text_that_is_typed_directly_after_the_filters_are_cleared_stays(page, brand, key):
    open_keys(page, brand, f"&brand={brand.brand_id}&prefix=svc_mcp_000000")
    field = page.get_by_label("Beginning of the secret")
    clear = page.get_by_role("button", name="Clear the filters")
    type_at_once = """(clear, [field, text]) => {
        clear.click();
        field.value = text;
        field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }"""
    clear.evaluate(type_at_once, [field.element_handle(), key["prefix"]])
    expect(page.get_by_label("Brand id")).to_have_value("")
    expect(listed(page, "Keys")).not_to_have_count(0)
    expect(field).to_have_value(key["prefix"])


def test_a_filter_that_the_service_refuses_is_explained_at_its_field(page, brand):
    open_keys(page, brand)
    field = page.get_by_label("Brand id")
    field.fill("two words")
    field.press("Enter")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("alert").first).to_be_visible()
    expect(field).to_have_value("two words")


def test_the_details_of_a_key_are_shown(page, brand, key):
    brand.list_tools(key)
    open_keys(page, brand, f"&brand={brand.brand_id}")
    page.get_by_role("button", name="Show the details of Laptop").click()
    for text in ("127.0.0.0/8", key["key_id"], brand.user("dana"), "Can read and write", "Never"):
        expect(dialog(page)).to_contain_text(text)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Show the details of Laptop")).to_be_focused()


def test_a_key_is_revoked_and_what_was_cancelled_is_shown(page, brand, key):
    schedule_post(brand, key)
    open_keys(page, brand, f"&brand={brand.brand_id}")
    page.get_by_role("button", name="Revoke Laptop").click()
    expect(dialog(page)).to_contain_text(f"It acts for the brand {brand.brand_id} and was created by {brand.user('dana')}.")
    dialog(page).get_by_role("button", name="Cancel").click()
    assert brand.list_tools(key) == 200
    page.get_by_role("button", name="Revoke Laptop").click()
    confirm(page, "Revoke key")
    expect(dialog(page).get_by_role("heading", name="The key is revoked")).to_be_focused()
    expect(dialog(page)).to_contain_text("Posts cancelled1")
    page.keyboard.press("Escape")
    expect(listed(page, "Keys")).to_contain_text("Revoked")
    expect(page.get_by_role("button", name="Revoke Laptop")).to_have_count(0)
    assert brand.list_tools(key) == 401


def test_a_leaked_secret_finds_its_key_which_can_be_revoked(page, brand, key):
    open_keys(page, brand)
    find(page, key["api_key"])
    expect(page.get_by_text("The secret belongs to the key “Laptop”")).to_be_visible()
    found = page.get_by_role("region", name="Find a key by its secret")
    expect(found).to_contain_text(brand.brand_id)
    found.get_by_role("button", name="Revoke key").click()
    confirm(page, "Revoke key")
    expect(dialog(page).get_by_role("heading", name="The key is revoked")).to_be_visible()
    page.keyboard.press("Escape")
    expect(found).to_contain_text("An operator revoked it")
    expect(found.get_by_role("button", name="Revoke key")).to_have_count(0)
    assert brand.list_tools(key) == 401


def test_a_secret_that_is_mistyped_or_unknown_is_distinguished(page, brand, key):
    open_keys(page, brand)
    secret = key["api_key"]
    find(page, secret[:-1] + ("A" if secret[-1] != "A" else "B"))
    expect(page.get_by_role("alert")).to_contain_text("its form or its checksum is wrong")
    find(page, "svc_mcp_0000000000000000000000000000000000000000000" + "0" * 6)
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_text("The secret belongs to")).to_have_count(0)


def test_a_pasted_secret_is_only_in_the_body_of_one_request(watched, brand, key):
    page = watched.page
    bodies = []
    page.on("request", lambda request: bodies.append(request.url) if key["api_key"] in (request.post_data or "") else None)
    open_keys(page, brand)
    find(page, key["api_key"])
    expect(page.get_by_text("The secret belongs to the key “Laptop”")).to_be_visible()
    secret = key["api_key"].removeprefix("svc_mcp_")
    assert bodies == [f"{brand.service.url}/api/admin/keys/search"]
    assert secret not in page.url and not any(secret in request for request in watched.requests)
    assert secret not in page.content()
    assert secret not in page.evaluate("JSON.stringify([history.state, {...localStorage}, {...sessionStorage}])")
