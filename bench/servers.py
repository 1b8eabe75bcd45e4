"""What is measured: svc-mcp in both modes, the bare servers, and the proxies with their simpler check."""

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
    # Processes it needs, such as a database. They stand for other machines: not on its core, and not in its figures.
    backends: list = field(default_factory=list)
    metrics_port: int = 0
    # The `query` program: it is sent no requests, only how many queries to run in a turn.
    is_query: bool = False

    def settle(self):
        """Waits until it is idle and, if it is the service, until it has written all uses of keys."""
        if self.process.has_ended():
            raise Broken(f"{self.name} has ended: {self.process.error()}")
        if self.metrics_port:
            settle(self.process, 180, self.has_unwritten_uses)
        else:
            settle(self.process, 8)

    def has_unwritten_uses(self):
        try:
            return metric(self.metrics_port, "svc_mcp_keys_waiting") > 0
        except OSError:  # it is too busy to answer
            return True

    def stop(self):
        for process in [self.process, *reversed(self.backends)]:
            process.stop()


def metric(port, name):
    """The sum of a metric over all its labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith((f"{name} ", f"{name}{{")))


def exchange(port, request):
    """Sends the bytes of a request and returns those of the response."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(request)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += receive(connection)
        head, _, body = answer.partition(b"\r\n\r\n")
        headers = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        while len(body) < int(headers[b"content-length"]):
            body += receive(connection)
        return head + b"\r\n\r\n" + body


def receive(connection):
    piece = connection.recv(65536)
    if not piece:
        raise Broken("a server closed the connection in the middle of a response")
    return piece


def status_of(answer):
    return int(answer[9:12])


def is_ready(port):
    request = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    return listens(port) and status_of(exchange(port, request)) == 200


def service(binary, name, folder, environment, backends=()):
    """svc-mcp, ready for requests, and how many seconds its start took."""
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
        raise Broken(f"{name} ended while it started: {process.error()}")
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
    # No checkpoint of its own during a measurement: `seed` ends with one.
    settings = ["unix_socket_directories=", "checkpoint_timeout=1h", "max_wal_size=8GB"]
    options = [part for setting in settings for part in ("-c", setting)]
    command = [*user, programs / "postgres", "-D", cluster, "-p", port, *options]
    process = Process(command, GENERATOR_CORE, folder / "postgres.log")
    process.wait_for_port(port)
    return process, f"postgres://postgres@127.0.0.1:{port}/postgres"


def redis(folder):
    port = free_port()
    command = ["redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    process = Process(command, GENERATOR_CORE, folder / "redis.log")
    process.wait_for_port(port)
    return process, port


def start_program(program, name, log, *options, is_query=False):
    """One of the programs in bench/contestants."""
    port = free_port()
    process = Process([install.OURS / program, "--listen", f"127.0.0.1:{port}", *options], SERVER_CORE, log)
    process.wait_for_port(port)
    return Contestant(name, port, process, is_query=is_query)


def bare(name, file, answer):
    """The upper limit: sends `answer`, the bytes of a response, to every request."""
    file.write_bytes(answer)
    return start_program("bare", name, file.with_suffix(".log"), "--answer", file)


@dataclass
class Queries:
    """The queries of `list_posts`: one page of each brand in turn."""

    database: str
    brands: int
    limit: int

    def options(self):
        return ["--database", self.database, "--brands", self.brands, "--limit", self.limit]


def query(name, log, queries):
    """The queries through the store and nothing else."""
    return start_program("query", name, log, *queries.options(), "--tasks", 64, is_query=True)


def bare_query(name, file, answer, queries):
    """The upper limit of a server that runs a query for each response."""
    file.write_bytes(answer)
    return start_program("bare_query", name, file.with_suffix(".log"), "--answer", file, *queries.options())


def fixed_headers(answer):
    """The response headers that a proxy must be configured to send."""
    head = answer.partition(b"\r\n\r\n")[0].decode()
    pairs = [line.split(": ", 1) for line in head.split("\r\n")[1:]]
    return [(name, value) for name, value in pairs if name not in ("content-length", "content-type", "date")]


def nginx(root, name, keys, answer):
    """`map` for the keys and `limit_req` for the rate. The body comes from a file, because `return` runs before the limit."""
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
