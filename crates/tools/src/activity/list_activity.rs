use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_access::{Fault, ToolAccess, usage};

use super::KeyEvent;
use crate::{
    page::{Cursor, MAX_LIMIT, default_limit},
    tool::{Call, Hints, Outcome, Tool, ToolDescription, ToolError},
};

#[derive(Debug)]
pub struct ListActivity;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arguments {
    /// Only events with this outcome.
    outcome: Option<EventOutcome>,
    /// False: also when the list of tools was read, and what people did with your key, your posts and your waiting calls.
    #[serde(default = "default_calls_only")]
    calls_only: bool,
    /// Maximum number of items.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    limit: u32,
    /// The `next_cursor` of the previous page.
    #[schemars(length(max = 200))]
    cursor: Option<String>,
}

fn default_calls_only() -> bool {
    true
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum EventOutcome {
    Ok,
    Error,
    Denied,
}

impl From<EventOutcome> for usage::Outcome {
    fn from(outcome: EventOutcome) -> Self {
        match outcome {
            EventOutcome::Ok => Self::Ok,
            EventOutcome::Error => Self::Error,
            EventOutcome::Denied => Self::Denied,
        }
    }
}

impl From<usage::Outcome> for EventOutcome {
    fn from(outcome: usage::Outcome) -> Self {
        match outcome {
            usage::Outcome::Ok => Self::Ok,
            usage::Outcome::Error => Self::Error,
            usage::Outcome::Denied => Self::Denied,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct KeyActivity {
    items: Vec<EventView>,
    /// Pass this as `cursor` to get the next page. Absent on the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct EventView {
    at: String,
    kind: &'static str,
    /// The tool that was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    /// `error`: it was allowed and failed. `denied`: it was not allowed.
    outcome: EventOutcome,
    /// Why it failed or was denied, or `awaiting_approval`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The post that a person changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    post_id: Option<String>,
    /// Denied requests of one minute with the same reason are one item.
    count: u64,
}

impl From<KeyEvent> for EventView {
    fn from(event: KeyEvent) -> Self {
        Self {
            at: event.at.to_string(),
            kind: event.kind,
            tool: event.tool,
            outcome: event.outcome.into(),
            reason: event.reason,
            post_id: event.post_id,
            count: event.count,
        }
    }
}

impl Tool for ListActivity {
    type Arguments = Arguments;
    type Output = KeyActivity;

    const ACCESS: ToolAccess = ToolAccess::Read;
    const HINTS: Hints = Hints::READ;
    const DESCRIPTION: ToolDescription = ToolDescription {
        name: "list_activity",
        title: "What this key did",
        description: "Lists the calls that were made with your key, newest first: tool, outcome and time (UTC). Use it to see \
            what you did before, for example after a lost connection. A call appears about a second after it ended.",
        example: r#"{"outcome": "error", "limit": 10}"#,
    };

    fn check(arguments: &Arguments) -> Vec<Fault> {
        Cursor::check(arguments.cursor.as_deref()).into_iter().collect()
    }

    async fn run(&self, call: &Call, arguments: Arguments) -> Result<Outcome<KeyActivity>, ToolError> {
        let Arguments { outcome, calls_only, limit, cursor } = arguments;
        let after = cursor.as_deref().and_then(Cursor::decode);
        let key = &call.caller.key_state.key_id;
        let (events, next) = call
            .context
            .records
            .key_events(call.brand_id(), key, calls_only, outcome.map(Into::into), after.as_ref(), limit)
            .await?;
        Ok(Outcome::new(KeyActivity {
            items: events.into_iter().map(EventView::from).collect(),
            next_cursor: next.map(|cursor| cursor.encode()),
        }))
    }
}
