"""Where the services of the tests keep their data: SQLite, or with SVC_TEST_ENGINE=postgres a PostgreSQL and a Redis server."""

import atexit
import base64
import functools
import itertools
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time

START_TIMEOUT = 300


def settings(directory):
    """The settings of one more service, with databases of its own. `directory`: that of the service."""
    match os.environ.get("SVC_TEST_ENGINE", "sqlite"):
        case "sqlite":
            return []
        case "postgres":
            return servers().settings(directory)
        case other:
            raise ValueError(f"SVC_TEST_ENGINE is {other!r}: it must be sqlite or postgres")


@functools.cache
def servers():
    started = Servers()
    atexit.register(started.stop)
    return started


class Servers:
    """A PostgreSQL and a Redis server for this test process. They end with it, even if it is killed."""

    def __init__(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="svc-mcp-databases-"))
        self.numbers = itertools.count()
        # PostgreSQL refuses to run as root.
        self.user = ["setpriv", "--pdeathsig=INT"]
        if os.geteuid() == 0:
            self.user += ["--reuid=postgres", "--regid=postgres", "--clear-groups"]
            shutil.chown(self.directory, "postgres", "postgres")
        self.programs = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        self.postgres_port, self.redis_port = free_port(), free_port()
        data = self.directory / "cluster"
        subprocess.run(
            [*self.user, self.programs / "initdb", "-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"],
            check=True, stdout=subprocess.DEVNULL, cwd=self.directory)
        postgres = [
            *self.user, self.programs / "postgres", "-D", data, "-p", str(self.postgres_port), "-c", "listen_addresses=127.0.0.1",
            "-c", "unix_socket_directories=", "-c", "fsync=off", "-c", "max_connections=500",
        ]
        redis = [
            "setpriv", "--pdeathsig=INT", "redis-server", "--port", str(self.redis_port), "--bind", "127.0.0.1",
            "--save", "", "--appendonly", "no", "--databases", "1000",
        ]
        log = (self.directory / "log").open("wb")
        self.processes = [subprocess.Popen(command, stdout=log, stderr=log, cwd=self.directory) for command in (postgres, redis)]
        self.wait(lambda: self.psql("SELECT 1").returncode == 0)
        self.wait(lambda: answers(self.redis_port))

    def wait(self, is_ready):
        deadline = time.monotonic() + START_TIMEOUT
        while not is_ready():
            log = (self.directory / "log").read_text(errors="replace")
            assert all(process.poll() is None for process in self.processes), log
            assert time.monotonic() < deadline, f"the databases did not start within {START_TIMEOUT} s: {log}"
            time.sleep(0.05)

    def psql(self, sql):
        url = f"postgres://postgres@127.0.0.1:{self.postgres_port}/postgres"
        return subprocess.run([self.programs / "psql", url, "-qAtc", sql], capture_output=True, check=False)

    def settings(self, directory):
        # With PostgreSQL the service makes no secrets itself, because all instances need the same ones.
        secret = secrets.token_hex(32)
        (directory / "jwt.secret").write_text(secret)
        number = next(self.numbers)
        created = self.psql(f"CREATE DATABASE test_{number}")
        assert created.returncode == 0, created.stderr
        return [
            "--database-url", f"postgres://postgres@127.0.0.1:{self.postgres_port}/test_{number}",
            "--redis-url", f"redis://127.0.0.1:{self.redis_port}/{number}",
            "--jwt-secret", secret, "--reveal-keys", f"tests:{base64.b64encode(os.urandom(32)).decode()}",
        ]

    def stop(self):
        for process in self.processes:
            process.send_signal(signal.SIGINT)  # PostgreSQL closes its connections then
        for process in self.processes:
            process.wait(timeout=START_TIMEOUT)
        shutil.rmtree(self.directory, ignore_errors=True)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def answers(port):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=START_TIMEOUT) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False
