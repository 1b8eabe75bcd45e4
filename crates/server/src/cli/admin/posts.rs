//! `svc-mcp admin posts`

use anyhow::anyhow;
use clap::Subcommand;
use serde_json::json;
use svc_mcp_access::BrandId;
use svc_mcp_store::{SearchPage, ToolRecords};
use svc_mcp_tools::posts::{Post, PostFilter, PostRecords, TargetStatus};

use super::{
    find_brand,
    list::{ListArgs, collect, print_list},
    table::{Table, optional, time},
    with_store,
};
use crate::clock::machine_entropy;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the posts of a brand, newest first
    List {
        #[arg(long)]
        brand: BrandId,
        /// Only posts that have this status on at least one channel, such as `failed`
        #[arg(long, value_parser = parse_status)]
        status: Option<TargetStatus>,
        #[command(flatten)]
        list: ListArgs,
    },
}

fn parse_status(text: &str) -> anyhow::Result<TargetStatus> {
    text.parse().map_err(|_| anyhow!("must be {}", TargetStatus::NAMES.join(", ")))
}

pub(super) async fn run(command: Command) -> anyhow::Result<()> {
    let Command::List { brand, status, list } = command;
    let filter = PostFilter { status, ..PostFilter::default() };
    let found = with_store(&list.common, async |store| {
        find_brand(store, &brand).await?;
        let records = ToolRecords { store: store.clone(), entropy: machine_entropy() };
        collect(list.limit, async |after, limit| {
            let page = records.posts(&brand, &filter, after.as_ref(), limit).await?;
            Ok(SearchPage { items: page.items, next: page.next })
        })
        .await
    })
    .await?;
    print_list(
        &list,
        "posts",
        &found,
        |post| json!(crate::http::post_view(post.clone())),
        |posts: &[Post]| {
            let mut table = Table::new(&["POST", "CREATED", "CHANNEL", "STATUS", "TEXT", "ERROR"]);
            for post in posts {
                for target in &post.targets {
                    table.add([
                        post.post_id.clone(),
                        time(post.created_at),
                        target.channel.clone(),
                        target.status.as_str().to_owned(),
                        post.text.chars().take(40).collect(),
                        optional(target.error.clone()),
                    ]);
                }
            }
            table
        },
    )
}
