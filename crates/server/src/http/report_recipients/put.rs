use std::{collections::BTreeSet, sync::Arc};

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use svc_mcp_tools::{
    records::CommitError,
    report::{EmailAddress, MAX_RECIPIENTS, update_recipient_list},
};

use super::{PATH, Recipients, list};
use crate::{
    app::App,
    http::{
        extract::{Administrator, Input, ValidatedJson, schemas::Email, trim_fields},
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PutRecipients {
    /// Email addresses, at most 50. They replace the list
    #[schemars(with = "Vec<Email>", length(max = MAX_RECIPIENTS), example = ["ada@acme.example"])]
    recipients: BTreeSet<EmailAddress>,
}

impl Input for PutRecipients {
    fn normalize(body: &mut Value) {
        trim_fields(body, &["recipients"]);
    }
}

pub(crate) fn operation() -> Operation {
    Operation::put(PATH, put_recipients)
        .describe(Tag::Account, "put_recipients", "Set who gets the brand's reports")
        .details(
            "For administrators of the brand. A new recipient is asked by mail whether they want the reports, and gets none \
             before they confirm. A recipient who has stopped the reports gets none: only they can change that.",
        )
        .body::<PutRecipients>()
        .json::<Recipients>(200, "The list")
}

async fn put_recipients(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    ValidatedJson(body): ValidatedJson<PutRecipients>,
) -> Result<Json<Recipients>, Problem> {
    let known = app.context.records.report_recipients(&administrator.brand_id).await?;
    let now = app.clock.now();
    let listing = update_recipient_list(&known, &body.recipients, now, &mut app.entropy.clone()).map_err(|_| {
        Problem::new(
            Code::MailLimitReached,
            "Too many confirmation mails were sent for this brand within a day. Nothing was changed; try again tomorrow.",
        )
    })?;
    if listing.confirmations > 0 && app.mailer.is_none() {
        return Err(Problem::new(
            Code::MailNotConfigured,
            "New recipients are asked by mail, and the service has no mail server. Nothing was changed; ask the \
             operator to set SVC_SMTP_URL and SVC_MAIL_FROM.",
        ));
    }
    app.context.records.commit(&administrator.brand_id, &listing.changes, None, now).await.map_err(
        |why| {
            match why {
                CommitError::Store(error) => error.into(),
                // Only calls that are claimed or capped can come to these.
                CommitError::ClaimLost | CommitError::Refused(_) => Problem::internal(),
            }
        },
    )?;
    list(&app, &administrator.brand_id).await
}
