//! Publishes on Mastodon: first the pictures, then the status. Every attempt sends the same `Idempotency-Key`. Withdraws
//! by deleting the status.

use std::time::Duration;

use http::{
    HeaderName, HeaderValue, Method,
    header::{AUTHORIZATION, CONTENT_TYPE},
};
use serde_json::{Value, json};
use svc_mcp_access::{Secret, Timestamp, id::is_id};
use url::Url;

use super::{
    CHANGE_THE_POST, DELETE_BY_HAND, Delivery, Publication, PublishError, PublishResult, WithdrawResult,
    media::{Picture, fetch},
    remote_server::{RemoteServer, endpoint, public_address},
};
use crate::{
    net::{Outbound, Request},
    posts::{ChannelKind, Media, Target, Visibility, post::Content},
};

/// The default limit of a Mastodon server.
const MAX_PICTURE_BYTES: usize = 16 * 1000 * 1000;
/// A server processes a large picture after the upload. It is polled until the picture is ready.
const MAX_POLLS: u32 = 20;
const POLL_INTERVAL: Duration = Duration::from_millis(500);

pub(super) async fn publish(
    delivery: &Delivery<'_>,
    server: &Url,
    visibility: Visibility,
    token: &Secret,
) -> PublishResult {
    let client = Client::new(delivery, server, token, CHANGE_THE_POST);
    let mut media_ids = Vec::new();
    for (index, media) in delivery.post.media.iter().enumerate() {
        let picture = fetch(delivery.outbound, (index + 1, media), MAX_PICTURE_BYTES).await?;
        media_ids.push(client.upload(&picture, media, &delivery.post.post_id).await?);
    }
    let body = status(&delivery.content(), visibility, &media_ids).to_string();
    let mut request = client.authorized(Request::post(endpoint(server, "/api/v1/statuses"), body));
    let id = HeaderValue::try_from(delivery.id()).expect("ids are plain ASCII");
    request.headers.insert(HeaderName::from_static("idempotency-key"), id);
    request.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let published = client.server.send_for_json(request).await?;
    let Some(id) = published["id"].as_str() else { return Err(client.server.unreadable()) };
    // A status for followers has only a `uri`.
    let url = public_address(&published["url"]).or_else(|| public_address(&published["uri"]));
    Ok(Publication { url, remote_uri: is_id(id).then(|| status_address(server, id).into()) })
}

pub(super) async fn withdraw(
    delivery: &Delivery<'_>,
    target: &Target,
    server: &Url,
    token: &Secret,
) -> WithdrawResult {
    let client = Client::new(delivery, server, token, DELETE_BY_HAND);
    let status = published_status(target, server)?;
    let request = Request::new(Method::DELETE, status.clone(), Vec::new());
    let answer = client.server.exchange(client.authorized(request)).await?;
    if answer.is_success() {
        return Ok(());
    }
    if !matches!(answer.status, 404 | 410) {
        return Err(client.server.refusal(&answer));
    }
    // The status is gone, or it belongs to another account than the token. Then everybody can still read it.
    let read = client.server.exchange(Request::get(status)).await?;
    if read.is_success() {
        return Err(PublishError::Failed(format!(
            "The channel now uses another account than the one that published the post. {DELETE_BY_HAND}"
        )));
    }
    Ok(())
}

/// The address of the status that was published. Posts of older versions have only the public address, which ends with
/// the id.
fn published_status(target: &Target, server: &Url) -> Result<Url, PublishError> {
    let remote: Option<Url> = target.remote_uri.as_deref().and_then(|uri| uri.parse().ok());
    if let Some(remote) = remote {
        if remote.origin() == server.origin() {
            return Ok(remote);
        }
        return Err(PublishError::Failed(format!(
            "The channel now uses another server than the one that published the post. {DELETE_BY_HAND}"
        )));
    }
    let id = target.url.as_deref().and_then(|url| url.rsplit('/').next());
    match id.filter(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit())) {
        Some(id) => Ok(status_address(server, id)),
        None => Err(PublishError::Failed(format!("The id of the status is not known. {DELETE_BY_HAND}"))),
    }
}

