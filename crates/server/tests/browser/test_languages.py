"""The texts of the page: every language has every text, and the page shows the language that the browser prefers."""

import pathlib
import re

import pytest
from playwright.sync_api import expect

from conftest import serve_files_of_working_copy
from service import REPOSITORY

PAGE = REPOSITORY / "crates/server/ui"
LANGUAGES = sorted(folder.name for folder in (PAGE / "lang").iterdir() if folder.is_dir())
MESSAGE = re.compile(r"^(-?[a-z][\w-]*) =", re.M)
ATTRIBUTE = re.compile(r"^ +\.([a-z][\w-]*) =", re.M)


def messages(path: pathlib.Path) -> dict[str, tuple]:
    """The attributes and variables of each message."""
    parts = MESSAGE.split(re.sub(r"^#.*\n", "", path.read_text(), flags=re.M))
    return {
        name: (sorted(ATTRIBUTE.findall(body)), sorted(set(re.findall(r"\$(\w+)", body))))
        for name, body in zip(parts[1::2], parts[2::2])
    }


def scripts() -> str:
    return "\n".join(path.read_text() for path in PAGE.rglob("*.js") if not {"vendor", "docs"} & set(path.parts))


def test_the_page_has_six_languages():
    assert LANGUAGES == ["de", "en", "es", "fr", "ja", "pt"]
    offered = re.search(r"const LANGUAGES = (\[.*\]);", (PAGE / "lang/lang.js").read_text()).group(1)
    assert sorted(re.findall(r"\w+", offered)) == LANGUAGES


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_a_language_has_every_text(language):
    for english in sorted((PAGE / "lang/en").glob("*.ftl")):
        translated = messages(PAGE / "lang" / language / english.name)
        for name, (attributes, variables) in messages(english).items():
            assert name in translated, f"{language}/{english.name} has no {name}"
            got_attributes, got_variables = translated[name]
            assert got_attributes == attributes, f"{language}/{english.name}: attributes of {name}"
            assert set(got_variables) <= set(variables), f"{language}/{english.name}: {name} has no such variable"
            lost = set(variables) - set(got_variables)
            # A language without plural forms may leave out the number that only selects the form.
            assert not lost - {"count"}, f"{language}/{english.name}: {name} does not show {lost}"
        assert not translated.keys() - messages(english).keys(), f"{language}/{english.name} has texts that English does not have"


def test_every_text_of_the_scripts_exists_and_every_text_is_used():
    known = {name for path in (PAGE / "lang/en").glob("*.ftl") for name in messages(path)}
    code = scripts()
    used = {name.split(".")[0] for name in re.findall(r"""\bt\(\s*"([\w.-]+)\"""", code)}
    assert used <= known, f"no text: {sorted(used - known)}"
    named = set(re.findall(r"""["'`]([a-z][a-z0-9-]+)["'`.]""", code))
    patterns = [re.compile(re.sub(r"\\\$\\\{[^}]*\\\}", r"[\\w-]+", re.escape(text)) + "$") for text in re.findall(r"`([a-z][\w-]*-\$\{[^`]*)`", code)]
    unused = {name for name in known - named if not any(pattern.match(name) for pattern in patterns)}
    assert not unused, f"not used: {sorted(unused)}"


@pytest.mark.parametrize("locale, language, title", [
    ("de-AT", "de", "MCP-Schlüssel"), ("es-MX", "es", "Claves MCP"), ("fr-CA", "fr", "Clés MCP"),
    ("ja-JP", "ja", "MCPキー"), ("pt-BR", "pt", "Chaves MCP"), ("it-IT", "en", "MCP keys"),
])
def test_the_page_speaks_the_language_of_the_browser(browser, brand, locale, language, title):
    context = browser.new_context(locale=locale)
    serve_files_of_working_copy(context)
    page = context.new_page()
    page.goto(brand.link())
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
    assert page.locator("html").get_attribute("lang") == language
    context.close()
