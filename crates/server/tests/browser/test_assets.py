"""The assets of the page: size, content security policy, requests and types."""

import pathlib
import re
import subprocess
import urllib.request

from playwright.sync_api import expect

from service import REPOSITORY, WAIT_TIMEOUT
from steps import open_settings, show_activity

PAGE = REPOSITORY / "crates/server/ui"
SERVED = sorted(path for path in PAGE.rglob("*") if path.suffix in (".html", ".css", ".js", ".svg") and not {"vendor", "docs"} & set(path.parts))
MAX_FIRST_VIEW_BYTES = 62_000
MAX_FIRST_VIEW_ANSWERS = 42
PRELOAD = r'<link rel="modulepreload" href="assets/([^"]+)"[^>]*>'
# They start the others, so they have an element of their own.
STARTED = {"app/early.js", "app/main.js", "app/views.js"}
COMPILER = REPOSITORY / "target/axe/node_modules/typescript/bin/tsc"
MAX_LINES = 300


def test_the_first_view_is_small_on_the_wire(browser, brand):
    """At 1 Mbit/s each answer takes at least 12 ms (Chromium counts packets of 1,500 bytes). The time is printed (`pytest -s`), and never asserted."""
    # Not the `context` of the other tests: only the service compresses the files.
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("""
        new MutationObserver(() => { window.usableAt ??= document.querySelector("main .empty button") && performance.now(); })
            .observe(document, { childList: true, subtree: true });
    """)
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    megabit = 1_000_000 / 8
    network.send("Network.emulateNetworkConditions", {"offline": False, "latency": 20, "downloadThroughput": megabit, "uploadThroughput": megabit})
    sizes = []
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    open_settings(page, brand.link())
    expect(page.get_by_role("heading", name="No keys yet")).to_be_visible()
    print(f"\nfirst view: {sum(sizes):,.0f} bytes in {len(sizes)} answers, usable after {page.evaluate('usableAt'):,.0f} ms at 1 Mbit/s")
    context.close()
    assert 0 < sum(sizes) <= MAX_FIRST_VIEW_BYTES
    assert len(sizes) <= MAX_FIRST_VIEW_ANSWERS


def test_exactly_what_the_first_view_loads_is_preloaded(watched, brand):
    """Else loading is a chain of round trips, or loads what is not needed."""
    page, markup = watched.page, (PAGE / "index.html").read_text()
    without = re.sub(PRELOAD, "", markup)
    page.route(re.compile(r"/settings/mcp([?#].*)?$"), lambda route: route.fulfill(response=route.fetch(), body=without))
    open_settings(page, brand.link())
    page.wait_for_load_state("networkidle")
    loaded = {request.split("/settings/assets/")[1] for request in watched.requests if request.endswith(".js")}
    assert sorted(re.findall(PRELOAD, markup)) == sorted(loaded - STARTED)


def test_no_view_loads_the_code_of_another(watched, brand):
    page = watched.page
    open_settings(page, brand.link())
    page.wait_for_load_state("networkidle")
    assert not [request for request in watched.requests if "/views/activity/" in request or request.endswith("activity.ftl")]
    show_activity(page)
    assert [request for request in watched.requests if "/views/activity/" in request]


def test_the_page_loads_its_data_once(watched, brand):
    page = watched.page
    page.clock.install()
    open_settings(page, brand.link())
    page.wait_for_load_state("networkidle")
    asked = [request for request in watched.requests if "/api/" in request]
    own = f"{brand.service.url}/api"
    assert sorted(asked) == sorted([
        f"POST {own}/session", f"GET {own}/me", f"GET {own}/brands/{brand.brand_id}/members",
        f"GET {own}/brands/{brand.brand_id}/mcp-keys?include_revoked=true&limit=100",
        f"GET {own}/brands/{brand.brand_id}/approvals?status=pending&limit=20", f"GET {own}/brands/{brand.brand_id}/approval-settings",
    ])
    # After that only what waits for approval is asked for again, once a minute.
    with page.expect_response("**/approvals?*"):
        page.clock.run_for(16_000)
    before = len(watched.requests)
    page.clock.run_for("30:00")
    page.wait_for_load_state("networkidle")
    later = watched.requests[before:]
    assert set(later) == {f"GET {own}/brands/{brand.brand_id}/approvals?status=pending&limit=20"}
    assert len(later) <= 30


def test_the_content_security_policy_is_strict(context, brand):
    page = context.new_page()
    answer = page.goto(f"{brand.service.url}/settings/mcp")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "require-trusted-types-for 'script'" in policy
    assert "unsafe" not in policy and "*" not in policy and "http" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    page.evaluate("window.broken = []; addEventListener('securitypolicyviolation', (event) => broken.push(event.violatedDirective))")
    assert page.evaluate("fetch('https://example.com').then(() => 'sent', () => 'refused')") == "refused"
    page.wait_for_function("broken.includes('connect-src')")


def test_no_script_converts_text_to_markup_or_code():
    forbidden = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\b|new Function|setHTML|localStorage|sessionStorage|document\.cookie|console\.")
    for path in SERVED:
        assert not forbidden.search(path.read_text()), path.name


def test_markup_has_no_inline_code_or_style_and_no_other_host():
    markup = (PAGE / "index.html").read_text()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc=)", markup)
    for path in SERVED:
        addresses = set(re.findall(r"https?://[^\s\"'`<)]+", path.read_text()))
        assert addresses <= {"http://www.w3.org/2000/svg"}, path.name


def test_files_are_short():
    for path in [*SERVED, *pathlib.Path(__file__).parent.glob("*.py")]:
        assert len(path.read_text().splitlines()) <= MAX_LINES, path.name
    assert all(path.read_text().startswith("// @ts-check\n") for path in SERVED if path.suffix == ".js")


def test_the_types_are_valid():
    checked = subprocess.run(["node", COMPILER, "--noEmit", "-p", PAGE / "jsconfig.json"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


def test_a_script_is_served_without_comments_and_otherwise_as_it_is(service, tmp_path):
    """The service removes them without parsing the script. Here the compiler removes them, from the file and from what is served."""
    names = [str(path.relative_to(PAGE)) for path in PAGE.rglob("*.js") if "vendor" not in path.parts]

    def compiled(kind, read):
        for name in names:
            path = tmp_path / kind / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(read(name))
        folder = tmp_path / f"{kind}-compiled"
        options = ["--allowJs", "--noCheck", "--noResolve", "--removeComments", "--target", "esnext", "--module", "esnext"]
        done = subprocess.run(
            ["node", COMPILER, *options, "--rootDir", tmp_path / kind, "--outDir", folder, *(tmp_path / kind / name for name in names)],
            capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
        return {name: (folder / name).read_text() for name in names}

    def served(name):
        with urllib.request.urlopen(f"{service.url}/settings/assets/{name}", timeout=WAIT_TIMEOUT) as answer:
            return answer.read()

    assert len(served("app/main.js")) < (PAGE / "app/main.js").stat().st_size
    ours = compiled("ours", lambda name: (PAGE / name).read_bytes())
    theirs = compiled("theirs", served)
    assert [name for name in names if ours[name] != theirs[name]] == []
