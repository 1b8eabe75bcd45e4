"""What the tests of --install share: a user's computer in a temporary folder, and parsers like those of the clients."""

import importlib.util
import json
import os
import re
import tomllib

import json5

from harness import KEY, SCRIPT

spec = importlib.util.spec_from_file_location("bridge_under_test", SCRIPT)
bridge = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bridge)

CLIENTS = {client.name: client for client in bridge.CLIENTS}
SECTIONS = {name: "mcpServers" for name in CLIENTS}
SECTIONS.update({"vscode": "servers", "codex": "mcp_servers", "zed": "context_servers"})
PLAIN_JSON = ("claude-desktop", "claude-code")  # these read their file with JSON.parse
URL = "https://svc.example.com"
OTHER_KEY = "svc_mcp_" + "Zz9" * 16 + "q"
INPUT = "${input:svc-mcp-key}"


def parse_as(client, data):
    """The values in a client's file, read by a parser that is not the bridge's."""
    text = data.decode("utf-8-sig")
    if client == "codex":
        return tomllib.loads(text)
    if client in PLAIN_JSON and text.strip():
        return json.loads(text)
    return parse_json5(text)


def parse_json5(text):
    is_blank = not re.sub(r"//[^\r\n]*|/\*.*?\*/", "", text, flags=re.DOTALL).strip()
    return {} if is_blank else json5.loads(text)


class Computer:
    """A user's folders on one operating system. Nothing outside `folder` is read or written."""

    def __init__(self, folder, platform="linux"):
        self.folder = folder
        self.platform = platform
        self.home = folder / "home"
        self.home.mkdir()
        self.environment = {"PATH": str(folder / "bin"), "SVC_API_URL": URL, "SVC_MCP_KEY": KEY}
        if platform == "win32":
            self.environment["USERPROFILE"] = str(self.home)
            self.environment["APPDATA"] = str(self.home / "AppData" / "Roaming")
            self.environment["LOCALAPPDATA"] = str(self.home / "AppData" / "Local")
        else:
            self.environment["HOME"] = str(self.home)
        self.interpreter = "/usr/bin/python3"

    def machine(self):
        return bridge.Machine(self.platform, self.environment, self.interpreter)

    def path(self, client):
        return type(self.home)(CLIENTS[client].path(self.machine()))

    def write(self, client, data, mode=0o600):
        path = self.path(client)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(mode)
        return path

    def install(self, client, check=lambda: 0, **options):
        return bridge.configure(["--install", client], self.machine(), check=check, **options)

    def uninstall(self, client):
        return bridge.configure(["--uninstall", client], self.machine())

    def list(self):
        return bridge.configure(["--list-clients"], self.machine())

    def script(self):
        return type(self.home)(self.machine().data_folder()) / "svc_mcp_stdio.py"

    def entry(self, client):
        return parse_as(client, self.path(client).read_bytes())[SECTIONS[client]]["svc-mcp"]

    def files(self):
        """Every file below the home directory, with its content."""
        found = {}
        for folder, _, names in os.walk(self.home):
            for name in names:
                path = os.path.join(folder, name)
                found[os.path.relpath(path, self.home)] = open(path, "rb").read()
        return found

    def backups(self, client):
        path = self.path(client)
        return sorted(path.parent.glob(path.name + ".backup-*"))
