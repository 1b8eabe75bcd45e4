"""The JSON editor over random documents with comments, trailing commas and any spacing, compared with json5."""

import json

import json5
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from installing import bridge

ENTRY = {"command": "C:\\python.exe", "args": ["/a b/é.py"], "env": {"SVC_API_URL": "https://x", "SVC_MCP_KEY": "k"}}
GAPS = ["", "", " ", "\n", "\r\n", "\t", "\n\n    ", " // note, {\n", "/* } */", " /* a\n b */ ", "//\r\n\t"]
NAMES = ["a", "b", "servers", "inputs", "svc-mcp", "", "é", 'quo"te', "back\\slash", "//", "/*"]
PROPERTY = settings(max_examples=100, deadline=None, database=None, suppress_health_check=list(HealthCheck))
FORMATS = [bridge.JsonFormat("servers"), bridge.JsonFormat("servers", uses_key_input=True)]

gaps = st.sampled_from(GAPS)
names = st.sampled_from(NAMES)
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.just({"id": "svc-mcp-key"}))


@st.composite
def written(draw, value):
    """A text for this value."""
    if not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=draw(st.booleans()))
    opening, close = "{}" if isinstance(value, dict) else "[]"
    parts = []
    for item in value.items() if isinstance(value, dict) else [(None, item) for item in value]:
        name, inner = item
        text = draw(written(inner))
        if name is not None:
            text = json.dumps(name) + draw(gaps) + ":" + draw(gaps) + text
        parts.append(draw(gaps) + text + draw(gaps))
    trailing = "," + draw(gaps) if parts and draw(st.booleans()) else ""
    return opening + ",".join(parts) + trailing + (draw(gaps) if not parts else "") + close


values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4), max_leaves=12
)
objects = st.dictionaries(names, values, max_size=4)


@st.composite
def documents(draw):
    return draw(gaps) + draw(written(draw(objects))) + draw(gaps)


def without_entry(value):
    """The values that --install must not touch."""
    value.get("servers", {}).pop("svc-mcp", None)
    if isinstance(value.get("inputs"), list):
        value["inputs"] = [item for item in value["inputs"] if item != {"id": "svc-mcp-key"} and not is_key_input(item)]
    return {name: inner for name, inner in value.items() if inner not in ({}, [])}


def is_key_input(item):
    return isinstance(item, dict) and item.get("id") == "svc-mcp-key"


@pytest.mark.parametrize("form", FORMATS)
@PROPERTY
@example(text='{"inputs":[{"id":"svc-mcp-key"}]}')
@given(text=documents())
def test_an_entry_is_added_updated_and_removed(form, text):
    before = json5.loads(text)
    servers, inputs = before.get("servers", {}), before.get("inputs", [])
    had_entry = isinstance(servers, dict) and "svc-mcp" in servers
    had_input = form.uses_key_input and isinstance(inputs, list) and any(map(is_key_input, inputs))
    try:
        installed, undo = form.install(text, ENTRY)
    except bridge.InstallError:
        entry = servers.get("svc-mcp") if had_entry else None
        assert (
            not isinstance(servers, dict)
            or not isinstance(inputs, list)
            or (isinstance(entry, dict) and not isinstance(entry.get("env", {}), dict))
        )
        return
    after = json5.loads(installed)
    assert after["servers"]["svc-mcp"].items() >= {**ENTRY, "env": after["servers"]["svc-mcp"]["env"]}.items()
    assert after["servers"]["svc-mcp"]["env"].items() >= ENTRY["env"].items()
    if form.uses_key_input:
        assert any(is_key_input(item) and item["password"] is True for item in after["inputs"])
    assert without_entry(after) == without_entry(before)
    assert form.install(installed, ENTRY)[0] == installed
    removed = form.uninstall(installed, undo)
    # An input that was there stays hidden afterwards.
    if not had_entry and not had_input:
        assert removed == text
    else:
        assert without_entry(json5.loads(removed)) == without_entry(before)
        assert "svc-mcp" not in json5.loads(removed).get("servers", {})


@PROPERTY
@given(text=documents(), data=st.data())
def test_any_member_or_item_can_be_removed(text, data):
    document = bridge.JsonText(text)
    containers = [document.root]
    for node in containers:
        containers += [part.node for part in node.parts if part.node.parts is not None]
    node = data.draw(st.sampled_from([node for node in containers if node.parts] or [None]))
    assume(node)
    part = data.draw(st.sampled_from(node.parts))
    if isinstance(node.value, dict):
        del node.value[part.name]
    else:
        del node.value[node.parts.index(part)]
    after = document.remove(node, part)
    assert bridge.JsonText(after).root.value == document.root.value
    json5.loads(after)


@PROPERTY
@given(text=st.text(alphabet='{}[]:,"\\/*\n\r\t a1-.eutrfalsn\u00e9', max_size=40))
def test_the_parser_accepts_nothing_that_json5_refuses(text):
    try:
        root = bridge.JsonText(text).root
    except bridge.ConfigSyntaxError as error:
        assert 0 <= error.offset <= len(text)
        return
    if root is not None:
        json5.loads(text)


@PROPERTY
@given(value=values)
def test_the_parser_accepts_all_json(value):
    root = bridge.JsonText(json.dumps(value, indent=2)).root
    assert as_python(root) == value


def as_python(node):
    if isinstance(node.value, dict):
        return {part.name: as_python(part.node) for part in node.parts}
    if isinstance(node.value, list):
        return [as_python(part.node) for part in node.parts]
    return json.loads(node.value[1]) if isinstance(node.value, tuple) else node.value


@pytest.mark.parametrize(
    "text, place",
    [
        ('{"a": 1', "line 1, column 8"),
        ('{\n  "a": 1\n  "b": 2\n}', "line 3, column 3"),
        ("{\n  'a': 1\n}", "line 2, column 3"),
        ('{\r\n  "a": tru\r\n}', "line 2, column 8"),
        ('{"a": "x\ny"}', "line 1, column 7"),
        ("{} {}", "line 1, column 4"),
        ("{,}", "line 1, column 2"),
        ('{"a": 1,,}', "line 1, column 9"),
        ("{ /* open }", "line 1, column 3"),
        ('{"a"}', "line 1, column 5"),
        ('{"a": 01}', "line 1, column 8"),
        ("[" * 200, "line 1, column 102"),
    ],
)
def test_a_fault_is_named_with_line_and_column(text, place):
    with pytest.raises(bridge.ConfigSyntaxError) as raised:
        bridge.JsonText(text)
    assert bridge.line_and_column(text, raised.value.offset) == place


def test_what_follows_a_line_comment_stays_outside_of_it():
    text = '{ // note\n  "a": 1, "b": 2 }'
    document = bridge.JsonText(text)
    assert json5.loads(document.remove(document.root, document.root.parts[0])) == {"b": 2}
