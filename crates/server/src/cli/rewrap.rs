//! Sealing everything anew with the newest sealing key, so that older ones can go.

use svc_mcp_access::{Entropy, decision::Unavailable, key::SealingKeys};
use svc_mcp_store::{SealedChannel, Store};
use svc_mcp_tools::posts::secret_owner;

/// How many were sealed anew, and how many do not open.
#[derive(Debug, Default)]
pub(super) struct Rewrapped {
    pub(super) resealed: u64,
    pub(super) stuck: u64,
}

const BATCH: u32 = 500;

pub(super) async fn rewrap_keys(
    store: &Store,
    keys: &SealingKeys,
    entropy: &mut Entropy,
) -> Result<Rewrapped, Unavailable> {
    let mut done = Rewrapped::default();
    let mut after = None;
    loop {
        let batch = store.keys_sealed_otherwise(keys.newest(), after.as_ref(), BATCH).await?;
        let Some((_, last, _)) = batch.last() else { return Ok(done) };
        after = Some(last.clone());
        for (brand, key, old) in &batch {
            let owner = [brand.as_str(), key.as_str()];
            let Ok(clear) = keys.open(old, &owner) else {
                done.stuck += 1;
                continue;
            };
            let new = keys.seal(&clear, &owner, entropy);
            store.reseal_key(brand, key, old, &new).await?;
            done.resealed += 1;
        }
    }
}

pub(super) async fn rewrap_channels(
    store: &Store,
    keys: &SealingKeys,
    entropy: &mut Entropy,
) -> Result<Rewrapped, Unavailable> {
    let mut done = Rewrapped::default();
    let mut after: Option<SealedChannel> = None;
    loop {
        let batch = store.channels_sealed_otherwise(keys.newest(), after.as_ref(), BATCH).await?;
        let Some(last) = batch.last() else { return Ok(done) };
        after = Some(last.clone());
        for old in &batch {
            let owner = secret_owner(&old.brand_id, &old.channel_id);
            let Ok(clear) = keys.open(&old.sealed, &owner) else {
                done.stuck += 1;
                continue;
            };
            let new = keys.seal(&clear, &owner, entropy);
            store.reseal_channel(old, &new).await?;
            done.resealed += 1;
        }
    }
}
