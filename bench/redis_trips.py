"""How many commands svc-mcp sends to Redis for a request, and how often Redis reads from a socket for it."""

import socket

import load

REQUESTS = 20_000


def info(port):
    """From Redis's statistics: command → calls, and the number of socket reads."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        reader = connection.makefile("rb")
        connection.sendall(b"INFO everything\r\n")
        length = int(reader.readline()[1:])
        lines = reader.read(length).decode().splitlines()
    pairs = dict(line.split(":", 1) for line in lines if ":" in line)
    calls = {
        name.removeprefix("cmdstat_"): int(figures.split(",")[0].removeprefix("calls="))
        for name, figures in pairs.items()
        if name.startswith("cmdstat_")
    }
    return calls, int(pairs["total_reads_processed"])


def measure(port, contestant, work, keys):
    """Redis also counts the commands inside a script, so round trips are counted by the scripts themselves."""
    calls, reads = info(port)
    load.exactly(contestant.port, work, REQUESTS, keys)
    calls_after, reads_after = info(port)
    per_request = {
        name: (count - calls.get(name, 0)) / REQUESTS
        for name, count in calls_after.items()
        if count > calls.get(name, 0)
    }
    scripts = sum(per_request.get(name, 0) for name in ("evalsha", "eval", "fcall"))
    return {
        "scripts_per_request": scripts,
        "reads_per_request": (reads_after - reads) / REQUESTS,
        "commands_per_request": per_request,
    }
