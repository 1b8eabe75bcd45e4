//! How people sign in to the settings page, and out.

mod code;
mod create;
mod end;
mod get;

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Timestamp, UserId};

use super::operation::Operation;

pub(crate) fn operations() -> Vec<Operation> {
    vec![code::operation(), create::operation(), get::operation(), end::operation()]
}

/// Who is signed in, and until when
#[derive(Debug, Serialize, JsonSchema)]
struct SessionView {
    user_id: String,
    expires_at: String,
    /// The seconds until then, for clients whose clock may be wrong
    expires_in: u64,
}

impl SessionView {
    fn new(user_id: UserId, expires_at: Timestamp, now: Timestamp) -> Self {
        let left = expires_at.millis().saturating_sub(now.millis());
        let expires_in = u64::try_from(left).unwrap_or(0) / 1000;
        Self { user_id: user_id.into(), expires_at: expires_at.to_string(), expires_in }
    }
}
