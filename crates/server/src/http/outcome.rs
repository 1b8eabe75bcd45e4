//! How a request ended, in one word. The access log and the metric of tool calls use the same words.

use svc_mcp_access::{StoreError, decision::Denial};
use svc_mcp_store::EventOutcome;

/// The reason of a call that waits for a person, as the activity has it.
pub(crate) const AWAITING_APPROVAL: &str = "awaiting_approval";
/// The reason of a tool that ran and failed, as the activity has it.
pub(crate) const TOOL_FAILED: &str = "tool_failed";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestOutcome {
    Ok,
    /// The call waits until a person decides.
    AwaitingApproval,
    /// The tool ran and failed for a reason of its own. The status is 200.
    ToolError,
    /// Answered with 4xx.
    Denied,
    /// Answered with 5xx.
    Error,
    /// The client left before the answer.
    Disconnected,
}

impl RequestOutcome {
    /// `status` is `None` if there was no answer. A tool's own result counts only in an answer that is no error.
    pub(crate) fn of_response(status: Option<u16>, of_tool: Option<Self>) -> Self {
        match status {
            None => Self::Disconnected,
            Some(..400) => of_tool.unwrap_or(Self::Ok),
            Some(400..500) => Self::Denied,
            Some(500..) => Self::Error,
        }
    }

    /// From the event of the activity.
    pub(crate) fn of_event(outcome: EventOutcome, reason: Option<&str>) -> Self {
        let store_errors = [StoreError::Unavailable, StoreError::Internal];
        let is_store_error =
            store_errors.into_iter().any(|error| reason == Some(Denial::Store(error).reason()));
        match (outcome, reason) {
            (EventOutcome::Ok, Some(AWAITING_APPROVAL)) => Self::AwaitingApproval,
            (EventOutcome::Ok, _) => Self::Ok,
            (EventOutcome::Error, Some(TOOL_FAILED)) => Self::ToolError,
            // The activity says that the request was denied. Here it matters that the service is the cause.
            (EventOutcome::Denied, _) if !is_store_error => Self::Denied,
            _ => Self::Error,
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::AwaitingApproval => "awaiting_approval",
            Self::ToolError => "tool_error",
            Self::Denied => "denied",
            Self::Error => "error",
            Self::Disconnected => "disconnected",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_tool_is_not_a_success_and_a_failing_store_is_not_a_denial() {
        use RequestOutcome::{AwaitingApproval, Denied, Error, Ok, ToolError};
        for (outcome, reason, expected) in [
            (EventOutcome::Ok, None, Ok),
            (EventOutcome::Ok, Some(AWAITING_APPROVAL), AwaitingApproval),
            (EventOutcome::Error, Some(TOOL_FAILED), ToolError),
            (EventOutcome::Error, Some("unavailable"), Error),
            (EventOutcome::Denied, Some("rate_limited"), Denied),
            (EventOutcome::Denied, Some("unavailable"), Error),
            (EventOutcome::Denied, Some("internal"), Error),
        ] {
            assert_eq!(RequestOutcome::of_event(outcome, reason), expected, "{outcome:?} {reason:?}");
        }
    }

    #[test]
    fn result_of_a_tool_counts_only_if_the_answer_is_no_error() {
        let of_tool = Some(RequestOutcome::ToolError);
        for (status, expected) in [
            (Some(200), RequestOutcome::ToolError),
            (Some(404), RequestOutcome::Denied),
            (Some(503), RequestOutcome::Error),
            (None, RequestOutcome::Disconnected),
        ] {
            assert_eq!(RequestOutcome::of_response(status, of_tool), expected);
        }
        assert_eq!(RequestOutcome::of_response(Some(304), None), RequestOutcome::Ok);
    }
}
