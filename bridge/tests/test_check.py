"""--check prints a line for each step, and advice for a failed one."""

import subprocess
import sys

import pytest

from harness import KEY, WAIT_TIMEOUT, SCRIPT, bridge_environment, run_bridge


def check(url, key=KEY, **environment):
    done = run_bridge("--check", url=url, key=key, **environment)
    assert done.stderr == ""
    lines = [line.split(None, 2) for line in done.stdout.splitlines()]
    return (
        done.returncode,
        {(mark, subject): text for mark, subject, text in (line for line in lines if len(line) == 3)},
        done.stdout,
    )


def test_a_working_configuration(upstream):
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


def test_a_closed_stdout_shows_no_traceback(upstream):
    checking = subprocess.Popen(
        [sys.executable, str(SCRIPT), "--check"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=bridge_environment(upstream.url, KEY),
    )
    checking.stdout.close()
    assert checking.stderr.read() == b"" and checking.wait(WAIT_TIMEOUT) == 1
    checking.stderr.close()


def test_read_only_shows_the_visible_tools(upstream):
    _, lines, output = check(upstream.url, SVC_MCP_READ_ONLY="1")
    assert lines["ok", "tools"].startswith("1 ")
    assert "look (reads)" in output and "change" not in output


def test_tls_and_the_proxy_are_shown(tls_upstream, authority, forward_proxy):
    proxy = forward_proxy()
    _, lines, _ = check(
        f"https://service.test:{tls_upstream.port}",
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
        ({"url": "http://svc.example.com"}, "SVC_API_URL"),
        ({"url": "http://127.0.0.1:9", "key": None}, "SVC_MCP_KEY"),
        ({"url": "http://127.0.0.1:9", "key": "${KEY}"}, "SVC_MCP_KEY"),
        ({"url": "http://127.0.0.1:9", "SVC_MCP_READ_ONLY": "maybe"}, "SVC_MCP_READ_ONLY"),
        ({"url": "http://127.0.0.1:9"}, "connection"),
    ],
)
def test_an_invalid_setting_is_named(settings, subject):
    code, lines, _ = check(**settings)
    assert code == 1
    assert lines["FAIL", subject]


@pytest.mark.parametrize(
    "status, reason, subject, text",
    [
        (401, "key_invalid", "key", "Settings > MCP"),
        (403, "mcp_inactive", "plan", "MCP is inactive"),
        (403, "key_owner_removed", "owner", "no longer a member"),
        (403, "key_paused", "pause", "resume it"),
        (403, "brand_suspended", "brand", "suspended this brand"),
        (429, "rate_limited", "rate limit", "Wait 60 s"),
        (503, "unavailable", "service", "Try again"),
    ],
)
def test_a_refusal_names_its_subject(upstream, status, reason, subject, text):
    upstream.on_list = lambda exchange: exchange.problem(status, reason)
    code, lines, output = check(upstream.url)
    assert code == 1
    assert f"FAIL  {subject} " in output and text in output
    assert ("ok", "connection") in lines
    assert (("ok", "key") in lines) == (status in (403, 429))


def test_an_untrusted_certificate_fails_the_connection(tls_upstream):
    code, lines, _ = check(tls_upstream.url)
    assert code == 1 and "SSL_CERT_FILE" in lines["FAIL", "connection"]


def test_another_server_at_the_address_fails_the_service(upstream):
    upstream.on_list = lambda exchange: exchange.answer(200, b"<html>")
    code, lines, _ = check(upstream.url)
    assert code == 1 and "is not the service" in lines["FAIL", "service"]


@pytest.mark.parametrize("status", [502, 503, 504])
def test_an_error_of_a_gateway_fails_the_service(upstream, status):
    upstream.on_list = lambda exchange: exchange.answer(status, b"<html>", content_type="text/html")
    code, lines, _ = check(upstream.url)
    assert code == 1 and "unavailable" in lines["FAIL", "service"] and "Try again" in lines["FAIL", "service"]


def test_an_incomplete_key_is_reported(upstream):
    _, lines, _ = check(upstream.url, key=KEY[:-3])
    assert "54 characters" in lines["ok", "SVC_MCP_KEY"]


def test_an_ascii_console_works(upstream):
    upstream.on_list = lambda exchange: exchange.problem(401, "key_invalid")
    code, lines, _ = check(upstream.url, PYTHONIOENCODING="ascii")
    assert code == 1 and lines["FAIL", "key"]
