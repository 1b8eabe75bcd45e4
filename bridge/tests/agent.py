"""An agent that plays jobs through the bridge, and what its tests look up themselves."""

import asyncio
import json
import time
import urllib.error
import urllib.request
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from mcp import MCPError

from harness import WAIT_TIMEOUT

MUST_BE_KNOWN = {"analysis_id", "audit_id", "channels", "cursor", "post_id", "schedule_id", "search_id"}


class Agent:
    """The official client, connected to the bridge. Counts its tool calls."""

    def __init__(self, client):
        self.client = client
        self.calls = []  # the tools, in the order of the calls
        self.sent = 0  # with the repeated calls of a wait: their number depends on the speed of the machine
        self.tools = {}
        self.read = ""  # all that the agent has read

    async def list_tools(self):
        tools = [tool.model_dump(mode="json", by_alias=True) for tool in (await self.client.list_tools()).tools]
        self.tools = {tool["name"]: tool for tool in tools}
        self.read = json.dumps(tools)

    async def call(self, tool, **arguments):
        """The result of a call that must not fail."""
        self.calls.append(tool)
        return await self.send(tool, arguments)

    async def poll(self, until, tool, **arguments):
        """Repeats a call until its result is as expected. Counts as one call."""
        self.calls.append(tool)
        return await self.repeat(until, tool, arguments)

    async def repeat(self, until, tool, arguments):
        deadline = time.monotonic() + WAIT_TIMEOUT
        while True:
            result = await self.send(tool, arguments)
            if until(result):
                return result
            assert time.monotonic() < deadline, result
            await asyncio.sleep(2)  # a key may send 60 requests a minute

    async def work(self, tool, **arguments):
        """The result of long work. Waits as long as the tool allows, then polls with what the answer names."""
        longest_wait = self.tools[tool]["inputSchema"]["properties"]["wait_seconds"]["maximum"]
        started = await self.call(tool, wait_seconds=longest_wait, **arguments)
        result = started.get("result")
        if result is None:
            id_name = {"get_audit": "audit_id", "get_analysis": "analysis_id"}[started["poll_with"]]

            def ended(answer):
                return answer["status"] not in ("queued", "running")

            result = await self.repeat(ended, started["poll_with"], {id_name: started["id"]})
        assert result["status"] == "done", result
        return result

    async def refusal(self, tool, **arguments):
        """The text of the answer to a call that must fail."""
        self.calls.append(tool)
        self.sent += 1
        try:
            result = (await self.client.call_tool(tool, arguments)).model_dump(mode="json", by_alias=True)
        except MCPError as error:
            return str(error)
        assert result["isError"] is True, result
        [block] = result["content"]
        return block["text"]

    async def send(self, tool, arguments):
        self.check_known(tool, arguments)
        self.sent += 1
        result = (await self.client.call_tool(tool, arguments)).model_dump(mode="json", by_alias=True)
        assert not result.get("isError"), result
        self.read += json.dumps(result["structuredContent"])
        return result["structuredContent"]

    def check_known(self, tool, arguments):
        """Asserts that the agent did not guess a name, an id or a cursor."""
        assert arguments.keys() <= self.tools[tool]["inputSchema"]["properties"].keys(), (tool, arguments)
        for name in MUST_BE_KNOWN & arguments.keys():
            values = arguments[name] if isinstance(arguments[name], list) else [arguments[name]]
            for value in values:
                assert value in self.read, f"{tool}: the agent has not read {name} {value}"


def open_url(url):
    """Status and text of a page, without the proxies of this machine."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=WAIT_TIMEOUT) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def feed(service):
    """What everybody can read in the brand's feed."""
    return json.loads(service.fetch(f"/feeds/{service.about['brand_id']}/feed.json"))["items"]


def wait_for(condition):
    """The first true value of a condition."""
    deadline = time.monotonic() + WAIT_TIMEOUT
    while not (value := condition()):
        assert time.monotonic() < deadline, "the condition did not become true"
        time.sleep(0.1)
    return value


def next_monday(brand, hour):
    """The next Monday at this hour in the brand's zone, and not today."""
    today = date.fromisoformat(brand["local_time"][:10])
    monday = today + timedelta(days=7 - today.weekday())
    return datetime(monday.year, monday.month, monday.day, hour, tzinfo=ZoneInfo(brand["time_zone"]))
