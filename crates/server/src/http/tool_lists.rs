//! The list of tools as it is sent, kept ready for each kind of key.

use std::sync::Arc;

use bytes::Bytes;
use http::HeaderValue;
use serde_json::json;
use svc_mcp_access::{ToolAccess, decision::Standing};
use svc_mcp_tools::Registry;

/// A ready answer and its tag.
#[derive(Debug, Clone)]
pub(crate) struct ToolList {
    pub(crate) body: Bytes,
    pub(crate) etag: HeaderValue,
}

#[derive(Debug)]
pub(crate) struct ToolLists {
    tools: Vec<(&'static str, ToolAccess, Arc<str>)>,
    read: ToolList,
    write: ToolList,
}

impl ToolLists {
    pub(crate) fn of(registry: &Registry) -> Self {
        let tools: Vec<(&'static str, ToolAccess, Arc<str>)> = registry
            .entries()
            .map(|entry| (entry.words().name, entry.access(), entry.definition().to_string().into()))
            .collect();
        let all = |access: &[ToolAccess]| {
            let shown = tools.iter().filter(|(_, tool, _)| access.contains(tool));
            written(shown.map(|(_, _, definition)| &**definition))
        };
        Self { read: all(&[ToolAccess::Read]), write: all(&[ToolAccess::Read, ToolAccess::Write]), tools }
    }

    /// What this key may call, in the registry's order.
    pub(crate) fn for_key(&self, standing: &Standing) -> ToolList {
        if standing.tools.is_none() {
            let all = if standing.scope.covers(ToolAccess::Write) { &self.write } else { &self.read };
            return all.clone();
        }
        let shown = self.tools.iter().filter(|(name, access, _)| standing.may_call(name, *access));
        written(shown.map(|(_, _, definition)| &**definition))
    }
}

fn written<'a>(definitions: impl Iterator<Item = &'a str>) -> ToolList {
    let body = format!(r#"{{"tools":[{}]}}"#, definitions.collect::<Vec<_>>().join(","));
    let tag = super::pages::tag_of(body.as_bytes());
    ToolList { etag: HeaderValue::try_from(tag).expect("a tag is plain ASCII"), body: body.into() }
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
