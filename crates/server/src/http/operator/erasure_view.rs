use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_store::Erasure;

use crate::http::extract::schemas::Time;

/// The receipt of an erasure
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Erasure")]
pub(crate) struct ErasureView {
    #[schemars(example = &"era_4fT9aZ0kQw3LmN8xYb2C")]
    receipt_id: String,
    /// What was erased: `brand` or `user`
    #[schemars(example = &"brand")]
    kind: &'static str,
    /// The id of the brand, or the pseudonym that takes the place of the user's id
    subject: String,
    /// `erasing` or `done`. It ends at least a minute after the last row: then all tables are searched again
    #[schemars(example = &"done")]
    status: &'static str,
    #[schemars(with = "Time")]
    requested_at: String,
    /// The operator who asked for it
    requested_by: String,
    #[schemars(with = "Option<Time>")]
    finished_at: Option<String>,
    /// How many rows of the brand were deleted so far, or how many rows that named the user were changed or deleted
    deleted_rows: u64,
}

impl From<Erasure> for ErasureView {
    fn from(erasure: Erasure) -> Self {
        Self {
            receipt_id: erasure.receipt_id,
            kind: erasure.kind.as_str(),
            subject: erasure.subject,
            status: if erasure.finished_at.is_some() { "done" } else { "erasing" },
            requested_at: erasure.requested_at.to_string(),
            requested_by: erasure.requested_by.into(),
            finished_at: erasure.finished_at.map(String::from),
            deleted_rows: erasure.deleted_rows,
        }
    }
}
