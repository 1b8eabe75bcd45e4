//! The requests of an attack.

use std::sync::LazyLock;

use reqwest::{Method, RequestBuilder};
use serde_json::json;

use super::{
    site::PAGE_KINDS,
    target::{AttackKind, Target},
};
use crate::{Api, with_json_body};

/// Just below the limit of a body.
pub(super) const BODY_BYTES: usize = 1_000_000;
/// The most that the service accepts.
const WAIT_SECONDS: u32 = 25;
pub(super) const CHANNELS: usize = 10;

/// 1 MB each: half a million wrong items, unknown fields, deep lists, and fewer but larger wrong items.
static LARGE_BODIES: LazyLock<[Vec<u8>; 4]> = LazyLock::new(|| {
    let fields: Vec<String> = (0..80_000).map(|number| format!(r#""f{number}":0"#)).collect();
    let items = |item: &str| [item].repeat(BODY_BYTES / (item.len() + 1) - 100).join(",");
    [
        format!(r#"{{"name":"create_post","arguments":{{"text":"a","channels":[{}]}}}}"#, items("0")),
        format!(r#"{{"name":"run_audit","arguments":{{{}}}}}"#, fields.join(",")),
        format!(r#"{{"name":"run_audit","arguments":{}"#, "[".repeat(BODY_BYTES - 100)),
        format!(
            r#"{{"name":"keyword_research_search","arguments":{{"seeds":[{}]}}}}"#,
            items(&format!(r#"{{"{}":0}}"#, "a".repeat(200)))
        ),
    ]
    .map(String::into_bytes)
});

pub(super) fn channel_id(number: usize) -> String {
    format!("tarpit-{number}")
}

/// The request with this number. `id` is different for every request of the attack.
pub(super) fn request(
    kind: AttackKind,
    api: &Api,
    target: &Target,
    number: usize,
    id: &str,
) -> RequestBuilder {
    match kind {
        AttackKind::Refused => refused(api, number),
        AttackKind::LargeBody | AttackKind::SlowBody => large_body(api, number),
        AttackKind::Audit => {
            let page = PAGE_KINDS[number % PAGE_KINDS.len()];
            let start_url = format!("{}/{page}/{id}", target.site);
            let arguments = json!({"start_url": start_url, "max_pages": 1000, "wait_seconds": WAIT_SECONDS});
            api.call_request("run_audit", &arguments)
        }
        AttackKind::Analysis => analysis(api, target, number, id),
        AttackKind::Post => {
            let channels: Vec<String> = (0..CHANNELS).map(channel_id).collect();
            let post = json!({"text": format!("Post {id}"), "channels": channels, "mode": "now"});
            api.idempotent_call_request("create_post", &post, id)
        }
        AttackKind::Recipients => {
            let recipients: Vec<String> = (0..50).map(|at| format!("r{at}-{id}@mail.example")).collect();
            let path = format!("/api/brands/{}/report-recipients", target.brand);
            api.request(Method::PUT, &path).json(&json!({"recipients": recipients}))
        }
    }
}

/// The read keys are always over their limit. Some of these requests have a body of 1 MB.
fn refused(api: &Api, number: usize) -> RequestBuilder {
    match number % 64 {
        0 => large_body(api, number / 64),
        even if even % 2 == 0 => api.list_tools_request(),
        wrong_scope if wrong_scope % 4 == 1 => api.call_request("create_post", &json!({"text": "a"})),
        _ => api.call_request("no_such_tool", &json!({})),
    }
}

fn large_body(api: &Api, number: usize) -> RequestBuilder {
    let body: &'static [u8] = &LARGE_BODIES[number % LARGE_BODIES.len()];
    with_json_body(api.request(Method::POST, "/mcp/v1/tools/call"), body)
}

fn analysis(api: &Api, target: &Target, number: usize, id: &str) -> RequestBuilder {
    let mut arguments = match number % 4 {
        0 => json!({"kind": "content", "url": format!("{}/slow/{id}", target.site)}),
        1 => json!({"kind": "content", "text": format!("{id} {}", "More words than needed. ".repeat(8_000))}),
        2 => json!({"kind": "content", "url": format!("{}/packed/{id}", target.site)}),
        _ => json!({"kind": "duplicates"}),
    };
    arguments["wait_seconds"] = WAIT_SECONDS.into();
    api.call_request("run_analysis", &arguments)
}
