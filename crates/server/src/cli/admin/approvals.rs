//! `svc-mcp admin approvals`

use anyhow::anyhow;
use clap::Subcommand;
use serde_json::json;
use svc_mcp_access::{BrandId, Clock};
use svc_mcp_store::ApprovalSearch;
use svc_mcp_tools::approvals::ApprovalStatus;

use super::{
    list::{ListArgs, collect, print_list},
    table::{Table, time},
    with_store,
};
use crate::clock::MachineClock;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List calls that wait for approval or waited for it, newest first
    List {
        #[arg(long)]
        brand: Option<BrandId>,
        /// `pending`, `done`, `failed`, `rejected`, `expired` or `cancelled`
        #[arg(long, value_parser = parse_status)]
        status: Option<ApprovalStatus>,
        #[command(flatten)]
        list: ListArgs,
    },
}

fn parse_status(text: &str) -> anyhow::Result<ApprovalStatus> {
    text.parse().map_err(|_| anyhow!("must be {}", ApprovalStatus::NAMES.join(", ")))
}

pub(super) async fn run(command: Command) -> anyhow::Result<()> {
    let Command::List { brand, status, list } = command;
    let now = MachineClock::default().now();
    let found = with_store(&list.common, async |store| {
        collect(list.limit, async |after, limit| {
            let search = ApprovalSearch { brand: brand.clone(), status, after, limit };
            store.search_approvals(&search, now).await
        })
        .await
    })
    .await?;
    print_list(
        &list,
        "approvals",
        &found,
        |listed| json!(crate::http::approval_view(listed.clone())),
        |approvals| {
            let mut table =
                Table::new(&["APPROVAL", "BRAND", "KEY", "TOOL", "STATUS", "REQUESTED", "EXPIRES"]);
            for listed in approvals {
                let approval = &listed.approval;
                table.add([
                    approval.approval_id.clone(),
                    listed.brand_id.to_string(),
                    approval.key_id.to_string(),
                    approval.tool.clone(),
                    approval.status.as_str().to_owned(),
                    time(approval.requested_at),
                    time(approval.expires_at),
                ]);
            }
            table
        },
    )
}
