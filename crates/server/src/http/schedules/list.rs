use std::sync::Arc;

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use svc_mcp_store::Cursor;
use svc_mcp_tools::schedules::ScheduleView;

use super::SCHEDULES;
use crate::{
    app::App,
    http::{
        extract::{
            Input, Manager, ValidatedQuery,
            schemas::{self, CursorText},
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 100;

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ScheduleQuery {
    /// 1 to 100, 50 by default
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    limit: u32,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<CursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ScheduleQuery {}

fn default_limit() -> u32 {
    DEFAULT_LIMIT
}

/// A page of schedules, newest first
#[derive(Debug, Serialize, JsonSchema)]
struct ScheduleList {
    schedules: Vec<ScheduleView>,
    total: u64,
    next_cursor: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::get(SCHEDULES, list_schedules)
        .describe(Tag::Brand, "list_schedules", "The audits and reports that repeat")
        .query::<ScheduleQuery>()
        .json::<ScheduleList>(200, "The schedules, newest first")
}

async fn list_schedules(
    State(app): State<Arc<App>>,
    manager: Manager,
    ValidatedQuery(query): ValidatedQuery<ScheduleQuery>,
) -> Result<Json<ScheduleList>, Problem> {
    let records = &app.context.records;
    let profile = records.profile(&manager.brand_id).await?;
    let page = records.schedules(&manager.brand_id, query.cursor.as_ref(), query.limit).await?;
    let view = |schedule| ScheduleView::new(schedule, &profile.brand.time_zone);
    Ok(Json(ScheduleList {
        schedules: page.items.into_iter().map(view).collect(),
        total: page.total,
        next_cursor: page.next.map(|cursor| cursor.encode()),
    }))
}
