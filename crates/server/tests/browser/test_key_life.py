"""What happens to a key after it was created: changes, new secrets, its end."""

import pytest
from playwright.sync_api import expect

from service import eventually, in_days
from steps import answer_of, choose, dialog, open_settings, row, shown_secret


def details(page, label):
    page.get_by_role("button", name=label, exact=True).click()
    expect(dialog(page).get_by_role("table", name="Events")).to_be_visible()
    return dialog(page)


def edit(page, label):
    details(page, label).get_by_role("button", name="Edit", exact=True).click()
    expect(dialog(page).get_by_role("heading", name=f"Edit “{label}”")).to_be_visible()
    return dialog(page)


def save(page):
    dialog(page).get_by_role("button", name="Save").click()


def saved(page, label):
    """Saves, and waits until the service has answered: the message of an earlier change may still be there."""
    save(page)
    expect(dialog(page)).to_have_count(0)
    expect(page.locator(".toast")).to_contain_text(f"“{label}” was changed.")


def rotate(page, label, grace):
    details(page, label).get_by_role("button", name="New secret…").click()
    choose(dialog(page), "The old secret works for", grace)
    dialog(page).get_by_role("button", name="Create the new secret").click()


def lose_rotation(page, reach_the_service=True):
    page.route("**/rotate", lambda route: (reach_the_service and answer_of(route), route.abort("connectionreset")), times=1)


def test_every_setting_is_changed_at_once(page, brand):
    key = brand.create_key("Laptop", scope="write", expires_at=in_days(100))
    open_settings(page, brand.link())
    form = edit(page, "Laptop")
    form.get_by_role("textbox", name="Label").fill("Office")
    form.get_by_label("Before every change").check()
    form.get_by_label("Only some of these tools").check()
    for box in form.locator(".tool-choices input").all()[2:]:
        box.uncheck()
    choose(form, "Expires", "In 7 days")
    form.get_by_role("textbox", name="Networks").fill("203.0.113.0/24\n2001:db8::/32")
    saved(page, "Office")
    [now] = brand.keys()
    assert (now["label"], now["scope"], now["approval"], len(now["tools"])) == ("Office", "write", "all", 2)
    assert now["allowed_networks"] == ["203.0.113.0/24", "2001:db8::/32"]
    assert now["expires_at"] < in_days(8)
    assert brand.list_tools(key) == 403, "the tests come from elsewhere"
    expect(row(page, "Office")).to_contain_text("only 2 chosen tools")

    form = edit(page, "Office")
    form.get_by_role("textbox", name="Networks").fill("")
    form.get_by_label("Only some of these tools").uncheck()
    choose(form, "Expires", "Never")
    saved(page, "Office")
    [now] = brand.keys()
    assert (now["allowed_networks"], now["tools"], now["expires_at"]) == (None, None, None)
    assert brand.list_tools(key) == 200


def test_access_is_only_taken_away(page, brand):
    brand.create_key("Writer", scope="write")
    brand.create_key("Reader")
    open_settings(page, brand.link())
    form = edit(page, "Writer")
    form.get_by_label("Can read", exact=True).check()
    saved(page, "Writer")
    assert {key["scope"] for key in brand.keys()} == {"read"}
    expect(edit(page, "Reader").get_by_label("Can read and write")).to_have_count(0)


def test_faults_of_a_change_keep_what_was_typed(page, brand):
    brand.create_key("Laptop")
    open_settings(page, brand.link())
    form = edit(page, "Laptop")
    form.get_by_role("textbox", name="Label").fill("Renamed")
    form.get_by_role("textbox", name="Networks").fill("203.0.113.7/24")
    save(page)
    expect(form.get_by_role("alert")).to_contain_text("203.0.113.7/24 is an address inside a network; the network is 203.0.113.0/24.")
    expect(form.get_by_role("textbox", name="Networks")).to_be_focused()
    page.route("**/mcp-keys/*", lambda route: route.abort("internetdisconnected"), times=1)
    form.get_by_role("textbox", name="Networks").fill("203.0.113.0/24")
    save(page)
    expect(form.get_by_role("alert")).to_contain_text("You can safely save again.")
    expect(form.get_by_role("textbox", name="Label")).to_have_value("Renamed")
    saved(page, "Renamed")


