"""--install, --uninstall and --list-clients: all clients, into the files that people have."""

import json

import pytest

from harness import KEY, SCRIPT
from installing import CLIENTS, INPUT, OTHER_KEY, PLAIN_JSON, SECTIONS, URL, Computer, bridge, parse_as

JSON_CLIENTS = [name for name in CLIENTS if name != "codex"]
PLATFORMS = ("linux", "darwin", "win32")

# SECTION is replaced by the name of the client's section.
JSON_FILES = {
    "empty file": "",
    "blank lines": "\n\n",
    "empty object": "{}",
    "empty object with a space": "{ }\n",
    "empty object on two lines": "{\n}\n",
    "empty section": '{\n  "SECTION": {}\n}\n',
    "other settings": '{\n  "theme": "dark",\n  "size": 1.50\n}\n',
    "other servers": '{\n  "SECTION": {\n    "git": {\n      "command": "uvx",\n      "args": ["mcp-server-git"]\n    }\n  },\n  "last": null\n}\n',
    "tabs": '{\n\t"SECTION": {\n\t\t"git": {"command": "uvx"}\n\t}\n}',
    "CRLF": '{\r\n    "SECTION": {\r\n        "git": {\r\n            "command": "uvx"\r\n        }\r\n    }\r\n}\r\n',
    "one line": '{"SECTION": {"git": {"command": "uvx", "args": []}}, "a": [1, 2]}',
    "minified": '{"SECTION":{"git":{"command":"uvx"}},"n":1e5}',
    "byte order mark": '\ufeff{\n  "SECTION": {}\n}\n',
    "no final newline": '{\n   "a": true\n}',
    "the same names elsewhere": '{\n  "projects": {\n    "/x": {"SECTION": {"svc-mcp": {"command": "other"}}}\n  },\n  "svc-mcp": 1\n}\n',
    "non-ASCII text": '{\n  "größe": "😀 \\ud83d\\ude00 \\u00e9",\n  "SECTION": {"日本": {"command": "é"}}\n}\n',
    "brace on the last line": '{\n  "a": {\n    "b": 1 } }\n',
}
JSONC_FILES = {
    "comments": '// top\n{\n  // before\n  "SECTION": { // here\n    /* git */ "git": {"command": "uvx"} // after\n    // end\n  } /* tail */\n}\n// bottom\n',
    "only comments": "// Zed settings\n//\n",
    "only a comment without newline": "/* nothing */",
    "a comment in an empty object": '{\n  "SECTION": { // none yet\n  }\n}\n',
    "a block comment in an empty object": '{ "SECTION": { /* none */ } }',
    "text like a comment in strings": '{\n  "url": "http://x/*y*/", // real\n  "SECTION": {"a": {"command": "//"}}\n}\n',
}
TRAILING_COMMA_FILES = {
    "trailing commas": '{\n  "SECTION": {\n    "git": {"args": ["a",],}, // note\n  },\n}\n',
    "a trailing comma on one line": '{"SECTION": {"git": {}, }, }',
}
TOML_FILES = {
    "empty file": "",
    "blank lines": "\n\n",
    "only a comment": "# Codex",
    "other settings": 'model = "o3"\n\n[tui]\nnotifications = true\n',
    "other servers": '[mcp_servers.git]\ncommand = "uvx"\nargs = [\n  "mcp-server-git", # note\n]\nenv = { "A" = "1" }\n\n[mcp_servers."svc-mcp.other"]\ncommand = "x"\n',
    "no final newline": '[a]\nb = """x\n[mcp_servers.svc-mcp]\n"""',
    "CRLF": "a = 1\r\n\r\n[mcp_servers.git]\r\ncommand = 'C:\\x'\r\n",
    "byte order mark": "\ufeffa = 1\n",
    "a section header": '[mcp_servers]\ngit.command = "uvx"\n',
    "array tables": "[[hooks]]\na = 1\n[[hooks]]\na = 2\n",
    "the same names elsewhere": "[profiles.mcp_servers.svc-mcp]\ncommand = 'other'\n",
}


def files_for(client):
    if client == "codex":
        return TOML_FILES
    return {
        **JSON_FILES,
        **(JSONC_FILES if client not in PLAIN_JSON else {}),
        **(TRAILING_COMMA_FILES if client not in (*PLAIN_JSON, "gemini-cli") else {}),
    }


CASES = [(client, shape) for client in CLIENTS for shape in files_for(client)]


@pytest.fixture
def computer(tmp_path):
    return Computer(tmp_path)


