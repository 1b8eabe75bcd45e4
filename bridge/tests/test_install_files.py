"""--install and --uninstall with broken, read-only, linked and changing files; modes and backups."""

import json
import os
import stat

import pytest

from harness import KEY
from installing import CLIENTS, OTHER_KEY, Computer, bridge


@pytest.fixture
def computer(tmp_path):
    return Computer(tmp_path)


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


@pytest.mark.parametrize(
    "client, data, message",
    [
        ("cursor", b'{\n  "mcpServers": {\n    "git": {}\n', "line 4, column 1"),
        ("cursor", b'{\n  "a": 1\n  "b": 2\n}', "line 3, column 3: a comma or } is missing"),
        ("vscode", b"{'servers': {}}", "line 1, column 2"),
        ("zed", b"{ /* never closed", "line 1, column 3"),
        ("codex", b"[mcp_servers.git]\ncommand = \n", "line 2, column 11: a value is missing"),
        ("codex", b"a = 1\na = 2\n", "line 2, column 1"),
        ("claude-code", b"[]", "not an object"),
        ("cursor", b'{"mcpServers": []}', "mcpServers at line 1, column 16 is not an object"),
        ("vscode", b'{"inputs": {}}', "inputs at line 1, column 12 is not an array"),
        ("cursor", b'{"a": "\xff"}', "not UTF-8 (line 1, column 8)"),
        ("cursor", '{"a": 1}'.encode("utf-16"), "UTF-16"),
        ("cursor", b"[" * 100_000, "nested too deeply"),
        ("codex", b"a = " + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_broken_file_is_left_alone(computer, client, data, message, capsys):
    path = computer.write(client, data)
    assert computer.install(client) == 3
    output = capsys.readouterr().out
    assert message in output and str(path) in output
    assert computer.files() == {str(path.relative_to(computer.home)): data}
    assert computer.uninstall(client) == 3
    assert path.read_bytes() == data


def test_a_very_large_file_is_refused(computer, monkeypatch):
    monkeypatch.setattr(bridge, "MAX_CONFIG_BYTES", 100)
    data = computer.write("cursor", b'{"a": "%s"}' % (b"x" * 100)).read_bytes()
    assert computer.install("cursor") == 3
    assert computer.path("cursor").read_bytes() == data


@pytest.mark.parametrize("command", ["install", "uninstall"])
@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_read_only_file_or_folder_is_left_alone(computer, command, what, capsys):
    path = computer.write("cursor", b'{"mcpServers": {"svc-mcp": {}}}' if command == "uninstall" else b"{}")
    before = computer.files()
    read_only = path if what == "file" else path.parent
    read_only.chmod(0o444 if what == "file" else 0o555)
    try:
        assert getattr(computer, command)("cursor") == 3
        assert f"{read_only} is read-only" in capsys.readouterr().out
    finally:
        read_only.chmod(0o700)
    assert computer.files() == before


def test_a_read_only_home_is_named(computer, capsys):
    computer.home.chmod(0o555)
    try:
        assert computer.install("cursor") == 3
        assert f"{computer.home} is read-only" in capsys.readouterr().out
    finally:
        computer.home.chmod(0o700)
    assert computer.files() == {}


def test_the_questions_come_after_the_file_was_checked(computer):
    computer.write("cursor", b"broken")
    del computer.environment["SVC_API_URL"]
    assert computer.install("cursor", ask=lambda _: pytest.fail("asked")) == 3


@pytest.mark.parametrize("client", CLIENTS)
def test_a_symbolic_link_is_followed_and_stays(computer, client):
    target = computer.folder / "dotfiles" / "file"
    target.parent.mkdir()
    target.write_bytes(b"")
    target.chmod(0o600)
    path = computer.path(client)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    assert computer.install(client) == 0
    assert path.is_symlink() and target.read_bytes()
    assert computer.entry(client)
    assert computer.uninstall(client) == 0
    assert path.is_symlink() and target.read_bytes() == b""
    assert os.listdir(target.parent) == ["file"], "backups are next to the link, not among the user's own files"


def test_a_link_to_a_missing_file_stays_one(computer):
    target = computer.folder / "elsewhere" / "file"
    path = computer.path("cursor")
    path.parent.mkdir()
    path.symlink_to(target)
    assert computer.install("cursor") == 0
    assert computer.entry("cursor") and target.exists()
    assert computer.uninstall("cursor") == 0
    assert path.is_symlink() and not target.exists() and not target.parent.exists()


@pytest.mark.parametrize("new_content", [b'{"other": 1}', None])
def test_a_file_that_changes_meanwhile_is_not_overwritten(computer, new_content, monkeypatch, capsys):
    path = computer.write("cursor", b"{}")
    write_backup = bridge.ConfigFile.write_backup

    def change_then_back_up(file):
        backup = write_backup(file)
        path.write_bytes(new_content) if new_content else path.unlink()
        return backup

    monkeypatch.setattr(bridge.ConfigFile, "write_backup", change_then_back_up)
    assert computer.install("cursor") == 3
    assert "changed by another program" in capsys.readouterr().out
    assert (path.read_bytes() if new_content else path.exists()) == (new_content or False)
    assert computer.backups("cursor") == []
    assert list(computer.files().values()) == ([new_content] if new_content else [])


def test_a_file_that_appears_meanwhile_is_not_overwritten(computer, monkeypatch):
    path = computer.path("cursor")
    monkeypatch.setattr(bridge.ConfigFile, "write_backup", lambda file: path.write_bytes(b"{}") and None)
    assert computer.install("cursor") == 3
    assert path.read_bytes() == b"{}"


def test_a_change_during_the_questions_is_kept(computer):
    path = computer.write("claude-code", b"{}")
    assert computer.install("claude-code", check=lambda: path.write_bytes(b'{"numStartups": 2}') and 0) == 0
    assert json.loads(path.read_bytes())["numStartups"] == 2 and computer.entry("claude-code")


@pytest.mark.parametrize(
    "before, after", [(0o644, 0o600), (0o664, 0o600), (0o600, 0o600), (0o700, 0o700), (0o755, 0o700)]
)
def test_only_the_user_can_read_a_file_with_a_key(computer, before, after, capsys):
    path = computer.write("cursor", b"{}", mode=before)
    assert computer.install("cursor") == 0
    assert mode(path) == after
    assert (f"{after:04o} instead of {before:04o}" in capsys.readouterr().out) == (before != after)
    path.chmod(before)
    assert computer.install("cursor") == 0, "without a change of the content"
    assert mode(path) == after


def test_all_new_files_are_private_with_any_umask(computer):
    old = os.umask(0)
    try:
        computer.write("cursor", b'{"secret": "of another server"}', mode=0o644)
        assert computer.install("cursor") == 0 and computer.install("zed") == 0
    finally:
        os.umask(old)
    for folder, _, names in os.walk(computer.home):
        for name in names:
            assert mode(os.path.join(folder, name)) & 0o077 == 0, name
    assert mode(computer.script().parent) == 0o700


def test_a_backup_has_the_old_content_and_never_the_key(computer, capsys):
    original = computer.write("cursor", b'{\r\n  "mcpServers": {}\r\n}').read_bytes()
    assert computer.install("cursor") == 0
    [backup] = computer.backups("cursor")
    assert backup.read_bytes() == original and mode(backup) == 0o600
    assert str(backup) in capsys.readouterr().out
    computer.environment["SVC_MCP_KEY"] = OTHER_KEY
    assert computer.install("cursor") == 0 and computer.uninstall("cursor") == 0
    assert len(computer.backups("cursor")) == 3
    for backup in computer.backups("cursor"):
        assert KEY.encode() not in backup.read_bytes() and OTHER_KEY.encode() not in backup.read_bytes()
        json.loads(backup.read_bytes())


def test_the_number_of_backups_is_bounded_and_other_files_stay(computer):
    path = computer.write("cursor", b"{}")
    own = path.with_name(path.name + ".backup-mine")
    own.write_bytes(b"mine")
    for number in range(12):
        computer.environment["SVC_API_URL"] = f"https://svc{number}.example.com"
        assert computer.install("cursor") == 0
    assert own.read_bytes() == b"mine"
    backups = [backup for backup in computer.backups("cursor") if backup != own]
    assert len(backups) == bridge.MAX_BACKUPS
    addresses = {json.loads(backup.read_bytes())["mcpServers"]["svc-mcp"]["env"]["SVC_API_URL"] for backup in backups}
    assert addresses == {f"https://svc{number}.example.com" for number in range(6, 11)}


def test_an_unchanged_entry_makes_no_backup(computer):
    computer.write("cursor", b"{}")
    assert computer.install("cursor") == 0 and computer.install("cursor") == 0
    assert len(computer.backups("cursor")) == 1


def test_uninstall_without_an_entry_changes_nothing(computer, capsys):
    computer.write("cursor", b'{ "mcpServers": {"git": {}} }')
    before = computer.files()
    assert computer.uninstall("cursor") == 0
    assert "has no entry" in capsys.readouterr().out and computer.files() == before


def test_uninstall_works_after_the_client_wrote_the_file_anew(computer):
    assert computer.install("cursor") == 0
    path = computer.path("cursor")
    content = json.loads(path.read_bytes())
    content["mcpServers"]["git"] = {"command": "uvx"}
    path.write_text(json.dumps(content))
    assert computer.uninstall("cursor") == 0
    assert path.read_text() == '{"mcpServers": {"git": {"command": "uvx"}}}'


@pytest.mark.parametrize("record", [b"", b"null", b"[1]", b'{"%s": {"undo": [["fill", 1, 2], 3], "folders": 7}}'])
@pytest.mark.parametrize("client", ["cursor", "codex"])
def test_uninstall_works_without_a_usable_record(computer, client, record):
    computer.write(client, b"")
    assert computer.install(client) == 0
    record = record.replace(b"%s", str(computer.path(client)).encode())
    (computer.script().parent / "installed.json").write_bytes(record)
    assert computer.uninstall(client) == 0
    assert b"svc-mcp" not in computer.path(client).read_bytes()


def test_a_full_disk_changes_nothing(computer, monkeypatch, capsys):
    path = computer.write("cursor", b"{}")
    fsync = os.fsync

    def fail(descriptor):
        if os.readlink(f"/proc/self/fd/{descriptor}").startswith(str(path.parent / ".mcp.json.")):
            raise OSError(28, "No space left on device")
        return fsync(descriptor)

    monkeypatch.setattr(os, "fsync", fail)
    assert computer.install("cursor") == 3
    assert "No space left on device" in capsys.readouterr().out
    assert path.read_bytes() == b"{}" and sorted(os.listdir(path.parent)) == ["mcp.json"]


def test_the_record_of_what_to_undo_holds_no_key(computer):
    for client in CLIENTS:
        assert computer.install(client) == 0
    record = (computer.script().parent / "installed.json").read_bytes()
    assert KEY.encode() not in record and len(json.loads(record)) == len(CLIENTS)


def test_paths_that_are_not_ascii_work(tmp_path, capsys):
    folder = tmp_path / "Jürgen 日本 $x%y"
    folder.mkdir()
    computer = Computer(folder)
    for client in CLIENTS:
        assert computer.install(client) == 0
        assert computer.entry(client)["args"] == [str(computer.script())]
