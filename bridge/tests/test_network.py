"""Proxies and private certificate authorities, with a real proxy and a real TLS server."""

import socket

import pytest

from harness import WAIT_TIMEOUT, text_of
from network import Server


def assert_works(bridge):
    assert len(bridge.request("tools/list")["result"]["tools"]) == 2
    assert bridge.call()["result"]["isError"] is False


# TLS


def test_a_private_authority_is_trusted_through_ssl_cert_file(start, tls_upstream, authority):
    assert_works(start(tls_upstream.url, SSL_CERT_FILE=str(authority.certificate)))
    assert tls_upstream.connections == 1  # kept over TLS too


def test_a_closed_tls_connection_is_replaced(start, tls_upstream, authority):
    bridge = start(tls_upstream.url, SSL_CERT_FILE=str(authority.certificate))
    bridge.call()
    tls_upstream.hang_up()
    assert tls_upstream.closed.acquire(timeout=WAIT_TIMEOUT)
    assert bridge.call()["result"]["isError"] is False
    assert [exchange.connection for exchange in tls_upstream.exchanges] == [1, 2]


def test_an_unknown_authority_is_refused_with_advice(start, tls_upstream):
    text = text_of(start(tls_upstream.url).call())
    assert "not trusted" in text and "SSL_CERT_FILE" in text
    assert tls_upstream.exchanges == []


def test_a_certificate_for_another_name_is_refused(start, tls_upstream, authority):
    url = tls_upstream.url.replace("127.0.0.1", "localhost")
    assert "not trusted" in text_of(start(url, SSL_CERT_FILE=str(authority.certificate)).call())
    assert tls_upstream.exchanges == []


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_an_unusable_certificate_file_is_named(start, tls_upstream, tmp_path, content):
    path = tmp_path / "authority.pem"
    if content:
        path.write_text(content)
    text = text_of(start(tls_upstream.url, SSL_CERT_FILE=str(path)).call())
    assert "SSL_CERT_FILE does not name a readable PEM file" in text


def test_https_to_an_http_server_is_reported(start, upstream):
    text = text_of(start(upstream.url.replace("http", "https")).call())
    assert "TLS" in text and "https" in text


def test_http_to_an_https_server_is_reported(start, tls_upstream):
    text = text_of(start(tls_upstream.url.replace("https", "http")).call())
    assert "SVC_API_URL" in text


# Proxies. Loopback is never sent through one, so the service has a name that only the proxy knows.


def named(service):
    return service.url.replace("127.0.0.1", "service.test")


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy"])
def test_http_goes_through_the_proxy_with_the_whole_url(start, upstream, forward_proxy, variable):
    proxy = forward_proxy()
    assert_works(start(named(upstream), SVC_ALLOW_HTTP="1", **{variable: f"http://127.0.0.1:{proxy.port}"}))
    assert [request.path for request in proxy.requests] == [
        f"{named(upstream)}/mcp/v1/tools",
        f"{named(upstream)}/mcp/v1/tools/call",
    ]
    assert proxy.connections == 1  # kept


@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "https_proxy"])
def test_https_goes_through_a_tunnel_that_hides_the_key(start, tls_upstream, authority, forward_proxy, variable):
    proxy = forward_proxy()
    environment = {variable: f"127.0.0.1:{proxy.port}", "SSL_CERT_FILE": str(authority.certificate)}
    assert_works(start(named(tls_upstream), **environment))
    [request] = proxy.requests
    assert (request.method, request.path) == ("CONNECT", f"service.test:{tls_upstream.port}")
    assert request.headers == {"host": f"service.test:{tls_upstream.port}"}


def every_proxy_variable(proxy):
    names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
    return {name: f"http://127.0.0.1:{proxy.port}" for upper in names for name in (upper, upper.lower())}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
@pytest.mark.parametrize("no_proxy", [{}, {"NO_PROXY": ""}, {"no_proxy": "example.com"}])
def test_loopback_is_never_sent_through_a_proxy(start, upstream, forward_proxy, host, no_proxy):
    proxy = forward_proxy()
    url = upstream.url.replace("127.0.0.1", host)
    assert_works(start(url, **every_proxy_variable(proxy), **no_proxy))
    assert proxy.connections == 0


def test_loopback_with_tls_is_never_sent_through_a_proxy(start, tls_upstream, authority, forward_proxy):
    proxy = forward_proxy()
    assert_works(start(tls_upstream.url, SSL_CERT_FILE=str(authority.certificate), **every_proxy_variable(proxy)))
    assert proxy.connections == 0


def test_each_scheme_has_its_own_proxy(start, upstream, forward_proxy):
    plain, secure = forward_proxy(), forward_proxy()
    proxies = {"HTTP_PROXY": f"http://127.0.0.1:{plain.port}", "HTTPS_PROXY": f"http://127.0.0.1:{secure.port}"}
    assert_works(start(named(upstream), SVC_ALLOW_HTTP="1", **proxies))
    assert (plain.connections, secure.connections) == (1, 0)


