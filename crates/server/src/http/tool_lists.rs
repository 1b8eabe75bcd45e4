//! The list of tools as it is sent, kept ready for each kind of key.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use serde_json::json;
use svc_mcp_access::{ToolAccess, decision::Standing};
use svc_mcp_tools::Registry;

use super::ready;

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
            Arc::new(written(shown.map(|(_, _, definition)| &**definition), public_url))
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
        let list = Arc::new(written(shown.map(|(_, (_, _, definition))| &**definition), &self.public_url));
        let mut chosen = self.chosen.write().unwrap_or_else(PoisonError::into_inner);
        if chosen.len() >= MOST_CHOICES {
            chosen.clear();
        }
        chosen.insert(choice, Arc::clone(&list));
        list
    }
}

fn written<'a>(definitions: impl Iterator<Item = &'a str>, public_url: &str) -> ToolList {
    let body = format!(r#"{{"tools":[{}]}}"#, definitions.collect::<Vec<_>>().join(","));
    let tag = super::pages::tag_of(body.as_bytes());
    let etag = HeaderValue::try_from(tag).expect("a tag is plain ASCII");
    let mut headers = ready::result_headers(public_url);
    headers.insert(header::ETAG, etag.clone());
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
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
