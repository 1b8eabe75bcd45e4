//! The list of tools as it is sent, cached for each set of tools that a key may call.

use std::{
    collections::HashMap,
    io::Write,
    sync::{Arc, PoisonError, RwLock},
};

use axum::{body::Body, response::Response};
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::json;
use svc_mcp_access::{ToolAccess, decision::KeyState};
use svc_mcp_tools::Registry;

use super::{
    negotiation::{accepts_gzip, is_current, tag_of},
    reused_headers::response_in_memory_of,
};

/// One list, plain and compressed. gzip makes it four times smaller, and most clients accept it.
#[derive(Debug)]
pub(crate) struct ToolList {
    plain: Encoded,
    gzip: Encoded,
}

#[derive(Debug)]
struct Encoded {
    body: Bytes,
    etag: HeaderValue,
}

impl ToolList {
    fn new<'a>(definitions: impl Iterator<Item = &'a str>) -> Self {
        let body = format!(r#"{{"tools":[{}]}}"#, definitions.collect::<Vec<_>>().join(","));
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let gzip = encoder.write_all(body.as_bytes()).and_then(|()| encoder.finish());
        Self {
            plain: Encoded::new(body.into()),
            gzip: Encoded::new(gzip.expect("writing to memory does not fail")),
        }
    }

    /// In the encoding that the client accepts, or 304 if the client has this list already.
    pub(crate) fn response(&self, request_headers: HeaderMap) -> Response {
        let is_gzip = accepts_gzip(&request_headers);
        let Encoded { body, etag } = if is_gzip { &self.gzip } else { &self.plain };
        let is_current = is_current(&request_headers, etag);
        let body = if is_current { Body::empty() } else { Body::from(body.clone()) };
        let mut response = response_in_memory_of(request_headers, body);
        let headers = response.headers_mut();
        headers.insert(header::ETAG, etag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if is_current {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if is_gzip {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

impl Encoded {
    fn new(body: Vec<u8>) -> Self {
        let etag = HeaderValue::try_from(tag_of(&body)).expect("an ETag is ASCII");
        Self { body: body.into(), etag }
    }
}

#[derive(Debug)]
pub(crate) struct ToolLists {
    tools: Vec<(&'static str, ToolAccess, String)>,
    read: Arc<ToolList>,
    write: Arc<ToolList>,
    /// Lists of keys with a selection of tools. The key has one bit for each tool.
    by_selection: RwLock<HashMap<u64, Arc<ToolList>>>,
}

const MAX_CACHED_SELECTIONS: usize = 128;

impl ToolLists {
    pub(crate) fn new(registry: &Registry) -> Self {
        let tools: Vec<_> = registry
            .entries()
            .map(|entry| (entry.description().name, entry.access(), entry.definition().to_string()))
            .collect();
        assert!(tools.len() <= 64, "a selection has one bit for each tool");
        let list = |access: &[ToolAccess]| {
            let shown = tools.iter().filter(|(_, tool, _)| access.contains(tool));
            Arc::new(ToolList::new(shown.map(|(_, _, definition)| &**definition)))
        };
        Self {
            read: list(&[ToolAccess::Read]),
            write: list(&[ToolAccess::Read, ToolAccess::Write]),
            by_selection: RwLock::default(),
            tools,
        }
    }

    /// The tools this key may call, in the registry's order.
    pub(crate) fn for_key(&self, key_state: &KeyState) -> Arc<ToolList> {
        if key_state.tools.is_none() {
            let all = if key_state.scope.covers(ToolAccess::Write) { &self.write } else { &self.read };
            return Arc::clone(all);
        }
        let selection = self.tools.iter().rev().fold(0, |selection, (name, access, _)| {
            selection << 1 | u64::from(key_state.may_call(name, *access))
        });
        if let Some(cached) = self.by_selection.read().unwrap_or_else(PoisonError::into_inner).get(&selection)
        {
            return Arc::clone(cached);
        }
        let shown = self.tools.iter().enumerate().filter(|(number, _)| selection >> number & 1 == 1);
        let list = Arc::new(ToolList::new(shown.map(|(_, (_, _, definition))| &**definition)));
        let mut by_selection = self.by_selection.write().unwrap_or_else(PoisonError::into_inner);
        if by_selection.len() >= MAX_CACHED_SELECTIONS {
            by_selection.clear();
        }
        by_selection.insert(selection, Arc::clone(&list));
        list
    }
}

/// Names and titles of all tools, for the form that selects a key's tools.
pub(crate) fn catalogue(registry: &Registry) -> serde_json::Value {
    let tools: Vec<_> = registry
        .entries()
        .map(|entry| {
            let tool = entry.description();
            json!({"name": tool.name, "title": tool.title, "description": tool.description, "access": entry.access()})
        })
        .collect();
    json!({"tools": tools})
}
