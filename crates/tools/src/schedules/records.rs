//! Schedules as the store provides them.

use async_trait::async_trait;
use svc_mcp_access::{BrandId, StoreError};

use super::Schedule;
use crate::page::{Cursor, Page};

#[async_trait]
pub trait ScheduleRecords: Send + Sync {
    /// Newest first.
    async fn schedules(
        &self,
        brand: &BrandId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Schedule>, StoreError>;

    async fn schedule(&self, brand: &BrandId, schedule_id: &str) -> Result<Option<Schedule>, StoreError>;
}
