"""The page inside a frame of the host application, on another origin."""

import pytest
from playwright.sync_api import expect

from axe import RUN_AXE
from hosts import host
from service import Service, eventually

# The host application. It notes the requests of the frame for a code. The test sends the codes with `give`.
PARENT = """<!doctype html><title>Host</title><h1>Host application</h1>
<iframe title="MCP" src="{address}" width="1000" height="800"></iframe>
<script>
window.questions = [];
window.give = (code, target) => document.querySelector("iframe").contentWindow.postMessage({{ type: "svc-mcp:code", code }}, target);
addEventListener("message", (event) => questions.push([event.origin, event.data.type]));
</script>"""


# A logo has to come by https, so the test answers for its server.
LOGO_URL = "https://cdn.example/logo.svg"
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="24"><rect width="48" height="24"/></svg>'


@pytest.fixture(scope="module")
def embedding(tmp_path_factory):
    """The host application, another site, and a service that allows frames only in the first."""
    with host() as (origin, pages), host() as (other_origin, other_pages):
        service = Service(
            tmp_path_factory.mktemp("embedding"), "--frame-ancestors", origin, "--page-name", "Acme Suite",
            "--page-accent", "#ffcc00", "--page-back-url", f"{origin}/home", "--page-logo-url", LOGO_URL)
        for own in (pages, other_pages):
            own["/"] = PARENT.format(address=f"{service.url}/settings/mcp")
            own["/home"] = "<!doctype html><title>Home</title><h1>Home</h1>"
        yield service, origin, other_origin
        service.stop()


def code(brand, who="robin"):
    return brand.code_link(who).split("#code=")[1]


def open_host(context, origin, service):
    """Opens the page of the host, and waits until its frame asks for a code. Returns both."""
    page = context.new_page()
    page.goto(origin)
    eventually(lambda: page.evaluate("questions.length"))
    assert page.evaluate("questions[0]") == [service.url, "svc-mcp:code-wanted"]
    return page, page.frame_locator("iframe")


def test_the_application_hands_over_a_code_and_no_cookie_is_used(context, embedding):
    service, origin, _ = embedding
    brand = service.brand()
    context.route(LOGO_URL, lambda route: route.fulfill(body=LOGO, content_type="image/svg+xml"))
    page, frame = open_host(context, origin, service)
    page.evaluate("([code, target]) => give(code, target)", [code(brand), service.url])
    expect(frame.get_by_role("heading", name="No keys yet")).to_be_visible()
    assert context.cookies() == []
    inner = next(one for one in page.frames if one.url.startswith(service.url))
    stored = inner.evaluate("JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])")
    assert "svc_session" not in stored
    # The name, the logo, the colour and the link back are the operator's.
    logo = frame.get_by_role("banner").locator("img")
    expect(logo).to_have_attribute("src", LOGO_URL)
    eventually(lambda: logo.evaluate("image => image.naturalWidth") == 48)
    expect(frame.get_by_role("banner")).to_contain_text("Acme Suite")
    button = frame.get_by_role("button", name="Create").first
    expect(button).to_have_css("background-color", "rgb(255, 204, 0)")
    expect(button).to_have_css("color", "rgb(0, 0, 0)")
    # After another code for the same person, the page stays as it is.
    page.evaluate("([code, target]) => give(code, target)", [code(brand), service.url])
    expect(frame.get_by_role("heading", name="No keys yet")).to_be_visible()
    frame.get_by_role("button", name="Sign out").click()
    expect(frame.get_by_role("heading", name="You are signed out")).to_be_visible()
    asked = page.evaluate("questions.length")
    frame.get_by_role("button", name="Sign in again").click()
    eventually(lambda: page.evaluate("questions.length") > asked)
    page.evaluate("([code, target]) => give(code, target)", [code(brand, "dana"), service.url])
    expect(frame.get_by_role("banner")).to_contain_text("Member")
    frame.get_by_role("link", name="Back to Acme Suite").click()
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    page.close()


def test_only_the_parent_can_send_a_code(context, embedding):
    service, origin, other_origin = embedding
    brand = service.brand()
    page, frame = open_host(context, origin, service)
    unused = code(brand)
    # The frame itself, and a window that the application has opened, are not the parent.
    inner = next(one for one in page.frames if one.url.startswith(service.url))
    inner.evaluate("code => postMessage({ type: 'svc-mcp:code', code }, location.origin)", unused)
    with context.expect_page() as opened:
        page.evaluate("address => { window.other = open(address) }", f"{other_origin}/home")
    other = opened.value
    expect(other.get_by_role("heading", name="Home")).to_be_visible()
    other.evaluate(
        "([code, target]) => opener.frames[0].postMessage({ type: 'svc-mcp:code', code }, target)", [unused, service.url])
    # A message of another form is ignored, and a wrong code is refused.
    page.evaluate("target => give({ not: 'text' }, target)", service.url)
    page.evaluate("([code, target]) => give(code, target)", ["svc_code_" + "A" * 43, service.url])
    expect(frame.get_by_role("heading", name="Your application could not sign you in")).to_be_visible()
    # The code still works, so the earlier messages with it were ignored.
    page.evaluate("([code, target]) => give(code, target)", [unused, service.url])
    expect(frame.get_by_role("heading", name="No keys yet")).to_be_visible()
    other.close()
    page.close()


def test_the_screens_of_the_frame_are_accessible(context, embedding, axe_source):
    service, origin, _ = embedding
    brand = service.brand()
    page, frame = open_host(context, origin, service)
    inner = next(one for one in page.frames if one.url.startswith(service.url))
    inner.evaluate(axe_source)
    page.evaluate("([code, target]) => give(code, target)", ["svc_code_" + "A" * 43, service.url])
    expect(frame.get_by_role("heading", name="Your application could not sign you in")).to_be_visible()
    assert inner.evaluate(RUN_AXE, {}) == []
    page.evaluate("([code, target]) => give(code, target)", [code(brand), service.url])
    expect(frame.get_by_role("heading", name="No keys yet")).to_be_visible()
    assert inner.evaluate(RUN_AXE, {}) == []
    page.close()


def test_an_origin_that_is_not_named_cannot_show_the_page(context, embedding):
    service, _, other_origin = embedding
    page = context.new_page()
    messages = []
    page.on("console", lambda message: messages.append(message.text))
    page.goto(other_origin)
    eventually(lambda: any("frame-ancestors" in text for text in messages))
    assert page.evaluate("questions") == []
    assert not any(one.url.startswith(service.url) for one in page.frames)
    page.close()
