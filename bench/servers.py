"""The contestants of our own: svc-mcp in both modes, the bare server, and the proxies with their simpler check."""

import os
import socket
import subprocess
import time
import urllib.request
from dataclasses import dataclass, field

import install
from machine import GENERATOR_CORE, SERVER_CORE, Broken, Process, free_port, listens, settle, wait_until


@dataclass
class Contestant:
    name: str
    port: int
    process: Process
    # What it needs beside itself. Stands for other machines: neither on its core nor in its figures.
    backends: list = field(default_factory=list)
    metrics_port: int = 0
    # It is sent no requests, but told how many are a turn.
    is_alone: bool = False

    def settle(self):
        """Waits until it is idle: nothing of what it was asked for is left to be written. Others are given 8 s."""
        if self.metrics_port:
            settle(self.process, 180, lambda: metric(self.metrics_port, "svc_mcp_keys_waiting"))
        else:
            settle(self.process, 8)

    def stop(self):
        for process in [self.process, *reversed(self.backends)]:
            process.stop()


def metric(port, name):
    """A number of /metrics, over all its labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith((f"{name} ", f"{name}{{")))


def exchange(port, request):
    """Sends the bytes of one request and gives those of its answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += received(connection)
        head, _, body = answer.partition(b"\r\n\r\n")
        headers = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        while len(body) < int(headers[b"content-length"]):
            body += received(connection)
        return head + b"\r\n\r\n" + body


def received(connection):
    piece = connection.recv(65536)
    if not piece:
        raise Broken("a server closed the connection in the middle of an answer")
    return piece


def status_of(answer):
    return int(answer[9:12])


def is_ready(port):
    request = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    return listens(port) and status_of(exchange(port, request)) == 200


def service(binary, name, folder, environment, backends=()):
    """svc-mcp, up and ready, and how long that took."""
    port, metrics_port = free_port(), free_port()
    settings = {
        "SVC_LISTEN": f"127.0.0.1:{port}",
        "SVC_METRICS_LISTEN": f"127.0.0.1:{metrics_port}",
        "SVC_DATA_DIR": str(folder),
        "SVC_LOG": "warn",
        **environment,
    }
    begun = time.monotonic()
    process = Process([binary, "serve"], SERVER_CORE, folder / f"{name}.log", settings)
    wait_until(lambda: process.has_ended() or is_ready(port), f"the start of {name}", pause=0.002)
    if process.has_ended():
        raise Broken(f"{name} ended at its start: {process.last_words()}")
    return Contestant(name, port, process, list(backends), metrics_port), time.monotonic() - begun


def postgres(folder):
    programs = install.postgres_programs()
    data = folder / "postgres"
    data.mkdir()
    user = []
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        subprocess.run(["chown", "postgres", data], check=True)
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    cluster = data / "cluster"
    make = [*user, programs / "initdb", "-D", cluster, "-U", "postgres", "--auth=trust", "--no-sync", "--locale=C"]
    subprocess.run(make, check=True, stdout=subprocess.DEVNULL, cwd=data)
    port = free_port()
    command = [*user, programs / "postgres", "-D", cluster, "-p", port, "-c", "unix_socket_directories="]
    process = Process(command, GENERATOR_CORE, folder / "postgres.log")
    process.wait_for_port(port)
    return process, f"postgres://postgres@127.0.0.1:{port}/postgres"


