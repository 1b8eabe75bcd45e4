"""Progress of calls that wait."""

import json
import subprocess
import threading

import pytest

from harness import NO_TIMEOUTS, OLD_REVISIONS, REPOSITORY, SCRIPT, STATELESS_META, WAIT_TIMEOUT, bridge_environment
from upstream import call_tool

FAST = {**NO_TIMEOUTS, "PROGRESS_INTERVAL": 0.15}


@pytest.fixture
def held(upstream):
    """The fake service answers calls only after `held.set()`."""
    release = threading.Event()

    def answer(exchange):
        release.wait(WAIT_TIMEOUT)
        call_tool(exchange)

    upstream.on_call = answer
    yield release
    release.set()


def ask(bridge, token, name="look", **meta):
    return bridge.ask("tools/call", {"name": name, "arguments": {}, "_meta": {"progressToken": token, **meta}})


def next_progress(bridge):
    message = bridge.next()
    assert message["method"] == "notifications/progress" and "id" not in message, message
    return message["params"]


@pytest.mark.parametrize("token", ["abc", "", 7, 0])
def test_progress_increases_until_the_answer(start, held, token):
    bridge = start(limits=FAST)
    bridge.initialize()
    call = ask(bridge, token)
    reports = [next_progress(bridge) for _ in range(3)]
    assert [report["progressToken"] for report in reports] == [token] * 3
    values = [report["progress"] for report in reports]
    assert 0 < values[0] < values[1] < values[2]
    held.set()
    assert bridge.answer_to(call)["result"]["isError"] is False
    assert bridge.rest() == [], "nothing after the answer"


def test_the_message_names_the_tool(start, held):
    bridge = start(limits=FAST)
    bridge.initialize()
    ask(bridge, 1)
    assert next_progress(bridge)["message"].startswith("look: waiting for the result, ")
    bridge.request("tools/list")
    messages = [next_progress(bridge)["message"] for _ in range(2)]
    assert messages[-1].startswith("Look: waiting for the result, ") and messages[-1].endswith(" s"), "its title, once known"


@pytest.mark.parametrize("revision", OLD_REVISIONS)
def test_the_oldest_revision_has_no_message(start, held, revision):
    bridge = start(limits=FAST)
    bridge.initialize(revision)
    ask(bridge, 1)
    assert ("message" in next_progress(bridge)) == (revision > "2024-11-05")


def test_a_stateless_call_gets_progress(start, held):
    bridge = start(limits=FAST)
    ask(bridge, "t", **STATELESS_META)
    assert next_progress(bridge)["progressToken"] == "t"


def test_each_call_gets_its_own_progress(start, held):
    bridge = start(limits=FAST)
    bridge.initialize()
    calls = [ask(bridge, token) for token in ("a", "b", "c")]
    seen = set()
    while seen != {"a", "b", "c"}:
        seen.add(next_progress(bridge)["progressToken"])
    held.set()
    for call in calls:
        assert bridge.answer_to(call)["result"]["isError"] is False


@pytest.mark.parametrize("token", [None, True, 1.5, [], {}])
def test_without_a_valid_token_there_is_no_progress(start, held, token):
    bridge = start(limits=FAST)
    bridge.initialize()
    silent, loud = ask(bridge, token), ask(bridge, "loud")
    for _ in range(3):
        assert next_progress(bridge)["progressToken"] == "loud"
    held.set()
    for call in (silent, loud):
        assert bridge.answer_to(call)["result"]["isError"] is False


def test_a_cancelled_call_gets_no_more_progress(start, held):
    bridge = start(limits=FAST)
    bridge.initialize()
    call = ask(bridge, "gone")
    next_progress(bridge)
    bridge.notify("notifications/cancelled", {"requestId": call})
    ping = bridge.ask("ping")
    while (message := bridge.next()).get("id") != ping:  # what was on its way
        assert message["params"]["progressToken"] == "gone"
    ask(bridge, "next")
    for _ in range(3):
        assert next_progress(bridge)["progressToken"] == "next"


def test_a_fast_call_gets_no_progress(start):
    bridge = start(limits={"PROGRESS_INTERVAL": 3600})
    bridge.initialize()
    for token in range(20):
        bridge.answer_to(ask(bridge, token))
    assert bridge.rest() == []


def test_a_call_after_a_pause_gets_progress_again(start, held, upstream):
    bridge = start(limits=FAST)
    bridge.initialize()
    for token in range(3):
        held.clear()
        call = ask(bridge, token)
        assert next_progress(bridge)["progressToken"] == token
        held.set()
        bridge.answer_to(call)


CLIENTS = {"mcp 1": ("mcp1", "progress_mcp1.py"), "mcp 2": ("test", "progress_mcp2.py")}


@pytest.mark.parametrize("client", CLIENTS)
def test_the_progress_callback_of_the_official_clients_is_called(upstream, held, client, tmp_path):
    environment, script = CLIENTS[client]
    done = subprocess.Popen(
        [REPOSITORY / ".venv" / environment / "bin" / "python", SCRIPT.parent / "tests" / "clients" / script,
         SCRIPT.parent / "tests" / "with_limits.py"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=bridge_environment(upstream.url, "svc_mcp_" + "Kq7" * 16 + "z", BRIDGE_LIMITS=json.dumps(FAST)),
    )  # fmt: skip
    upstream.arrived.acquire(timeout=WAIT_TIMEOUT)
    reports = [json.loads(done.stdout.readline() or '"the client ended"') for _ in range(2)]
    held.set()
    rest, errors = done.communicate(timeout=WAIT_TIMEOUT)
    assert done.returncode == 0, errors.decode()
    [first, second] = reports
    assert 0 < first[0] < second[0] and first[1] is None and "waiting for the result" in first[2]
    assert json.loads(rest.splitlines()[-1]) == {"isError": False}
