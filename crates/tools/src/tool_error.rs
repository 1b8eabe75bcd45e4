//! Why a tool returned no result.

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::StoreError;

/// The tool ran but could not do what was asked. The model reads this and decides what to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
pub struct ToolFailure {
    /// A fixed name for the reason.
    pub code: &'static str,
    /// What happened.
    pub message: String,
    /// What to do next.
    pub hint: String,
    /// Whether the same call may work later.
    pub retryable: bool,
}

impl ToolFailure {
    pub fn new(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into(), retryable: false }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ToolError {
    #[error(transparent)]
    Failed(#[from] ToolFailure),
    /// The store failed. The tool itself did nothing wrong.
    #[error(transparent)]
    Store(#[from] StoreError),
}
