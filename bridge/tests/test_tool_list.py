"""The cache of the list of tools: how long it is used, when it is read again, and that the client learns of a change."""

import itertools

import pytest

from harness import STATELESS_META
from upstream import READ, TOOLS, tool

MORE_TOOLS = [*TOOLS, tool("find", READ)]
LIST_CHANGED = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
NO_TTL = {"TOOLS_TTL": 0}  # every list is old at once


class Listing:
    """A list with an ETag, like the service's."""

    def __init__(self, upstream):
        self.tools, self.version, self.answers = TOOLS, 1, []
        self.upstream = upstream
        upstream.on_list = self.answer

    def change(self, tools):
        self.tools, self.version = tools, self.version + 1

    def answer(self, exchange):
        etag = f'"v{self.version}"'
        self.answers.append(304 if exchange.headers.get("if-none-match") == etag else 200)
        if self.answers[-1] == 304:
            exchange.raw(f"HTTP/1.1 304 Not Modified\r\nETag: {etag}\r\n\r\n".encode())
        else:
            exchange.answer(200, {"tools": self.tools}, {"ETag": etag})


@pytest.fixture
def listing(upstream):
    return Listing(upstream)


def names(bridge, params=None):
    return [tool["name"] for tool in bridge.request("tools/list", params)["result"]["tools"]]


def limited(exchange):
    exchange.problem(429, "rate_limited", {"Retry-After": "17"})


def test_a_fresh_list_is_not_read_again(start, listing):
    bridge = start(limits={"TOOLS_TTL": 3600})
    bridge.initialize()
    assert names(bridge) == names(bridge) == names(bridge, {"_meta": STATELESS_META}) == ["look", "change"]
    assert listing.answers == [200]


def test_an_old_list_is_confirmed_with_its_etag(start, listing):
    bridge = start(limits=NO_TTL)
    bridge.initialize()
    assert names(bridge) == names(bridge) == ["look", "change"]
    assert listing.answers == [200, 304]
    listing.change(MORE_TOOLS)
    assert names(bridge) == names(bridge) == ["look", "change", "find"]
    assert listing.answers == [200, 304, 200, 304]


def test_a_list_without_an_etag_is_read_again(start, upstream):
    bridge = start(limits=NO_TTL)
    assert names(bridge) == names(bridge) == ["look", "change"]
    assert ["if-none-match" in exchange.headers for exchange in upstream.exchanges] == [False, False]


@pytest.mark.parametrize("etag", ['"with space"', '"ü"', "x" * 201, ""])
def test_an_etag_that_is_not_plain_is_not_sent_back(start, upstream, etag):
    upstream.on_list = lambda exchange: exchange.answer(200, {"tools": TOOLS}, {"ETag": etag})
    bridge = start(limits=NO_TTL)
    assert names(bridge) == names(bridge) == ["look", "change"]
    assert "if-none-match" not in upstream.exchanges[1].headers


def test_304_without_a_known_list_is_an_error(bridge, upstream):
    upstream.on_list = lambda exchange: exchange.raw(b"HTTP/1.1 304 Not Modified\r\n\r\n")
    assert bridge.request("tools/list")["error"]["code"] == -32603


def test_a_stateless_list_says_how_long_it_is_fresh(start, listing):
    params = {"_meta": STATELESS_META}
    fresh = start(limits={"TOOLS_TTL": 3600}).request("tools/list", params)["result"]
    assert 0 < fresh["ttlMs"] <= 3_600_000 and fresh["cacheScope"] == "private"
    assert start(limits=NO_TTL).request("tools/list", params)["result"]["ttlMs"] == 0


def test_the_last_list_is_served_while_the_key_is_rate_limited(start, upstream):
    bridge = start(limits=NO_TTL)
    listed = bridge.request("tools/list")["result"]
    upstream.on_list, served = limited, upstream.on_list
    assert bridge.request("tools/list")["result"] == listed
    assert len(upstream.exchanges) == 2  # the service was asked again
    for status, code in ((401, "key_invalid"), (403, "mcp_inactive"), (503, "unavailable")):
        upstream.on_list = lambda exchange, status=status, code=code: exchange.problem(status, code)
        assert bridge.request("tools/list")["error"]["code"] == -32603  # only a rate limit ends by itself
    upstream.on_list = served
    assert bridge.request("tools/list")["result"] == listed


