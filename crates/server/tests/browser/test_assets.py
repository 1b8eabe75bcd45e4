"""The assets of the page: size, content security policy, requests and types."""

import pathlib
import re
import subprocess

from service import REPOSITORY
from steps import open_settings

PAGE = REPOSITORY / "crates/server/ui"
SERVED = sorted(path for path in PAGE.rglob("*") if path.suffix in (".html", ".css", ".js", ".svg") and not {"vendor", "docs"} & set(path.parts))
MAX_TOTAL_BYTES = 150_000
MAX_LINES = 300


def test_all_assets_together_stay_small(page, brand):
    sizes = {}
    page.on("requestfinished", lambda request: sizes.update({request.url: len(request.response().body())}) if "/settings/" in request.url else None)
    open_settings(page, brand.link())
    page.wait_for_load_state("networkidle")
    scripts = [path for path in SERVED if path.suffix == ".js"]
    assert len([url for url in sizes if url.endswith(".js")]) == len(scripts), "every script is loaded"
    assert sum(sizes.values()) < MAX_TOTAL_BYTES


def test_the_page_loads_its_data_once(watched, brand):
    page = watched.page
    page.clock.install()
    open_settings(page, brand.link())
    page.wait_for_load_state("networkidle")
    asked = [request for request in watched.requests if "/api/" in request]
    own = f"{brand.service.url}/api"
    assert sorted(asked) == sorted([
        f"POST {own}/session", f"GET {own}/me", f"GET {own}/tools", f"GET {own}/brands/{brand.brand_id}/members",
        f"GET {own}/brands/{brand.brand_id}/mcp-keys?include_revoked=true&limit=100",
        f"GET {own}/brands/{brand.brand_id}/approvals?status=pending&limit=20", f"GET {own}/brands/{brand.brand_id}/approval-settings",
    ])
    before = len(watched.requests)
    page.clock.run_for("30:00")
    page.wait_for_load_state("networkidle")
    assert len(watched.requests) == before


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
    compiler = REPOSITORY / "target/axe/node_modules/typescript/bin/tsc"
    checked = subprocess.run(["node", compiler, "--noEmit", "-p", PAGE / "jsconfig.json"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
