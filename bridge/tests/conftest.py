import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from harness import WAIT_TIMEOUT, REPOSITORY, BridgeProcess  # noqa: E402
from network import Authority, BreakingProxy, ForwardProxy  # noqa: E402
from upstream import Upstream  # noqa: E402

LIMITED_SCRIPT = Path(__file__).with_name("with_limits.py")


@pytest.fixture
def closing():
    """Registers objects that are closed after the test, in reverse order."""
    things = []

    def register(thing):
        things.append(thing)
        return thing

    yield register
    for thing in reversed(things):
        thing.close()


@pytest.fixture
def upstream(closing):
    return closing(Upstream())


@pytest.fixture
def start(closing, upstream):
    """Starts a bridge, by default for the fake service."""

    def start(url=None, limits=None, patch=None, **options):
        if limits or patch:
            options.update(script=LIMITED_SCRIPT, BRIDGE_LIMITS=json.dumps(limits or {}), BRIDGE_PATCH=patch or "")
        return closing(BridgeProcess(url or upstream.url, **options))

    return start


@pytest.fixture
def bridge(start):
    return start()


@pytest.fixture(scope="session")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def tls_upstream(closing, authority):
    return closing(Upstream(tls=authority.server_context()))


@pytest.fixture
def forward_proxy(closing):
    return lambda **options: closing(ForwardProxy(**options))


# The real service


class Service:
    """The real service (`svc-mcp demo`), and its management API."""

    def __init__(self, folder):
        binary = os.environ.get("SVC_MCP_BIN", str(REPOSITORY / "target" / "debug" / "svc-mcp"))
        self.process = subprocess.Popen(
            [binary, "demo", "--json", "--listen", "127.0.0.1:0", "--site-listen", "127.0.0.1:0", "--data-dir", str(folder)],
            stdout=subprocess.PIPE,
            stderr=open(folder / "stderr", "wb"),
            env={**os.environ, "SVC_MANAGEMENT_LIMIT": "0"},  # tests poll
        )
        line = self.process.stdout.readline()
        assert line, f"the service did not start: {(folder / 'stderr').read_text()}"
        self.about = json.loads(line)
        self.url = self.about["url"]
        self.port = int(self.url.rpartition(":")[2])
        self.keys_path = f"/api/brands/{self.about['brand_id']}/mcp-keys"

    def manage(self, method, path, body=None, token="token"):
        request = urllib.request.Request(
            self.url + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.about[token]}", "Content-Type": "application/json"},
        )
        return json.loads(self.fetch(request) or b"null")

    def fetch(self, request):
        """The body of a response. `request` may be a path."""
        if isinstance(request, str):
            request = self.url + request
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=WAIT_TIMEOUT) as answer:
            return answer.read()

    def create_key(self, scope, **more):
        return self.manage("POST", self.keys_path, {"label": "bridge test", "scope": scope, **more})

    def revoke_key(self, key):
        self.manage("DELETE", f"{self.keys_path}/{key['key_id']}")

    def set_mcp(self, active):
        [brand] = [b for b in self.manage("GET", "/api/me")["brands"] if b["brand_id"] == self.about["brand_id"]]
        plan = brand["plan"]
        body = {"name": plan["name"], "mcp_enabled": active}
        self.manage("PUT", f"/api/admin/plans/{plan['plan_id']}", body, token="operator_token")

    def close(self):
        self.process.terminate()
        assert self.process.wait(WAIT_TIMEOUT) == 0


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    service = Service(tmp_path_factory.mktemp("service"))
    yield service
    service.close()


@pytest.fixture
def new_key(service):
    """Creates keys of the real service: one per test, because a key may send 60 requests a minute."""
    made = []

    def new_key(scope="write", **more):
        made.append(service.create_key(scope, **more))
        return made[-1]["api_key"]

    yield new_key
    for key in made:
        service.revoke_key(key)


@pytest.fixture
def breaking_proxy(closing, service):
    return closing(BreakingProxy(service.port))
