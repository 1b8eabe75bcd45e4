//! Drives the bridge with the official Rust client, rmcp: `MODE INTERPRETER SCRIPT CALLS`, a report on stdout.

use std::error::Error;

use rmcp::model::{CallToolRequestParams, JsonObject, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt};
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};
use tokio::process::Command;

fn lifecycle(mode: &str) -> ClientLifecycleMode {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    match mode {
        "initialize" => ClientLifecycleMode::Initialize,
        "discover" => ClientLifecycleMode::Discover { preferred_versions },
        _ => ClientLifecycleMode::Auto { preferred_versions, legacy_version: None },
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let [mode, interpreter, script, calls]: [String; 4] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "MODE INTERPRETER SCRIPT CALLS")?;
    let mut command = Command::new(interpreter);
    command.arg(script);
    let client = ().serve_with_lifecycle(TokioChildProcess::new(command)?, lifecycle(&mode)).await?;

    let tools = client.list_all_tools().await?;
    let mut results = Vec::new();
    for call in serde_json::from_str::<Vec<Value>>(&calls)? {
        let name = call["name"].as_str().ok_or("a call without a name")?.to_owned();
        let arguments: JsonObject = serde_json::from_value(call["arguments"].clone())?;
        results.push(client.call_tool(CallToolRequestParams::new(name).with_arguments(arguments)).await?);
    }
    let report = json!({
        "revision": client.peer_info().map(|info| info.protocol_version.clone()),
        "tools": tools.iter().map(|tool| &tool.name).collect::<Vec<_>>(),
        "results": results,
    });
    println!("{report}");
    client.cancel().await?;
    Ok(())
}
