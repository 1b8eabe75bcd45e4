"""A post as it will look on each channel, before anybody else sees it."""

from playwright.sync_api import expect

from approval_states import fill_approvals
from steps import dialog, open_approvals, read_approval

TEXT = "Taste six coffees side by side, Friday at 17.\n\nFree, and no booking needed."
LINK = "https://northwind.example/cupping"
# Mastodon counts a link as 23 characters.
MASTODON_LENGTH = len(TEXT) + len("\n\n") + 23


def card(page, kind):
    return dialog(page).get_by_role("list", name="How it will look").locator(f"> .{kind}")


def test_each_channel_has_its_own_preview(page, brand):
    fill_approvals(brand)
    open_approvals(page, brand.link())
    read_approval(page)
    for kind, limit in (("feed", "10,000"), ("webhook", "10,000")):
        expect(card(page, kind).locator(".post-card-title")).to_have_text("Cupping on Friday")
        expect(card(page, kind).locator(".post-card-text")).to_have_text(TEXT, use_inner_text=True)
        expect(card(page, kind).locator(".post-card-link")).to_have_text(LINK)
        expect(card(page, kind)).to_contain_text(f"{len(TEXT)} of {limit} characters")

    # Mastodon has no titles, and shows the link at the end of the text.
    mastodon = card(page, "mastodon")
    expect(mastodon.locator(".post-card-title")).to_contain_text(brand.name)
    expect(mastodon).not_to_contain_text("Cupping on Friday")
    expect(mastodon.locator(".post-card-text")).to_have_text(f"{TEXT}\n\n{LINK}", use_inner_text=True)
    expect(mastodon).to_contain_text(f"{MASTODON_LENGTH} of 500 characters")

    # Bluesky shows the link as a card below the text.
    bluesky = card(page, "bluesky")
    expect(bluesky).to_contain_text("northwind.example")
    expect(bluesky.locator(".post-card-text")).to_have_text(TEXT, use_inner_text=True)
    expect(bluesky.locator(".post-card-link")).to_have_text(LINK)
    expect(bluesky).to_contain_text(f"{len(TEXT)} of 300 characters")

    # The arguments as the assistant sent them, and who asks.
    details = dialog(page)
    details.get_by_text("Show what the assistant sent").click()
    sent = details.locator("details dl")
    for text in ("Cupping on Friday", LINK, "feed, mastodon, bluesky, hook", "schedule"):
        expect(sent).to_contain_text(text)
    for text in ("Agent that asks first", "You", "bluesky (then scheduled)"):
        expect(details.locator(".preview").first).to_contain_text(text)


def test_a_text_that_is_too_long_for_a_channel_says_so(page, brand):
    channel = {"kind": "bluesky", "settings": {"server": "http://127.0.0.1:9", "identifier": "northwind.example", "app_password": "p"}}
    brand.service.api("PUT", f"/api/brands/{brand.brand_id}/channels/bluesky", brand.token("robin"), channel)
    agent = brand.create_key("Careful agent", scope="write", approval="outward")
    brand.ask(agent, "create_post", {"text": "Fresh beans.", "channels": ["feed", "bluesky"], "mode": "now"})
    open_approvals(page, brand.link())
    details = read_approval(page)
    expect(card(page, "bluesky")).to_contain_text("12 of 300 characters")
    details.get_by_role("button", name="Edit…").click()
    details.get_by_role("textbox", name="Text").fill("x" * 301)
    details.get_by_role("button", name="Approve with changes").click()
    expect(details.get_by_role("alert").first).to_be_visible()
    assert brand.feed() == []
