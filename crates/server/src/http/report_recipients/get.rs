use std::sync::Arc;

use axum::{Json, extract::State};

use super::{PATH, Recipients, list};
use crate::{
    app::App,
    http::{
        extract::Administrator,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::get(PATH, get_recipients)
        .describe(Tag::Account, "get_recipients", "Who gets the brand's reports")
        .details("For administrators of the brand.")
        .json::<Recipients>(200, "The list")
}

async fn get_recipients(
    State(app): State<Arc<App>>,
    administrator: Administrator,
) -> Result<Json<Recipients>, Problem> {
    list(&app, &administrator.brand_id).await
}
