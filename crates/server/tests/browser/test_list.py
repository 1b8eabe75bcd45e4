import datetime
import re

from playwright.sync_api import expect

from service import eventually, in_days
from steps import answer_of, choose, dialog, open_settings, row, start_creating, submit


def labels(page):
    return page.locator("table.keys tbody th button").all_inner_texts()


def test_a_key_shows_all_its_fields(page, brand):
    key = brand.create_key("Laptop", scope="write", expires_at=in_days(30))
    brand.create_key("Office", who="dana", scope="full", tools=["list_posts"])
    open_settings(page, brand.link())
    mine = row(page, "Laptop")
    expect(mine).to_contain_text(key["prefix"])
    for text in ("Can read and write", "You", "just now", "Never", "in 30 days", "Active"):
        expect(mine).to_contain_text(text)
    others = row(page, "Office")
    for text in ("Can read and write", "scope “full”", "only 1 chosen tool", "Dana Okafor"):
        expect(others).to_contain_text(text)
    expect(page.get_by_text("2 active keys for Northwind Coffee, 2 can write, held by 2 people.")).to_be_visible()


def test_the_last_use_is_a_relative_time_with_the_exact_time_on_hover(page, brand):
    key = brand.create_key("Laptop")
    assert brand.list_tools(key) == 200
    used_at = eventually(lambda: brand.keys()[0]["last_used_at"])
    page.clock.install(time=used_at)
    open_settings(page, brand.link())
    shown = row(page, "Laptop").get_by_role("cell").nth(2).locator("time")
    expect(shown).to_have_text("just now")
    page.clock.run_for("03:05")
    expect(shown).to_have_text("3 minutes ago")
    exact = datetime.datetime.fromisoformat(used_at)
    assert shown.get_attribute("title").startswith(f"{exact.day} {exact:%b %Y}")
    assert re.search(r"\d\d:\d\d:\d\d", shown.get_attribute("title"))


def test_keys_that_expire_soon_or_are_not_used_are_marked(page, brand):
    brand.create_key("Soon", expires_at=in_days(3))
    brand.create_key("Later", expires_at=in_days(30))
    brand.create_key("Forgotten")
    idle_since = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=100)

    def with_an_idle_key(route):
        answer = answer_of(route)
        body = answer.json()
        for key in body["keys"]:
            if key["label"] == "Forgotten":
                key["idle_since"] = idle_since.isoformat()
        route.fulfill(response=answer, json=body)

    page.route("**/mcp-keys?*", with_an_idle_key)
    open_settings(page, brand.link())
    expect(row(page, "Soon").locator(".warning-text")).to_have_text("Expires in 3 days")
    expect(row(page, "Forgotten").locator(".warning-text")).to_contain_text(f"Not used since {idle_since.day} {idle_since:%B}")
    expect(row(page, "Later").locator(".warning-text")).to_have_count(0)
    expect(row(page, "Later")).to_contain_text("in 30 days")


def test_a_leaked_key_says_so(page, brand):
    key = brand.create_key("Pasted somewhere")
    report = {"keys": [f"KEY={key['api_key']}"], "source": "a public page"}
    assert brand.service.request("POST", "/api/leaked-keys", "", report) == (202, {"status": "received"})
    open_settings(page, brand.link())
    choose(page, "State", "Revoked")
    page.get_by_role("button", name="Pasted somewhere", exact=True).click()
    expect(dialog(page)).to_contain_text("Its secret was reported as public.")
    expect(dialog(page).get_by_role("table", name="Events")).to_contain_text("was reported as leaked, and was revoked")


def test_the_list_is_filtered_and_sorted(page, brand):
    used = brand.create_key("Cello", scope="write")
    brand.create_key("Alto", who="dana", expires_at=in_days(3))
    gone = brand.create_key("Bass")
    brand.revoke(gone)
    assert brand.list_tools(used) == 200
    eventually(lambda: any(key["last_used_at"] for key in brand.keys()))
    open_settings(page, brand.link())
    assert labels(page) == ["Alto", "Cello"], "newest first, without the revoked key"

    choose(page, "State", "All")
    assert labels(page) == ["Bass", "Alto", "Cello"]
    choose(page, "Sort", "Label, A to Z")
    assert labels(page) == ["Alto", "Bass", "Cello"]
    choose(page, "Sort", "Last used, latest first")
    assert labels(page)[0] == "Cello"
    choose(page, "Sort", "Expires soonest")
    assert labels(page)[0] == "Alto"

    choose(page, "Access", "Can read and write")
    assert labels(page) == ["Cello"]
    choose(page, "Access", "Any")
    choose(page, "Created by", "Others")
    assert labels(page) == ["Alto"]
    choose(page, "Created by", "Anyone")
    page.get_by_label("Search keys").fill(used["prefix"][-4:])
    assert labels(page) == ["Cello"]
    expect(page.get_by_text("1 of 3 keys")).to_be_visible()
    page.get_by_label("Search keys").fill("nothing like this")
    expect(page.get_by_role("heading", name="No key fits these filters")).to_be_visible()
    page.get_by_role("button", name="Show every key").click()
    assert len(labels(page)) == 3


