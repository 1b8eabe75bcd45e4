//! Analyses as the store provides them.

use async_trait::async_trait;
use svc_mcp_access::{BrandId, StoreError};

use super::{Analysis, AnalysisKind, AnalysisRequest, AnalysisSummary};
use crate::page::{Cursor, Page};

#[async_trait]
pub trait AnalysisRecords: Send + Sync {
    /// Newest first, without the analysed texts and the results: both can be long.
    async fn analyses(
        &self,
        brand: &BrandId,
        kind: Option<AnalysisKind>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<AnalysisSummary>, StoreError>;

    async fn analysis(&self, brand: &BrandId, analysis_id: &str) -> Result<Option<Analysis>, StoreError>;

    /// The queued or running analysis with the same arguments.
    async fn open_analysis(
        &self,
        brand: &BrandId,
        request: &AnalysisRequest,
    ) -> Result<Option<Analysis>, StoreError>;
}