def test_the_last_list_is_served_without_tools_that_write_in_read_only_mode(start, upstream):
    bridge = start(limits=NO_TTL, SVC_MCP_READ_ONLY="1")
    listed = bridge.request("tools/list")["result"]
    assert [tool["name"] for tool in listed["tools"]] == ["look"]
    upstream.on_list = limited
    assert bridge.request("tools/list")["result"] == listed


# A list that has changed


def test_a_client_is_told_after_a_call_that_its_list_has_changed(start, listing):
    bridge = start(limits=NO_TTL)
    assert bridge.initialize()["capabilities"] == {"tools": {"listChanged": True}}
    names(bridge)
    listing.change(MORE_TOOLS)
    assert bridge.call()["result"]["isError"] is False
    assert bridge.next() == LIST_CHANGED
    assert names(bridge) == ["look", "change", "find"]


def let_the_list_be_read(bridge, listing):
    """Calls until the list was read twice: the second reading begins after the first one is dealt with."""
    wanted = len(listing.answers) + 2
    while len(listing.answers) < wanted:
        bridge.call()


def announcements(bridge):
    bridge.request("ping")
    return sum(b"list_changed" in line for line in bridge.seen)


def test_a_client_is_told_once(start, listing):
    bridge = start(limits=NO_TTL)
    bridge.initialize()
    names(bridge)
    for changes, tools in enumerate((MORE_TOOLS, TOOLS), 1):
        listing.change(tools)
        let_the_list_be_read(bridge, listing)
        let_the_list_be_read(bridge, listing)
        assert announcements(bridge) == changes


def test_an_unchanged_list_is_not_announced(start, listing):
    bridge = start(limits=NO_TTL)
    bridge.initialize()
    names(bridge)
    let_the_list_be_read(bridge, listing)
    listing.change(list(TOOLS))  # another ETag, the same tools
    let_the_list_be_read(bridge, listing)
    assert 200 in listing.answers[1:] and announcements(bridge) == 0


def test_a_change_that_the_client_has_listed_is_not_announced(start, listing):
    bridge = start(limits=NO_TTL)
    bridge.initialize()
    names(bridge)
    listing.change(MORE_TOOLS)
    assert names(bridge) == ["look", "change", "find"]
    let_the_list_be_read(bridge, listing)
    assert announcements(bridge) == 0


def test_a_hidden_change_is_not_announced_in_read_only_mode(start, listing):
    bridge = start(limits=NO_TTL, SVC_MCP_READ_ONLY="1")
    bridge.initialize()
    assert names(bridge) == ["look"]
    listing.change(TOOLS[:1])
    let_the_list_be_read(bridge, listing)
    assert announcements(bridge) == 0


def test_a_fresh_list_is_not_read_after_a_call(start, listing):
    bridge = start(limits={"TOOLS_TTL": 3600})
    bridge.initialize()
    names(bridge)
    for _ in range(5):
        bridge.call()
    assert bridge.rest() == [] and listing.answers == [200]


def test_a_client_that_never_listed_tools_is_not_told(start, listing):
    bridge = start(limits=NO_TTL)
    bridge.initialize()
    bridge.call()
    assert bridge.rest() == [] and listing.answers == []


def test_a_stateless_client_gets_no_notification(start, listing):
    bridge = start(limits=NO_TTL)
    assert bridge.request("server/discover", {"_meta": STATELESS_META})["result"]["capabilities"] == {"tools": {}}
    names(bridge, {"_meta": STATELESS_META})
    listing.change(MORE_TOOLS)
    bridge.call(_meta=STATELESS_META)
    assert bridge.rest() == [] and listing.answers == [200]


def test_a_list_that_cannot_be_read_after_a_call_is_not_reported(start, listing):
    bridge = start(limits=NO_TTL)
    bridge.initialize()
    names(bridge)
    answers = itertools.cycle([limited, lambda exchange: exchange.drop(), lambda exchange: exchange.answer(200, b"no")])
    listing.upstream.on_list = lambda exchange: next(answers)(exchange)
    for _ in range(6):
        assert bridge.call()["result"]["isError"] is False
    bridge.nothing_but_ping()


def test_a_call_does_not_wait_for_the_list(start, listing):
    bridge = start(limits=NO_TTL)
    bridge.initialize()
    names(bridge)
    listing.upstream.on_list = lambda exchange: None  # never answers
    for _ in range(5):
        assert bridge.call()["result"]["isError"] is False
    bridge.nothing_but_ping()