def test_an_empty_list_offers_to_create_a_key(page, brand):
    open_settings(page, brand.link())
    expect(page.get_by_role("heading", name="No keys yet")).to_be_visible()
    page.get_by_role("button", name="Create the first key").click()
    expect(dialog(page).get_by_role("heading", name="Create a key")).to_be_visible()


def test_the_key_of_another_member_has_no_secret(page, brand):
    brand.create_key("Of Robin", who="robin")
    brand.create_key("Of Dana", who="dana")

    open_settings(page, brand.link("dana"))
    expect(row(page, "Of Dana").get_by_role("button", name="Show the secret of Of Dana")).to_be_visible()
    expect(row(page, "Of Robin").get_by_role("button")).to_have_count(1)
    page.get_by_role("button", name="Of Robin", exact=True).click()
    expect(dialog(page)).to_contain_text("Only Robin Vale can show its secret, and only Robin Vale or an administrator can revoke it.")
    expect(dialog(page).get_by_role("button", name="Revoke")).to_have_count(0)

    page.context.clear_cookies()
    page.goto("about:blank")
    open_settings(page, brand.link("robin"))
    expect(row(page, "Of Dana").get_by_role("button", name="Revoke Of Dana")).to_be_visible()
    expect(row(page, "Of Dana").get_by_role("button", name="Show")).to_have_count(0)
    page.get_by_role("button", name="Of Dana", exact=True).click()
    expect(dialog(page)).to_contain_text("Only Dana Okafor can show its secret. As an administrator you can revoke it.")


def test_details_name_every_tool_and_the_latest_activity(page, brand):
    key = brand.create_key("Laptop", tools=["list_posts"])
    brand.call(key, "list_posts")
    brand.wait_for_events(2)
    open_settings(page, brand.link())
    page.get_by_role("button", name="Laptop", exact=True).click()
    details = dialog(page)
    expect(details.get_by_role("heading", name="Tools it may use, a chosen few")).to_be_visible()
    expect(details.locator(".tool-names li")).to_have_text(["Posts"])
    expect(details.get_by_role("table", name="Events")).to_contain_text("Laptop called Posts")
    expect(details.get_by_role("table", name="Events")).to_contain_text("You created Laptop")


def test_expired_keys_and_keys_of_former_members_are_marked(page, brand):
    moment = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=5)
    brand.create_key("Short-lived", expires_at=moment.isoformat())
    brand.create_key("Left behind", who="dana")
    brand.remove_member("dana")
    eventually(lambda: any(key["status"] == "expired" for key in brand.keys()))
    open_settings(page, brand.link())
    expect(row(page, "Short-lived").get_by_text("Expired")).to_have_attribute("title", re.compile("Create a new key"))
    expect(row(page, "Left behind").get_by_text("Paused")).to_have_attribute("title", re.compile("no longer a member"))


def test_html_in_a_label_is_shown_as_text(page, brand):
    label = "<img src=x onerror=\"document.title='gone'\"><b>&amp;</b>'\"><script>alert(1)</script>"
    brand.create_key(label)
    open_settings(page, brand.link())
    expect(page.get_by_role("button", name=label, exact=True)).to_be_visible()
    page.get_by_role("button", name=f"Revoke {label}").click()
    expect(dialog(page)).to_contain_text(label)
    dialog(page).get_by_role("button", name="Revoke key").click()
    expect(page.locator(".toast")).to_contain_text(label)
    page.get_by_role("link", name="Activity").click()
    expect(page.get_by_role("table", name="Events")).to_contain_text(label)
    assert page.locator("main img, main script, main b").count() == 0
    assert "gone" not in page.title()


def test_fifty_keys_are_listed_and_one_more_is_refused(page, brand):
    for number in range(50):
        # Prefixes are searched too, and contain no dash.
        brand.create_key(f"Key no-{number:02}", who="robin" if number % 2 else "dana")
    open_settings(page, brand.link())
    expect(page.locator("table.keys tbody tr")).to_have_count(50)
    page.get_by_label("Search keys").fill("key no-07")
    expect(page.locator("table.keys tbody tr")).to_have_count(1)
    start_creating(page, "One too many")
    submit(page)
    expect(dialog(page).get_by_role("alert")).to_contain_text("as many active keys as it can have")
    dialog(page).get_by_role("button", name="See the keys").click()
    expect(dialog(page)).to_have_count(0)


def test_changes_of_others_are_loaded_on_refresh_and_when_the_tab_is_shown(page, brand):
    page.clock.install()
    open_settings(page, brand.link())
    brand.create_key("Made elsewhere", who="dana")
    page.get_by_role("button", name="Refresh").click()
    expect(row(page, "Made elsewhere")).to_be_visible()
    brand.create_key("Made later", who="dana")
    page.clock.fast_forward("02:00")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(row(page, "Made later")).to_be_visible()
