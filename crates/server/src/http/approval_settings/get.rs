use std::sync::Arc;

use axum::{Json, extract::State};

use super::{ApprovalSettingsView, PATH, view};
use crate::{
    app::App,
    http::{
        extract::Manager,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get(PATH, get_approval_settings)
        .describe(Tag::Approvals, "get_approval_settings", "Which calls wait for approval, and who decides")
        .json::<ApprovalSettingsView>(200, "The settings")
}

async fn get_approval_settings(
    State(app): State<Arc<App>>,
    manager: Manager,
) -> Result<Json<ApprovalSettingsView>, Problem> {
    Ok(Json(view(&app, &manager.brand_id, &manager.user_id).await?))
}
