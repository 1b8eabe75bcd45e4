import pytest
from playwright.sync_api import expect

from axe import assert_accessible
from states import STATES, World, keys
from steps import dialog, open_settings, row, tab_to

@pytest.fixture(scope="module")
def world(service):
    return World(service)


@pytest.mark.parametrize("name", STATES)
def test_axe_finds_no_violation_and_nothing_is_too_wide(page, world, axe_source, name):
    STATES[name](page, world)
    assert_accessible(page, axe_source, name)


def test_the_layout_does_not_shift_while_the_page_loads(page, world):
    page.add_init_script("""
        window.shifted = 0;
        new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) window.shifted += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
    """)
    keys(page, world)
    assert page.evaluate("window.shifted") < 0.01


def test_reduced_motion_is_respected(page, world):
    page.emulate_media(reduced_motion="reduce")
    STATES["waiting-for-a-call"](page, world)
    assert page.locator(".spinner").evaluate("spinner => getComputedStyle(spinner).animationDuration") == "10s"


def test_a_key_is_created_copied_and_revoked_with_the_keyboard(page, brand):
    open_settings(page, brand.link())

    def press(*keys):
        for key in keys:
            page.keyboard.press(key)

    press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    tab_to(page, "Create key")
    press("Enter")
    expect(dialog(page).get_by_role("textbox", name="Label")).to_be_focused()
    page.keyboard.type("By keyboard")
    tab_to(page, "Can read", role="radio")
    press("ArrowDown")
    expect(dialog(page).get_by_label("Can read and write")).to_be_checked()
    tab_to(page, "Create key")
    press("Enter")
    expect(dialog(page).get_by_role("heading", name="“By keyboard” is ready")).to_be_focused()
    tab_to(page, "Copy the key")
    press("Enter")
    assert page.evaluate("navigator.clipboard.readText()").startswith("svc_mcp_")
    press("Escape")
    expect(dialog(page)).to_have_count(0)
    expect(page.get_by_role("button", name="Create key")).to_be_focused()

    tab_to(page, "Revoke By keyboard")
    press("Enter")
    tab_to(page, "Revoke key")
    press("Enter")
    expect(row(page, "By keyboard")).to_have_count(0)
    expect(page.get_by_role("heading", name="MCP keys")).to_be_focused()


def test_focused_elements_have_an_outline(page, world):
    keys(page, world)
    for _ in range(12):
        page.keyboard.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", page.evaluate("document.activeElement.outerHTML")


def test_the_focus_stays_inside_an_open_dialog(page, world):
    STATES["revoke"](page, world)
    for _ in range(8):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement === document.body || document.querySelector('dialog').contains(document.activeElement)")


def test_changes_are_announced(page, brand):
    brand.create_key("Laptop")
    open_settings(page, brand.link())
    page.get_by_role("button", name="Show the secret of Laptop").click()
    announced = dialog(page).locator("> [role=status]")
    expect(announced).to_have_text("The secret is shown for 30 seconds.")
    page.evaluate("dispatchEvent(new Event('blur'))")
    expect(announced).to_have_text("The secret is hidden.")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Revoke Laptop").click()
    dialog(page).get_by_role("button", name="Revoke key").click()
    expect(page.locator("#toasts[role=status]")).to_contain_text("was revoked")
