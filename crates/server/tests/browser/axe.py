"""The accessibility and the width of what the page shows."""

import json

TOO_WIDE = """() => [document.documentElement, ...document.querySelectorAll(".dialog-body, .card")]
    .filter((place) => place.scrollWidth > place.clientWidth).map((place) => place.outerHTML)"""
RUN_AXE = "async () => (await axe.run(document, { resultTypes: ['violations'] })).violations"


def assert_accessible(page, axe_source, name):
    """Asserts that axe finds no violation and nothing is too wide, on a large light and a small dark screen."""
    page.evaluate(axe_source)
    for scheme, width in (("light", 1440), ("dark", 360)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        violations = page.evaluate(RUN_AXE)
        found = [(violation["id"], [node["html"] for node in violation["nodes"]]) for violation in violations]
        assert found == [], f"{name}, {scheme}: {json.dumps(found, indent=1)}"
        assert page.evaluate(TOO_WIDE) == []
