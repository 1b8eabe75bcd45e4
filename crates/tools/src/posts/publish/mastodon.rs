//! Publishes on Mastodon: first the pictures, then the status. Every attempt sends the same `Idempotency-Key`.

use std::time::Duration;

use http::{
    HeaderName, HeaderValue,
    header::{AUTHORIZATION, CONTENT_TYPE},
};
use serde_json::{Value, json};
use svc_mcp_access::Secret;
use url::Url;

use super::{
    Delivery, PublishError, PublishResult,
    media::{Picture, fetch},
    remote_server::{RemoteServer, endpoint, public_address},
};
use crate::{
    net::Request,
    posts::{ChannelKind, Media, Visibility, post::Content},
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
    let client = Client {
        server: RemoteServer {
            outbound: delivery.outbound,
            now: delivery.now,
            name: "The Mastodon server",
            remedy: "Save the channel again with a valid access token that has the scopes write:statuses and write:media.",
            secret: token,
        },
        address: server,
    };
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
    if !published["id"].is_string() {
        return Err(client.server.unreadable());
    }
    // A status for followers has only a `uri`.
    Ok(public_address(&published["url"]).or_else(|| public_address(&published["uri"])))
}

/// The body of the request that publishes.
pub(super) fn status(content: &Content<'_>, visibility: Visibility, media_ids: &[String]) -> Value {
    json!({
        "status": ChannelKind::Mastodon.text_of(content),
        "visibility": visibility,
        "media_ids": media_ids,
    })
}

struct Client<'a> {
    server: RemoteServer<'a>,
    address: &'a Url,
}

impl Client<'_> {
    fn authorized(&self, mut request: Request) -> Request {
        let bearer = format!("Bearer {}", self.server.secret.expose());
        let mut bearer = HeaderValue::try_from(bearer).expect("a token is visible ASCII");
        bearer.set_sensitive(true);
        request.headers.insert(AUTHORIZATION, bearer);
        request
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
        let id = uploaded["id"].as_str().filter(|id| svc_mcp_access::id::is_id(id));
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
