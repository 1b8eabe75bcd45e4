"""The TOML editor over random documents, compared with tomllib."""

import json
import tomllib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from installing import bridge

ENTRY = {"command": "C:\\python.exe", "args": ["/a b/é.py"], "env": {"SVC_API_URL": "https://x", "SVC_MCP_KEY": "k"}}
FORM = bridge.TomlFormat("mcp_servers")
PROPERTY = settings(max_examples=100, deadline=None, database=None, suppress_health_check=list(HealthCheck))

TABLES = [
    "[a]",
    "[ a . b ]",
    "[mcp_servers]",
    "[mcp_servers.git]",
    '[mcp_servers."git.x".env]',
    "[[list]]",
    "[svc-mcp]",
]
KEYS = ["x", "y", '"quoted key"', "'literal'", "dotted.key", "1"]
VALUES = [
    "1", "-1_000", "0xff", "1.5e3", "inf", "true", "1979-05-27T07:32:00Z", "1979-05-27 07:32:00", "07:32:00",
    '"text # not a comment"', r'"esc \" \\ \u00e9"', r"'C:\x'", '"""\n[mcp_servers.svc-mcp]\n"""', '"""a""b\\"""c"""',
    "'''\n[x]\n'''", '""""quoted""""', "[]", '[ "a", # note ]\n  [1, 2], ]', "{}", '{ a = 1, b = { "c" = "}" } }',
]  # fmt: skip
GAPS = ["", "\n", "# note [x]\n", "\n\n", "   \n"]
ENDINGS = ["", "\n", "\n\n", "\n# end", "\n  "]


@st.composite
def documents(draw):
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    lines = [""] + draw(st.lists(st.sampled_from(TABLES), max_size=4, unique=True))
    text = ""
    for table in lines:
        text += draw(st.sampled_from(GAPS)) + (draw(st.sampled_from(["", "  "])) + table + "\n" if table else "")
        for key in draw(st.lists(st.sampled_from(KEYS), max_size=3, unique=True)):
            text += f"{key} = {draw(st.sampled_from(VALUES))}{draw(st.sampled_from(['', ' # note', '  ']))}\n"
    return (text.rstrip("\n") + draw(st.sampled_from(ENDINGS))).replace("\n", newline)


@PROPERTY
@given(text=documents())
def test_an_entry_is_added_updated_and_removed(text):
    before = tomllib.loads(text)
    installed, undo = FORM.install(text, ENTRY)
    after = tomllib.loads(installed)
    assert after["mcp_servers"].pop("svc-mcp") == ENTRY
    assert after == {"mcp_servers": {}, **before}
    assert installed.startswith(text)
    assert FORM.install(installed, ENTRY) == (installed, None)
    assert FORM.uninstall(installed, undo) == text


@PROPERTY
@given(text=documents(), more=st.sampled_from(["[more]\nz = 1\n", "\n# note\n[more]\nz = 1", "[[more]]\n"]))
def test_what_was_added_behind_the_entry_stays(text, more):
    more = more.replace("\n", bridge.newline_of(text))
    installed, undo = FORM.install(text, ENTRY)
    removed = FORM.uninstall(installed + more, undo)
    assert tomllib.loads(removed) == {**tomllib.loads(text), **tomllib.loads(more)}
    assert removed.endswith(more) and removed.startswith(text)
    assert tomllib.loads(FORM.uninstall(installed + more, None)) == tomllib.loads(removed)


@PROPERTY
@given(text=st.text(alphabet="[]{}=.,\"'\\#\n\r ab1-", max_size=40))
def test_the_scanner_accepts_all_that_tomllib_accepts_and_nothing_else(text):
    try:
        tomllib.loads(text)
        is_valid = True
    except ValueError:
        is_valid = False
    try:
        bridge.TomlText(text)
        assert is_valid
    except bridge.ConfigSyntaxError as error:
        assert not is_valid and 0 <= error.offset <= len(text) + 1


@pytest.mark.parametrize("value", VALUES)
def test_the_scanner_alone_reads_every_kind_of_value(value, monkeypatch):
    monkeypatch.setattr(bridge.TomlText, "check_with_tomllib", lambda self: None)  # as before Python 3.11
    document = bridge.TomlText(f"a = {value}\nb = 1\n")
    assert [statement.path for statement in document.statements] == [("a",), ("b",)]
    assert document.raw(document.statements[0]) == value


