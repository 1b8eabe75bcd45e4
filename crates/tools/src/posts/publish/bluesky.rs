//! Publishes on Bluesky over ATProto: a session, the pictures, then the record. Every attempt uses the same record key.
//! Withdraws by deleting the record.

use std::collections::BTreeMap;

use http::{
    HeaderValue,
    header::{AUTHORIZATION, CONTENT_TYPE},
};
use serde_json::{Value, json};
use svc_mcp_access::{Secret, Timestamp};
use url::Url;

use super::{
    CHANGE_THE_POST, DELETE_BY_HAND, Delivery, Publication, PublishError, PublishResult, WithdrawResult,
    media::{Picture, fetch},
    record_key::record_key,
    remote_server::{RemoteServer, endpoint},
};
use crate::{
    net::{Outbound, Request},
    posts::{
        ChannelKind, Target,
        entities::{Entity, EntityKind, find_entities},
        post::Content,
    },
};

/// The limit of `app.bsky.embed.images`.
const MAX_PICTURE_BYTES: usize = 1_000_000;
/// Each mention costs one request, so further mentions stay plain text.
const MAX_MENTIONS: usize = 10;
const COLLECTION: &str = "app.bsky.feed.post";
const REMEDY: &str = "Save the channel again with the account's handle and a new app password (not the account's own \
    password), created in Bluesky under Settings → Privacy and security → App passwords.";

#[derive(Debug)]
pub(super) struct Account<'a> {
    pub(super) server: &'a Url,
    pub(super) identifier: &'a str,
    pub(super) langs: &'a [String],
    pub(super) password: &'a Secret,
}

/// The DIDs of mentioned accounts by their handles.
pub(super) type MentionedDids = BTreeMap<String, String>;

pub(super) async fn publish(delivery: &Delivery<'_>, account: &Account<'_>) -> PublishResult {
    let server = remote_server(delivery.outbound, delivery.now, account, CHANGE_THE_POST);
    let session = Session::open(server, account).await?;
    let mut pictures = Vec::new();
    for (index, media) in delivery.post.media.iter().enumerate() {
        let picture = fetch(delivery.outbound, (index + 1, media), MAX_PICTURE_BYTES).await?;
        pictures.push(json!({"alt": media.alt, "image": session.upload(picture).await?}));
    }
    let content = delivery.content();
    let mentioned = session.resolve_mentions(&ChannelKind::Bluesky.text_of(&content)).await;
    let key = record_key(delivery.post.created_at, &delivery.id());
    // `putRecord`: a retry finds the record of the first attempt and does not change it.
    let body = json!({
        "repo": session.did,
        "collection": COLLECTION,
        "rkey": key,
        "record": record(&content, account.langs, delivery.publish_time(), &mentioned, &pictures),
    });
    let put = session.call("com.atproto.repo.putRecord", &body).await?;
    if !put["uri"].is_string() {
        return Err(server.unreadable());
    }
    Ok(Publication {
        url: Some(format!("https://bsky.app/profile/{}/post/{key}", session.did)),
        remote_uri: Some(format!("at://{}/{COLLECTION}/{key}", session.did)),
    })
}

/// `deleteRecord` also succeeds if the record is gone already.
pub(super) async fn withdraw(
    delivery: &Delivery<'_>,
    target: &Target,
    account: &Account<'_>,
) -> WithdrawResult {
    let server = remote_server(delivery.outbound, delivery.now, account, DELETE_BY_HAND);
    let session = Session::open(server, account).await?;
    // In another account's repository there is no such record, so deleting it there would change nothing.
    let (did, key) = published_record(target).ok_or_else(|| {
        PublishError::Failed(format!("The address of the record is not known. {DELETE_BY_HAND}"))
    })?;
    if did != session.did {
        return Err(PublishError::Failed(format!(
            "The channel now uses another account than the one that published the post. {DELETE_BY_HAND}"
        )));
    }
    let body = json!({"repo": session.did, "collection": COLLECTION, "rkey": key});
    session.call("com.atproto.repo.deleteRecord", &body).await.map(|_| ())
}

