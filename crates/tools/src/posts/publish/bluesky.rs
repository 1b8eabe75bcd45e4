//! Bluesky over ATProto: a session, the pictures, then the record, under a key that stays the same at every try.

use std::collections::BTreeMap;

use http::{
    HeaderValue,
    header::{AUTHORIZATION, CONTENT_TYPE},
};
use serde_json::{Value, json};
use svc_mcp_access::{Secret, Timestamp};
use url::Url;

use super::{
    Handed, Parcel, Trouble,
    answers::{Server, at},
    media::{Picture, fetch},
    tid::tid_of,
};
use crate::{
    net::Request,
    posts::{
        ChannelKind,
        channel::Content,
        words::{Word, WordKind, words_of},
    },
};

/// What `app.bsky.embed.images` takes.
const LARGEST_PICTURE: usize = 1_000_000;
/// More people than this are not looked up for one post: each costs a request.
const MOST_MENTIONS: usize = 10;
const COLLECTION: &str = "app.bsky.feed.post";
const REMEDY: &str = "Set the channel again with the account's handle and a new app password (not the account's own \
    password), made in Bluesky under Settings → Privacy and security → App passwords.";

#[derive(Debug)]
pub(super) struct Account<'a> {
    pub(super) server: &'a Url,
    pub(super) identifier: &'a str,
    pub(super) langs: &'a [String],
    pub(super) password: &'a Secret,
}

/// What the network calls those who are mentioned, by their handles.
pub(super) type Mentioned = BTreeMap<String, String>;

pub(super) async fn publish(parcel: &Parcel<'_>, account: &Account<'_>) -> Handed {
    let server = Server {
        outbound: parcel.outbound,
        now: parcel.now,
        name: "The Bluesky server",
        remedy: REMEDY,
        secret: account.password,
    };
    let session = Session::open(server, account).await?;
    let mut pictures = Vec::new();
    for (index, media) in parcel.post.media.iter().enumerate() {
        let picture = fetch(parcel.outbound, (index + 1, media), LARGEST_PICTURE).await?;
        pictures.push(json!({"alt": media.alt, "image": session.upload(picture).await?}));
    }
    let content = parcel.content();
    let mentioned = session.look_up(&ChannelKind::Bluesky.text_of(&content)).await;
    let key = tid_of(parcel.post.created_at, &parcel.id());
    // `putRecord`: at a second try the record is there already, and stays as it is.
    let body = json!({
        "repo": session.did,
        "collection": COLLECTION,
        "rkey": key,
        "record": record(&content, account.langs, parcel.dated(), &mentioned, &pictures),
    });
    let put = session.call("com.atproto.repo.putRecord", &body).await?;
    if !put["uri"].is_string() {
        return Err(server.unreadable());
    }
    Ok(Some(format!("https://bsky.app/profile/{}/post/{key}", session.did)))
}

/// The record of a post. `mentioned` and `pictures` are empty where it is only shown what would be sent.
pub(super) fn record(
    content: &Content<'_>,
    langs: &[String],
    at: Timestamp,
    mentioned: &Mentioned,
    pictures: &[Value],
) -> Value {
    let text = ChannelKind::Bluesky.text_of(content);
    let facets = facets_of(&text, mentioned);
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

/// Links, mentions and hashtags with the bytes they cover.
fn facets_of(text: &str, mentioned: &Mentioned) -> Vec<Value> {
    let facet = |word: Word| {
        let feature = match word.kind {
            WordKind::Link(link) => {
                // As it was written; where that is no plain address, in the form that is.
                let written = &text[word.at.clone()];
                let uri = if written.is_ascii() { written } else { link.as_str() };
                json!({"$type": "app.bsky.richtext.facet#link", "uri": uri})
            }
            WordKind::Mention(handle) => {
                json!({"$type": "app.bsky.richtext.facet#mention", "did": mentioned.get(&handle)?})
            }
            WordKind::Tag(tag) => json!({"$type": "app.bsky.richtext.facet#tag", "tag": tag}),
        };
        Some(json!({"index": {"byteStart": word.at.start, "byteEnd": word.at.end}, "features": [feature]}))
    };
    words_of(text).into_iter().filter_map(facet).collect()
}

struct Session<'a> {
    server: Server<'a>,
    address: &'a Url,
    did: String,
    token: Secret,
}

