use axum::Json;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use svc_mcp_tools::approvals::{MAX_ARGUMENTS_BYTES, approve as approve_call};

use super::{
    ManagedApproval,
    decision::{Approver, problem},
};
use crate::http::{
    extract::{Input, ValidatedJson, schemas::AnyObject, trim_fields},
    operation::{Operation, Tag},
    problem::Problem,
};

const MAX_NOTE_CHARS: usize = 1_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Approve {
    /// The `digest` of what you have seen
    #[schemars(length(min = 1, max = 64))]
    digest: String,
    /// All arguments to run the tool with, instead of the agent's
    #[schemars(with = "Option<AnyObject>")]
    arguments: Option<Map<String, Value>>,
    /// For the agent and the other approvers
    #[schemars(length(max = MAX_NOTE_CHARS))]
    note: Option<String>,
}

impl Input for Approve {
    /// All arguments that a waiting call can have, and the other fields.
    const MAX_BYTES: usize = MAX_ARGUMENTS_BYTES + 16 * 1024;

    fn normalize(body: &mut Value) {
        trim_fields(body, &["note"]);
    }
}

pub(crate) fn operation() -> Operation {
    Operation::post("/api/brands/{brand_id}/approvals/{approval_id}/approve", approve)
        .describe(Tag::Approvals, "approve", "Approve a call and run it")
        .details(
            "By an administrator, or by the person who created the key unless the brand has `approvers: admins`. The tool runs \
             once, however often this is called: its changes, its result and the decision are stored together. It does not \
             run if it would do something else than what `digest` stands for (409 `approval_changed`), if somebody has \
             decided before (409 `already_decided`), or while the key may not act.",
        )
        .body::<Approve>()
        .json::<ManagedApproval>(200, "The approval: `done` with the tool's result, or `failed`")
}

async fn approve(
    approver: Approver,
    ValidatedJson(body): ValidatedJson<Approve>,
) -> Result<Json<ManagedApproval>, Problem> {
    let Approve { digest, arguments, note } = body;
    let judgement = approver.judgement(note.filter(|note| !note.is_empty()));
    let reader = &approver.0;
    let arguments = arguments.map(Value::Object);
    let approval_id = &reader.approval.approval_id;
    let decided = approve_call(reader.decider(), approval_id, &digest, arguments, &judgement).await;
    decided.map(|approval| Json(approval.into())).map_err(problem)
}
