//! An agent of the demo. It uses its key like an agent outside does, without HTTP.

use std::{convert::Infallible, net::Ipv4Addr};

use anyhow::Context;
use serde_json::{Value, json};
use svc_mcp_access::{
    ApprovalRule,
    decision::{CallTool, Credential},
    key::KeyToken,
};
use svc_mcp_tools::execute::{Execution, execute};

use crate::app::App;

/// Makes a call that waits for approval, if none waits.
pub(super) async fn ask_for_approval(app: &App, key: &KeyToken) -> anyhow::Result<()> {
    let waiting = call(app, key, "list_approvals", json!({"status": "pending", "limit": 1})).await?;
    if waiting.is_none_or(|waiting| waiting["total"] != 0) {
        return Ok(());
    }
    let post = json!({
        "title": "Cupping on Friday",
        "text": "Taste six coffees side by side, Friday at 17. Free, and no booking needed.",
        "channels": ["feed"],
        "mode": "now",
    });
    call(app, key, "create_post", post).await.map(drop)
}

/// The structured result of a call. `None` if a person has paused the key, switched its rule off, or changed the plan.
async fn call(app: &App, key: &KeyToken, tool: &str, arguments: Value) -> anyhow::Result<Option<Value>> {
    let request = CallTool { catalog: &app.registry, tool: tool.to_owned(), arguments };
    let credential = Credential::Bearer(key.expose().as_bytes());
    let ask = |_: &_| async move { Ok::<_, Infallible>(request) };
    let Ok((caller, prepared)) =
        app.decide(app.request_start(), credential, Ipv4Addr::LOCALHOST.into(), ask).await
    else {
        return Ok(None);
    };
    if caller.key_state.approval == ApprovalRule::None {
        return Ok(None);
    }
    let Execution::Done(result) = execute(&app.call(caller), prepared, None).await? else { return Ok(None) };
    let result: Value = serde_json::from_str(&result.body).context("a result is JSON")?;
    Ok(Some(result["structuredContent"].clone()))
}
