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
            Input, Manager, PageLimit, ValidatedQuery,
            schemas::{self, CursorText},
        },
        operation::{Operation, Tag},
        problem::Problem,
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct ScheduleQuery {
    #[serde(default)]
    limit: PageLimit<50, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<CursorText>")]
    cursor: Option<Cursor>,
}

impl Input for ScheduleQuery {}

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
    let page = records.schedules(&manager.brand_id, query.cursor.as_ref(), query.limit.get()).await?;
    let view = |schedule| ScheduleView::new(schedule, &profile.brand.time_zone);
    Ok(Json(ScheduleList {
        schedules: page.items.into_iter().map(view).collect(),
        total: page.total,
        next_cursor: page.next.map(|cursor| cursor.encode()),
    }))
}
