use async_trait::async_trait;
use svc_mcp_access::{BrandId, ChannelId, decision::Unavailable};

use super::{KeptChannel, Post, PostFilter};
use crate::page::{Cursor, Page};

#[async_trait]
pub trait PostRecords: Send + Sync {
    async fn posts(
        &self,
        brand: &BrandId,
        filter: &PostFilter,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<Post>, Unavailable>;

    async fn post(&self, brand: &BrandId, post_id: &str) -> Result<Option<Post>, Unavailable>;

    /// One of the brand's channels with its sealed secret. The feed is none of these: it needs no settings.
    async fn channel(&self, brand: &BrandId, channel: &ChannelId)
    -> Result<Option<KeptChannel>, Unavailable>;
}