@pytest.mark.parametrize("tls", [False, True])
def test_credentials_of_the_proxy_are_sent_only_to_the_proxy(start, upstream, tls_upstream, authority, forward_proxy, tls):
    proxy = forward_proxy(credentials="Basic dXNlcjpwQHNz")  # user:p@ss
    url = f"http://user:p%40ss@127.0.0.1:{proxy.port}"
    service = tls_upstream if tls else upstream
    settings = {"HTTP_PROXY": url, "HTTPS_PROXY": url, "SSL_CERT_FILE": str(authority.certificate), "SVC_ALLOW_HTTP": "1"}
    assert_works(start(named(service), **settings))
    assert all("proxy-authorization" not in exchange.headers for exchange in service.exchanges)


@pytest.mark.parametrize("tls", [False, True])
def test_a_proxy_that_wants_credentials_is_named_without_them(start, upstream, tls_upstream, forward_proxy, tls):
    proxy = forward_proxy(credentials="Basic eA==")
    url = f"http://user:secret@127.0.0.1:{proxy.port}"
    service = tls_upstream if tls else upstream
    text = text_of(start(named(service), HTTP_PROXY=url, HTTPS_PROXY=url, SVC_ALLOW_HTTP="1").call())
    assert "proxy" in text and "407" in text and "secret" not in text


# With this patch the bridge can reach service.test without the proxy.
RESOLVES = """
import socket
resolve = socket.getaddrinfo
socket.getaddrinfo = lambda host, *more, **options: resolve(host.replace("service.test", "127.0.0.1"), *more, **options)
"""


@pytest.mark.parametrize("exceptions", ["service.test", "*", "example.com, service.test", "service.test:{port}", ".test"])
def test_no_proxy_names_exceptions(start, upstream, forward_proxy, exceptions):
    proxy = forward_proxy()
    no_proxy = exceptions.format(port=upstream.port)
    settings = {"HTTP_PROXY": f"http://127.0.0.1:{proxy.port}", "NO_PROXY": no_proxy, "SVC_ALLOW_HTTP": "1"}
    assert_works(start(named(upstream), patch=RESOLVES, **settings))
    assert proxy.connections == 0


@pytest.mark.parametrize("exceptions", ["", "example.com", "ervice.test", "service.test:1"])
def test_no_proxy_excludes_only_its_hosts(start, upstream, forward_proxy, exceptions):
    proxy = forward_proxy()
    settings = {"HTTP_PROXY": f"http://127.0.0.1:{proxy.port}", "NO_PROXY": exceptions, "SVC_ALLOW_HTTP": "1"}
    assert_works(start(named(upstream), patch=RESOLVES, **settings))
    assert proxy.connections == 1


def test_an_unreachable_proxy_is_named(start):
    with socket.socket() as unused:  # bound and not listening: connections are refused
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        text = text_of(start("https://service.test", HTTPS_PROXY=f"http://user:secret@127.0.0.1:{port}").call())
        assert f"the proxy 127.0.0.1:{port}" in text and "secret" not in text


@pytest.mark.parametrize("url", ["socks5://127.0.0.1:1080", "https://127.0.0.1:3128", "http://", "http://a b"])
def test_an_unsupported_proxy_url_is_refused_with_its_variable(start, url):
    assert "HTTP_PROXY" in text_of(start("https://service.test", HTTPS_PROXY=url).call())


class Answering(Server):
    """Answers every connection with the same bytes."""

    def __init__(self, answer):
        self.answer = answer
        super().__init__()

    def serve(self, sock):
        sock.recv(65536)
        sock.sendall(self.answer)


def test_a_proxy_of_another_protocol_is_reported(start, closing):
    proxy = closing(Answering(b"220 mail.example ESMTP\r\n"))
    text = text_of(start("https://service.test", HTTPS_PROXY=f"http://127.0.0.1:{proxy.port}").call())
    assert "unreachable" in text


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_proxy_that_cannot_reach_the_service_means_try_again(start, closing, status):
    proxy = closing(Answering(b"HTTP/1.1 %d Whatever\r\nContent-Length: 0\r\n\r\n" % status))
    text = text_of(start("https://service.test", HTTPS_PROXY=f"http://127.0.0.1:{proxy.port}").call())
    assert "The service is unavailable" in text and f"proxy 127.0.0.1:{proxy.port} answered HTTP {status}" in text
    assert "Try again" in text and "executed" not in text


def test_an_ipv6_address_works(start):
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as listener:
        bridge = start(f"http://[::1]:{listener.getsockname()[1]}")
        bridge.ask("tools/list")
        listener.settimeout(WAIT_TIMEOUT)
        sock, _ = listener.accept()
        with sock:
            assert f"Host: [::1]:{listener.getsockname()[1]}".encode() in sock.recv(65536)
            sock.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{"tools":[]}')
            assert bridge.next()["result"] == {"tools": []}
