//! The list of tools as it is sent, kept ready for each kind of key.

use std::{
    collections::HashMap,
    io::Write,
    sync::{Arc, PoisonError, RwLock},
};

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use http_body_util::Full;
use serde_json::json;
use svc_mcp_access::{ToolAccess, decision::Standing};
use svc_mcp_tools::Registry;

use super::{pages::is_current, ready};

/// A list, as it is and packed: it shrinks to a seventh, and most clients take it so.
#[derive(Debug)]
pub(crate) struct ToolList {
    plain: Form,
    packed: Form,
}

/// A ready answer and its tag.
#[derive(Debug)]
pub(crate) struct Form {
    body: Bytes,
    etag: HeaderValue,
    headers: HeaderMap,
}

impl ToolList {
    fn of<'a>(definitions: impl Iterator<Item = &'a str>, public_url: &str) -> Self {
        let body = format!(r#"{{"tools":[{}]}}"#, definitions.collect::<Vec<_>>().join(","));
        let mut packing = GzEncoder::new(Vec::new(), Compression::best());
        let packed = packing.write_all(body.as_bytes()).and_then(|()| packing.finish());
        let mut packed = Form::of(packed.expect("memory takes all that is written"), public_url);
        packed.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        Self { plain: Form::of(body.into(), public_url), packed }
    }

    /// As the client wants it.
    pub(crate) fn form(&self, headers: &HeaderMap) -> &Form {
        if takes_gzip(headers) { &self.packed } else { &self.plain }
    }
}

impl Form {
    fn of(body: Vec<u8>, public_url: &str) -> Self {
        let etag = HeaderValue::try_from(super::pages::tag_of(&body)).expect("a tag is plain ASCII");
        let mut headers = ready::result_headers(public_url);
        headers.insert(header::ETAG, etag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        Self { body: body.into(), etag, headers }
    }

    /// The list, or that it is still what the client has.
    pub(crate) fn response(&self, asked: &HeaderMap) -> Response<Full<Bytes>> {
        let is_current = is_current(asked, &self.etag);
        let mut response = Response::new(if is_current { Full::default() } else { self.body.clone().into() });
        response.headers_mut().clone_from(&self.headers);
        if is_current {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            // The places of what differs each time stay the first: whoever leaves is replaced by the last.
            response.headers_mut().remove(header::CONTENT_TYPE);
            response.headers_mut().remove(header::CONTENT_ENCODING);
        }
        response
    }
}

/// Whether `Accept-Encoding` names gzip, and not as something that is not wanted.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|one| {
        let (name, quality) = one.split_once(';').unwrap_or((one, ""));
        let unwanted = quality.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0_f32));
        name.trim().eq_ignore_ascii_case("gzip") && !unwanted
    })
}

#[derive(Debug)]
pub(crate) struct ToolLists {
    tools: Vec<(&'static str, ToolAccess, String)>,
    read: Arc<ToolList>,
    write: Arc<ToolList>,
    /// Of keys that may call some tools only, by which they are: a bit for each.
    chosen: RwLock<HashMap<u64, Arc<ToolList>>>,
    public_url: Box<str>,
}

/// So many choices of tools are kept ready. People choose few different ones.
const MOST_CHOICES: usize = 128;

impl ToolLists {
    pub(crate) fn of(registry: &Registry, public_url: &str) -> Self {
        let tools: Vec<_> = registry
            .entries()
            .map(|entry| (entry.words().name, entry.access(), entry.definition().to_string()))
            .collect();
        assert!(tools.len() <= 64, "a choice has a bit for each tool");
        let all = |access: &[ToolAccess]| {
            let shown = tools.iter().filter(|(_, tool, _)| access.contains(tool));
            Arc::new(ToolList::of(shown.map(|(_, _, definition)| &**definition), public_url))
        };
        Self {
            read: all(&[ToolAccess::Read]),
            write: all(&[ToolAccess::Read, ToolAccess::Write]),
            chosen: RwLock::default(),
            tools,
            public_url: public_url.into(),
        }
    }

    /// What this key may call, in the registry's order.
    pub(crate) fn for_key(&self, standing: &Standing) -> Arc<ToolList> {
        if standing.tools.is_none() {
            let all = if standing.scope.covers(ToolAccess::Write) { &self.write } else { &self.read };
            return Arc::clone(all);
        }
        let choice =
            self.tools.iter().rev().fold(0, |choice, (name, access, _)| {
                choice << 1 | u64::from(standing.may_call(name, *access))
            });
        if let Some(ready) = self.chosen.read().unwrap_or_else(PoisonError::into_inner).get(&choice) {
            return Arc::clone(ready);
        }
        let shown = self.tools.iter().enumerate().filter(|(number, _)| choice >> number & 1 == 1);
        let list =
            Arc::new(ToolList::of(shown.map(|(_, (_, _, definition))| &**definition), &self.public_url));
        let mut chosen = self.chosen.write().unwrap_or_else(PoisonError::into_inner);
        if chosen.len() >= MOST_CHOICES {
            chosen.clear();
        }
        chosen.insert(choice, Arc::clone(&list));
        list
    }
}

/// The names and titles, for people who choose what a key may do.
pub(crate) fn catalogue(registry: &Registry) -> serde_json::Value {
    let tools: Vec<_> = registry
        .entries()
        .map(|entry| {
            let words = entry.words();
            json!({"name": words.name, "title": words.title, "description": words.description, "access": entry.access()})
        })
        .collect();
    json!({"tools": tools})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_who_takes_it() {
        for (accepted, takes) in [
            ("gzip", true),
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("", false),
            ("identity", false),
            ("br", false),
            ("gzip;q=0", false),
            ("deflate, gzip; q=0.000", false),
        ] {
            let headers =
                HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            assert_eq!(takes_gzip(&headers), takes, "{accepted}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