def redis(folder):
    port = free_port()
    command = ["redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    process = Process(command, GENERATOR_CORE, folder / "redis.log")
    process.wait_for_port(port)
    return process, port


def of_ours(program, name, log, *options, is_alone=False):
    """One of the programs in bench/contestants."""
    port = free_port()
    process = Process([install.OURS / program, "--listen", f"127.0.0.1:{port}", *options], SERVER_CORE, log)
    process.wait_for_port(port)
    return Contestant(name, port, process, is_alone=is_alone)


def bare(name, file, answer):
    """The limit: gives `answer`, bytes from the wire, to every request."""
    file.write_bytes(answer)
    return of_ours("bare", name, file.with_suffix(".log"), "--answer", file)


@dataclass
class Queries:
    """Of `list_posts`: a page of each brand in turn."""

    database: str
    brands: int
    limit: int

    def options(self):
        return ["--database", self.database, "--brands", self.brands, "--limit", self.limit]


def query(name, log, queries):
    """The queries through the store and nothing else."""
    return of_ours("query", name, log, *queries.options(), "--tasks", 64, is_alone=True)


def bare_query(name, file, answer, queries):
    """The limit with a query before each answer."""
    file.write_bytes(answer)
    return of_ours("bare_query", name, file.with_suffix(".log"), "--answer", file, *queries.options())


def fixed_headers(answer):
    """The headers of an answer that a proxy has to be told to send."""
    head = answer.partition(b"\r\n\r\n")[0].decode()
    pairs = [line.split(": ", 1) for line in head.split("\r\n")[1:]]
    return [(name, value) for name, value in pairs if name not in ("content-length", "content-type", "date")]


def nginx(root, name, keys, answer):
    """`map` for the keys and `limit_req` for the rate. The body is a file's, since `return` comes before the limit."""
    port, folder = free_port(), root / f"nginx-{name}"
    folder.mkdir()
    (folder / "nginx.map").write_text("".join(f'"Bearer {key}" 1;\n' for key in keys))
    (folder / "body.json").write_bytes(answer.partition(b"\r\n\r\n")[2])
    quoted = [(name, value.replace('"', '\\"')) for name, value in fixed_headers(answer)]
    headers = "\n".join(f'      add_header {name} "{value}" always;' for name, value in quoted)
    (folder / "nginx.conf").write_text(f"""
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx-errors.log crit;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=16 inactive=1h;
  open_file_cache_valid 1h;
  map_hash_max_size 1048576;
  map_hash_bucket_size 128;
  map $http_authorization $known {{ default 0; include {folder}/nginx.map; }}
  limit_req_zone $http_authorization zone=keys:64m rate=60r/m;
  limit_req_status 429;
  server {{
    listen 127.0.0.1:{port};
    location = /mcp/v1/tools {{
      if ($known = 0) {{ return 401; }}
      limit_req zone=keys burst=59 nodelay;
      alias {folder}/body.json;
      default_type application/json;
      etag off;
      max_ranges 0;
{headers}
      add_header last-modified "";
    }}
  }}
}}
""")
    process = Process(["/usr/sbin/nginx", "-c", folder / "nginx.conf"], SERVER_CORE, folder / "nginx.log")
    process.wait_for_port(port)
    return Contestant("nginx", port, process)


def haproxy(root, name, keys, answer):
    """A map for the keys and a stick table for the rate."""
    port, folder = free_port(), root / f"haproxy-{name}"
    folder.mkdir()
    (folder / "haproxy.map").write_text("".join(f"{key} 1\n" for key in keys))
    (folder / "body.json").write_bytes(answer.partition(b"\r\n\r\n")[2])
    escaped = [(name, "".join(f"\\{c}" if c in "\"' " else c for c in value)) for name, value in fixed_headers(answer)]
    headers = " ".join(f"hdr {name} {value}" for name, value in escaped)
    (folder / "haproxy.cfg").write_text(f"""
global
  nbthread 1
  tune.bufsize 262144
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend tools
  bind 127.0.0.1:{port}
  stick-table type string len 64 size 1m expire 60s store http_req_rate(60s)
  http-request return status 401 unless {{ http_auth_bearer,map_str({folder}/haproxy.map) -m found }}
  http-request track-sc0 http_auth_bearer
  http-request return status 429 if {{ sc_http_req_rate(0) gt 60 }}
  http-request return status 200 content-type application/json file {folder}/body.json {headers}
""")
    process = Process(["/usr/sbin/haproxy", "-f", folder / "haproxy.cfg"], SERVER_CORE, folder / "haproxy.log")
    process.wait_for_port(port)
    return Contestant("HAProxy", port, process)
