"""The accessibility and the width of what the page shows."""

import json

TOO_WIDE = """() => [document.documentElement, ...document.querySelectorAll(".dialog-body, .card")]
    .filter((place) => place.scrollWidth > place.clientWidth).map((place) => place.outerHTML)"""
RUN_AXE = "async (more) => (await axe.run(document, { resultTypes: ['violations'], ...more })).violations"
# Only the contrast depends on the scheme.
CONTRAST = {"runOnly": ["color-contrast"]}
# The schemes at each width, and the rules that they need.
CHECKS = {1440: (("light", {}), ("dark", CONTRAST)), 1024: (), 768: (), 360: (("light", CONTRAST), ("dark", {}))}


def assert_accessible(page, axe_source, name):
    """Asserts that axe finds no violation on large and small screens, light and dark, and that nothing is too wide at any width."""
    page.evaluate(axe_source)
    for width, schemes in CHECKS.items():
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(TOO_WIDE) == [], f"{name}: too wide at {width} px"
        for scheme, more in schemes:
            page.emulate_media(color_scheme=scheme)
            violations = page.evaluate(RUN_AXE, more)
            found = [(violation["id"], [node["html"] for node in violation["nodes"]]) for violation in violations]
            assert found == [], f"{name}, {scheme}, {width} px: {json.dumps(found, indent=1)}"
