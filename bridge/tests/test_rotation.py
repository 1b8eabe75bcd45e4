"""Keys are rotated while calls run through the bridge."""

import json
import threading
import time

from harness import WAIT_TIMEOUT, text_of

GRACE_SECONDS = 5
# Both bridges and the checks of this test together stay below the 60 requests a minute of a key.
PAUSE = 0.5


class Caller(threading.Thread):
    """Calls a tool again and again, and keeps the answers with the times at which they were sent."""

    def __init__(self, bridge):
        super().__init__()
        self.bridge = bridge
        self.answers = []
        self.stopping = threading.Event()

    def run(self):
        while not self.stopping.wait(PAUSE):
            sent = time.monotonic()
            self.answers.append((sent, self.bridge.call("get_brand")))

    def stop(self):
        self.stopping.set()
        self.join(WAIT_TIMEOUT)
        assert not self.is_alive()


def wait_for(condition):
    end = time.monotonic() + WAIT_TIMEOUT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def rotate(service, key, grace):
    return service.manage("POST", f"{service.keys_path}/{key['key_id']}/rotate", {"grace_seconds": grace})


def is_refused(answer):
    return answer["result"]["isError"] is True


def test_no_call_fails_while_both_secrets_work(start, service):
    key = service.create_key("read")
    old = Caller(start(service.url, key=key["api_key"]))
    old.start()
    wait_for(lambda: len(old.answers) >= 2)
    rotated = rotate(service, key, GRACE_SECONDS)
    works_until = time.monotonic() + GRACE_SECONDS - 1
    new = Caller(start(service.url, key=rotated["api_key"]))
    new.start()
    wait_for(lambda: any(is_refused(answer) for _, answer in old.answers))
    old.stop()
    new.stop()
    assert [answer for _, answer in new.answers if is_refused(answer)] == []
    assert [answer for sent, answer in old.answers if sent < works_until and is_refused(answer)] == []
    text = text_of(old.answers[-1][1])
    assert "SVC_MCP_KEY" in text and "Settings → MCP" in text
    assert rotated["api_key"] not in json.dumps(old.answers)
    service.revoke_key(key)


def test_a_finished_rotation_ends_the_old_secret_for_the_next_call(start, service):
    key = service.create_key("read")
    rotated = rotate(service, key, 86_400)
    old, new = start(service.url, key=key["api_key"]), start(service.url, key=rotated["api_key"])
    for bridge in (old, new):
        assert bridge.call("get_brand")["result"]["isError"] is False
    service.manage("POST", f"{service.keys_path}/{key['key_id']}/rotate/finish")
    assert "SVC_MCP_KEY" in text_of(old.call("get_brand"))
    assert new.call("get_brand")["result"]["isError"] is False
    service.revoke_key(key)