/// The account and the key of the record. Posts of older versions have only the public address, which contains both.
fn published_record(target: &Target) -> Option<(&str, &str)> {
    if let Some(uri) = &target.remote_uri {
        return uri.strip_prefix("at://")?.split_once(&format!("/{COLLECTION}/"));
    }
    target.url.as_deref()?.strip_prefix("https://bsky.app/profile/")?.split_once("/post/")
}

pub(super) fn remote_server<'a>(
    outbound: &'a Outbound,
    now: Timestamp,
    account: &Account<'a>,
    advice: &'a str,
) -> RemoteServer<'a> {
    RemoteServer {
        outbound,
        now,
        name: "The Bluesky server",
        remedy: REMEDY,
        advice,
        secret: account.password,
    }
}

/// The record of a post. In a preview, `mentioned` and `pictures` are empty.
pub(super) fn record(
    content: &Content<'_>,
    langs: &[String],
    at: Timestamp,
    mentioned: &MentionedDids,
    pictures: &[Value],
) -> Value {
    let text = ChannelKind::Bluesky.text_of(content);
    let facets = facets(&text, mentioned);
    let mut record = json!({"$type": COLLECTION, "text": text, "createdAt": at});
    if !facets.is_empty() {
        record["facets"] = facets.into();
    }
    if !langs.is_empty() {
        record["langs"] = json!(langs);
    }
    if !pictures.is_empty() {
        record["embed"] = json!({"$type": "app.bsky.embed.images", "images": pictures});
    } else if let Some(link) = content.link.filter(|_| content.media.is_empty()) {
        record["embed"] = json!({"$type": "app.bsky.embed.external", "external": card(link, content)});
    }
    record
}

fn card(link: &str, content: &Content<'_>) -> Value {
    let url = Url::parse(link).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or(link);
    let uri = url.as_ref().map_or(link, Url::as_str);
    json!({"uri": uri, "title": content.title.unwrap_or(host), "description": ""})
}

/// Links, mentions and hashtags with their byte ranges.
fn facets(text: &str, mentioned: &MentionedDids) -> Vec<Value> {
    let facet = |entity: Entity| {
        let feature = match entity.kind {
            EntityKind::Link(link) => {
                // As written if it is ASCII; otherwise in its encoded form.
                let written = &text[entity.range.clone()];
                let uri = if written.is_ascii() { written } else { link.as_str() };
                json!({"$type": "app.bsky.richtext.facet#link", "uri": uri})
            }
            EntityKind::Mention(handle) => {
                json!({"$type": "app.bsky.richtext.facet#mention", "did": mentioned.get(&handle)?})
            }
            EntityKind::Tag(tag) => json!({"$type": "app.bsky.richtext.facet#tag", "tag": tag}),
        };
        Some(
            json!({"index": {"byteStart": entity.range.start, "byteEnd": entity.range.end}, "features": [feature]}),
        )
    };
    find_entities(text).into_iter().filter_map(facet).collect()
}

struct Session<'a> {
    server: RemoteServer<'a>,
    address: &'a Url,
    did: String,
    token: Secret,
}

impl<'a> Session<'a> {
    async fn open(server: RemoteServer<'a>, account: &Account<'a>) -> Result<Self, PublishError> {
        let opened =
            server.send_for_json(session_request(account)).await.map_err(PublishError::before_publishing)?;
        let text = |field: &str| opened[field].as_str().filter(|text| text.len() <= 4096).map(str::to_owned);
        let did = text("did")
            .filter(|did| did.starts_with("did:") && did.bytes().all(|byte| byte.is_ascii_graphic()));
        let token = text("accessJwt").filter(|token| token.bytes().all(|byte| byte.is_ascii_graphic()));
        let (did, token) = did.zip(token).ok_or_else(|| server.unreadable().before_publishing())?;
        Ok(Self { server, address: account.server, did, token: Secret::new(token) })
    }

    async fn call(&self, method: &str, body: &Value) -> Result<Value, PublishError> {
        self.server.send_for_json(self.authorized(json_request(self.address, method, body))).await
    }

