use std::sync::Arc;

use axum::{Json, extract::State};
use svc_mcp_tools::{
    connection_test::{TestOutcome, TestedConnection},
    report::order_test_emails,
};

use crate::{
    app::App,
    http::{
        connection_tests::{TestView, count_test, problem},
        extract::Administrator,
        operation::{Operation, Tag},
        problem::Problem,
    },
};

pub(crate) fn operation() -> Operation {
    Operation::post("/api/brands/{brand_id}/report-recipients/test", test_recipients)
        .describe(Tag::Account, "test_recipients", "Send a test email to the recipients of reports")
        .details(
            "For administrators of the brand. The mail server is asked whether it works, and then every confirmed recipient \
             gets one email that says that it is a test. A brand has 10 tests an hour.",
        )
        .json::<TestView>(200, "What the test has shown. `ok` says whether the emails are on their way")
}

async fn test_recipients(
    State(app): State<Arc<App>>,
    administrator: Administrator,
) -> Result<Json<TestView>, Problem> {
    let Some(mailer) = &app.mailer else {
        let message = "The service has no mail server. Ask the operator to set SVC_SMTP_URL.";
        return Ok(Json(TestOutcome::failed(message, None).into()));
    };
    let brand = &administrator.brand_id;
    let recipients = app.context.records.report_recipients(brand).await?;
    let now = app.clock.now();
    let (count, changes) = order_test_emails(&recipients, now, &mut app.entropy.clone());
    if count == 0 {
        let message = "No recipient has confirmed yet, so there is no address to send a test to.";
        return Ok(Json(TestOutcome::failed(message, None).into()));
    }
    count_test(&app, &administrator, TestedConnection::ReportRecipients).await?;
    let checked = TestOutcome::within_timeout(async {
        match mailer.check().await {
            Ok(_) => TestOutcome::passed(sent_message(count), None),
            // Its answer is for the operator.
            Err(error) => {
                tracing::warn!(%error, "the mail server did not pass a test");
                let message =
                    "The mail server does not accept emails now. Try again later, or tell the operator.";
                TestOutcome::failed(message, None)
            }
        }
    });
    let outcome = Box::pin(checked).await;
    if outcome.ok {
        app.context.records.commit(brand, &changes, None, now).await.map_err(problem)?;
    }
    Ok(Json(outcome.into()))
}

fn sent_message(count: usize) -> String {
    match count {
        1 => "A test email is on its way to one recipient.".to_owned(),
        count => format!("Test emails are on their way to {count} recipients."),
    }
}
