"""Other bridges, from npm and PyPI: how to install and start them."""

import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "target" / "bench-peers"
NODE = FOLDER / "node_modules"
VENV = FOLDER / "venv"


def run(*command):
    subprocess.run(
        [str(part) for part in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=600
    )


def install_npm(package):
    if not (NODE / package).exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        run("npm", "install", "--prefix", FOLDER, "--no-audit", "--no-fund", "--silent", package)


def install_pypi(package):
    if not (VENV / "bin" / package).exists():
        run("/usr/bin/python3", "-m", "venv", VENV)
        run(VENV / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", package)


# Each is started by its own file, because npx would add time.
PEERS = {
    "mcp-remote": (
        install_npm,
        lambda url: [
            shutil.which("node"),
            NODE / "mcp-remote" / "dist" / "proxy.js",
            url,
            "--transport",
            "http-only",
            "--allow-http",
        ],
    ),
    "supergateway": (
        install_npm,
        lambda url: [
            shutil.which("node"),
            NODE / "supergateway" / "dist" / "index.js",
            "--streamableHttp",
            url,
            "--logLevel",
            "none",
        ],
    ),
    "mcp-proxy": (install_pypi, lambda url: [VENV / "bin" / "mcp-proxy", "--transport", "streamablehttp", url]),
}


def commands(url):
    """name → command of each bridge that could be installed, name → reason of each that could not."""
    started, failed = {}, {}
    for name, (install, command) in PEERS.items():
        print(f"installing {name} ...", file=sys.stderr)
        try:
            install(name)
            started[name] = [str(part) for part in command(url)]
        except (OSError, subprocess.SubprocessError) as error:
            failed[name] = f"not installed: {type(error).__name__}"
    return started, failed
