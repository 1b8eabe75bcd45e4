//! Posts and channels as the store provides them.

use async_trait::async_trait;
use svc_mcp_access::{BrandId, ChannelId, StoreError};

use super::{Post, PostFilter, StoredChannel};
use crate::page::{Cursor, Page};

#[async_trait]
pub trait PostRecords: Send + Sync {
    async fn posts(
        &self,
        brand: &BrandId,
        filter: &PostFilter,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Post>, StoreError>;

    async fn post(&self, brand: &BrandId, post_id: &str) -> Result<Option<Post>, StoreError>;

    /// One of the brand's channels with its sealed secret. The feed has no settings and is not stored.
    async fn channel(
        &self,
        brand: &BrandId,
        channel: &ChannelId,
    ) -> Result<Option<StoredChannel>, StoreError>;
}
