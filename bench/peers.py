"""Other MCP servers, from PyPI. Each lists the same tools to a bearer token.

If one does not start, the report says why.
"""

import json
import secrets
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import install
from load import Work
from machine import SERVER_CORE, Broken, Process, error_in, free_port
from servers import Contestant, exchange, status_of

FOLDER = install.REPOSITORY / "target" / "bench-peers"
LIST = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'


def programs_of(package):
    """The `bin` folder of a virtual environment with the package."""
    programs = FOLDER / package / "bin"
    if not (FOLDER / package / "installed").exists():
        print(f"installing {package}", flush=True)
        for command in (
            ["/usr/bin/python3", "-m", "venv", "--clear", FOLDER / package],
            [programs / "python", "-m", "pip", "install", package],
        ):
            done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
            if done.returncode:
                raise Broken(f"it cannot be installed: {error_in(done.stderr)}")
        (FOLDER / package / "installed").touch()
    return programs


def fastmcp(folder, tools):
    programs = programs_of("fastmcp")
    port, token = free_port(), secrets.token_urlsafe(32)
    script = Path(__file__).with_name("fastmcp_server.py")
    process = Process([programs / "python", script, port, tools, token], SERVER_CORE, folder / "fastmcp.log")
    return Contestant("FastMCP", port, process), "/mcp", token


def contextforge(folder, tools):
    programs = programs_of("mcp-contextforge-gateway")
    port = free_port()
    settings = {
        "JWT_SECRET_KEY": secrets.token_urlsafe(48),
        "AUTH_ENCRYPTION_SECRET": secrets.token_urlsafe(48),
        "PLATFORM_ADMIN_EMAIL": "admin@example.com",
        "PLATFORM_ADMIN_PASSWORD": secrets.token_urlsafe(24),
        "BASIC_AUTH_PASSWORD": secrets.token_urlsafe(24),
        "DATABASE_URL": f"sqlite:///{folder}/contextforge.db",
        "CACHE_TYPE": "memory",
        "LOG_LEVEL": "ERROR",
        "MCPGATEWAY_UI_ENABLED": "false",
        "RATE_LIMIT_MEDIUM_RPM": "1000000000",  # counted, but never reached
        "SSRF_ALLOW_LOCALHOST": "true",  # a tool needs an address; it is never called
    }
    command = [programs / "python", programs / "mcpgateway", "--host", "127.0.0.1", "--port", port, "--no-access-log"]
    process = Process(command, SERVER_CORE, folder / "contextforge.log", settings)
    try:
        process.wait_for_port(port, seconds=180)
        token = contextforge_token(programs, settings)
        for tool in json.loads(tools.read_text())["tools"]:
            register(port, token, tool)
    except BaseException:
        process.stop()
        raise
    return Contestant("ContextForge", port, process), "/mcp/", token


def contextforge_token(programs, settings):
    command = [programs / "python", "-m", "mcpgateway.utils.create_jwt_token", "-u", "admin@example.com", "--admin"]
    done = subprocess.run([*command, "-e", "600"], env=settings, capture_output=True, text=True, check=True)
    return done.stdout.split()[-1]


def register(port, token, tool):
    fields = {
        "name": tool["name"],
        "title": tool["title"],
        "description": tool["description"],
        "url": "http://127.0.0.1:9/",
        "integration_type": "REST",
        "request_type": "POST",
        "inputSchema": tool["inputSchema"],
        "outputSchema": tool["outputSchema"],
        "annotations": tool["annotations"],
    }
    # It rejects backticks as an attack.
    body = json.dumps({"tool": fields, "visibility": "public"}).replace("`", "'").encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/tools", body, headers)
    try:
        urllib.request.urlopen(request, timeout=30).close()
    except urllib.error.HTTPError as error:
        raise Broken(f"it rejects the tool {tool['name']}: {error.code} {error.read()[:200]!r}") from error


def work_for(folder, contestant, path, token):
    """The request for its list of tools, after a check that it answers it."""
    request = folder / f"{contestant.name}.request"
    request.write_bytes(
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{contestant.port}\r\nAuthorization: Bearer {{KEY}}\r\n"
        "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(LIST)}\r\n\r\n{LIST}".encode()
    )
    keys = folder / f"{contestant.name}.txt"
    keys.write_text(token + "\n")
    answer = exchange(contestant.port, request.read_bytes().replace(b"{KEY}", token.encode()))
    if status_of(answer) != 200 or b'"get_brand"' not in answer and b"get-brand" not in answer:
        raise Broken(f"it does not list its tools: {answer[:200]!r}")
    return Work(request, keys)


def start(folder, answer):
    """([(contestant, its work)] of those that run, name → reason of those that do not). `answer` is svc-mcp's own list."""
    tools = folder / "tools.json"
    tools.write_bytes(answer.partition(b"\r\n\r\n")[2])
    running, absent = [], {}
    for name, begin in (("FastMCP", fastmcp), ("ContextForge", contextforge)):
        print(f"starting {name}", flush=True)
        contestant = None
        try:
            contestant, path, token = begin(folder, tools)
            contestant.process.wait_for_port(contestant.port, seconds=120)
            running.append((contestant, work_for(folder, contestant, path, token)))
        except (Broken, OSError, subprocess.SubprocessError, KeyError) as error:
            absent[name] = str(error)
            if contestant:
                contestant.stop()
    return running, absent
