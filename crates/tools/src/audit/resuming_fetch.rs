//! Continues an interrupted crawl with the pages that it has stored, and collects the pages that are read now.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use svc_mcp_access::BrandId;

use super::{
    Page, PageUrl,
    fetch::{CpuWork, Fetch, FetchError, FetchRequest, FetchResponse},
};
use crate::Records;

/// Pages that are not stored yet. A page that does not fit is read again after an interruption.
const MAX_UNSAVED_BYTES: usize = 1024 * 1024;

pub(super) struct ResumingFetch<F> {
    pub(super) fetch: F,
    /// `None`: the crawl was not interrupted.
    pub(super) stored: Option<StoredPages>,
    pub(super) unsaved: Mutex<UnsavedPages>,
}

/// The pages that the crawl has stored.
pub(super) struct StoredPages {
    pub(super) records: Arc<dyn Records>,
    pub(super) brand: BrandId,
    pub(super) audit_id: String,
}

#[derive(Default)]
pub(super) struct UnsavedPages {
    pages: Vec<Page>,
    bytes: usize,
}

impl<F: Fetch> ResumingFetch<F> {
    pub(super) fn take_new_pages(&self) -> Vec<Page> {
        std::mem::take(&mut *self.unsaved()).pages
    }

    fn unsaved(&self) -> MutexGuard<'_, UnsavedPages> {
        self.unsaved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl<F: Fetch> Fetch for ResumingFetch<F> {
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        self.fetch.fetch(request).await
    }

    async fn cached_page(&self, url: &PageUrl) -> Option<Page> {
        let StoredPages { records, brand, audit_id } = self.stored.as_ref()?;
        // If the store does not answer, the page is read again.
        records.crawled_page(brand, audit_id, url.as_str()).await.ok().flatten()
    }

    async fn sleep(&self, duration: Duration) {
        self.fetch.sleep(duration).await;
    }

    async fn run_cpu_work(&self, work: CpuWork) {
        self.fetch.run_cpu_work(work).await;
    }

    fn page_was_read(&self, page: &Page) {
        let bytes = page.json_bytes();
        let mut unsaved = self.unsaved();
        if unsaved.bytes + bytes <= MAX_UNSAVED_BYTES {
            unsaved.bytes += bytes;
            unsaved.pages.push(page.clone());
        }
    }
}
