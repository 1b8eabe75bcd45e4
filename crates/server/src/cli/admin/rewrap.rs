//! Seals every secret again with the newest sealing key, so that older keys can be removed.

use svc_mcp_access::{
    Entropy, StoreError,
    key::{SealOwner, SealingKeys},
};
use svc_mcp_store::{SealedChannel, SealedEndpoint, Store};

/// How many secrets were sealed again, and how many could not be opened.
#[derive(Debug, Default)]
pub(super) struct Rewrapped {
    pub(super) resealed: u64,
    pub(super) unopened: u64,
}

const BATCH: u32 = 500;

pub(super) async fn rewrap_keys(
    store: &Store,
    keys: &SealingKeys,
    entropy: &mut Entropy,
) -> Result<Rewrapped, StoreError> {
    let mut done = Rewrapped::default();
    let mut after = None;
    loop {
        let batch = store.keys_sealed_otherwise(keys.newest(), after.as_ref(), BATCH).await?;
        let Some((_, last, _)) = batch.last() else { return Ok(done) };
        after = Some(last.clone());
        for (brand, key, old) in &batch {
            let owner = SealOwner::key(brand, key);
            let Ok(clear) = keys.open(old, owner) else {
                done.unopened += 1;
                continue;
            };
            let new = keys.seal(&clear, owner, entropy);
            store.reseal_key(brand, key, old, &new).await?;
            done.resealed += 1;
        }
    }
}

pub(super) async fn rewrap_channels(
    store: &Store,
    keys: &SealingKeys,
    entropy: &mut Entropy,
) -> Result<Rewrapped, StoreError> {
    let mut done = Rewrapped::default();
    let mut after: Option<SealedChannel> = None;
    loop {
        let batch = store.channels_sealed_otherwise(keys.newest(), after.as_ref(), BATCH).await?;
        let Some(last) = batch.last() else { return Ok(done) };
        after = Some(last.clone());
        for old in &batch {
            let owner = SealOwner::channel(&old.brand_id, &old.channel_id);
            let Ok(clear) = keys.open(&old.sealed, owner) else {
                done.unopened += 1;
                continue;
            };
            let new = keys.seal(&clear, owner, entropy);
            store.reseal_channel(old, &new).await?;
            done.resealed += 1;
        }
    }
}

pub(super) async fn rewrap_endpoints(
    store: &Store,
    keys: &SealingKeys,
    entropy: &mut Entropy,
) -> Result<Rewrapped, StoreError> {
    let mut done = Rewrapped::default();
    let mut after: Option<SealedEndpoint> = None;
    loop {
        let batch = store.endpoints_sealed_otherwise(keys.newest(), after.as_ref(), BATCH).await?;
        let Some(last) = batch.last() else { return Ok(done) };
        after = Some(last.clone());
        for old in &batch {
            let owner = SealOwner::event_endpoint(&old.brand_id, &old.endpoint_id);
            let Ok(clear) = keys.open(&old.sealed, owner) else {
                done.unopened += 1;
                continue;
            };
            let new = keys.seal(&clear, owner, entropy);
            store.reseal_endpoint(old, &new).await?;
            done.resealed += 1;
        }
    }
}
