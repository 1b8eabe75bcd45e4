//! What the tests of channels, event endpoints and report recipients have in common.

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_tools::{
    Change, Records,
    connection_test::{TestOutcome, TestedConnection},
    records::CommitError,
};

use super::{
    extract::Administrator,
    problem::{Code, Problem},
};
use crate::app::App;

/// What a test has shown
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ConnectionTest")]
pub(crate) struct TestView {
    ok: bool,
    /// What was reached, or why not and what to do
    #[schemars(example = &"The endpoint accepted a signed test event.")]
    message: String,
    /// The status that the other server answered with, if it answered
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = 204)]
    status: Option<u16>,
}

impl From<TestOutcome> for TestView {
    fn from(outcome: TestOutcome) -> Self {
        let TestOutcome { ok, message, status } = outcome;
        Self { ok, message, status }
    }
}

/// Counts and records a test. Nothing is sent before that.
pub(crate) async fn count_test(
    app: &App,
    administrator: &Administrator,
    tested: TestedConnection,
) -> Result<(), Problem> {
    let changes = [Change::ConnectionTest(tested)];
    let records = administrator.records(app);
    records.commit(&administrator.brand_id, &changes, None, app.clock.now()).await.map_err(problem)
}

pub(crate) fn problem(error: CommitError) -> Problem {
    match error {
        CommitError::Refused(failure) => Problem::of_failure(Code::QuotaReached, failure),
        CommitError::Denied(denial) => denial.into(),
        CommitError::Store(error) => error.into(),
        // A person has no claim, and no post is changed.
        CommitError::ClaimLost | CommitError::Changed => Problem::internal(),
    }
}
