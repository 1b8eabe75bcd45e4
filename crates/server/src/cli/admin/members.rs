//! `svc-mcp admin members`

use anyhow::{Context, anyhow};
use clap::Subcommand;
use serde_json::json;
use svc_mcp_access::{BrandId, Clock, Member, Role, UserId, id, validate::plain_text};
use svc_mcp_store::{MemberChange, MemberRemoval, TextChange};
use svc_mcp_tools::report::EmailAddress;

use super::{
    Common, actor, find_brand,
    list::{ListArgs, collect, print_list},
    print_result,
    table::{Table, optional},
    with_store,
};
use crate::clock::{MachineClock, machine_entropy};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the members of a brand
    List {
        brand: BrandId,
        #[command(flatten)]
        list: ListArgs,
    },
    /// Make a user a member of a brand, or change a member
    Set {
        brand: BrandId,
        user: UserId,
        /// admin or member. A new member needs it; without it, it stays as it is
        #[arg(long)]
        role: Option<Role>,
        /// Without it, it stays as it is; an empty text removes it
        #[arg(long)]
        name: Option<String>,
        /// Without it, it stays as it is; an empty text removes it
        #[arg(long)]
        email: Option<String>,
        #[command(flatten)]
        common: Common,
    },
    /// Remove a user from a brand: their keys stop working
    Remove {
        brand: BrandId,
        user: UserId,
        #[command(flatten)]
        common: Common,
    },
}

pub(super) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::List { brand, list } => list_members(&brand, &list).await,
        Command::Set { brand, user, role, name, email, common } => {
            let change = MemberChange {
                role,
                name: text_change(name.as_deref(), |name| {
                    plain_text(name, 200).map_err(|error| anyhow!("--name {error}"))
                })?,
                email: text_change(email.as_deref(), |email| {
                    email.parse::<EmailAddress>().map_err(|error| anyhow!("--email {error}"))?;
                    Ok(email.to_owned())
                })?,
            };
            let member = with_store(&common, async |store| {
                find_brand(store, &brand).await?;
                let member = store.change_member(&brand, &user, &change).await?;
                member.with_context(|| {
                    format!("{user} is not a member of {brand} yet; say --role admin or member")
                })
            })
            .await?;
            let sentence = format!("{} is {} of {}.", member.user_id, member.role.as_str(), member.brand_id);
            print_result(common.json, &json!(member), &sentence)
        }
        Command::Remove { brand, user, common } => {
            let removed = with_store(&common, async |store| {
                find_brand(store, &brand).await?;
                let removal = MemberRemoval {
                    actor: actor(),
                    at: MachineClock::default().now(),
                    event_prefix: id::fresh("evt", &mut machine_entropy()),
                };
                Ok(store.remove_member(&brand, &user, &removal).await?)
            })
            .await?;
            let sentence = if removed {
                format!("{user} is no longer a member of {brand}.")
            } else {
                format!("{user} was not a member of {brand}.")
            };
            print_result(common.json, &json!({"removed": removed}), &sentence)
        }
    }
}

/// A text that is left out stays as it is, and an empty one is removed.
fn text_change(
    text: Option<&str>,
    check: impl FnOnce(&str) -> anyhow::Result<String>,
) -> anyhow::Result<TextChange> {
    match text.map(str::trim) {
        None => Ok(TextChange::Keep),
        Some("") => Ok(TextChange::Remove),
        Some(text) => check(text).map(TextChange::Set),
    }
}

async fn list_members(brand: &BrandId, list: &ListArgs) -> anyhow::Result<()> {
    let found = with_store(&list.common, async |store| {
        find_brand(store, brand).await?;
        collect(list.limit, async |after, limit| store.list_members(brand, after.as_ref(), limit).await).await
    })
    .await?;
    print_list(
        list,
        "members",
        &found,
        |member: &Member| json!(member),
        |members| {
            let mut table = Table::new(&["USER", "ROLE", "NAME", "EMAIL"]);
            for member in members {
                table.add([
                    member.user_id.to_string(),
                    member.role.as_str().to_owned(),
                    optional(member.name.clone()),
                    optional(member.email.clone()),
                ]);
            }
            table
        },
    )
}
