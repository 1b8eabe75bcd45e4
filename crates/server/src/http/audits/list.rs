use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_store::Cursor;

use super::{AUDITS, view::AuditRow};
use crate::{
    app::App,
    http::{
        extract::{
            Input, Manager, PageLimit, ValidatedQuery,
            schemas::{self, CursorText},
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListAudits {
    #[serde(default)]
    limit: PageLimit<20, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<CursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ListAudits {}

/// A page of audits, newest first
#[derive(Debug, Serialize, JsonSchema)]
struct AuditList {
    audits: Vec<AuditRow>,
    /// The number of audits on all pages together
    total: u64,
    /// Pass it as `cursor` for the next page; null on the last one
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get(AUDITS, list_audits)
        .describe(Tag::Audits, "list_audits", "List the audits of the brand's site")
        .query::<ListAudits>()
        .json::<AuditList>(200, "The audits, newest first")
}

async fn list_audits(
    State(app): State<Arc<App>>,
    manager: Manager,
    ValidatedQuery(query): ValidatedQuery<ListAudits>,
) -> Result<Json<AuditList>, Problem> {
    let ListAudits { limit, cursor } = query;
    let page = app.context.records.audits(&manager.brand_id, cursor.as_ref(), limit.get()).await?;
    Ok(Json(AuditList {
        audits: page.items.into_iter().map(AuditRow::from).collect(),
        total: page.total,
        next_cursor: page.next.map(|cursor| cursor.encode()),
    }))
}
