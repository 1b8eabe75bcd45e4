//! Who gets the brand's reports, as its administrators manage it.

use std::{collections::BTreeSet, sync::Arc};

use axum::{Json, extract::State};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_mcp_tools::{
    records::NotCommitted,
    report::{Address, MOST_RECIPIENTS, Recipient, listing_changes},
};
use utoipa::ToSchema;

use super::{
    extract::{Administrator, Fields, JsonBody},
    problem::{Code, Problem},
};
use crate::app::App;

#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "the document's picture of what `put_recipients` takes")]
pub(crate) struct PutRecipients {
    /// Email addresses, at most 50. They take the place of the list there was
    #[schema(example = json!(["ada@acme.example"]))]
    recipients: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Recipients {
    /// In the order of their addresses
    recipients: Vec<RecipientView>,
}

/// Somebody on the list
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Recipient)]
pub(crate) struct RecipientView {
    email: String,
    /// `pending`: asked and not answered. `confirmed`: gets reports. `suppressed`: has stopped them
    #[schema(example = "confirmed")]
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

/// Who gets the brand's reports
///
/// For administrators of the brand.
#[utoipa::path(get, path = "/api/brands/{brand_id}/report-recipients", tag = "account", security(("jwt" = [])),
    params(("brand_id" = String, Path)), responses((status = 200, description = "The list", body = Recipients)))]
pub(crate) async fn get_recipients(
    State(app): State<Arc<App>>,
    administrator: Administrator,
) -> Result<Json<Recipients>, Problem> {
    listed(&app, &administrator).await
}

/// Set who gets the brand's reports
///
/// For administrators of the brand. Somebody new is asked by mail whether they want the reports, and gets none before
/// they confirm. Somebody who has stopped the reports stays without them: only they can change that.
#[utoipa::path(put, path = "/api/brands/{brand_id}/report-recipients", tag = "account", security(("jwt" = [])),
    params(("brand_id" = String, Path)), request_body = PutRecipients,
    responses((status = 200, description = "The list", body = Recipients)))]
pub(crate) async fn put_recipients(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    JsonBody(body): JsonBody,
) -> Result<Json<Recipients>, Problem> {
    let mut fields = Fields::of(body)?;
    let wanted = fields.required("recipients", addresses);
    fields.finish()?;
    let wanted = wanted.expect("finish found no fault");
    let known = app.means.records.report_recipients(&administrator.brand_id).await?;
    let now = app.clock.now();
    let listing = listing_changes(&known, &wanted, now, &mut app.entropy.clone()).map_err(|_| {
        Problem::new(
            Code::MailLimitReached,
            "Too many people were asked in this brand's name within a day. Nothing was changed; try again tomorrow.",
        )
    })?;
    if listing.questions > 0 && app.mailer.is_none() {
        return Err(Problem::new(
            Code::MailNotConfigured,
            "New recipients are asked by mail, and the service has no mail server. Nothing was changed; ask the \
             operator to set SVC_SMTP_URL and SVC_MAIL_FROM.",
        ));
    }
    app.means.records.commit(&administrator.brand_id, &listing.changes, None, now).await.map_err(|why| {
        match why {
            NotCommitted::Unavailable => Problem::unavailable(),
            // Only calls that are claimed or capped can come to these.
            NotCommitted::ClaimLost | NotCommitted::Refused(_) => Problem::internal(),
        }
    })?;
    listed(&app, &administrator).await
}

async fn listed(app: &App, administrator: &Administrator) -> Result<Json<Recipients>, Problem> {
    let known = app.means.records.report_recipients(&administrator.brand_id).await?;
    let listed = known.into_iter().filter(|recipient| recipient.listed);
    Ok(Json(Recipients { recipients: listed.map(RecipientView::from).collect() }))
}

fn addresses(value: &Value) -> Result<BTreeSet<Address>, String> {
    let all = value.as_array().ok_or("must be a list of email addresses")?;
    if all.len() > MOST_RECIPIENTS {
        return Err(format!("must be at most {MOST_RECIPIENTS}"));
    }
    let address = |(index, value): (usize, &Value)| {
        let text = value.as_str().unwrap_or_default().trim();
        text.parse().map_err(|fault| format!("number {}: {fault}", index + 1))
    };
    all.iter().enumerate().map(address).collect()
}
