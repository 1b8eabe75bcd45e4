use svc_mcp_tools::net::{Limits, NetError, Request};

use crate::servers::{Server, answer, path, redirect};

#[tokio::test]
async fn an_answer_comes_with_its_status_headers_body_and_address() {
    let server = Server::answering(|_| answer("418 Teapot", &[("X-Tea", "mint")], b"short and stout")).await;
    let answer = server.outbound().send(Request::get(server.url("/pot?a=1"))).await.unwrap();
    assert_eq!((answer.status, answer.header("x-tea"), answer.truncated), (418, Some("mint"), false));
    assert_eq!(answer.body, b"short and stout");
    assert_eq!(answer.url, server.url("/pot?a=1"));
}

#[tokio::test]
async fn redirects_are_followed_to_the_limit() {
    let server = Server::answering(|request| match path(request).trim_start_matches('/').parse::<u32>() {
        Ok(0) => answer("200 OK", &[], b"there"),
        Ok(left) => redirect("302 Found", &format!("/{}", left - 1)),
        Err(_) => redirect("302 Found", "/round"),
    })
    .await;
    let outbound = server.outbound();
    let get = |path: &str, redirects| {
        let limits = Limits { redirects, ..Limits::default() };
        outbound.send(Request { limits, ..Request::get(server.url(path)) })
    };
    let there = get("/5", 5).await.unwrap();
    assert_eq!((there.status, there.body.as_slice(), there.url), (200, &b"there"[..], server.url("/0")));
    assert_eq!(get("/6", 5).await, Err(NetError::TooManyRedirects));
    let not_followed = get("/6", 0).await.unwrap();
    assert_eq!((not_followed.status, not_followed.header("location")), (302, Some("/5")));
    let before = server.connections();
    assert_eq!(get("/round", 255).await, Err(NetError::TooManyRedirects));
    // A circle is seen when it closes.
    assert_eq!(server.connections() - before, 1);
}
