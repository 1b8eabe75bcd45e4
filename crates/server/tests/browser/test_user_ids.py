"""User ids of the application are shown as text, with all their characters."""

from urllib.parse import quote

from playwright.sync_api import expect

from steps import dialog, open_settings, row

HARD = [
    "auth0|507f1f77bcf86cd799439020",
    "ada.lovelace+mcp@example.com",
    "https://id.example/users/1?x=1#y",
    "<img/src=x/onerror=window.injected=1>",
    "</script><script>window.injected=1</script>",
    "'\"`${window.injected=1}",
    "Jürgen|李雷|🦊",
    "x" * 200,
]


def test_user_ids_are_shown_as_text(page, brand):
    service = brand.service
    users = [f"{text}|{brand.brand_id}" for text in HARD]
    for number, user in enumerate(users):
        # Without a name, the page shows the id.
        path = f"/api/admin/brands/{brand.brand_id}/members/{quote(user, safe='')}"
        service.api("PUT", path, service.operator_token, {"role": "member"})
        body = {"label": f"Key {number}."}
        service.api("POST", f"/api/brands/{brand.brand_id}/mcp-keys", service.token(user), body)
    open_settings(page, brand.link())
    for number, user in enumerate(users):
        expect(row(page, f"Key {number}.")).to_contain_text(user)
    row(page, "Key 3.").get_by_role("button", name="Key 3.", exact=True).click()
    expect(dialog(page)).to_contain_text(users[3])
    assert page.evaluate("window.injected") is None
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "a long id does not widen the page"


def test_a_person_with_such_an_id_signs_in(page, brand):
    user = f"auth0|<b>Jürgen</b>|{brand.brand_id}"
    service = brand.service
    path = f"/api/admin/brands/{brand.brand_id}/members/{quote(user, safe='')}"
    service.api("PUT", path, service.operator_token, {"role": "admin"})
    service.api("POST", f"/api/brands/{brand.brand_id}/mcp-keys", service.token(user), {"label": "Mine"})
    open_settings(page, f"{service.url}/settings/mcp#token={service.token(user)}")
    expect(row(page, "Mine")).to_contain_text("You")
