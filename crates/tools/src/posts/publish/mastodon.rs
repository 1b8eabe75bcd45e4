//! Mastodon: pictures first, then the status, with an `Idempotency-Key` that stays the same at every try.

use std::time::Duration;

use http::{
    HeaderName, HeaderValue,
    header::{AUTHORIZATION, CONTENT_TYPE},
};
use serde_json::{Value, json};
use svc_mcp_access::Secret;
use url::Url;

use super::{
    Handed, Parcel, Trouble,
    answers::{Server, at, public_address},
    media::{Picture, fetch},
};
use crate::{
    net::Request,
    posts::{
        ChannelKind, Media,
        channel::{Content, Visibility},
    },
};

/// What Mastodon takes for pictures, unless its operator set it otherwise.
const LARGEST_PICTURE: usize = 16 * 1000 * 1000;
/// A large picture is worked on after it was taken. This often, and with this pause, one asks whether it is ready.
const LOOKS: u32 = 20;
const LOOK_EVERY: Duration = Duration::from_millis(500);

pub(super) async fn publish(
    parcel: &Parcel<'_>,
    server: &Url,
    visibility: Visibility,
    token: &Secret,
) -> Handed {
    let client = Client {
        server: Server {
            outbound: parcel.outbound,
            now: parcel.now,
            name: "The Mastodon server",
            remedy: "Set the channel again with a valid access token that has the scopes write:statuses and write:media.",
            secret: token,
        },
        address: server,
    };
    let mut media_ids = Vec::new();
    for (index, media) in parcel.post.media.iter().enumerate() {
        let picture = fetch(parcel.outbound, (index + 1, media), LARGEST_PICTURE).await?;
        media_ids.push(client.upload(&picture, media, &parcel.post.post_id).await?);
    }
    let body = status(&parcel.content(), visibility, &media_ids).to_string();
    let mut request = client.request(Request::post(at(server, "/api/v1/statuses"), body));
    let id = HeaderValue::try_from(parcel.id()).expect("ids are plain ASCII");
    request.headers.insert(HeaderName::from_static("idempotency-key"), id);
    request.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let published = client.server.send_for_json(request).await?;
    if !published["id"].is_string() {
        return Err(client.server.unreadable());
    }
    // A status that only followers see has an address too.
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
    server: Server<'a>,
    address: &'a Url,
}

impl Client<'_> {
    fn request(&self, mut request: Request) -> Request {
        let bearer = format!("Bearer {}", self.server.secret.expose());
        let mut bearer = HeaderValue::try_from(bearer).expect("a token is visible ASCII");
        bearer.set_sensitive(true);
        request.headers.insert(AUTHORIZATION, bearer);
        request
    }

    /// The id under which the server has the picture, once it is ready to be shown.
    async fn upload(&self, picture: &Picture, media: &Media, boundary: &str) -> Result<String, Trouble> {
        let mut request =
            Request::post(at(self.address, "/api/v2/media"), form(picture, &media.alt, boundary));
        let kind = format!("multipart/form-data; boundary={boundary}");
        request.headers.insert(CONTENT_TYPE, HeaderValue::try_from(kind).expect("ids are plain ASCII"));
        let answer = self.server.send(self.request(request)).await.map_err(surely)?;
        let uploaded: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let id = uploaded["id"].as_str().filter(|id| svc_mcp_access::id::is_id(id));
        let id = id.ok_or_else(|| surely(self.server.unreadable()))?.to_owned();
        if answer.status != 202 {
            return Ok(id);
        }
        for _ in 0..LOOKS {
            let request = Request::get(at(self.address, &format!("/api/v1/media/{id}")));
            let answer = self.server.send(self.request(request)).await.map_err(surely)?;
            // 206: it is still being worked on.
            if answer.status == 200 {
                return Ok(id);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        let reason = "The Mastodon server is still working on a picture.".into();
        Err(Trouble::Later { reason, after: None, unsure: false })
    }
}

/// Whatever happened to a picture, no status was published by it.
fn surely(trouble: Trouble) -> Trouble {
    match trouble {
        Trouble::Later { reason, after, .. } => Trouble::Later { reason, after, unsure: false },
        failed @ Trouble::Failed(_) => failed,
    }
}

/// `multipart/form-data` with the picture and what it shows. The boundary holds the post's random id, which no picture
/// can have foreseen.
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
