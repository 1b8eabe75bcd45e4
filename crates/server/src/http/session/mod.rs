//! How people sign in to the settings page, and out.

mod code;
mod create;
mod end;
mod get;
mod oidc_callback;
mod oidc_start;
mod sign_in_failure;

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{Timestamp, session::Session};

use super::operation::Operation;

pub(crate) fn operations() -> Vec<Operation> {
    vec![
        code::operation(),
        create::operation(),
        get::operation(),
        end::operation(),
        oidc_start::operation(),
        oidc_callback::operation(),
    ]
}

/// Who is signed in, and until when
#[derive(Debug, Serialize, JsonSchema)]
struct SessionView {
    user_id: String,
    /// Whether it opens the operator API
    operator: bool,
    expires_at: String,
    /// The seconds until then, for clients whose clock may be wrong
    expires_in: u64,
}

impl SessionView {
    fn new(session: Session, now: Timestamp) -> Self {
        let Session { user_id, operator, expires_at } = session;
        let left = expires_at.millis().saturating_sub(now.millis());
        let expires_in = u64::try_from(left).unwrap_or(0) / 1000;
        Self { user_id: user_id.into(), operator, expires_at: expires_at.to_string(), expires_in }
    }
}