@pytest.mark.parametrize(
    "text, place",
    [
        ("a = ", "line 1, column 5"),
        ("a = 1\nb = [1, 2\n", "line 3, column 1"),
        ("a = 1\n[b\n", "line 2, column 3"),
        ("a = 'x\n", "line 1, column 5"),
        ("a = 1 2\n", "line 1, column 7"),
        ("ok = 1\n= 1\n", "line 2, column 1"),
        ("a = 1\na = 2\n", "line 2, column 1"),
        ("[a]\n[b]\n[a]\n", "line 3, column 1"),
        ("a = yes\n", "line 1, column 5"),
        ("a = " + "[" * 200, "line 1, column 106"),
    ],
)
def test_a_fault_is_named_with_line_and_column_on_every_python(text, place, monkeypatch):
    monkeypatch.setattr(bridge.TomlText, "check_with_tomllib", lambda self: None)
    with pytest.raises(bridge.ConfigSyntaxError) as raised:
        bridge.TomlText(text)
    assert bridge.line_and_column(text, raised.value.offset) == place


def test_what_only_tomllib_finds_has_a_line_and_column():
    with pytest.raises(bridge.ConfigSyntaxError) as raised:
        bridge.TomlText("a = 1\r\nb = 1__0\r\n")
    assert bridge.line_and_column("a = 1\r\nb = 1__0\r\n", raised.value.offset).startswith("line 2")


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = { git = { command = "x" } }\n',
        '[mcp_servers]\nsvc-mcp = { command = "x" }\n',
        '[mcp_servers]\nsvc-mcp.command = "x"\n',
        'mcp_servers.svc-mcp.command = "x"\n',
        "[[mcp_servers]]\na = 1\n",
        "[[mcp_servers.svc-mcp]]\na = 1\n",
    ],
)
def test_an_entry_in_another_form_is_left_alone(text):
    tomllib.loads(text)
    with pytest.raises(bridge.InstallError, match="line [12], column 1"):
        FORM.install(text, ENTRY)


@pytest.mark.parametrize(
    "text",
    [
        "[mcp_servers.svc-mcp]\n",
        "[mcp_servers.svc-mcp]",
        '[ mcp_servers . "svc-mcp" ]\ncommand = "old" # mine\nenv = { SVC_API_URL = "old", TZ = "UTC" }\nkeep = 1\n[b]\n',
        "[mcp_servers.svc-mcp]\nenv = {}\nkeep = 1\n",
        "[mcp_servers.svc-mcp]\nenv.TZ = 'UTC'\nkeep = 1\n\n[b]\nc = 1",
        "[mcp_servers.svc-mcp.env]\nTZ = 'UTC'\n[b]\n[mcp_servers.svc-mcp]\nkeep = 1",
        "[mcp_servers.svc-mcp]\nargs = [\n  'a', # first\n]\n\n[mcp_servers.svc-mcp.tools.x]\nkeep = 1\n",
    ],
)
def test_an_existing_entry_is_changed_in_place(text):
    before = tomllib.loads(text)["mcp_servers"].pop("svc-mcp")
    installed, undo = FORM.install(text, ENTRY)
    assert undo is None
    document = tomllib.loads(installed)
    entry = document["mcp_servers"].pop("svc-mcp")
    assert entry["env"] == {**before.get("env", {}), **ENTRY["env"]}
    assert entry == {**before, **ENTRY, "env": entry["env"]}
    assert ("# mine" in installed) == ("# mine" in text) and ("[b]" in installed) == ("[b]" in text)
    assert FORM.install(installed, ENTRY)[0] == installed
    removed = FORM.uninstall(installed, None)
    assert "svc-mcp" not in removed and tomllib.loads(removed).get("b") == tomllib.loads(text).get("b")


@PROPERTY
@given(text=st.text(max_size=30).filter(lambda text: text.isprintable() or "\x7f" in text))
def test_every_string_can_be_written(text):
    assert tomllib.loads(f"a = {bridge.toml_value([text])}") == {"a": [text]}
    assert json.loads(json.dumps(text)) == text
