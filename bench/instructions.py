"""Counts the instructions of a request with callgrind. Unlike rates, the counts are the same on a busy machine.

    python3 bench/instructions.py [--binary PATH]

Counts all threads for 2,000 requests, deferred writes included. Callgrind has no SHA instructions, so the digest of a key
counts ten times its real cost.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import growth
import install
import load
import machine
import servers

KEYS, REQUESTS = 1_000, 2_000


def counted(folder, name, command, environment, port, work):
    """Instructions of one request, after a warm-up."""
    out = folder / f"{name}.callgrind"
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *map(str, command)]
    process = machine.Process(valgrind, servers.SERVER_CORE, folder / f"{name}.log", environment)
    try:
        process.wait_for_port(port, seconds=120)
        load.exactly(port, work, REQUESTS, KEYS)
        time.sleep(3)
        control("-z", process.handle.pid)
        load.exactly(port, work, REQUESTS, KEYS)
        time.sleep(3)
        control("-d", process.handle.pid)
    finally:
        process.stop()
    total = re.search(r"^(?:totals|summary): (\d+)", (folder / f"{name}.callgrind.1").read_text(), re.M)
    return int(total.group(1)) // REQUESTS


def control(what, process_id):
    subprocess.run(["callgrind_control", what, str(process_id)], check=True, capture_output=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--binary", type=Path, default=install.SERVICE)
    binary = parser.parse_args().binary
    if not shutil.which("valgrind"):
        sys.exit("install valgrind")
    with tempfile.TemporaryDirectory(prefix="svc-mcp-instructions-") as folder:
        folder = Path(folder)
        growth.seed(folder / "svc-mcp.db", KEYS, folder, clear=KEYS)
        head = "Authorization: Bearer {KEY}\r\nHost: localhost\r\n"
        (folder / "list").write_text(f"GET /mcp/v1/tools HTTP/1.1\r\n{head}\r\n")
        body = '{"name": "get_brand"}'
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        (folder / "call").write_text(f"POST /mcp/v1/tools/call HTTP/1.1\r\n{head}{kind}\r\n{body}")
        pieces = {
            "list": load.Work(folder / "list", folder / "keys.txt"),
            "get_brand": load.Work(folder / "call", folder / "keys.txt"),
            "401, wrong checksum": load.Work(folder / "list", folder / "malformed.txt"),
            "401, unknown key": load.Work(folder / "list", folder / "unknown.txt"),
        }
        logged = {"SVC_LOG": "info", "SVC_LOG_FORMAT": "json", "SVC_ACCESS_LOG": "on"}
        runs = [(name, work, {"SVC_LOG": "warn"}) for name, work in pieces.items()]
        runs.append(("list, with access log", pieces["list"], logged))
        for name, work, log in runs:
            port = machine.free_port()
            # With this setting the service does not start itself again, which callgrind would not follow.
            settings = {"SVC_LISTEN": f"127.0.0.1:{port}", "SVC_DATA_DIR": str(folder), "MIMALLOC_PURGE_DELAY": "10", **log}
            result = counted(folder, name, [binary, "serve"], settings, port, work)
            print(f"{name.ljust(24)}{result:>10,} instructions a request", flush=True)


if __name__ == "__main__":
    main()