@pytest.mark.parametrize("client, shape", CASES)
def test_an_entry_is_added_and_removed_without_a_trace(computer, client, shape):
    original = files_for(client)[shape].replace("SECTION", SECTIONS[client]).encode()
    path = computer.write(client, original)
    before = parse_as(client, original)

    assert computer.install(client) == 0
    after = parse_as(client, path.read_bytes())
    entry = after[SECTIONS[client]].pop("svc-mcp")
    assert entry["command"] == "/usr/bin/python3" and entry["args"] == [str(computer.script())]
    assert entry["env"]["SVC_API_URL"] == URL and entry["env"]["SVC_MCP_READ_ONLY"] == "0"
    assert entry["env"]["SVC_MCP_KEY"] == (INPUT if client == "vscode" else KEY)
    if client == "vscode":
        assert [item["id"] for item in after["inputs"] if item["password"] is True] == ["svc-mcp-key"]
        del after["inputs"]
    if SECTIONS[client] not in before:
        assert after.pop(SECTIONS[client]) == {}
    assert after == before

    installed = path.read_bytes()
    assert computer.install(client) == 0
    assert path.read_bytes() == installed, "the same settings give the same bytes"

    assert computer.uninstall(client) == 0
    assert path.read_bytes() == original


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("client", CLIENTS)
def test_without_a_file_or_folder_both_are_made_and_removed_again(tmp_path, client, platform):
    computer = Computer(tmp_path, platform)
    assert computer.install(client) == 0
    assert computer.entry(client)["env"]["SVC_API_URL"] == URL
    assert computer.path(client).stat().st_mode & 0o777 == 0o600
    assert computer.script().read_bytes() == SCRIPT.read_bytes()
    assert computer.script().stat().st_mode & 0o777 == 0o700
    assert computer.uninstall(client) == 0
    assert computer.files() == {}
    assert not computer.script().parent.exists()
    assert not computer.path(client).parent.exists() or client == "claude-code"


