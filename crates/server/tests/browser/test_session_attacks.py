"""Nobody takes a session over: other sites, planted cookies, stolen codes, and the tools of agents."""

import contextlib
import json

import pytest
from playwright.sync_api import expect

from conftest import serve_files_of_working_copy
from hosts import host
from service import eventually
from steps import dialog, open_settings

SESSION = "fetch('/api/session').then((answer) => answer.status === 200 ? answer.json() : null)"


@contextlib.contextmanager
def another_browser(browser):
    context = browser.new_context(locale="en-GB")
    serve_files_of_working_copy(context)
    yield context.new_page()
    context.close()


def user_of(page):
    session = page.evaluate(SESSION)
    return session and session["user_id"]


# A page of an attacker. It has what a browser sends without asking: forms, and requests without a preflight.
ATTACKS = """async ({ keys, session, code }) => {
    const create = JSON.stringify({ label: "stolen", scope: "write" });
    const send = (address, options) => fetch(address, { credentials: "include", ...options }).then(() => "sent", () => "refused");
    const form = (address, name) => {
        const form = Object.assign(document.createElement("form"), { method: "POST", action: address, enctype: "text/plain", target: "sink" });
        form.append(Object.assign(document.createElement("input"), { name: name.slice(0, -2), value: name.slice(-2) }));
        document.body.append(form);
        return new Promise((resolve) => {
            document.querySelector("iframe").onload = resolve;
            form.submit();
        });
    };
    const results = [
        await send(keys, { method: "POST", mode: "no-cors", headers: { "Content-Type": "text/plain" }, body: create }),
        await send(keys, { method: "POST", headers: { "Content-Type": "application/json" }, body: create }),
        await send(keys, {}),
        await send(session, { method: "DELETE" }),
        await send(session, { method: "POST", mode: "no-cors", body: JSON.stringify({ code, replace: true }) }),
    ];
    await form(keys, create);
    await form(session, JSON.stringify({ code, replace: true }));
    return results;
}"""


@pytest.mark.parametrize("site", ["another site", "another port of the same site"])
def test_another_origin_neither_acts_nor_reads_with_the_session(browser, context, brand, site):
    page = context.new_page()
    open_settings(page, brand.link())
    code = brand.code_link("dana").split("#code=")[1]
    with host() as (origin, pages):
        pages["/"] = "<!doctype html><title>Attacker</title><h1>Attacker</h1><iframe name=sink></iframe>"
        attacker = context.new_page()
        answers = []
        attacker.on("response", lambda answer: answers.append((answer.request.method, answer.url, answer.status)))
        # Another port is the same site, so the browser sends the cookie there.
        attacker.goto(origin.replace("127.0.0.1", "localhost") if site == "another site" else origin)
        own = f"{brand.service.url}/api"
        results = attacker.evaluate(ATTACKS, {"keys": f"{own}/brands/{brand.brand_id}/mcp-keys", "session": f"{own}/session", "code": code})
    # The browser sends a request without a preflight, and hides its answer. The others do not get that far.
    assert results == ["sent", "refused", "refused", "refused", "sent"]
    reached = [(url.removeprefix(own), status) for method, url, status in answers if url.startswith(own) and method == "POST"]
    refusal = 401 if site == "another site" else 403
    assert reached == [(f"/brands/{brand.brand_id}/mcp-keys", refusal), ("/session", 403)] * 2
    assert brand.keys() == []
    assert user_of(page) == brand.user("robin")
    # The service has not looked at the code, so it still works.
    with another_browser(browser) as danas:
        open_settings(danas, f"{brand.service.url}/settings/mcp#code={code}")


def test_a_planted_cookie_is_not_taken_over(browser, context, brand):
    """An attacker plants the cookie of their own session, or one that they made up, to know the session of the victim."""
    with another_browser(browser) as attacker:
        open_settings(attacker, brand.link("dana"))
        [theirs] = attacker.context.cookies()
        made_up = {**theirs, "value": "svc_session_" + "A" * (len(theirs["value"]) - len("svc_session_"))}
        page = context.new_page()
        for planted in (made_up, theirs):
            context.clear_cookies()
            context.add_cookies([planted])
            page.goto("about:blank")
            page.goto(brand.code_link("robin"))
            if planted is theirs:
                question = dialog(page)
                expect(question).to_contain_text(f"You are signed in as {brand.user('dana')}.")
                question.get_by_role("button", name=f"Continue as {brand.user('robin')}").click()
            expect(page.get_by_role("banner")).to_contain_text("Administrator")
            [own] = context.cookies()
            assert own["value"] != planted["value"]
            assert user_of(page) == brand.user("robin")
            attacker.context.clear_cookies()
            attacker.context.add_cookies([planted])
            assert user_of(attacker) is None, "the planted session opens nothing"


def test_a_stolen_code_works_for_the_first_browser_only(browser, context, brand):
    page = context.new_page()
    link = brand.code_link()
    open_settings(page, link)
    with another_browser(browser) as attacker:
        attacker.goto(link)
        expect(attacker.get_by_role("heading", name="This link does not work any more")).to_be_visible()
        assert user_of(attacker) is None and attacker.context.cookies() == []
        # Both at the same moment: one gets a session.
        code = brand.code_link("dana").split("#code=")[1]
        exchange = f"window.status = 0; fetch('/api/session', {{ method: 'POST', headers: {{ 'Content-Type': 'application/json' }}, body: '{json.dumps({'code': code, 'replace': True})}' }}).then((answer) => {{ window.status = answer.status }}); 0"
        for one in (page, attacker):
            one.evaluate(exchange)
        statuses = sorted(eventually(lambda one=one: int(one.evaluate("window.status"))) for one in (page, attacker))
        assert statuses == [201, 401]
    assert user_of(page) in (brand.user("robin"), brand.user("dana"))


def test_a_session_opens_no_tools(context, brand):
    page = context.new_page()
    token = brand.service.token(brand.user("robin"), operator=True)
    open_settings(page, f"{brand.service.url}/settings/mcp#token={token}")
    call = {"method": "POST", "headers": {"Content-Type": "application/json"}, "body": json.dumps({"name": "get_brand", "arguments": {}})}
    for path, options in (("/mcp/v1/tools", {}), ("/mcp/v1/tools/call", call)):
        answer = page.evaluate("async ([path, options]) => { const answer = await fetch(path, options); return [answer.status, (await answer.json()).code]; }", [path, options])
        assert answer == [401, "credential_missing"], path
    [cookie] = context.cookies()
    # As a bearer token it is worth nothing either.
    for path in ("/mcp/v1/tools", "/api/me"):
        assert brand.service.request("GET", path, cookie["value"])[0] == 401
