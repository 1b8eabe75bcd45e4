"""An agent whose key asks first, through the bridge with the official client: from a draft to a withdrawn post."""

import asyncio
import json
import time
import urllib.error

from mcp import Client, StdioServerParameters

from harness import SCRIPT, WAIT_TIMEOUT, bridge_environment


class Agent:
    """The official client, connected to the bridge."""

    def __init__(self, client):
        self.client = client

    async def call(self, tool, **arguments):
        """The result of a call that must not fail."""
        result = (await self.client.call_tool(tool, arguments)).model_dump(mode="json", by_alias=True)
        assert not result.get("isError"), result
        return result["structuredContent"]

    async def hold(self, tool, **arguments):
        """The id of the approval that the call waits for."""
        answer = await self.call(tool, **arguments)
        assert answer["status"] == "awaiting_approval" and answer["poll_with"] == "get_approval", answer
        approval = await self.call(answer["poll_with"], approval_id=answer["approval_id"])
        assert approval["status"] == "pending", approval
        return answer["approval_id"]


class Person:
    """A person with the application's token, who uses the management API."""

    def __init__(self, service):
        self.service = service
        self.brand_path = f"/api/brands/{service.about['brand_id']}"

    def look(self, approval_id):
        return self.service.manage("GET", f"{self.brand_path}/approvals/{approval_id}")

    def approve(self, approval_id):
        seen = self.look(approval_id)
        assert seen["status"] == "pending" and seen["problem"] is None, seen
        path = f"{self.brand_path}/approvals/{approval_id}/approve"
        return seen, self.service.manage("POST", path, {"digest": seen["digest"]})

    def activity(self, key_id, kind):
        path = f"{self.brand_path}/mcp-keys/{key_id}/activity?kind={kind}"
        return self.service.manage("GET", path)["events"]

    def feed(self):
        """The texts in the brand's feed."""
        try:
            feed = json.loads(self.service.fetch(f"/feeds/{self.service.about['brand_id']}/feed.json"))
        except urllib.error.HTTPError as error:
            assert error.code == 404  # nothing is published
            return []
        return [item["content_text"] for item in feed["items"]]


async def walk(agent, person, key_id):
    draft = (await agent.call("create_post", text="Frsh beans today", channels=["feed"]))["post"]
    post = {"post_id": draft["post_id"]}
    # A draft is changed without asking.
    changed = await agent.call("update_post", text="Fresh beans today", **post)
    assert changed["post"]["text"] == "Fresh beans today"

    publish = await agent.hold("publish_post", **post)
    assert (await agent.call("get_post", **post))["targets"][0]["status"] == "draft"
    assert "Fresh beans today" not in person.feed()
    seen, done = person.approve(publish)
    assert seen["preview"]["post"]["text"] == "Fresh beans today"
    assert done["status"] == "done" and done["decided_by"] == person.service.about["user_id"]
    approval = await agent.call("get_approval", approval_id=publish)
    assert approval["status"] == "done" and approval["result"] == done["result"]
    assert (await agent.call("get_post", **post))["targets"][0]["status"] == "published"
    assert "Fresh beans today" in person.feed()

    withdraw = await agent.hold("withdraw_post", **post)
    assert "Fresh beans today" in person.feed()
    assert person.approve(withdraw)[1]["status"] == "done"
    assert (await agent.call("get_approval", approval_id=withdraw))["status"] == "done"
    assert (await agent.call("get_post", **post))["targets"][0]["status"] == "withdrawn"
    assert "Fresh beans today" not in person.feed()

    listed = await agent.call("list_approvals", status="done")
    assert [item["approval_id"] for item in listed["items"]] == [withdraw, publish]
    approved = person.activity(key_id, "approved")
    assert [event["tool"] for event in approved] == ["withdraw_post", "publish_post"]
    assert {event["actor"] for event in approved} == {person.service.about["user_id"]}


def held_tools(person, key_id):
    """The tools of the calls that were held, in the activity of the key. Events are written within a second."""
    deadline = time.monotonic() + WAIT_TIMEOUT
    while time.monotonic() < deadline:
        events = [event for event in person.activity(key_id, "call") if event["reason"] == "awaiting_approval"]
        if len(events) == 2:
            return [event["tool"] for event in events]
        time.sleep(0.1)
    raise AssertionError(f"the held calls are not in the activity: {events}")


def test_an_agent_asks_before_it_publishes_and_withdraws(service):
    key = service.create_key("write", approval="outward")
    person = Person(service)
    environment = bridge_environment(service.url, key["api_key"])
    server = StdioServerParameters(command="/usr/bin/python3", args=[str(SCRIPT)], env=environment)

    async def run():
        async with Client(server, mode="auto", read_timeout_seconds=WAIT_TIMEOUT) as client:
            await walk(Agent(client), person, key["key_id"])

    try:
        asyncio.run(run())
        assert held_tools(person, key["key_id"]) == ["withdraw_post", "publish_post"]
    finally:
        service.revoke_key(key)
