"""The states of the posts view."""

from playwright.sync_api import Page, expect

from service import eventually, from_now
from steps import choose, cut_off, dialog, open_view


def fill_posts(brand):
    """Posts in every state that the service reaches by itself."""
    # The service sends nothing to this port, so what goes there fails.
    hook = {"kind": "webhook", "settings": {"url": "http://127.0.0.1:9/hook"}}
    brand.service.api("PUT", f"/api/brands/{brand.brand_id}/channels/hook", brand.token("robin"), hook)
    agent = brand.create_key("Writing agent", scope="write")

    def create(text, mode, channels=("feed",), **more):
        return brand.result(agent, "create_post", {"text": text, "channels": list(channels), "mode": mode, **more})["post"]

    create("How we roast in the dark months.", "draft", title="Roasting in winter", link="https://northwind.example/roasting")
    create("Six coffees, side by side, on Friday at 17.", "schedule", title="Cupping on Friday", scheduled_at=from_now(days=2), channels=("feed", "hook"))
    create("New opening hours: 7 to 18, every day of the week, also on holidays and in the summer.", "schedule", scheduled_at=from_now(days=3))
    create("Fresh beans today.", "now", title="New harvest")
    failed = create("Sent to a receiver that cannot be used.", "now", channels=("hook",))
    wait_for_state(brand, failed["post_id"], "failed")
    stopped = create("This was too early.", "schedule", scheduled_at=from_now(days=4))
    brand.result(agent, "cancel_post", {"post_id": stopped["post_id"]})
    gone = create("This was wrong.", "now")
    brand.result(agent, "withdraw_post", {"post_id": gone["post_id"]})


def open_posts(page: Page, link: str):
    open_view(page, link, "posts", "Posts")


def show_list(page: Page):
    page.get_by_text("List", exact=True).click()
    expect(page.get_by_role("table", name="Posts")).to_be_visible()


def open_post(page: Page, name: str):
    page.get_by_role("table", name="Posts").get_by_role("button", name=name).click()
    expect(dialog(page).get_by_role("list", name="How it will look")).to_be_visible()
    return dialog(page)


def calendar(page: Page, world):
    open_posts(page, world.writing.link())
    expect(page.locator(".post-chip").first).to_be_visible()


def posts(page: Page, world):
    open_posts(page, world.writing.link())
    show_list(page)


def no_posts(page: Page, world):
    open_posts(page, world.service.brand("Quiet Place").link())
    expect(page.get_by_role("heading", name="No posts yet")).to_be_visible()


def posts_not_loaded(page: Page, world):
    page.route("**/posts?*", lambda route: route.abort("internetdisconnected"))
    open_posts(page, world.writing.link())
    expect(page.get_by_role("alert")).to_be_visible()


def post_draft(page: Page, world):
    posts(page, world)
    open_post(page, "Roasting in winter")


def post_edit(page: Page, world):
    post_draft(page, world)
    dialog(page).get_by_role("button", name="Edit…").click()
    dialog(page).get_by_role("button", name="Add a picture").click()
    expect(dialog(page).get_by_label("Address of the picture")).to_be_visible()


def post_edit_conflict(page: Page, world):
    posts(page, world)
    details = open_post(page, "Cupping on Friday")
    details.get_by_role("button", name="Edit…").click()
    details.get_by_role("textbox", name="Text").fill("Seven coffees, side by side.")
    post_id = next(one["post_id"] for one in world.writing.posts() if one["title"] == "Cupping on Friday")
    world.writing.change_post(post_id, {"text": f"Six coffees, side by side, at {from_now()}."})
    details.get_by_role("button", name="Save").click()
    expect(details).to_contain_text("The post was changed meanwhile")


def post_publish(page: Page, world):
    post_draft(page, world)
    dialog(page).get_by_role("button", name="Publish…").click()
    dialog(page).get_by_label("At a time").check()


def post_withdraw(page: Page, world):
    posts(page, world)
    open_post(page, "New harvest").get_by_role("button", name="Withdraw…").click()
    expect(dialog(page)).to_contain_text("It leaves the feeds at once")


def post_stop(page: Page, world):
    posts(page, world)
    open_post(page, "Cupping on Friday").get_by_role("button", name="Stop…").click()
    expect(dialog(page)).to_contain_text("It will not go out on")


def post_discard(page: Page, world):
    post_edit(page, world)
    dialog(page).get_by_role("textbox", name="Text").fill("Not saved yet.")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_contain_text("What you have typed is not saved")


def post_delete(page: Page, world):
    post_draft(page, world)
    dialog(page).get_by_role("button", name="Delete…").click()
    expect(dialog(page)).to_contain_text("This text is deleted for good.")


def post_of_another(page: Page, world):
    open_posts(page, world.writing.link("dana"))
    show_list(page)
    expect(open_post(page, "Sent to a receiver")).to_contain_text("Only Robin Vale or an administrator can change this post.")


def post_not_saved(page: Page, world):
    post_edit(page, world)
    dialog(page).get_by_role("textbox", name="Text").fill("Over a bad line.")
    cut_off(page)
    dialog(page).get_by_role("button", name="Save").click()
    expect(dialog(page)).to_contain_text("It is not known whether this arrived.")


def no_posts_of_a_state(page: Page, world):
    posts(page, world)
    choose(page, "State", "Uncertain")
    expect(page.get_by_text("No post has this state.")).to_be_visible()


def post_failed(page: Page, world):
    open_posts(page, world.writing.link())
    page.get_by_role("button", name="Show why").click()
    expect(page.get_by_text("1 post has this state on a channel.")).to_be_visible()
    expect(open_post(page, "Sent to a receiver")).to_contain_text("Solve what is named above")


def wait_for_state(brand, post_id, status):
    eventually(lambda: any(target["status"] == status for target in brand.post(post_id)["targets"]))


POST_STATES = (
    calendar, posts, no_posts, posts_not_loaded, post_draft, post_edit, post_edit_conflict, post_publish, post_stop, post_discard, post_withdraw,
    post_delete, post_of_another,
    post_not_saved, no_posts_of_a_state, post_failed,
)
