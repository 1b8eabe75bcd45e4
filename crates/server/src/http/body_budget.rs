//! Limits the memory for the bodies of one brand that are in use at the same time, and their number.
//!
//! A client can send almost all of a body and then wait for the timeout. Without these limits, a thousand such requests of
//! one brand would hold a gigabyte.

use std::{pin::pin, sync::Arc, time::Duration};

use futures_util::FutureExt;
use http::{HeaderMap, header};
use svc_mcp_access::BrandId;
use svc_mcp_tools::ref_counted_map::{RefCounted, RefCountedMap};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::http::problem::Problem;

/// Two of the largest calls, or one of the largest imported lists.
const MAX_BYTES_PER_BRAND: usize = 6 * 1024 * 1024;
/// Bodies that are still arriving. Each holds a connection with its buffer.
const MAX_BODIES_PER_BRAND: usize = 256;
/// Smaller bodies use no bytes of the budget: even [`MAX_BODIES_PER_BRAND`] of them need little memory.
const SMALL_BODY_BYTES: usize = 4 * 1024;
const BYTES_PER_PERMIT: usize = 1024;

#[derive(Debug)]
pub(crate) struct BodyBudget(RefCountedMap<BrandId, BrandBudget>);

/// How large the bodies of a route can be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodySize {
    pub(crate) max_bytes: usize,
    /// How often a body is in memory at the same time: as it was sent, and in the forms it is read into.
    pub(crate) copies: usize,
}

#[derive(Debug)]
struct BrandBudget {
    bytes: Arc<Semaphore>,
    bodies: Arc<Semaphore>,
}

/// The part of the budget that a body uses, until this is dropped.
#[derive(Debug)]
pub(crate) struct BodyMemory<'a> {
    _bytes: OwnedSemaphorePermit,
    _budget: RefCounted<'a, BrandId, BrandBudget>,
}

impl Default for BodyBudget {
    fn default() -> Self {
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        Self(RefCountedMap::new(move || BrandBudget {
            bytes: semaphore(MAX_BYTES_PER_BRAND / BYTES_PER_PERMIT),
            bodies: semaphore(MAX_BODIES_PER_BRAND),
        }))
    }
}

impl BodyBudget {
    /// Runs `read` when the brand may use memory for this body. Other bodies of the brand may have to end first. A large body
    /// uses its memory until the caller drops the second value.
    pub(crate) async fn read<T>(
        &self,
        brand: &BrandId,
        headers: &HeaderMap,
        size: BodySize,
        max_wait: Duration,
        read: impl Future<Output = Result<T, Problem>>,
    ) -> Result<(T, Option<BodyMemory<'_>>), Problem> {
        // A body without a length may have any.
        let bytes = content_length(headers).unwrap_or(size.max_bytes).min(size.max_bytes);
        let is_small = bytes <= SMALL_BODY_BYTES;
        let mut read = pin!(read);
        // Most small bodies arrive together with their header.
        if is_small && let Some(body) = read.as_mut().now_or_never() {
            return Ok((body?, None));
        }
        let budget = self.0.get(brand);
        let Ok(_body) = Arc::clone(&budget.bodies).try_acquire_owned() else {
            return Err(Problem::unavailable());
        };
        if is_small {
            return Ok((read.await?, None));
        }
        let memory = bytes.saturating_mul(size.copies);
        let permits = u32::try_from(memory.div_ceil(BYTES_PER_PERMIT)).unwrap_or(u32::MAX);
        let acquire = Arc::clone(&budget.bytes).acquire_many_owned(permits);
        let Ok(permit) = timeout(max_wait, acquire).await else {
            return Err(Problem::unavailable());
        };
        let bytes = permit.expect("the semaphore is never closed");
        let body = read.await?;
        Ok((body, Some(BodyMemory { _bytes: bytes, _budget: budget })))
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
    const ONE_COPY: BodySize = BodySize { max_bytes: MIB, copies: 1 };

    /// Whether a body of this length is read within a second.
    async fn is_read(budget: &BodyBudget, brand: &str, length: &'static str) -> bool {
        let mut headers = HeaderMap::new();
        if !length.is_empty() {
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static(length));
        }
        let brand = brand.parse().unwrap();
        budget.read(&brand, &headers, ONE_COPY, Duration::from_secs(1), async { Ok(()) }).await.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn large_bodies_of_a_brand_wait_for_each_other() {
        let budget = BodyBudget::default();
        let brand: BrandId = "greedy".parse().unwrap();
        let held = budget.0.get(&brand);
        let permits = u32::try_from((MAX_BYTES_PER_BRAND - MIB) / BYTES_PER_PERMIT + 1).unwrap();
        let permit = held.bytes.acquire_many(permits).await.unwrap();
        for (length, fits) in [("1048576", false), ("", false), ("1047552", true), ("4096", true)] {
            assert_eq!(is_read(&budget, "greedy", length).await, fits, "{length:?}");
        }
        assert!(is_read(&budget, "other", "1048576").await);
        drop(permit);
        assert!(is_read(&budget, "greedy", "1048576").await);
    }

    #[tokio::test(start_paused = true)]
    async fn large_body_uses_memory_until_it_is_dropped() {
        let (budget, headers) = (BodyBudget::default(), HeaderMap::new());
        let brand = "greedy".parse().unwrap();
        let twice = BodySize { max_bytes: MAX_BYTES_PER_BRAND / 2, copies: 2 };
        let read = || budget.read(&brand, &headers, twice, Duration::ZERO, async { Ok(()) });
        let ((), memory) = read().await.unwrap();
        assert!(!is_read(&budget, "greedy", "").await);
        drop(memory);
        assert!(is_read(&budget, "greedy", "").await);
    }

    #[tokio::test(start_paused = true)]
    async fn number_of_bodies_that_are_arriving_is_limited() {
        let budget = BodyBudget::default();
        let brand: BrandId = "greedy".parse().unwrap();
        let held = budget.0.get(&brand);
        let bodies = held.bodies.acquire_many(u32::try_from(MAX_BODIES_PER_BRAND).unwrap()).await.unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from_static("2"));
        let slow = || async {
            let body = async {
                tokio::task::yield_now().await;
                Ok(())
            };
            budget.read(&brand, &headers, ONE_COPY, Duration::ZERO, body).await.is_ok()
        };
        assert!(!slow().await && !is_read(&budget, "greedy", "8192").await);
        assert!(is_read(&budget, "greedy", "2").await, "it is here already");
        drop(bodies);
        assert!(slow().await);
    }
}
