"""The texts of the page: every language has every text, and the page shows the language that the browser prefers."""

import pathlib
import re

import pytest
from playwright.sync_api import expect

from conftest import serve_files_of_working_copy
from service import REPOSITORY, WAIT_TIMEOUT

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


@pytest.mark.parametrize("locale, skip, settings, length, when", [
    ("en-US", "Skip to content", "Settings", "18 of 10,000 characters", "Jan 31, 2027, 9:00 AM"),
    ("de-DE", "Zum Inhalt springen", "Einstellungen", "18 von 10.000 Zeichen", "31.01.2027, 09:00"),
    ("es-ES", "Saltar al contenido", "Configuración", "10.000", "31 ene 2027, 9:00"),
    ("fr-FR", "Aller au contenu", "Paramètres", "10 000", "31 janv. 2027, 09:00"),
    ("ja-JP", "コンテンツへスキップ", "設定", "10,000", "2027/01/31 9:00"),
    ("pt-BR", "Ir para o conteúdo", "Configurações", "10.000", "31 de jan. de 2027, 09:00"),
])
def test_dates_and_numbers_are_as_the_language_has_them(browser, brand, locale, skip, settings, length, when):
    agent = brand.create_key("Agent", scope="write")
    post = {"text": "Fresh beans today.", "channels": ["feed"], "mode": "schedule", "scheduled_at": "2027-01-31T09:00:00Z"}
    brand.result(agent, "create_post", post)
    context = browser.new_context(locale=locale, timezone_id="UTC", viewport={"width": 1280, "height": 900})
    context.set_default_timeout(WAIT_TIMEOUT * 1000)
    serve_files_of_working_copy(context)
    page = context.new_page()
    page.goto(brand.link().replace("#", "?view=posts#"))
    page.locator(".chips span").last.click()
    expect(page.locator("table.events")).to_contain_text(when)
    page.locator("table.events th button").click()
    expect(page.locator(".post-card-length")).to_contain_text(length)
    expect(page.locator(".skip")).to_have_text(skip)
    expect(page.get_by_role("banner")).to_contain_text(f"{settings} MCP")
    context.close()
