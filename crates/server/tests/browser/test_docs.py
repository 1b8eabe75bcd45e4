"""The API reference at /docs."""

import json

from playwright.sync_api import Page, expect


def test_reference_shows_operations_and_runs_a_request(page: Page, service, brand):
    page.goto(f"{service.url}/docs")
    operation = page.locator("#operations-tools-list_tools")
    expect(operation).to_contain_text("List the tools this key may call")
    page.get_by_role("button", name="Authorize").first.click()
    key = brand.create_key("reference")
    page.locator(".auth-container", has_text="mcp_key").get_by_role("textbox").fill(key["api_key"])
    page.locator(".auth-container", has_text="mcp_key").get_by_role("button", name="Apply credentials").click()
    page.locator(".auth-container", has_text="mcp_key").get_by_role("button", name="Close").click()
    operation.locator(".opblock-summary").click()
    operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table tbody .response-col_status")).to_contain_text("200")


def test_operations_can_be_filtered(page: Page, service):
    page.goto(f"{service.url}/docs")
    page.get_by_placeholder("Filter by tag").fill("operator")
    expect(page.locator("#operations-tag-operator")).to_be_visible()
    expect(page.locator("#operations-tag-tools")).to_be_hidden()


def test_error_codes_can_be_linked(page: Page, service):
    status, problem = service.request("GET", "/mcp/v1/tools", "wrong")
    assert status == 401, json.dumps(problem)
    page.goto(service.url + problem["type"])
    expect(page.locator("tr:target")).to_contain_text("key_invalid")


def test_narrow_page_does_not_scroll_sideways(page: Page, service):
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{service.url}/docs")
    page.locator("#operations-tools-call_tool .opblock-summary").click()
    expect(page.locator("#operations-tools-call_tool").get_by_role("button", name="Execute")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
