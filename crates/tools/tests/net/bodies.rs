//! Bodies that are too long, compressed, invalid or endless.

use std::io::Write;

use flate2::{
    Compression,
    write::{GzEncoder, ZlibEncoder},
};
use svc_mcp_tools::net::{Limits, NetError, Outbound, Request, Response};
use tokio::io::AsyncWriteExt;

use crate::servers::{Server, answer, path};

const MAX_BODY_BYTES: usize = 100_000;

async fn get(server: &Server, outbound: &Outbound) -> Result<Response, NetError> {
    let limits = Limits { max_body_bytes: MAX_BODY_BYTES, ..Limits::default() };
    outbound.send(Request { limits, ..Request::get(server.url("/")) }).await
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zlib(text: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

async fn get_encoded(encoding: &'static str, body: Vec<u8>) -> Result<Response, NetError> {
    let server = Server::answering(move |_| answer("200 OK", &[("Content-Encoding", encoding)], &body)).await;
    get(&server, &server.outbound()).await
}

#[tokio::test]
async fn body_is_cut_only_above_the_limit() {
    for (length, truncated) in
        [(0, false), (MAX_BODY_BYTES - 1, false), (MAX_BODY_BYTES, false), (MAX_BODY_BYTES + 1, true)]
    {
        for encoding in ["identity", "gzip"] {
            let text = vec![b'x'; length];
            let body = if encoding == "gzip" { gzip(&text) } else { text };
            let answer = get_encoded(encoding, body).await.unwrap();
            assert_eq!(
                (answer.body.len(), answer.truncated),
                (length.min(MAX_BODY_BYTES), truncated),
                "{encoding}"
            );
            assert_eq!(answer.into_complete().err(), truncated.then_some(NetError::TooLarge));
        }
    }
}

#[tokio::test]
async fn endless_body_is_cut() {
    let heads = [
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
    ];
    for head in heads {
        let server = Server::serving(move |_, mut stream| async move {
            let chunk = if head.contains("chunked") {
                "3e8\r\n".to_owned() + &"x".repeat(1000) + "\r\n"
            } else {
                "x".repeat(1000)
            };
            let mut sent = stream.write_all(head.as_bytes()).await;
            while sent.is_ok() {
                sent = stream.write_all(chunk.as_bytes()).await;
            }
        })
        .await;
        let answer = get(&server, &server.outbound()).await.unwrap();
        assert_eq!((answer.body.len(), answer.truncated), (MAX_BODY_BYTES, true), "{head}");
        assert!(answer.body.iter().all(|byte| *byte == b'x'));
    }
}

#[tokio::test]
async fn compressed_bodies_are_decompressed() {
    let text = "Grüße, ".repeat(1000).into_bytes();
    let twice = [gzip(&text[..500]), gzip(&text[500..])].concat();
    for (encoding, body) in [
        ("gzip", gzip(&text)),
        ("x-gzip", gzip(&text)),
        ("GZIP", gzip(&text)),
        ("deflate", zlib(&text)),
        ("gzip", twice),
    ] {
        assert_eq!(get_encoded(encoding, body).await.unwrap().body, text, "{encoding}");
    }
}

#[tokio::test]
async fn compression_bomb_is_cut_at_the_limit() {
    // A hundred times the limit, from ten kilobytes on the wire.
    let zeros = vec![0; 100 * MAX_BODY_BYTES];
    for (encoding, bomb) in [("gzip", gzip(&zeros)), ("deflate", zlib(&zeros))] {
        assert!(bomb.len() < MAX_BODY_BYTES / 5);
        let answer = get_encoded(encoding, bomb).await.unwrap();
        assert_eq!((answer.body.len(), answer.truncated), (MAX_BODY_BYTES, true));
        assert!(answer.body.capacity() <= 2 * MAX_BODY_BYTES, "{}", answer.body.capacity());
    }
}

#[tokio::test]
async fn endless_compressed_body_without_content_is_cut() {
    // Endless empty deflate blocks: five bytes each that decompress to nothing.
    let server = Server::serving(|_, mut stream| async move {
        let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n\x78\x9c";
        let mut sent = stream.write_all(head).await;
        let blocks = [0, 0, 0, 0xff, 0xff].repeat(1000);
        while sent.is_ok() {
            sent = stream.write_all(&blocks).await;
        }
    })
    .await;
    let answer = get(&server, &server.outbound()).await.unwrap();
    assert_eq!((answer.body.len(), answer.truncated), (0, true));
}

#[tokio::test]
async fn invalid_compressed_body_is_an_error() {
    let good = gzip(b"some text that is long enough to be compressed");
    let mut wrong_sum = good.clone();
    let at = wrong_sum.len() - 6;
    wrong_sum[at] ^= 1;
    for (encoding, body) in [
        ("gzip", b"not compressed at all".to_vec()),
        ("gzip", good[..good.len() - 10].to_vec()),
        ("gzip", good[..5].to_vec()),
        ("gzip", wrong_sum),
        ("deflate", b"not compressed at all".to_vec()),
        ("br", b"\x0b\x02\x80text\x03".to_vec()),
        ("gzip, gzip", gzip(&good)),
        ("zstd", Vec::from(*b"xx")),
    ] {
        let answer = get_encoded(encoding, body).await;
        let is_named = matches!(&answer, Err(NetError::InvalidResponse(why)) if why.contains("compressed") || why.contains("encoding"));
        assert!(is_named, "{encoding}: {answer:?}");
    }
}

#[tokio::test]
async fn empty_body_is_not_decompressed() {
    for encoding in ["gzip", "deflate"] {
        let answer = get_encoded(encoding, Vec::new()).await.unwrap();
        assert_eq!((answer.body.len(), answer.truncated), (0, false));
    }
}

#[tokio::test]
async fn client_sets_its_own_request_headers() {
    let server = Server::answering(|_| answer("200 OK", &[], b"")).await;
    let mut request = Request::get(server.url("/"));
    request.headers.insert("accept-encoding", "br, zstd".parse().unwrap());
    request.headers.insert("host", "elsewhere.example".parse().unwrap());
    server.outbound().send(request).await.unwrap();
    let sent = server.requests().remove(0).to_lowercase();
    assert!(sent.contains("accept-encoding: gzip\r\n"), "{sent}");
    assert!(sent.contains(&format!("host: {}\r\n", server.authority())), "{sent}");
    assert!(sent.contains("user-agent: svc-mcp/"), "{sent}");
    assert!(!sent.contains("cookie") && !sent.contains("referer"), "{sent}");
}

#[tokio::test]
async fn unwanted_body_is_not_read() {
    let server = Server::serving(|_, mut stream| async move {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n").await.unwrap();
        std::future::pending::<()>().await;
    })
    .await;
    let limits = Limits { max_body_bytes: 0, ..Limits::default() };
    let answer = server.outbound().send(Request { limits, ..Request::get(server.url("/")) }).await.unwrap();
    assert_eq!((answer.status, answer.body.len(), answer.truncated), (200, 0, true));
}

#[tokio::test]
async fn wrong_content_length_does_not_mix_responses() {
    let short = Server::answering(|_| b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort".to_vec()).await;
    let answer = get(&short, &short.outbound()).await;
    assert!(matches!(answer, Err(NetError::InvalidResponse(_))), "{answer:?}");

    // Extra bytes after the body are not the response to the next request.
    let long = Server::serving(|request, mut stream| async move {
        let own = path(&request).len();
        let smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled";
        let text = format!("HTTP/1.1 200 OK\r\nContent-Length: {own}\r\n\r\n{}{smuggled}", path(&request));
        stream.write_all(text.as_bytes()).await.unwrap();
        std::future::pending::<()>().await;
    })
    .await;
    let outbound = long.outbound();
    for path in ["/first", "/second"] {
        let answer = outbound.send(Request::get(long.url(path))).await.unwrap();
        assert_eq!(answer.body, path.as_bytes());
    }
}

#[tokio::test]
async fn response_that_is_not_http_is_an_error() {
    for bytes in [
        &b""[..],
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x15\x03\x01\x00\x02\x02\x46",
        b"HTTP/1.1 abc\r\n\r\n",
        b"hello",
    ] {
        let server = Server::answering(|_| bytes.to_vec()).await;
        let answer = get(&server, &server.outbound()).await;
        let is_refused = matches!(answer, Err(NetError::InvalidResponse(_) | NetError::Connection));
        assert!(is_refused, "{bytes:?}: {answer:?}");
    }
}

#[tokio::test]
async fn too_large_head_is_an_error() {
    let many = Server::answering(|_| {
        let headers = "X-Many: y\r\n".repeat(5000);
        format!("HTTP/1.1 200 OK\r\n{headers}\r\n").into_bytes()
    })
    .await;
    assert_eq!(get(&many, &many.outbound()).await, Err(NetError::TooLarge));
    let endless = Server::serving(|_, mut stream| async move {
        let mut sent = stream.write_all(b"HTTP/1.1 200 OK\r\nX: ").await;
        while sent.is_ok() {
            sent = stream.write_all(&[b'y'; 1000]).await;
        }
    })
    .await;
    assert_eq!(get(&endless, &endless.outbound()).await, Err(NetError::TooLarge));
}
