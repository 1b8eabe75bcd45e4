"""--install as a person runs it: a real process, a terminal, the real service, and an official client after it."""

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from harness import KEY, SCRIPT, WAIT_TIMEOUT, run_bridge
from installing import CLIENTS, INPUT, SECTIONS, parse_as

MCP2 = SCRIPT.parent / "tests" / "clients" / "mcp2.py"
CALLS = [{"name": "get_brand", "arguments": {}}]


def run(home, *arguments, **options):
    folders = {"HOME": str(home), "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""}
    return run_bridge(*arguments, **options, **folders)


def config_file(home, client):
    listed = run(home, "--list-clients").stdout
    [path] = re.findall(rf"^{client} .* (/.*)$", listed, re.MULTILINE)
    return path


def entry_in(home, client):
    with open(config_file(home, client), "rb") as stream:
        return parse_as(client, stream.read())[SECTIONS[client]]["svc-mcp"]


@pytest.mark.parametrize("client", CLIENTS)
def test_an_official_client_starts_what_was_installed(service, new_key, tmp_path, client):
    key = new_key("read")
    downloaded = shutil.copy(SCRIPT, tmp_path)
    done = run(tmp_path, "--install", client, url=service.url, key=key)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "get_brand (reads)" in done.stdout and "Next: " in done.stdout and done.stderr == ""
    os.unlink(downloaded)

    entry = entry_in(tmp_path, client)
    env = {name: key if value == INPUT else value for name, value in entry["env"].items()}  # VS Code asks for it
    [script] = entry["args"]
    listed = subprocess.run(
        [sys.executable, str(MCP2), "auto", entry["command"], script, json.dumps(CALLS)],
        capture_output=True,
        timeout=WAIT_TIMEOUT,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), **env},
    )
    assert listed.returncode == 0, listed.stderr.decode()
    report = json.loads(listed.stdout)
    assert "get_brand" in report["tools"] and report["results"][0]["structuredContent"]["name"]

    done = run(tmp_path, "--uninstall", client)
    assert done.returncode == 0, done.stdout
    assert not os.path.exists(script) and not os.path.exists(config_file(tmp_path, client))


def test_a_rejected_key_is_not_written(service, tmp_path):
    done = run(tmp_path, "--install", "cursor", url=service.url, key=KEY)
    assert done.returncode == 1 and "FAIL  key" in done.stdout and "Nothing was changed" in done.stdout
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("flags", [["-W", "error", "-W", "ignore::ResourceWarning"], ["-I"], ["-OO"], ["-B"]])
def test_it_works_under_interpreter_flags(upstream, tmp_path, flags):
    environment = {"HOME": str(tmp_path), "SVC_API_URL": upstream.url, "SVC_MCP_KEY": KEY, "PYTHONIOENCODING": "ascii"}
    for arguments in (["--install", "zed"], ["--install", "codex"], ["--list-clients"], ["--uninstall", "codex"]):
        command = [sys.executable, *flags, str(SCRIPT), *arguments]
        done = subprocess.run(command, capture_output=True, timeout=WAIT_TIMEOUT, env=environment)
        assert done.returncode == 0 and done.stderr == b"", done.stdout + done.stderr


def test_without_a_terminal_the_variables_are_needed(tmp_path):
    done = run(tmp_path, "--install", "cursor", url="http://127.0.0.1:9", stdin=KEY.encode())
    assert done.returncode == 2 and "SVC_MCP_KEY is missing" in done.stdout
    assert os.listdir(tmp_path) == []


class Terminal:
    """A process on a pseudo-terminal."""

    def __init__(self, *arguments, **environment):
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            # A shell that runs the tests in the background ignores Ctrl-C, and its children inherit that.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execve(sys.executable, [sys.executable, str(SCRIPT), *arguments], environment)
        self.output = b""

    def wait_for(self, text):
        while text not in self.output:
            self.output += os.read(self.descriptor, 4096)

    def write(self, text):
        os.write(self.descriptor, text)

    def command_line(self):
        with open(f"/proc/{self.pid}/cmdline", "rb") as stream:
            return stream.read()

    def end(self):
        """Reads the rest and returns the exit code."""
        try:
            while data := os.read(self.descriptor, 4096):
                self.output += data
        except OSError:  # the terminal is closed
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.descriptor)
        return os.waitstatus_to_exitcode(status)


def wait_until_hidden(terminal):
    """Waits until the terminal shows no input."""
    import termios

    while termios.tcgetattr(terminal.descriptor)[3] & termios.ECHO:
        time.sleep(0.01)


def test_the_key_is_asked_for_and_never_shown(upstream, tmp_path):
    terminal = Terminal("--install", "cursor", HOME=str(tmp_path), PATH="")
    terminal.wait_for(b"Address of the service")
    terminal.write(upstream.url.encode() + b"\n")
    terminal.wait_for(b"MCP key")
    wait_until_hidden(terminal)
    terminal.write(KEY.encode() + b"\n")
    terminal.wait_for(b"connection")
    assert terminal.end() == 0, terminal.output
    assert KEY.encode() not in terminal.output
    assert entry_in(tmp_path, "cursor")["env"]["SVC_MCP_KEY"] == KEY


def test_an_interrupt_leaves_the_terminal_and_the_files_as_they_were(upstream, tmp_path):
    terminal = Terminal("--install", "cursor", HOME=str(tmp_path), PATH="", SVC_API_URL=upstream.url)
    terminal.wait_for(b"MCP key")
    wait_until_hidden(terminal)
    assert KEY.encode() not in terminal.command_line()
    terminal.write(b"\x03")
    assert terminal.end() == 130, terminal.output
    assert b"Traceback" not in terminal.output and os.listdir(tmp_path) == []


def test_the_help_names_every_client_and_exit_code():
    text = run_bridge("--help").stdout
    assert all(client in text for client in CLIENTS)
    assert all(option in text for option in ("--install", "--uninstall", "--list-clients", "exit codes: 0"))