@pytest.mark.parametrize(
    "platform, client, path",
    [
        ("darwin", "claude-desktop", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", "claude-desktop", "AppData/Roaming/Claude/claude_desktop_config.json"),
        ("linux", "claude-desktop", ".config/Claude/claude_desktop_config.json"),
        *((platform, "claude-code", ".claude.json") for platform in PLATFORMS),
        *((platform, "cursor", ".cursor/mcp.json") for platform in PLATFORMS),
        ("darwin", "vscode", "Library/Application Support/Code/User/mcp.json"),
        ("win32", "vscode", "AppData/Roaming/Code/User/mcp.json"),
        ("linux", "vscode", ".config/Code/User/mcp.json"),
        *((platform, "windsurf", ".codeium/windsurf/mcp_config.json") for platform in PLATFORMS),
        *((platform, "codex", ".codex/config.toml") for platform in PLATFORMS),
        *((platform, "gemini-cli", ".gemini/settings.json") for platform in PLATFORMS),
        ("darwin", "zed", ".config/zed/settings.json"),
        ("win32", "zed", "AppData/Roaming/Zed/settings.json"),
        ("linux", "zed", ".config/zed/settings.json"),
    ],
)
def test_each_client_has_its_file(tmp_path, platform, client, path):
    computer = Computer(tmp_path, platform)
    assert computer.path(client) == computer.home / path


@pytest.mark.parametrize(
    "variable, client, path",
    [
        ("XDG_CONFIG_HOME", "claude-desktop", "Claude/claude_desktop_config.json"),
        ("XDG_CONFIG_HOME", "vscode", "Code/User/mcp.json"),
        ("XDG_CONFIG_HOME", "zed", "zed/settings.json"),
        ("CODEX_HOME", "codex", "config.toml"),
        ("CLAUDE_CONFIG_DIR", "claude-code", ".claude.json"),
        ("GEMINI_CLI_HOME", "gemini-cli", ".gemini/settings.json"),
    ],
)
def test_variables_move_the_files(computer, variable, client, path):
    default = computer.path(client)
    computer.environment[variable] = "not/absolute"
    assert computer.path(client) == default
    computer.environment[variable] = str(computer.folder / "moved")
    assert computer.path(client) == computer.folder / "moved" / path


def test_the_script_goes_to_the_data_folder_of_each_system(tmp_path):
    folders = {}
    for platform in PLATFORMS:
        (tmp_path / platform).mkdir()
        computer = Computer(tmp_path / platform, platform)
        folders[platform] = computer.script().relative_to(computer.home).as_posix()
    assert folders == {
        "linux": ".local/share/svc-mcp/svc_mcp_stdio.py",
        "darwin": "Library/Application Support/svc-mcp/svc_mcp_stdio.py",
        "win32": "AppData/Local/svc-mcp/svc_mcp_stdio.py",
    }


def test_the_packaged_claude_desktop_has_its_own_folder(tmp_path):
    computer = Computer(tmp_path, "win32")
    package = computer.home / "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming"
    package.mkdir(parents=True)
    assert computer.path("claude-desktop") == package / "Claude/claude_desktop_config.json"


def test_python_of_the_microsoft_store_is_refused_where_its_files_are_hidden(tmp_path, capsys):
    computer = Computer(tmp_path, "win32")
    computer.interpreter = r"C:\Users\me\AppData\Local\Microsoft\WindowsApps\python3.exe"
    assert computer.install("claude-desktop") == 3
    assert "Microsoft Store" in capsys.readouterr().out and computer.files() == {}
    assert computer.install("cursor") == 0


@pytest.mark.parametrize("client", CLIENTS)
def test_a_second_installation_changes_the_entry_and_keeps_what_the_user_added(computer, client):
    if client == "codex":
        own = "[mcp_servers.svc-mcp]\nenabled = true # mine\ncommand = 'old'\n\n[mcp_servers.svc-mcp.env]\nTZ = \"UTC\"\n\n[z]\na = 1\n"
    else:
        entry = {"disabled": True, "command": "old", "env": {"TZ": "UTC", "SVC_MCP_KEY": OTHER_KEY}}
        own = json.dumps({SECTIONS[client]: {"svc-mcp": entry, "git": {}}}, indent=4)
    computer.write(client, own.encode())
    assert computer.install(client) == 0
    entry = computer.entry(client)
    assert entry["command"] == "/usr/bin/python3" and entry["env"]["TZ"] == "UTC"
    assert entry["enabled" if client == "codex" else "disabled"] is True
    assert entry["env"]["SVC_MCP_KEY"] == (INPUT if client == "vscode" else KEY)
    assert OTHER_KEY.encode() not in computer.path(client).read_bytes()


def test_a_new_key_replaces_the_old_one(computer):
    original = computer.write("cursor", b'{"mcpServers": {"git": {}}}').read_bytes()
    assert computer.install("cursor") == 0
    computer.environment["SVC_MCP_KEY"] = OTHER_KEY
    assert computer.install("cursor") == 0
    assert computer.entry("cursor")["env"]["SVC_MCP_KEY"] == OTHER_KEY
    assert KEY.encode() not in b"".join(computer.files().values())
    assert computer.uninstall("cursor") == 0
    assert computer.path("cursor").read_bytes() == original
    assert OTHER_KEY.encode() not in b"".join(computer.files().values())


def test_settings_that_the_check_used_go_into_the_entry(computer):
    computer.environment.update(
        SVC_MCP_READ_ONLY="1",
        SVC_ALLOW_HTTP="1",
        SSL_CERT_FILE="/ca.pem",
        https_proxy="http://u:p@proxy:3128",
        OTHER="x",
    )
    computer.write("vscode", b"{}", mode=0o644)
    assert computer.install("vscode") == 0
    assert computer.entry("vscode")["env"] == {
        "SVC_API_URL": URL,
        "SVC_MCP_KEY": INPUT,
        "SVC_MCP_READ_ONLY": "1",
        "SVC_ALLOW_HTTP": "1",
        "SSL_CERT_FILE": "/ca.pem",
        "HTTPS_PROXY": "http://u:p@proxy:3128",
    }
    assert computer.path("vscode").stat().st_mode & 0o777 == 0o600, "the proxy's password is secret, too"


def test_vs_code_never_gets_the_key(computer, capsys):
    computer.write("vscode", b'{"servers": {}}', mode=0o644)
    assert computer.install("vscode") == 0
    assert KEY.encode() not in b"".join(computer.files().values())
    assert computer.path("vscode").stat().st_mode & 0o777 == 0o644
    assert "asks for the key" in capsys.readouterr().out


def test_an_input_that_another_server_uses_stays(computer):
    other = {"inputs": [{"id": "svc-mcp-key", "type": "promptString"}], "servers": {"svc": {"env": {"K": INPUT}}}}
    computer.write("vscode", json.dumps(other).encode())
    assert computer.install("vscode") == 0
    assert parse_as("vscode", computer.path("vscode").read_bytes())["inputs"][0]["password"] is True
    assert computer.uninstall("vscode") == 0
    assert [item["id"] for item in parse_as("vscode", computer.path("vscode").read_bytes())["inputs"]] == [
        "svc-mcp-key"
    ]


def test_the_script_stays_while_another_client_uses_it(computer, capsys):
    assert computer.install("cursor") == 0 and computer.install("codex") == 0
    assert computer.uninstall("cursor") == 0
    assert computer.script().exists()
    assert computer.uninstall("codex") == 0
    assert not computer.script().exists() and "no client uses it" in capsys.readouterr().out


def test_nothing_is_written_if_the_check_fails(computer, capsys):
    original = computer.write("cursor", b"{}").read_bytes()
    assert computer.install("cursor", check=lambda: 1) == 1
    assert computer.files() == {".cursor/mcp.json": original}
    assert "Nothing was changed" in capsys.readouterr().out


def test_address_and_key_are_asked_for(computer):
    del computer.environment["SVC_API_URL"], computer.environment["SVC_MCP_KEY"]
    asked = []
    answers = {
        "ask": lambda text: asked.append(text) or URL + "/ ",
        "ask_secret": lambda text: asked.append(text) or KEY,
    }
    assert computer.install("cursor", **answers) == 0
    assert len(asked) == 2 and "Address" in asked[0] and "key" in asked[1]
    assert computer.entry("cursor")["env"]["SVC_API_URL"] == URL
    assert computer.entry("cursor")["env"]["SVC_MCP_KEY"] == KEY


def test_without_an_answer_nothing_is_written(computer, capsys):
    del computer.environment["SVC_MCP_KEY"]
    assert computer.install("cursor", ask_secret=lambda _: "") == 2
    assert computer.files() == {} and "SVC_MCP_KEY is missing" in capsys.readouterr().out


@pytest.mark.parametrize("client", CLIENTS)
def test_the_user_is_told_what_to_do_next_and_never_shown_the_key(computer, client, capsys):
    assert computer.install(client) == 0
    output = capsys.readouterr().out
    assert "Next: " in output and str(computer.path(client)) in output and KEY not in output
    assert computer.uninstall(client) == 0
    assert "Revoke the key" in capsys.readouterr().out


@pytest.mark.parametrize(
    "client, text, what",
    [
        ("claude-desktop", '{"a": 1, // note\n"b": 2}', "comment at line 1, column 10"),
        ("gemini-cli", '{"a": 1,\n}', "trailing comma at line 11, column 2"),
    ],
)
def test_the_user_is_told_what_the_client_may_not_accept(computer, client, text, what, capsys):
    computer.write(client, text.encode())
    assert computer.install(client) == 0
    assert what in capsys.readouterr().out


def test_the_list_shows_clients_entries_and_files(computer, capsys):
    computer.write("zed", b"{ // broken")
    computer.write("windsurf", b"{}")
    assert computer.install("cursor") == 0
    program = computer.folder / "bin" / "codex"
    program.parent.mkdir()
    program.write_text("")
    program.chmod(0o755)
    capsys.readouterr()
    assert computer.list() == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["CLIENT", "FOUND", "ENTRY", "FILE"]
    rows = {line.split()[0]: line.split(None, 3)[1:] for line in lines}
    assert list(rows) == list(CLIENTS)
    assert rows["cursor"] == ["yes", "yes", str(computer.path("cursor"))]
    assert rows["zed"][:2] == ["yes", "unreadable"]
    assert rows["windsurf"][:2] == ["yes", "no"]
    assert rows["codex"][:2] == ["yes", "no"]
    assert rows["claude-code"][:2] == ["no", "no"]


@pytest.mark.parametrize(
    "arguments",
    [["--install"], ["--install", "vim"], ["--uninstall"], ["--install", "zed", "x"], ["--list-clients", "x"]],
)
def test_wrong_arguments_are_refused(computer, arguments, capsys):
    assert bridge.configure(arguments, computer.machine()) == 2
    error = capsys.readouterr().err
    assert ("claude-desktop" in error or "no argument" in error) and computer.files() == {}


def test_a_key_on_the_command_line_is_refused_and_not_repeated(computer, capsys):
    assert bridge.configure(["--install", "cursor", KEY], computer.machine()) == 2
    output = capsys.readouterr()
    assert "Revoke it" in output.err and KEY not in output.err + output.out and computer.files() == {}
