use std::{collections::BTreeSet, sync::Arc};

use axum::{Json, extract::State};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use svc_mcp_store::SetRecipientsError;
use svc_mcp_tools::report::{EmailAddress, MAX_RECIPIENTS, new_recipient_list};

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
             before they confirm. Recipients who unsubscribed get no reports. Only they can subscribe again.",
        )
        .body::<PutRecipients>()
        .json::<Recipients>(200, "The list")
}

async fn put_recipients(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    ValidatedJson(body): ValidatedJson<PutRecipients>,
) -> Result<Json<Recipients>, Problem> {
    let now = app.clock.now();
    let recipients = new_recipient_list(&body.recipients, now, &mut app.entropy.clone());
    let can_mail = app.mailer.is_some();
    administrator
        .store(&app)
        .set_report_recipients(&administrator.brand_id, &recipients, can_mail, now)
        .await
        .map_err(problem)?;
    list(&app, &administrator.brand_id).await
}

fn problem(error: SetRecipientsError) -> Problem {
    match error {
        SetRecipientsError::Store(error) => error.into(),
        SetRecipientsError::TooManyConfirmations(_) => Problem::new(
            Code::MailLimitReached,
            "Too many confirmation mails were sent for this brand within a day. Nothing was changed; try again tomorrow.",
        ),
        SetRecipientsError::CannotAsk => Problem::new(
            Code::MailNotConfigured,
            "New recipients are asked by mail, and the service has no mail server. Nothing was changed; ask the \
             operator to set SVC_SMTP_URL and SVC_MAIL_FROM.",
        ),
    }
}
