//! What holds for the fields of a key, whether it is created or changed.

use serde_json::Value;
use svc_mcp_access::{Fault, Network, QuotaReached, Timestamp};

use crate::{
    app::App,
    http::{
        extract::trim_fields,
        problem::{Code, Problem},
    },
};

pub(super) const MAX_LABEL_CHARS: usize = 100;
pub(super) const MAX_NETWORKS: usize = 20;

pub(super) fn normalize(body: &mut Value) {
    trim_fields(body, &["label", "allowed_networks"]);
}

/// Faults that the schema cannot express.
pub(super) fn check(body: &Value, app: &App) -> Vec<Fault> {
    let mut faults = Vec::new();
    let expires_at = body["expires_at"].as_str().and_then(|text| text.parse::<Timestamp>().ok());
    if expires_at.is_some_and(|at| at <= app.clock.now()) {
        faults.push(Fault::new("expires_at", "must be in the future"));
    }
    let networks = body["allowed_networks"].as_array().into_iter().flatten().take(MAX_NETWORKS);
    for (index, network) in networks.enumerate() {
        if let Some(Err(error)) = network.as_str().map(str::parse::<Network>) {
            faults.push(Fault::new(format!("allowed_networks[{index}]"), error));
        }
    }
    faults
}

pub(super) fn key_limit_reached(reached: QuotaReached) -> Problem {
    let detail =
        format!("The brand can have {} active keys. Revoke one that is no longer used.", reached.limit);
    Problem::new(Code::KeyLimitReached, detail).with_quota(reached)
}
