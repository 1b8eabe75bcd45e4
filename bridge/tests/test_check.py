"""--check: a line for each step, and what to do where one fails."""

import subprocess
import sys

import pytest

from harness import KEY, PATIENCE, SCRIPT, bridge_environment, run_bridge


def check(url, key=KEY, **environment):
    done = run_bridge("--check", url=url, key=key, **environment)
    assert done.stderr == ""
    lines = [line.split(None, 2) for line in done.stdout.splitlines()]
    return (
        done.returncode,
        {(mark, subject): text for mark, subject, text in (line for line in lines if len(line) == 3)},
        done.stdout,
    )


def test_all_is_well(upstream):
    code, lines, output = check(upstream.url)
    assert code == 0 and "FAIL" not in output
    assert lines["ok", "SVC_API_URL"] == upstream.url
    assert {subject for _, subject in lines} >= {
        "SVC_MCP_KEY",
        "SVC_MCP_READ_ONLY",
        "connection",
        "key",
        "plan",
        "scope",
        "tools",
    }
    assert lines["ok", "scope"] == "write"
    assert "look (reads)" in output and "change (writes)" in output


def test_who_stops_reading_is_not_shown_a_traceback(upstream):
    checking = subprocess.Popen(
        [sys.executable, str(SCRIPT), "--check"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=bridge_environment(upstream.url, KEY),
    )
    checking.stdout.close()
    assert checking.stderr.read() == b"" and checking.wait(PATIENCE) == 1
    checking.stderr.close()


def test_read_only_shows_what_an_agent_sees(upstream):
    _, lines, output = check(upstream.url, SVC_MCP_READ_ONLY="1")
    assert lines["ok", "tools"].startswith("1 ")
    assert "look (reads)" in output and "change" not in output


def test_tls_and_the_proxy_have_their_words(tls_upstream, authority, forward_proxy):
    proxy = forward_proxy()
    _, lines, _ = check(
        tls_upstream.url,
        SSL_CERT_FILE=str(authority.certificate),
        HTTPS_PROXY=f"http://u:secret@127.0.0.1:{proxy.port}",
    )
    assert lines["ok", "connection"] == f"TLS, certificate trusted through the proxy 127.0.0.1:{proxy.port}"


@pytest.mark.parametrize(
    "settings, subject",
    [
        ({"url": None}, "SVC_API_URL"),
        ({"url": "nonsense"}, "SVC_API_URL"),
        ({"url": "${URL}"}, "SVC_API_URL"),
        ({"url": "http://127.0.0.1:9", "key": None}, "SVC_MCP_KEY"),
        ({"url": "http://127.0.0.1:9", "key": "${KEY}"}, "SVC_MCP_KEY"),
        ({"url": "http://127.0.0.1:9", "SVC_MCP_READ_ONLY": "maybe"}, "SVC_MCP_READ_ONLY"),
        ({"url": "http://127.0.0.1:9"}, "connection"),
    ],
)
def test_a_wrong_setting_fails_under_its_own_name(settings, subject):
    code, lines, _ = check(**settings)
    assert code == 1
    assert lines["FAIL", subject]


@pytest.mark.parametrize(
    "status, reason, subject, words",
    [
        (401, "key_invalid", "key", "Settings > MCP"),
        (403, "mcp_inactive", "plan", "MCP is inactive"),
        (403, "key_owner_removed", "owner", "no longer a member"),
        (429, "rate_limited", "rate limit", "Wait 60 s"),
        (503, "unavailable", "service", "Try again"),
    ],
)
def test_a_refusal_fails_under_the_name_of_what_to_look_at(upstream, status, reason, subject, words):
    upstream.on_list = lambda exchange: exchange.problem(status, reason)
    code, lines, output = check(upstream.url)
    assert code == 1
    assert f"FAIL  {subject} " in output and words in output
    assert ("ok", "connection") in lines
    assert (("ok", "key") in lines) == (status in (403, 429))


def test_an_untrusted_certificate_fails_the_connection(tls_upstream):
    code, lines, _ = check(tls_upstream.url)
    assert code == 1 and "SSL_CERT_FILE" in lines["FAIL", "connection"]


def test_something_else_at_the_address_fails_the_service(upstream):
    upstream.on_list = lambda exchange: exchange.answer(200, b"<html>")
    code, lines, _ = check(upstream.url)
    assert code == 1 and "is not the service" in lines["FAIL", "service"]


def test_a_key_that_was_cut_off_is_noticed(upstream):
    _, lines, _ = check(upstream.url, key=KEY[:-3])
    assert "54 characters" in lines["ok", "SVC_MCP_KEY"]


def test_a_console_of_few_letters_does_no_harm(upstream):
    upstream.on_list = lambda exchange: exchange.problem(401, "key_invalid")
    code, lines, _ = check(upstream.url, PYTHONIOENCODING="ascii")
    assert code == 1 and lines["FAIL", "key"]
