//! The activity of keys as the store provides it.

use async_trait::async_trait;
use svc_mcp_access::{BrandId, KeyId, StoreError, Timestamp, usage};

use crate::page::Cursor;

/// Something that happened with a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyEvent {
    pub at: Timestamp,
    /// `call`, `list`, or what people did with the key.
    pub kind: &'static str,
    pub tool: Option<String>,
    pub outcome: usage::Outcome,
    pub reason: Option<String>,
    pub post_id: Option<String>,
    /// Denied requests of one minute with the same reason are one event.
    pub count: u64,
}

#[async_trait]
pub trait ActivityRecords: Send + Sync {
    /// Events of one key, newest first, and where the next page begins.
    async fn key_events(
        &self,
        brand: &BrandId,
        key: &KeyId,
        calls_only: bool,
        outcome: Option<usage::Outcome>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<(Vec<KeyEvent>, Option<Cursor>), StoreError>;
}