    fn authorized(&self, mut request: Request) -> Request {
        let bearer = format!("Bearer {}", self.token.expose());
        let mut bearer = HeaderValue::try_from(bearer).expect("a token is visible ASCII");
        bearer.set_sensitive(true);
        request.headers.insert(AUTHORIZATION, bearer);
        request
    }

    async fn upload(&self, picture: Picture) -> Result<Value, PublishError> {
        let mut request =
            Request::post(endpoint(self.address, "/xrpc/com.atproto.repo.uploadBlob"), picture.bytes);
        request.headers.insert(CONTENT_TYPE, HeaderValue::from_static(picture.kind));
        let mut uploaded = self
            .server
            .send_for_json(self.authorized(request))
            .await
            .map_err(PublishError::before_publishing)?;
        Ok(uploaded["blob"].take())
    }

    /// Resolves the handles in a text. A handle that cannot be resolved stays plain text: it must not delay the post.
    async fn resolve_mentions(&self, text: &str) -> MentionedDids {
        let handles = find_entities(text).into_iter().filter_map(|entity| match entity.kind {
            EntityKind::Mention(handle) => Some(handle),
            _ => None,
        });
        let mut mentioned = MentionedDids::new();
        for handle in handles.take(MAX_MENTIONS) {
            let mut url = endpoint(self.address, "/xrpc/com.atproto.identity.resolveHandle");
            url.query_pairs_mut().append_pair("handle", &handle);
            let found = self.server.send_for_json(self.authorized(Request::get(url))).await;
            if let Some(did) = found.ok().as_ref().and_then(|found| found["did"].as_str()) {
                mentioned.insert(handle, did.to_owned());
            }
        }
        mentioned
    }
}

/// Signs in with the app password.
pub(super) fn session_request(account: &Account<'_>) -> Request {
    let body = json!({"identifier": account.identifier, "password": account.password.expose()});
    json_request(account.server, "com.atproto.server.createSession", &body)
}

fn json_request(server: &Url, method: &str, body: &Value) -> Request {
    let mut request = Request::post(endpoint(server, &format!("/xrpc/{method}")), body.to_string());
    request.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    request
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn facets_are_ordered_and_start_and_end_on_characters(text in r"([\PC]{0,12}|https?://[a-z]{1,8}\.example/[\PC&&[^\s]]{0,5}|#\w{0,9}|@[a-z.-]{1,12}|[ \n(.,!)])*") {
            let everyone: MentionedDids = find_entities(&text).into_iter().filter_map(|entity| match entity.kind {
                EntityKind::Mention(handle) => Some((handle, "did:plc:x".to_owned())),
                _ => None,
            }).collect();
            let mut end = 0;
            for facet in facets(&text, &everyone) {
                let index = |name: &str| usize::try_from(facet["index"][name].as_u64().expect("a number")).expect("small");
                let (from, to) = (index("byteStart"), index("byteEnd"));
                prop_assert!(end <= from && from < to && to <= text.len());
                end = to;
                // Slicing panics inside a character.
                let covered = &text[from..to];
                let feature = &facet["features"][0];
                match feature["$type"].as_str().expect("a type") {
                    "app.bsky.richtext.facet#link" => prop_assert!(covered.starts_with("http")),
                    "app.bsky.richtext.facet#mention" => prop_assert!(covered.starts_with('@')),
                    _ => prop_assert!(covered.ends_with(feature["tag"].as_str().expect("a tag"))),
                }
            }
        }
    }

    #[test]
    fn offsets_are_bytes_not_characters() {
        let facets =
            facets("Grüße 👋🏽 an @ada.example: https://acme.example/é, #Kaffee!", &MentionedDids::new());
        let found: Vec<(u64, u64)> = facets
            .iter()
            .map(|facet| {
                (facet["index"]["byteStart"].as_u64().unwrap(), facet["index"]["byteEnd"].as_u64().unwrap())
            })
            .collect();
        // The mention has no facet, because its handle is not resolved.
        assert_eq!(found, [(34, 57), (59, 66)]);
        assert_eq!(facets[0]["features"][0]["uri"], "https://acme.example/%C3%A9");
        assert_eq!(facets[1]["features"][0]["tag"], "Kaffee");
    }
}
