//! What is attacked, and how.

use std::net::SocketAddr;

use serde::{Deserialize, Serialize};

/// The brand that attacks.
pub(super) const HOSTILE_BRAND: &str = "hostile";

/// The service, and what the attacker has: a brand with keys, administrators and a site.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Target {
    pub address: SocketAddr,
    pub brand: String,
    pub site: String,
    pub write_keys: Vec<String>,
    pub read_keys: Vec<String>,
    pub admin_tokens: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AttackKind {
    /// Over the limit, for a wrong tool, or with the wrong scope.
    Refused,
    LargeBody,
    /// Bodies that never end.
    SlowBody,
    Audit,
    Analysis,
    /// Posts to webhooks that never answer.
    Post,
    /// Lists of recipients that replace each other.
    Recipients,
}

impl AttackKind {
    pub const ALL: [Self; 7] = [
        Self::Refused,
        Self::LargeBody,
        Self::SlowBody,
        Self::Audit,
        Self::Analysis,
        Self::Post,
        Self::Recipients,
    ];
    /// The kinds of requests with write keys. The keys are dealt to them in turn.
    pub(super) const OF_WRITE_KEYS: [Self; 10] = [
        Self::LargeBody,
        Self::SlowBody,
        Self::Audit,
        Self::SlowBody,
        Self::Post,
        Self::SlowBody,
        Self::LargeBody,
        Self::SlowBody,
        Self::Analysis,
        Self::SlowBody,
    ];
}
