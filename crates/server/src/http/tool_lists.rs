//! The list of tools as it is sent, kept ready for each kind of key.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use serde_json::json;
use svc_mcp_access::{ToolAccess, decision::Standing};
use svc_mcp_tools::Registry;

use super::{
    edge,
    extract::{RATE_LIMIT, RATE_LIMIT_POLICY, policy},
};

/// A ready answer and its tag.
#[derive(Debug)]
pub(crate) struct ToolList {
    pub(crate) body: Bytes,
    pub(crate) etag: HeaderValue,
    /// All headers of the answer, with places for those that differ each time: putting them in moves nothing.
    pub(crate) headers: HeaderMap,
}

#[derive(Debug)]
pub(crate) struct ToolLists {
    tools: Vec<(&'static str, ToolAccess, Arc<str>)>,
    read: Arc<ToolList>,
    write: Arc<ToolList>,
    public_url: Arc<str>,
}

impl ToolLists {
    pub(crate) fn of(registry: &Registry, public_url: &str) -> Self {
        let tools: Vec<(&'static str, ToolAccess, Arc<str>)> = registry
            .entries()
            .map(|entry| (entry.words().name, entry.access(), entry.definition().to_string().into()))
            .collect();
        let all = |access: &[ToolAccess]| {
            let shown = tools.iter().filter(|(_, tool, _)| access.contains(tool));
            Arc::new(written(shown.map(|(_, _, definition)| &**definition), public_url))
        };
        Self {
            read: all(&[ToolAccess::Read]),
            write: all(&[ToolAccess::Read, ToolAccess::Write]),
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
        let shown = self.tools.iter().filter(|(name, access, _)| standing.may_call(name, *access));
        Arc::new(written(shown.map(|(_, _, definition)| &**definition), &self.public_url))
    }
}

fn written<'a>(definitions: impl Iterator<Item = &'a str>, public_url: &str) -> ToolList {
    let body = format!(r#"{{"tools":[{}]}}"#, definitions.collect::<Vec<_>>().join(","));
    let tag = super::pages::tag_of(body.as_bytes());
    let etag = HeaderValue::try_from(tag).expect("a tag is plain ASCII");
    let place = HeaderValue::from_static("");
    let mut headers = HeaderMap::from_iter([
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::ETAG, etag.clone()),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
        (RATE_LIMIT_POLICY, policy()),
        (RATE_LIMIT, place.clone()),
        (edge::REQUEST_ID, place),
    ]);
    edge::add_fixed_headers(public_url, &mut headers);
    ToolList { etag, body: body.into(), headers }
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
