//! `svc-mcp admin activity`

use clap::Subcommand;
use svc_mcp_access::Timestamp;
use svc_mcp_store::ActivitySearch;

use super::{Common, ndjson::Lines, with_store};

const PAGE: u32 = 500;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write what happened with the keys of all brands to standard output, oldest first, one JSON object in each line
    Export {
        /// Only events of this time or later, such as 2026-11-15T00:00:00Z
        #[arg(long, value_name = "TIME")]
        since: Option<Timestamp>,
        /// Only events before this time
        #[arg(long, value_name = "TIME")]
        until: Option<Timestamp>,
        #[command(flatten)]
        common: Common,
    },
}

pub(super) async fn run(command: Command) -> anyhow::Result<()> {
    let Command::Export { since, until, common } = command;
    with_store(&common, async |store| {
        let mut lines = Lines::default();
        let mut search = ActivitySearch { since, until, after: None, limit: PAGE };
        loop {
            let page = store.search_activity(&search).await?;
            for event in page.items {
                if !lines.write(&crate::http::brand_event_view(event))? {
                    return Ok(());
                }
            }
            search.after = page.next;
            if search.after.is_none() {
                return lines.finish();
            }
        }
    })
    .await
}
