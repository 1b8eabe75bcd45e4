//! The recipients of a brand's reports, managed by its administrators.

pub(crate) mod get;
pub(crate) mod put;
pub(crate) mod send_test;

use axum::Json;
use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::BrandId;
use svc_mcp_tools::report::Recipient;

use super::problem::Problem;
use crate::app::App;

const PATH: &str = "/api/brands/{brand_id}/report-recipients";

#[derive(Debug, Serialize, JsonSchema)]
struct Recipients {
    /// In the order of their addresses
    recipients: Vec<RecipientView>,
}

/// Somebody on the list
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Recipient")]
struct RecipientView {
    email: String,
    /// `pending`: asked, without an answer yet. `confirmed`: gets reports. `suppressed`: has stopped them
    #[schemars(example = &"confirmed")]
    status: &'static str,
    asked_at: Option<String>,
    confirmed_at: Option<String>,
    suppressed_at: Option<String>,
}

impl From<Recipient> for RecipientView {
    fn from(recipient: Recipient) -> Self {
        Self {
            email: recipient.address.into(),
            status: recipient.status.as_str(),
            asked_at: recipient.asked_at.map(|at| at.to_string()),
            confirmed_at: recipient.confirmed_at.map(|at| at.to_string()),
            suppressed_at: recipient.suppressed_at.map(|at| at.to_string()),
        }
    }
}

async fn list(app: &App, brand_id: &BrandId) -> Result<Json<Recipients>, Problem> {
    let known = app.context.records.report_recipients(brand_id).await?;
    let listed = known.into_iter().filter(|recipient| recipient.listed);
    Ok(Json(Recipients { recipients: listed.map(RecipientView::from).collect() }))
}
