"""The posts of a brand: read, edit, publish, stop, withdraw, try again and delete them."""

import http.server
import threading

import pytest
from playwright.sync_api import expect

from posts_states import open_post, open_posts, show_list, wait_for_state
from service import eventually, from_now
from steps import choose, cut_off, dialog


@pytest.fixture
def agent(brand):
    return brand.create_key("Writing agent", scope="write")


def create(brand, key, text, mode="draft", **more):
    return brand.result(key, "create_post", {"text": text, "channels": ["feed"], "mode": mode, **more})["post"]["post_id"]


def states(brand, post_id):
    return {target["channel"]: target["status"] for target in brand.post(post_id)["targets"]}


def show(page, brand, name, who="robin"):
    open_posts(page, brand.link(who))
    show_list(page)
    return open_post(page, name)


def test_without_posts_the_view_says_what_to_do(page, brand):
    open_posts(page, brand.link())
    expect(page.get_by_role("heading", name="No posts yet")).to_be_visible()
    expect(page.get_by_text("Ask an assistant that can write to draft a post.")).to_be_visible()
    expect(page).to_have_title("Posts · Northwind Coffee")


def test_posts_are_listed_and_filtered_by_state(page, brand, agent):
    create(brand, agent, "A draft.")
    create(brand, agent, "For later.", "schedule", scheduled_at=from_now(days=2))
    create(brand, agent, "Public <b>text</b>.", "now")
    open_posts(page, brand.link())
    show_list(page)
    table = page.get_by_role("table", name="Posts")
    expect(page.get_by_text("3 posts", exact=True)).to_be_visible()
    for state, text in (("Draft", "A draft."), ("Scheduled", "For later."), ("Published", "Public <b>text</b>.")):
        choose(page, "State", state)
        expect(table.get_by_role("row")).to_have_count(2)
        expect(table).to_contain_text(text)
    choose(page, "State", "Withdrawn")
    expect(page.get_by_text("No post has this state.")).to_be_visible()


def test_older_posts_are_fetched_on_demand(page, brand, agent):
    for number in range(22):
        create(brand, agent, f"Draft {number}.")
    open_posts(page, brand.link())
    show_list(page)
    rows = page.get_by_role("table", name="Posts").get_by_role("row")
    expect(rows).to_have_count(21)
    page.get_by_role("button", name="Show older posts").click()
    expect(rows).to_have_count(23)
    expect(page.get_by_role("button", name="Show older posts")).to_have_count(0)


def test_a_post_shows_its_channels_version_key_and_person(page, brand, agent):
    post_id = create(brand, agent, "Fresh beans today.", title="New harvest")
    brand.change_post(post_id, {"text": "Fresh beans tomorrow."})
    details = show(page, brand, "New harvest")
    for text in ("feed", "Draft", "Fresh beans tomorrow.", "21 of 10,000 characters", "Writing agent", "You", "2, changed once"):
        expect(details).to_contain_text(text)


def test_a_draft_is_edited(page, brand, agent):
    post_id = create(brand, agent, "Fresh beans today.", title="New harvest")
    details = show(page, brand, "New harvest")
    details.get_by_role("button", name="Edit…").click()
    details.get_by_role("textbox", name="Text").fill("Fresh beans tomorrow.")
    details.get_by_role("textbox", name="Title").fill("")
    details.get_by_label("Link").fill("https://northwind.example/beans")
    details.get_by_role("button", name="Add a picture").click()
    details.get_by_label("Address of the picture").fill("https://northwind.example/beans.jpg")
    details.get_by_label("What it shows").fill("A cup")
    details.get_by_label("Time", exact=True).fill("2027-01-31T09:00")
    expect(details.get_by_role("list", name="How it will look")).to_contain_text("A cup")
    details.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_contain_text("The post was saved.")
    after = brand.post(post_id)
    assert (after["text"], after["title"], after["link"]) == ("Fresh beans tomorrow.", None, "https://northwind.example/beans")
    assert after["media"] == [{"url": "https://northwind.example/beans.jpg", "alt": "A cup"}]
    assert after["scheduled_at"].startswith("2027-01-31T09:00")
    assert states(brand, post_id) == {"feed": "draft"}


