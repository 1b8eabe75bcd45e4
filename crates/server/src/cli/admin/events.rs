//! `svc-mcp admin events`

use anyhow::anyhow;
use clap::Subcommand;
use serde_json::json;
use svc_mcp_access::{BrandId, Clock, EndpointId};
use svc_mcp_store::DeliverySearch;
use svc_mcp_tools::events::DeliveryState;

use super::{
    Common,
    list::{ListArgs, collect, print_list},
    print_result,
    table::{Table, optional, time},
    with_store,
};
use crate::clock::MachineClock;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List what was sent to event endpoints, newest first
    List {
        /// `pending`, `delivered` or `failed`
        #[arg(long, value_parser = parse_state)]
        status: Option<DeliveryState>,
        #[arg(long)]
        brand: Option<BrandId>,
        /// Only deliveries to this endpoint; `operator` is the operator's own
        #[arg(long)]
        endpoint: Option<EndpointId>,
        #[command(flatten)]
        list: ListArgs,
    },
    /// Send an event again, as the same event
    Resend {
        /// The id of the delivery
        delivery: String,
        #[command(flatten)]
        common: Common,
    },
}

fn parse_state(text: &str) -> anyhow::Result<DeliveryState> {
    text.parse().map_err(|_| anyhow!("must be {}", DeliveryState::NAMES.join(", ")))
}

pub(super) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::List { status, brand, endpoint, list } => {
            let search = DeliverySearch { endpoint, state: status, ..DeliverySearch::default() };
            list_deliveries(brand.as_ref(), &search, &list).await
        }
        Command::Resend { delivery, common } => {
            let now = MachineClock::default().now();
            let sent =
                with_store(&common, async |store| Ok(store.resend_any_delivery(&delivery, now).await?))
                    .await?;
            let sentence = format!("{delivery} is sent again by the running service.");
            print_result(common.json, &json!(crate::http::delivery_view(sent)), &sentence)
        }
    }
}

async fn list_deliveries(
    brand: Option<&BrandId>,
    search: &DeliverySearch,
    list: &ListArgs,
) -> anyhow::Result<()> {
    let found = with_store(&list.common, async |store| {
        collect(list.limit, async |after, limit| {
            store.search_deliveries(brand, &DeliverySearch { after, limit, ..search.clone() }).await
        })
        .await
    })
    .await?;
    print_list(
        list,
        "deliveries",
        &found,
        |delivery| json!(crate::http::delivery_view(delivery.clone())),
        |deliveries| {
            let mut table =
                Table::new(&["DELIVERY", "BRAND", "ENDPOINT", "TYPE", "AT", "STATUS", "TRIES", "ERROR"]);
            for delivery in deliveries {
                table.add([
                    delivery.delivery_id.clone(),
                    optional(delivery.brand_id.as_ref().map(ToString::to_string)),
                    delivery.queue.endpoint_id().to_owned(),
                    delivery.event_type.clone(),
                    time(delivery.at),
                    delivery.state.as_str().to_owned(),
                    delivery.attempts.to_string(),
                    optional(delivery.last_error.clone()),
                ]);
            }
            table
        },
    )
}
