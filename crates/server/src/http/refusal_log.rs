//! The log of refused application tokens.

use std::sync::{Mutex, PoisonError};

use svc_mcp_access::{
    Ticks,
    rate::{Step, Window},
};

use crate::jwt::TokenRefusal;

/// Nobody needs a credential to cause a line, so only the first 60 of any minute are written. With `SVC_LOG=debug` all are.
#[derive(Debug, Default)]
pub(crate) struct RefusalLog(Mutex<Window>);

impl RefusalLog {
    pub(crate) fn write(&self, refusal: TokenRefusal, request_id: &str, route: &str, now: Ticks) {
        let reason = refusal.as_str();
        let admitted = self.0.lock().unwrap_or_else(PoisonError::into_inner).step(now, Step::Count).admitted;
        if admitted {
            tracing::info!(request_id, route, reason, "an application token was refused");
        } else {
            tracing::debug!(request_id, route, reason, "an application token was refused");
        }
    }
}