def test_what_the_service_refuses_stays_in_the_form(page, brand, agent):
    post_id = create(brand, agent, "Fresh beans today.")
    details = show(page, brand, "Fresh beans today.")
    details.get_by_role("button", name="Edit…").click()
    details.get_by_label("Link").fill("nonsense")
    details.get_by_role("button", name="Save").click()
    expect(details.locator(".field-fault")).to_be_visible()
    expect(details.get_by_label("Link")).to_have_value("nonsense")
    page.keyboard.press("Escape")
    expect(details).to_contain_text("What you have typed is not saved")
    details.get_by_role("button", name="Go on editing").click()
    expect(details.get_by_label("Link")).to_have_value("nonsense")
    page.keyboard.press("Escape")
    details.get_by_role("button", name="Discard it").click()
    expect(dialog(page)).to_have_count(0)
    assert brand.post(post_id)["version"] == 1


def test_a_concurrent_change_is_shown_and_what_was_typed_is_kept(page, brand, agent):
    post_id = create(brand, agent, "Fresh beans today.", title="New harvest")
    details = show(page, brand, "New harvest")
    details.get_by_role("button", name="Edit…").click()
    details.get_by_role("textbox", name="Text").fill("My own text.")
    brand.change_post(post_id, {"text": "Fresh beans tomorrow.", "title": "Newer harvest"})
    details.get_by_role("button", name="Save").click()
    changed = details.get_by_role("alert")
    expect(changed).to_contain_text("The post was changed meanwhile")
    expect(changed.locator("ins")).to_have_text(["tomorrow", "Newer"])
    expect(changed).to_contain_text("You have changed this, too.")
    expect(details.get_by_role("textbox", name="Text")).to_have_value("My own text.")
    expect(details.get_by_role("textbox", name="Title")).to_have_value("Newer harvest")
    assert brand.post(post_id)["text"] == "Fresh beans tomorrow."
    details.get_by_role("button", name="Save my changes").click()
    expect(page.locator(".toast")).to_contain_text("The post was saved.")
    after = brand.post(post_id)
    assert (after["text"], after["title"]) == ("My own text.", "Newer harvest"), "only what the person changed is replaced"


def test_a_lost_line_keeps_what_was_typed(page, brand, agent):
    create(brand, agent, "Fresh beans today.")
    details = show(page, brand, "Fresh beans today.")
    details.get_by_role("button", name="Edit…").click()
    details.get_by_role("textbox", name="Text").fill("Over a bad line.")
    cut_off(page)
    details.get_by_role("button", name="Save").click()
    expect(details).to_contain_text("It is not known whether this arrived. You can safely try again.")
    expect(details.get_by_role("textbox", name="Text")).to_have_value("Over a bad line.")


def test_a_draft_is_published_now(page, brand, agent):
    post_id = create(brand, agent, "Fresh beans today.")
    details = show(page, brand, "Fresh beans today.")
    details.get_by_role("button", name="Publish…").click()
    expect(details).to_contain_text("Everybody can read it on this channel: feed.")
    assert brand.feed() == []
    details.get_by_role("button", name="Publish now").click()
    expect(details.get_by_role("list", name="Channels")).to_contain_text("Published")
    expect(details.get_by_role("link", name="Open the public post")).to_have_attribute("href", brand.post(post_id)["targets"][0]["url"])
    assert brand.feed() == ["Fresh beans today."]
    brand.wait_for_events(1, kind="post")


