use http::Method;
use svc_mcp_tools::net::{Guard, Limits, NetError, Outbound, Request};

use crate::servers::{Server, answer, path, redirect};

#[tokio::test]
async fn response_has_status_headers_body_and_url() {
    let server = Server::answering(|_| answer("418 Teapot", &[("X-Tea", "mint")], b"short and stout")).await;
    let answer = server.outbound().send(Request::get(server.url("/pot?a=1"))).await.unwrap();
    assert_eq!((answer.status, answer.header("x-tea"), answer.truncated), (418, Some("mint"), false));
    assert_eq!(answer.body, b"short and stout");
    assert_eq!(answer.url, server.url("/pot?a=1"));
}

#[tokio::test]
async fn redirects_are_followed_up_to_the_limit() {
    let server = Server::answering(|request| match path(request).trim_start_matches('/').parse::<u32>() {
        Ok(0) => answer("200 OK", &[], b"there"),
        Ok(left) => redirect("302 Found", &format!("/{}", left - 1)),
        Err(_) => redirect("302 Found", "/round"),
    })
    .await;
    let outbound = server.outbound();
    let get = |path: &str, max_redirects| {
        let limits = Limits { max_redirects, ..Limits::default() };
        outbound.send(Request { limits, ..Request::get(server.url(path)) })
    };
    let there = get("/5", 5).await.unwrap();
    assert_eq!((there.status, there.body.as_slice(), there.url), (200, &b"there"[..], server.url("/0")));
    assert_eq!(get("/6", 5).await, Err(NetError::TooManyRedirects));
    let not_followed = get("/6", 0).await.unwrap();
    assert_eq!((not_followed.status, not_followed.header("location")), (302, Some("/5")));
    let before = server.connections();
    assert_eq!(get("/round", 255).await, Err(NetError::TooManyRedirects));
    // A loop is detected at its first repetition.
    assert_eq!(server.connections() - before, 1);
}

/// The method, and whether a body was sent, after a redirect with this status.
async fn redirected(method: Method, status: &'static str) -> String {
    let server = Server::answering(move |request| match path(request) {
        "/from" => redirect(status, "/to"),
        _ => answer("200 OK", &[], b""),
    })
    .await;
    let mut request = Request::new(method, server.url("/from"), b"payload".to_vec());
    request.headers.insert("authorization", "Bearer secret".parse().unwrap());
    server.outbound().send(request).await.unwrap();
    let sent = server.requests().remove(1);
    assert!(
        sent.to_lowercase().contains("authorization: bearer secret"),
        "the same origin keeps its headers"
    );
    let method = sent.split(' ').next().unwrap().to_owned();
    method + if sent.contains("payload") { " with body" } else { "" }
}

#[tokio::test]
async fn redirect_status_decides_method_and_body() {
    for (method, status, becomes) in [
        (Method::POST, "301 Moved", "GET"),
        (Method::POST, "302 Found", "GET"),
        (Method::POST, "303 See Other", "GET"),
        (Method::PUT, "303 See Other", "GET"),
        (Method::PUT, "301 Moved", "PUT with body"),
        (Method::POST, "307 Temporary", "POST with body"),
        (Method::POST, "308 Permanent", "POST with body"),
    ] {
        assert_eq!(redirected(method.clone(), status).await, becomes, "{method} {status}");
    }
}

#[tokio::test]
async fn redirect_to_another_origin_carries_no_secret_and_no_body() {
    let other = Server::answering(|_| answer("200 OK", &[], b"")).await;
    let to = other.url("/to").to_string();
    let first = Server::answering(move |request| match path(request) {
        "/see" => redirect("303 See Other", &to),
        _ => redirect("307 Temporary", &to),
    })
    .await;
    let outbound = Outbound::new(Guard::allowing([first.authority(), other.authority()]).unwrap()).unwrap();
    let request = |path: &str, body: &str| {
        let mut request = Request::post(first.url(path), body);
        for (name, value) in [
            ("authorization", "Bearer secret"),
            ("cookie", "session=secret"),
            ("x-api-key", "secret"),
            ("accept", "text/plain"),
        ] {
            request.headers.insert(name, value.parse().unwrap());
        }
        request
    };
    let refused = outbound.send(request("/same", "payload")).await;
    assert!(matches!(refused, Err(NetError::Refused(_))), "{refused:?}");
    assert_eq!(other.connections(), 0);
    outbound.send(request("/see", "payload")).await.unwrap();
    let sent = other.requests().remove(0).to_lowercase();
    assert!(sent.starts_with("get /to ") && sent.contains("accept: text/plain"), "{sent}");
    assert!(!sent.contains("secret") && !sent.contains("payload"), "{sent}");
}

#[tokio::test]
async fn invalid_redirects_are_refused() {
    let server = Server::answering(|request| match path(request) {
        "/none" => answer("302 Found", &[], b"no location"),
        "/not-one" => answer("300 Multiple Choices", &[("Location", "/x")], b"choose"),
        "/bad" => redirect("302 Found", "http://[nonsense/"),
        "/bytes" => redirect("302 Found", "/\u{fc}"),
        "/script" => redirect("302 Found", "javascript:alert(1)"),
        "/file" => redirect("302 Found", "file:///etc/passwd"),
        "/long" => redirect("302 Found", &format!("/{}", "x".repeat(10_000))),
        "/credentials" => redirect("302 Found", "//user:secret@example.com/"),
        _ => answer("200 OK", &[], b"there"),
    })
    .await;
    let outbound = server.outbound();
    let get = |path: &str| outbound.send(Request::get(server.url(path)));
    assert_eq!(get("/none").await.unwrap().body, b"no location");
    assert_eq!(get("/not-one").await.unwrap().body, b"choose");
    assert!(matches!(get("/bad").await, Err(NetError::InvalidResponse(_))));
    assert_eq!(get("/bytes").await.unwrap().url, server.url("/%C3%BC"));
    for path in ["/script", "/file", "/long", "/credentials"] {
        let refused = get(path).await;
        assert!(matches!(refused, Err(NetError::Refused(_))), "{path}: {refused:?}");
    }
}

#[test]
fn debug_output_contains_no_secret() {
    let mut request =
        Request::post("https://example.com/hook/secret?token=secret".parse().unwrap(), "secret");
    request.headers.insert("authorization", "Bearer secret".parse().unwrap());
    let text = format!("{request:?}");
    assert!(text.contains("example.com") && !text.contains("secret"), "{text}");
}
