"""The real service, and the users and brands of the tests."""

import base64
import datetime
import hashlib
import hmac
import itertools
import json
import os
import pathlib
import subprocess
import time
import urllib.error
import urllib.request
from dataclasses import dataclass

import databases

REPOSITORY = pathlib.Path(__file__).resolve().parents[4]
BINARY = pathlib.Path(os.environ.get("SVC_MCP_BIN", REPOSITORY / "target/debug/svc-mcp"))

# The service accepts a token for this time after its expiry, because clocks differ.
LEEWAY_SECONDS = 30

WITH_MCP = "with-mcp"
WITHOUT_MCP = "without-mcp"


# Seconds. Long, so that a wait ends by its condition even on a very busy machine.
WAIT_TIMEOUT = 300


def eventually(check):
    """Waits until `check` returns a true value, and returns it."""
    deadline = time.monotonic() + WAIT_TIMEOUT
    pause = 0.02
    while not (result := check()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {WAIT_TIMEOUT} s")
        time.sleep(pause)
        pause = min(1.5 * pause, 0.25)  # a check is often a request
    return result


def from_now(**span):
    return (datetime.datetime.now(datetime.UTC) + datetime.timedelta(**span)).isoformat()


def in_days(days):
    """Some minutes later than that, so that the page rounds to this number of days."""
    return from_now(days=days, minutes=10)


class Service:
    """`svc-mcp demo` in its own directory."""

    def __init__(self, directory: pathlib.Path, *more):
        self.directory = directory
        command = [BINARY, "demo", "--json", "--listen", "127.0.0.1:0", "--site-listen", "127.0.0.1:0", "--log", "warn", "--data-dir", directory]
        command += ["--management-limit", "0", *databases.settings(directory), *more]  # tests poll
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE)
        ready = json.loads(self.process.stdout.readline())
        self.url = ready["url"]
        self.site_url = ready["site_url"]
        self.operator_token = ready["operator_token"]
        self.numbers = itertools.count(1)
        for plan, name, enabled in ((WITH_MCP, "Growth", True), (WITHOUT_MCP, "Starter", False)):
            self.api("PUT", f"/api/admin/plans/{plan}", self.operator_token, {"name": name, "mcp_enabled": enabled})

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=WAIT_TIMEOUT)

    def request(self, method, path, bearer, body=None):
        """Status and JSON of a response, also of a refusal."""
        headers = {"Authorization": f"Bearer {bearer}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=WAIT_TIMEOUT) as response:
                status, text = response.status, response.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read()
        return status, json.loads(text) if text else None

    def api(self, method, path, bearer, body=None):
        status, answer = self.request(method, path, bearer, body)
        assert status < 400, f"{method} {path}: {status} {answer}"
        return answer

    def token(self, user, lives_for=3600, operator=False):
        """A token of the application. It may have expired already."""
        secret = (self.directory / "jwt.secret").read_text().strip().encode()

        def encoded(part):
            return base64.urlsafe_b64encode(part).rstrip(b"=")

        claims = {"sub": user, "exp": int(time.time()) + lives_for, **({"svc_role": "operator"} if operator else {})}
        signed = b".".join(encoded(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
        return b".".join((signed, encoded(hmac.digest(secret, signed, hashlib.sha256)))).decode()

    def brand(self, name="Northwind Coffee"):
        """A new brand with the administrator Robin and the member Dana."""
        brand = Brand(self, f"brand-{next(self.numbers)}", name)
        brand.set_plan(WITH_MCP)
        brand.add_member("robin", "admin", "Robin Vale")
        brand.add_member("dana", "member", "Dana Okafor")
        return brand


@dataclass
class Brand:
    service: Service
    brand_id: str
    name: str

    def user(self, who):
        """Each user belongs to one brand, so that tests do not affect each other."""
        return f"{who}-{self.brand_id}"

    def token(self, who):
        return self.service.token(self.user(who))

    def link(self, who="robin"):
        return f"{self.service.url}/settings/mcp#token={self.token(who)}"

    def code_link(self, who="robin"):
        """A link with a code, as the host application asks for it."""
        return self.service.api("POST", "/api/sign-in-codes", self.token(who))["url"]

    def set_plan(self, plan, website="https://northwind.example"):
        body = {"name": self.name, "website": website, "plan_id": plan}
        self.service.api("PUT", f"/api/admin/brands/{self.brand_id}", self.service.operator_token, body)

    def add_member(self, who, role, name, user=None, **more):
        path = f"/api/admin/brands/{self.brand_id}/members/{user or self.user(who)}"
        self.service.api("PUT", path, self.service.operator_token, {"role": role, "name": name, **more})

    def remove_member(self, who):
        path = f"/api/admin/brands/{self.brand_id}/members/{self.user(who)}"
        self.service.api("DELETE", path, self.service.operator_token)

    def create_key(self, label, who="robin", scope="read", **more):
        """The key, with its secret as `api_key`."""
        body = {"label": label, "scope": scope, **more}
        return self.service.api("POST", f"/api/brands/{self.brand_id}/mcp-keys", self.token(who), body)

    def revoke(self, key, who="robin"):
        self.service.api("DELETE", f"/api/brands/{self.brand_id}/mcp-keys/{key['key_id']}", self.token(who))

    def keys(self):
        path = f"/api/brands/{self.brand_id}/mcp-keys?include_revoked=true&limit=100"
        return self.service.api("GET", path, self.token("robin"))["keys"]

    def list_tools(self, key):
        """Lists the tools like an assistant. Returns the status."""
        return self.service.request("GET", "/mcp/v1/tools", key["api_key"])[0]

    def call(self, key, tool, arguments=None):
        return self.service.request("POST", "/mcp/v1/tools/call", key["api_key"], {"name": tool, "arguments": arguments or {}})[0]

    def result(self, key, tool, arguments):
        """The structured result of a call."""
        call = {"name": tool, "arguments": arguments}
        return self.service.api("POST", "/mcp/v1/tools/call", key["api_key"], call)["structuredContent"]

    def ask(self, key, tool, arguments):
        """A call that waits for approval. Returns the id of the approval."""
        answer = self.result(key, tool, arguments)
        assert answer.get("status") == "awaiting_approval", answer
        return answer["approval_id"]

    def approvals(self, path="", who="robin", method="GET", body=None):
        """The approvals of the brand, or what this path below them answers."""
        return self.service.api(method, f"/api/brands/{self.brand_id}/approvals{path}", self.token(who), body)

    def approval_settings(self, who="robin", method="GET", body=None):
        return self.service.api(method, f"/api/brands/{self.brand_id}/approval-settings", self.token(who), body)

    def posts(self):
        return self.service.api("GET", f"/api/brands/{self.brand_id}/posts?limit=100", self.token("robin"))["posts"]

    def post(self, post_id):
        return self.service.api("GET", f"/api/brands/{self.brand_id}/posts/{post_id}", self.token("robin"))

    def change_post(self, post_id, changes):
        return self.service.api("PATCH", f"/api/brands/{self.brand_id}/posts/{post_id}", self.token("robin"), changes)

    def feed(self):
        """The texts of the published posts, newest first."""
        status, feed = self.service.request("GET", f"/feeds/{self.brand_id}/feed.json", "none")
        return [item["content_text"] for item in feed["items"]] if status == 200 else []

    def wait_for_events(self, count, **filters):
        """Waits for this many events. The service writes them in batches."""
        query = "&".join(f"{name}={value}" for name, value in {"limit": 100, **filters}.items())
        path = f"/api/brands/{self.brand_id}/mcp-activity?{query}"
        return eventually(lambda: (events := self.service.api("GET", path, self.token("robin"))["events"]) and len(events) >= count and events)