def test_a_draft_is_scheduled_and_stopped(page, brand, agent):
    post_id = create(brand, agent, "Fresh beans today.")
    details = show(page, brand, "Fresh beans today.")
    details.get_by_role("button", name="Publish…").click()
    details.get_by_label("At a time").check()
    details.get_by_label("Time", exact=True).fill("2001-01-31T09:00")
    details.get_by_role("button", name="Schedule", exact=True).click()
    expect(details.get_by_role("alert")).to_contain_text("Nothing was changed.")
    details.get_by_label("Time", exact=True).fill("2027-01-31T09:00")
    details.get_by_role("button", name="Schedule", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("The post is scheduled.")
    assert states(brand, post_id) == {"feed": "scheduled"}
    details.get_by_role("button", name="Stop…").click()
    expect(details).to_contain_text("It will not go out on: feed.")
    details.get_by_role("button", name="Stop it").click()
    expect(page.locator(".toast")).to_contain_text("The post was stopped.")
    assert states(brand, post_id) == {"feed": "cancelled"}


def test_a_public_post_is_withdrawn(page, brand, agent):
    post_id = create(brand, agent, "Fresh beans today.", "now")
    details = show(page, brand, "Fresh beans today.")
    expect(details.get_by_role("button", name="Edit…")).to_have_count(0)
    details.get_by_role("button", name="Withdraw…").click()
    expect(details).to_contain_text("It leaves the feeds at once, and its page says that it is gone.")
    assert brand.feed() == ["Fresh beans today."]
    details.get_by_role("button", name="Withdraw from 1 channel").click()
    expect(details.get_by_role("list", name="Channels")).to_contain_text("Withdrawn")
    assert states(brand, post_id) == {"feed": "withdrawn"} and brand.feed() == []


def test_a_draft_is_deleted(page, brand, agent):
    create(brand, agent, "Fresh beans today.")
    details = show(page, brand, "Fresh beans today.")
    details.get_by_role("button", name="Delete…").click()
    expect(details).to_contain_text("This text is deleted for good.")
    expect(details.locator("blockquote")).to_contain_text("Fresh beans today.")
    details.get_by_role("button", name="Delete the post").click()
    expect(dialog(page)).to_have_count(0)
    expect(page.get_by_role("heading", name="No posts yet")).to_be_visible()
    assert brand.posts() == []


def test_an_order_for_a_post_that_was_changed_is_not_done(page, brand, agent):
    post_id = create(brand, agent, "Fresh beans today.")
    details = show(page, brand, "Fresh beans today.")
    details.get_by_role("button", name="Publish…").click()
    brand.change_post(post_id, {"text": "Old beans today."})
    details.get_by_role("button", name="Publish now").click()
    expect(details).to_contain_text("The post was changed meanwhile")
    expect(details).to_contain_text("Old beans today.")
    assert brand.feed() == []


@pytest.fixture
def receiver():
    """The address of a server that takes webhooks."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/hook"
    server.shutdown()


def test_a_failed_channel_says_why_and_is_tried_again(page, brand, agent, receiver):
    def hook(url):
        path = f"/api/brands/{brand.brand_id}/channels/hook"
        brand.service.api("PUT", path, brand.token("robin"), {"kind": "webhook", "settings": {"url": url}})

    hook("http://127.0.0.1:9/hook")
    post_id = create(brand, agent, "Fresh beans today.", "now", channels=["hook"])
    wait_for_state(brand, post_id, "failed")
    open_posts(page, brand.link())
    page.get_by_role("button", name="Show why").click()
    details = open_post(page, "Fresh beans today.")
    expect(details).to_contain_text("The webhook's receiver cannot be used")
    expect(details).to_contain_text("Solve what is named above, then try again.")
    hook(receiver)
    details.get_by_role("button", name="Try again").click()
    expect(page.locator(".toast")).to_contain_text("The failed channels are tried again.")
    expect(details.get_by_role("list", name="Channels")).to_contain_text("Published")
    eventually(lambda: states(brand, post_id) == {"hook": "published"})


def test_a_member_changes_only_posts_of_own_keys(page, brand, agent):
    create(brand, agent, "Of Robin.")
    own = brand.create_key("Of Dana", who="dana", scope="write")
    create(brand, own, "Of Dana.")
    details = show(page, brand, "Of Robin.", who="dana")
    expect(details).to_contain_text("Only Robin Vale or an administrator can change this post.")
    for name in ("Edit…", "Publish…", "Delete…"):
        expect(details.get_by_role("button", name=name)).to_have_count(0)
    page.keyboard.press("Escape")
    details = open_post(page, "Of Dana.")
    details.get_by_role("button", name="Edit…").click()
    details.get_by_role("textbox", name="Text").fill("Still of Dana.")
    details.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_contain_text("The post was saved.")
    assert {post["text"] for post in brand.posts()} == {"Of Robin.", "Still of Dana."}