def test_an_administrator_makes_a_members_key_only_stricter(page, brand):
    brand.create_key("Of Dana", who="dana", scope="write", approval="outward", tools=["get_brand", "list_posts"], expires_at=in_days(30))
    open_settings(page, brand.link())
    form = edit(page, "Of Dana")
    expect(form).to_contain_text("you can make it only stricter")
    expect(form.locator(".tool-choices input")).to_have_count(2)
    expect(form.get_by_role("radio", name="Never")).to_have_count(0)
    choose(form, "Expires", "In a year")
    save(page)
    expect(form.get_by_role("alert")).to_contain_text("The key was not changed.")
    choose(form, "Expires", "In 7 days")
    form.get_by_label("Before every change").check()
    saved(page, "Of Dana")
    assert brand.keys()[0]["approval"] == "all"


def test_a_member_cannot_change_the_key_of_another(page, brand):
    brand.create_key("Of Robin")
    open_settings(page, brand.link("dana"))
    shown = details(page, "Of Robin")
    for name in ("Edit", "Pause", "New secret…", "Revoke…", "Show the secret"):
        expect(shown.get_by_role("button", name=name, exact=True)).to_have_count(0)


def test_a_new_secret_works_beside_the_old_one_until_that_is_ended(page, brand):
    key = brand.create_key("Laptop")
    open_settings(page, brand.link())
    rotate(page, "Laptop", "3 days")
    expect(dialog(page).get_by_role("heading", name="“Laptop” has a new secret")).to_be_visible()
    new = {"api_key": shown_secret(page)}
    expect(dialog(page)).to_contain_text("The old secret works until")
    expect(dialog(page).get_by_role("heading", name="Connect an assistant")).to_be_visible()
    assert new["api_key"] != key["api_key"]
    assert (brand.list_tools(key), brand.list_tools(new)) == (200, 200)
    eventually(lambda: brand.keys()[0]["old_secret_last_used_at"])
    dialog(page).get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Refresh").click()
    expect(row(page, "Laptop").get_by_text("New secret")).to_be_visible()

    shown = details(page, "Laptop")
    expect(shown).to_contain_text("It was last used just now, so an assistant has not changed to the new one yet.")
    expect(shown.get_by_role("button", name="New secret…")).to_have_count(0)
    shown.get_by_role("button", name="End the old secret…").click()
    expect(dialog(page)).to_contain_text("An assistant that still has it is refused at once.")
    dialog(page).get_by_role("button", name="End the old secret", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("The old secret of “Laptop” has ended.")
    assert (brand.list_tools(key), brand.list_tools(new)) == (401, 200)
    expect(row(page, "Laptop").get_by_text("New secret")).to_have_count(0)


def test_the_old_secret_can_end_at_once(page, brand):
    key = brand.create_key("Laptop")
    open_settings(page, brand.link())
    rotate(page, "Laptop", "Not at all")
    expect(dialog(page)).to_contain_text("The old secret is refused from now on.")
    assert brand.list_tools(key) == 401
    assert brand.list_tools({"api_key": shown_secret(page)}) == 200


def test_only_the_creator_gives_a_key_a_new_secret(page, brand):
    brand.create_key("Of Dana", who="dana")
    open_settings(page, brand.link())
    shown = details(page, "Of Dana")
    expect(shown.get_by_role("button", name="Edit", exact=True)).to_be_visible()
    expect(shown.get_by_role("button", name="New secret…")).to_have_count(0)


@pytest.mark.parametrize("can_reveal", [True, False])
def test_a_new_secret_that_got_lost_is_found_or_replaced(page, brand, can_reveal):
    brand.create_key("Laptop", can_reveal=can_reveal)
    open_settings(page, brand.link())
    lose_rotation(page)
    rotate(page, "Laptop", "1 day")
    expect(dialog(page)).to_contain_text("The key has a new secret, but it did not arrive")
    dialog(page).get_by_role("button", name="Show its secret" if can_reveal else "End the old one and create another").click()
    assert brand.list_tools({"api_key": shown_secret(page)}) == 200


def test_a_rotation_that_never_reached_the_service_is_repeated(page, brand):
    key = brand.create_key("Laptop")
    open_settings(page, brand.link())
    lose_rotation(page, reach_the_service=False)
    rotate(page, "Laptop", "1 day")
    expect(dialog(page)).to_contain_text("The key has no new secret")
    assert brand.list_tools(key) == 200
    dialog(page).get_by_role("button", name="Try again").click()
    dialog(page).get_by_role("button", name="Create the new secret").click()
    shown_secret(page)


def queue_work(brand, key):
    for number in range(3):
        post = {"text": f"Post {number}.", "channels": ["feed"], "mode": "schedule", "scheduled_at": in_days(2)}
        assert brand.result(key, "create_post", post)["post"]["post_id"]


def scheduled(brand):
    posts = brand.service.api("GET", f"/api/brands/{brand.brand_id}/posts", brand.token("robin"))["posts"]
    return [target["status"] for post in posts for target in post["targets"]].count("scheduled")


def test_a_revoke_says_what_it_cancelled(page, brand):
    key = brand.create_key("Laptop", scope="write")
    queue_work(brand, key)
    open_settings(page, brand.link())
    page.get_by_role("button", name="Revoke Laptop").click()
    dialog(page).get_by_role("button", name="Revoke key").click()
    expect(dialog(page).get_by_role("heading", name="“Laptop” was revoked")).to_be_visible()
    expect(dialog(page)).to_contain_text("Cancelled: 3 posts.")
    assert scheduled(brand) == 0
    dialog(page).get_by_role("button", name="Close").last.click()
    expect(row(page, "Laptop")).to_have_count(0)


def test_a_revoke_can_keep_what_is_queued(page, brand):
    key = brand.create_key("Laptop", scope="write")
    queue_work(brand, key)
    open_settings(page, brand.link())
    page.get_by_role("button", name="Revoke Laptop").click()
    dialog(page).get_by_label("Let what it has queued go out").check()
    expect(dialog(page)).to_contain_text("still goes out")
    dialog(page).get_by_role("button", name="Revoke key").click()
    expect(page.locator(".toast")).to_contain_text("“Laptop” was revoked.")
    assert (scheduled(brand), brand.list_tools(key)) == (3, 401)


def test_keys_that_need_attention_are_found(page, brand):
    brand.create_key("Soon", expires_at=in_days(3))
    brand.create_key("Later", expires_at=in_days(30))
    open_settings(page, brand.link())
    expect(page.get_by_text("1 key expires within 14 days.")).to_be_visible()
    expect(row(page, "Soon").get_by_text("Expires soon")).to_be_visible()
    page.get_by_role("button", name="Show it").click()
    expect(page.get_by_role("combobox", name="State")).to_have_value("expiring")
    expect(row(page, "Soon")).to_be_visible()
    expect(row(page, "Later")).to_have_count(0)
    expect(details(page, "Soon")).to_contain_text("Set a later expiry if it is still needed.")


def test_where_a_key_was_last_used_from_is_shown(page, brand):
    key = brand.create_key("Laptop")
    assert brand.list_tools(key) == 200
    eventually(lambda: brand.keys()[0]["last_used_ip"])
    open_settings(page, brand.link())
    shown = details(page, "Laptop")
    expect(shown).to_contain_text("127.0.0.1")
    expect(shown).to_contain_text("Python-urllib")
