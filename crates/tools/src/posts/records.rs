use async_trait::async_trait;
use svc_mcp_access::{BrandId, decision::Unavailable};

use super::{Post, PostFilter};
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
}