/// The address of a status in the API of its server.
fn status_address(server: &Url, id: &str) -> Url {
    endpoint(server, &format!("/api/v1/statuses/{id}"))
}

/// The body of the request that publishes.
pub(super) fn status(content: &Content<'_>, visibility: Visibility, media_ids: &[String]) -> Value {
    json!({
        "status": ChannelKind::Mastodon.text_of(content),
        "visibility": visibility,
        "media_ids": media_ids,
    })
}

pub(super) fn remote_server<'a>(
    outbound: &'a Outbound,
    now: Timestamp,
    token: &'a Secret,
    advice: &'a str,
) -> RemoteServer<'a> {
    RemoteServer {
        outbound,
        now,
        name: "The Mastodon server",
        remedy: "Save the channel again with a valid access token that has the scopes write:statuses and write:media.",
        advice,
        secret: token,
    }
}

/// Adds the access token.
pub(super) fn authorized(server: &RemoteServer<'_>, mut request: Request) -> Request {
    let bearer = format!("Bearer {}", server.secret.expose());
    let mut bearer = HeaderValue::try_from(bearer).expect("a token is visible ASCII");
    bearer.set_sensitive(true);
    request.headers.insert(AUTHORIZATION, bearer);
    request
}

struct Client<'a> {
    server: RemoteServer<'a>,
    address: &'a Url,
}

impl<'a> Client<'a> {
    fn new(delivery: &Delivery<'a>, address: &'a Url, token: &'a Secret, advice: &'a str) -> Self {
        let server = remote_server(delivery.outbound, delivery.now, token, advice);
        Self { server, address }
    }

    fn authorized(&self, request: Request) -> Request {
        authorized(&self.server, request)
    }

    /// Uploads a picture and waits until the server has processed it. Returns its id.
    async fn upload(&self, picture: &Picture, media: &Media, boundary: &str) -> Result<String, PublishError> {
        let mut request =
            Request::post(endpoint(self.address, "/api/v2/media"), form(picture, &media.alt, boundary));
        let kind = format!("multipart/form-data; boundary={boundary}");
        request.headers.insert(CONTENT_TYPE, HeaderValue::try_from(kind).expect("ids are plain ASCII"));
        let answer =
            self.server.send(self.authorized(request)).await.map_err(PublishError::before_publishing)?;
        let uploaded: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let id = uploaded["id"].as_str().filter(|id| is_id(id));
        let id = id.ok_or_else(|| self.server.unreadable().before_publishing())?.to_owned();
        if answer.status != 202 {
            return Ok(id);
        }
        for _ in 0..MAX_POLLS {
            let request = Request::get(endpoint(self.address, &format!("/api/v1/media/{id}")));
            let answer =
                self.server.send(self.authorized(request)).await.map_err(PublishError::before_publishing)?;
            // 206: the server is still processing it.
            if answer.status == 200 {
                return Ok(id);
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        let reason = "The Mastodon server is still processing a picture.".into();
        Err(PublishError::Retry { reason, after: None, maybe_published: false })
    }
}

/// `multipart/form-data` with the picture and its alternative text. The boundary is the random id of the post, so no
/// picture can contain it on purpose.
fn form(picture: &Picture, alt: &str, boundary: &str) -> Vec<u8> {
    let extension = picture.kind.trim_start_matches("image/");
    let head = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"description\"\r\n\
         Content-Type: text/plain; charset=utf-8\r\n\r\n{alt}\r\n\
         --{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"picture.{extension}\"\r\n\
         Content-Type: {}\r\n\r\n",
        picture.kind
    );
    [head.as_bytes(), &picture.bytes, format!("\r\n--{boundary}--\r\n").as_bytes()].concat()
}
