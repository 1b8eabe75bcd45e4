//! Limits the memory for bodies of one brand that are being read at the same time.
//!
//! A client can send almost all of a body and then wait for the timeout. Without this limit, a thousand such requests of
//! one brand would hold a gigabyte.

use std::time::Duration;

use http::{HeaderMap, header};
use svc_mcp_access::BrandId;
use svc_mcp_tools::ref_counted_map::RefCountedMap;
use tokio::{sync::Semaphore, time::timeout};

use crate::http::problem::Problem;

/// Eight of the largest calls, or one of the largest imported lists.
const MAX_BYTES_PER_BRAND: usize = 8 * 1024 * 1024;
/// Smaller bodies are read without a permit: even one on each connection needs little memory.
const SMALL_BODY_BYTES: usize = 4 * 1024;
const BYTES_PER_PERMIT: usize = 1024;

#[derive(Debug)]
pub(crate) struct BodyBudget(RefCountedMap<BrandId, Semaphore>);

impl Default for BodyBudget {
    fn default() -> Self {
        Self(RefCountedMap::new(|| Semaphore::new(MAX_BYTES_PER_BRAND / BYTES_PER_PERMIT)))
    }
}

impl BodyBudget {
    /// Runs `read` when the brand may use memory for this body. Other bodies of the brand may have to end first.
    pub(crate) async fn read<T>(
        &self,
        brand: &BrandId,
        headers: &HeaderMap,
        max_bytes: usize,
        max_wait: Duration,
        read: impl Future<Output = Result<T, Problem>>,
    ) -> Result<T, Problem> {
        // A body without a length may have any.
        let bytes = content_length(headers).unwrap_or(max_bytes).min(max_bytes);
        if bytes <= SMALL_BODY_BYTES {
            return read.await;
        }
        let permits = u32::try_from(bytes.div_ceil(BYTES_PER_PERMIT)).unwrap_or(u32::MAX);
        let budget = self.0.get(brand);
        let Ok(permit) = timeout(max_wait, budget.acquire_many(permits)).await else {
            return Err(Problem::unavailable());
        };
        let _permit = permit.expect("the semaphore is never closed");
        read.await
    }
}

fn content_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    const MIB: usize = 1024 * 1024;

    /// Whether a body of this length is read within a second.
    async fn is_read(budget: &BodyBudget, brand: &str, length: &'static str) -> bool {
        let mut headers = HeaderMap::new();
        if !length.is_empty() {
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static(length));
        }
        let brand = brand.parse().unwrap();
        budget.read(&brand, &headers, MIB, Duration::from_secs(1), async { Ok(()) }).await.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn large_bodies_of_a_brand_wait_for_each_other() {
        let budget = BodyBudget::default();
        let brand: BrandId = "greedy".parse().unwrap();
        let held = budget.0.get(&brand);
        let permits = u32::try_from((MAX_BYTES_PER_BRAND - MIB) / BYTES_PER_PERMIT + 1).unwrap();
        let permit = held.acquire_many(permits).await.unwrap();
        for (length, fits) in [("1048576", false), ("", false), ("1047552", true), ("4096", true)] {
            assert_eq!(is_read(&budget, "greedy", length).await, fits, "{length:?}");
        }
        assert!(is_read(&budget, "other", "1048576").await);
        drop(permit);
        assert!(is_read(&budget, "greedy", "1048576").await);
    }
}
