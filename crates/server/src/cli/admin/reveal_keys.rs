//! `svc-mcp admin reveal-keys`

use anyhow::{Context, bail};
use clap::Subcommand;
use serde_json::json;

use super::{
    Common, check_database, print_result,
    rewrap::{rewrap_channels, rewrap_endpoints, rewrap_keys},
    with_store,
};
use crate::{clock::machine_entropy, service::sealing_keys};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Seal everything again under the newest sealing key
    Rewrap {
        #[command(flatten)]
        common: Common,
    },
}

pub(super) async fn run(command: Command) -> anyhow::Result<()> {
    let Command::Rewrap { common } = command;
    rewrap(&common).await
}

async fn rewrap(common: &Common) -> anyhow::Result<()> {
    check_database(common)?;
    let mut entropy = machine_entropy();
    let keys = sealing_keys(&common.store, &entropy)?
        .context("revealing is off: set SVC_REVEAL_KEYS to the new sealing key, followed by the old ones")?;
    let (keys_done, channels_done, endpoints_done) = with_store(common, async |store| {
        let keys_done = rewrap_keys(store, &keys, &mut entropy).await?;
        let channels_done = rewrap_channels(store, &keys, &mut entropy).await?;
        let endpoints_done = rewrap_endpoints(store, &keys, &mut entropy).await?;
        Ok((keys_done, channels_done, endpoints_done))
    })
    .await?;
    let newest = keys.newest();
    let sentence = format!(
        "{} keys, {} channels and {} event endpoints are now sealed with {newest}.",
        keys_done.resealed, channels_done.resealed, endpoints_done.resealed
    );
    let result = json!({
        "resealed": keys_done.resealed,
        "unopened": keys_done.unopened,
        "channels_resealed": channels_done.resealed,
        "channels_unopened": channels_done.unopened,
        "endpoints_resealed": endpoints_done.resealed,
        "endpoints_unopened": endpoints_done.unopened,
        "sealing_key": newest,
    });
    print_result(common.json, &result, &sentence)?;
    if keys_done.unopened + channels_done.unopened + endpoints_done.unopened > 0 {
        bail!(
            "{} keys, {} channels and {} event endpoints cannot be opened with the configured sealing keys and were not changed; \
             add the missing sealing keys to SVC_REVEAL_KEYS",
            keys_done.unopened,
            channels_done.unopened,
            endpoints_done.unopened
        );
    }
    Ok(())
}
