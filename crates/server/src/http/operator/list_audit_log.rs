use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_mcp_access::{BrandId, Timestamp, UserId, user_id::MAX_USER_ID_CHARS};
use svc_mcp_store::{ActorRole, AuditAction, AuditRecord, AuditSearch, Cursor};

use crate::{
    app::App,
    http::{
        extract::{
            Input, Operator, PageLimit, ValidatedQuery,
            schemas::{self, AnyObject, CursorText, Id, Time, USER_ID},
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListAuditLog {
    /// Only records of this time or later
    #[schemars(with = "Option<Time>")]
    since: Option<Timestamp>,
    /// Only records before this time
    #[schemars(with = "Option<Time>")]
    until: Option<Timestamp>,
    /// Only changes of this brand
    #[schemars(with = "Option<Id>")]
    brand: Option<BrandId>,
    /// Only changes by this user. `svc-mcp-admin` is the command line
    #[schemars(with = "Option<String>", length(min = 1, max = MAX_USER_ID_CHARS), regex(pattern = USER_ID))]
    actor: Option<UserId>,
    /// Only this action
    #[serde(default, deserialize_with = "schemas::name")]
    #[schemars(with = "Option<String>", extend("enum" = AuditAction::NAMES))]
    action: Option<AuditAction>,
    #[serde(default)]
    limit: PageLimit<50, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<CursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ListAuditLog {}

/// A change by a person or a command
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AuditRecord")]
pub(crate) struct AuditRecordView {
    /// 1 for the first record, without gaps
    #[schemars(range(min = 1))]
    sequence: i64,
    /// When the request or command began
    #[schemars(with = "Time")]
    at: String,
    /// The same for all records of one request or command
    change_id: String,
    /// The user who did it, or `svc-mcp-admin` for the command line
    actor: String,
    /// With which right: `member`, `admin`, `operator` or `command_line`
    #[schemars(extend("enum" = ActorRole::ALL.map(ActorRole::as_str)))]
    role: String,
    /// Where the request came from; null for a command
    address: Option<String>,
    request_id: Option<String>,
    #[schemars(example = &"key.update")]
    action: String,
    /// Null for what belongs to no brand, such as a plan
    brand_id: Option<String>,
    target: AuditTargetView,
    /// The changed fields as they were. Texts, names and addresses are left out
    #[schemars(with = "Option<AnyObject>")]
    before: Option<Value>,
    /// The changed fields as they are. Of texts, names and addresses it says only `changed`
    #[schemars(with = "Option<AnyObject>")]
    after: Option<Value>,
    references: AuditReferencesView,
    /// The `hash` of the record before; zeros for the first one
    previous_hash: String,
    /// SHA-256, in hexadecimal digits, of this object without `hash`, `actor`, `address`, `brand_id` and the id of the target, as
    /// compact JSON with sorted names
    hash: String,
}

/// What was changed
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AuditTarget")]
struct AuditTargetView {
    #[schemars(example = &"key")]
    kind: String,
    id: String,
}

/// What stands in the log in place of names. When a user or a brand is erased, the names above change and these stay
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AuditReferences")]
struct AuditReferencesView {
    actor: String,
    address: Option<String>,
    brand: Option<String>,
    target: String,
}

impl From<AuditRecord> for AuditRecordView {
    fn from(record: AuditRecord) -> Self {
        Self {
            sequence: record.sequence,
            at: record.at.to_string(),
            change_id: record.change_id,
            actor: record.actor,
            role: record.role,
            address: record.address,
            request_id: record.request_id,
            action: record.action,
            brand_id: record.brand_id,
            target: AuditTargetView { kind: record.target.kind, id: record.target.id },
            before: record.before,
            after: record.after,
            references: AuditReferencesView {
                actor: record.references.actor,
                address: record.references.address,
                brand: record.references.brand,
                target: record.references.target,
            },
            previous_hash: record.previous_hash,
            hash: record.hash,
        }
    }
}

/// A page of the audit log, oldest first
#[derive(Debug, Serialize, JsonSchema)]
struct AuditRecordList {
    records: Vec<AuditRecordView>,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get("/api/admin/audit", list_audit_log)
        .describe(Tag::Operator, "list_audit_log", "Who has changed what")
        .details(
            "Every change by members, administrators, operators and the command line, and every export of a brand. Oldest \
             first, in the order of `at` and `sequence`. A change that ran longer than another can appear before it \
             afterwards: the numbers then have a gap in what you have read. Each record holds the hash of the one before; \
             `svc-mcp admin audit verify` checks them.",
        )
        .query::<ListAuditLog>()
        .json::<AuditRecordList>(200, "The records")
}

async fn list_audit_log(
    State(app): State<Arc<App>>,
    _: Operator,
    ValidatedQuery(query): ValidatedQuery<ListAuditLog>,
) -> Result<Json<AuditRecordList>, Problem> {
    let ListAuditLog { since, until, brand, actor, action, limit, cursor } = query;
    let search = AuditSearch { since, until, brand, actor, action, after: cursor, limit: limit.get() };
    let page = app.store.search_audit_log(&search).await?;
    let records = page.items.into_iter().map(AuditRecordView::from).collect();
    Ok(Json(AuditRecordList { records, next_cursor: page.next.map(|cursor| cursor.encode()) }))
}