impl<'a> Session<'a> {
    async fn open(server: Server<'a>, account: &Account<'a>) -> Result<Self, Trouble> {
        let body = json!({"identifier": account.identifier, "password": account.password.expose()});
        let opened =
            server.send_for_json(json_request(account.server, "com.atproto.server.createSession", &body));
        let opened = opened.await.map_err(not_yet)?;
        let text = |field: &str| opened[field].as_str().filter(|text| text.len() <= 4096).map(str::to_owned);
        let did = text("did")
            .filter(|did| did.starts_with("did:") && did.bytes().all(|byte| byte.is_ascii_graphic()));
        let token = text("accessJwt").filter(|token| token.bytes().all(|byte| byte.is_ascii_graphic()));
        let (did, token) = did.zip(token).ok_or_else(|| not_yet(server.unreadable()))?;
        Ok(Self { server, address: account.server, did, token: Secret::new(token) })
    }

    async fn call(&self, method: &str, body: &Value) -> Result<Value, Trouble> {
        self.server.send_for_json(self.signed(json_request(self.address, method, body))).await
    }

    fn signed(&self, mut request: Request) -> Request {
        let bearer = format!("Bearer {}", self.token.expose());
        let mut bearer = HeaderValue::try_from(bearer).expect("a token is visible ASCII");
        bearer.set_sensitive(true);
        request.headers.insert(AUTHORIZATION, bearer);
        request
    }

    async fn upload(&self, picture: Picture) -> Result<Value, Trouble> {
        let mut request = Request::post(at(self.address, "/xrpc/com.atproto.repo.uploadBlob"), picture.bytes);
        request.headers.insert(CONTENT_TYPE, HeaderValue::from_static(picture.kind));
        let mut uploaded = self.server.send_for_json(self.signed(request)).await.map_err(not_yet)?;
        Ok(uploaded["blob"].take())
    }

    /// The people a text mentions. Whoever cannot be found stays plain text: a post is not held up by a name.
    async fn look_up(&self, text: &str) -> Mentioned {
        let handles = words_of(text).into_iter().filter_map(|word| match word.kind {
            WordKind::Mention(handle) => Some(handle),
            _ => None,
        });
        let mut mentioned = Mentioned::new();
        for handle in handles.take(MOST_MENTIONS) {
            let mut url = at(self.address, "/xrpc/com.atproto.identity.resolveHandle");
            url.query_pairs_mut().append_pair("handle", &handle);
            let found = self.server.send_for_json(self.signed(Request::get(url))).await;
            if let Some(did) = found.ok().as_ref().and_then(|found| found["did"].as_str()) {
                mentioned.insert(handle, did.to_owned());
            }
        }
        mentioned
    }
}

fn json_request(server: &Url, method: &str, body: &Value) -> Request {
    let mut request = Request::post(at(server, &format!("/xrpc/{method}")), body.to_string());
    request.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    request
}

/// Before the record is put, nothing can have been published.
fn not_yet(trouble: Trouble) -> Trouble {
    match trouble {
        Trouble::Later { reason, after, .. } => Trouble::Later { reason, after, unsure: false },
        failed @ Trouble::Failed(_) => failed,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn facets_cover_whole_characters_in_their_order(text in r"([\PC]{0,12}|https?://[a-z]{1,8}\.example/[\PC&&[^\s]]{0,5}|#\w{0,9}|@[a-z.-]{1,12}|[ \n(.,!)])*") {
            let everyone: Mentioned = words_of(&text).into_iter().filter_map(|word| match word.kind {
                WordKind::Mention(handle) => Some((handle, "did:plc:x".to_owned())),
                _ => None,
            }).collect();
            let mut end = 0;
            for facet in facets_of(&text, &everyone) {
                let index = |name: &str| usize::try_from(facet["index"][name].as_u64().expect("a number")).expect("small");
                let (from, to) = (index("byteStart"), index("byteEnd"));
                prop_assert!(end <= from && from < to && to <= text.len());
                end = to;
                // Indexing fails in the middle of a character.
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
            facets_of("Grüße 👋🏽 an @ada.example: https://acme.example/é, #Kaffee!", &Mentioned::new());
        let found: Vec<(u64, u64)> = facets
            .iter()
            .map(|facet| {
                (facet["index"]["byteStart"].as_u64().unwrap(), facet["index"]["byteEnd"].as_u64().unwrap())
            })
            .collect();
        // The mention is left out, since nobody knows who that is.
        assert_eq!(found, [(34, 57), (59, 66)]);
        assert_eq!(facets[0]["features"][0]["uri"], "https://acme.example/%C3%A9");
        assert_eq!(facets[1]["features"][0]["tag"], "Kaffee");
    }
}
