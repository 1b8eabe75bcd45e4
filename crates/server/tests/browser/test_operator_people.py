"""People in the operator's console."""

from playwright.sync_api import expect

from conftest import serve_files_of_working_copy
from operator_steps import assert_typing_is_needed, confirm, listed, open_console
from steps import dialog, open_settings


def open_person(page, brand, who):
    user = brand.user(who)
    open_console(page, brand.service, f"?view=people&open={user}", user)
    expect(listed(page, "Brands")).to_have_count(1)


def test_people_are_found_by_the_beginning_of_their_id_or_email(page, brand):
    brand.add_member("dana", "member", "Dana Okafor", email=f"okafor.{brand.brand_id}@example.com")
    open_console(page, brand.service, "?view=people", "People")
    search = page.get_by_role("searchbox", name="Search by the beginning")
    search.fill(brand.user("robin"))
    expect(listed(page, "People")).to_have_count(1)
    expect(listed(page, "People")).to_contain_text("Robin Vale")
    search.fill(f"okafor.{brand.brand_id}@")
    expect(listed(page, "People")).to_contain_text(["Dana Okafor"])
    page.wait_for_url("**/operator?view=people&q=okafor*")
    page.get_by_role("link", name=brand.user("dana")).click()
    expect(page.get_by_role("heading", name=brand.user("dana"), level=1)).to_be_focused()


def test_a_person_shows_their_brands_with_the_role_and_their_keys(page, brand):
    brand.create_key("Laptop", who="dana")
    brand.create_key("Of another person")
    open_person(page, brand, "dana")
    expect(listed(page, "Brands")).to_contain_text("Northwind Coffee")
    expect(listed(page, "Brands")).to_contain_text("Member")
    expect(listed(page, "Keys")).to_have_count(1)
    expect(listed(page, "Keys")).to_contain_text("Laptop")


def test_a_user_id_with_special_characters_opens(page, brand):
    user = f"auth0|ada/{brand.brand_id}?x=1&y"
    brand.add_member("", "member", "Ada", user="auth0%7Cada%2F" + brand.brand_id + "%3Fx%3D1%26y")
    open_console(page, brand.service, "?view=people", "People")
    page.get_by_role("searchbox").fill(f"auth0|ada/{brand.brand_id}")
    page.get_by_role("link", name=user).click()
    expect(page.get_by_role("heading", name=user, level=1)).to_be_visible()
    expect(listed(page, "Brands")).to_have_count(1)
    page.get_by_role("button", name="Revoke all keys…").click()
    confirm(page, "Revoke all keys", user)
    expect(dialog(page).get_by_role("heading", name="No key had to be revoked")).to_be_visible()


def test_a_person_is_signed_out_of_all_browsers(page, brand, browser):
    theirs = browser.new_context()
    serve_files_of_working_copy(theirs)
    tab = theirs.new_page()
    open_settings(tab, brand.link("dana"))
    open_person(page, brand, "dana")
    page.get_by_role("button", name="Sign out everywhere…").click()
    confirm(page, "Sign out everywhere")
    expect(page.locator(".toast")).to_contain_text("One session is ended.")
    tab.reload()
    expect(tab.get_by_role("heading", name="Sign in to manage MCP keys")).to_be_visible()
    theirs.close()


def test_all_keys_of_a_person_are_revoked_only_after_their_id_was_typed(page, brand):
    key, other = brand.create_key("Laptop", who="dana"), brand.create_key("Of another person")
    open_person(page, brand, "dana")
    page.get_by_role("button", name="Revoke all keys…").click()
    assert_typing_is_needed(page, "Revoke all keys", brand.user("dana"))
    assert brand.list_tools(key) == 200
    confirm(page, "Revoke all keys", brand.user("dana"))
    expect(dialog(page).get_by_role("heading", name="One key was revoked")).to_be_focused()
    expect(dialog(page)).to_contain_text("No work was queued.")
    page.keyboard.press("Escape")
    expect(listed(page, "Keys")).to_contain_text("Revoked")
    assert (brand.list_tools(key), brand.list_tools(other)) == (401, 200)


def test_a_person_is_erased_only_after_their_id_was_typed(page, brand):
    user = brand.user("dana")
    key = brand.create_key("Laptop", who="dana")
    open_person(page, brand, "dana")
    page.get_by_role("button", name="Erase…").click()
    assert_typing_is_needed(page, "Erase person", user)
    assert brand.list_tools(key) == 200
    confirm(page, "Erase person", user)
    expect(page.get_by_role("heading", name="Receipt of an erasure", level=1)).to_be_visible()
    expect(page.get_by_role("region", name="Receipt of an erasure")).to_contain_text("erased_")
    expect(page.get_by_role("main")).not_to_contain_text(user)
    assert brand.list_tools(key) == 401


def test_a_person_who_does_not_exist_has_no_brands(page, service):
    open_console(page, service, "?view=people&open=stranger", "stranger")
    expect(page.get_by_role("heading", name="This person acts for no brand")).to_be_visible()
    expect(page.get_by_role("heading", name="This person has created no keys")).to_be_visible()
