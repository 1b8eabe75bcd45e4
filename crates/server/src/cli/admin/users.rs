//! `svc-mcp admin users`

use clap::Subcommand;
use serde_json::json;
use svc_mcp_access::{Clock, UserId, id};
use svc_mcp_store::KeysOf;

use super::{
    Common, actor,
    brand_data::erase_user,
    brands::brands_table,
    list::{ListArgs, collect, print_list},
    print_result,
    stopped::print_revoked_keys,
    table::{Table, optional},
    with_store,
};
use crate::{
    clock::{MachineClock, machine_entropy},
    config::MailArgs,
};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List and search the users who are members of a brand
    List {
        /// The beginning of the id or of the email address, in any case
        #[arg(long)]
        q: Option<String>,
        #[command(flatten)]
        list: ListArgs,
    },
    /// List the brands that a user acts for
    Brands {
        user: UserId,
        #[command(flatten)]
        list: ListArgs,
    },
    /// Erase a user in all brands: memberships, name and addresses. Their keys are revoked. This cannot be undone
    Erase {
        user: UserId,
        /// The id of the user, once more
        #[arg(long, value_name = "USER")]
        confirm: UserId,
        #[command(flatten)]
        mail: MailArgs,
        #[command(flatten)]
        common: Common,
    },
    /// Sign a user out of all browsers: their sessions and sign-in codes end. They can sign in again
    EndSessions {
        user: UserId,
        #[command(flatten)]
        common: Common,
    },
    /// Revoke all keys that a user has created, in all brands, and cancel what they have queued
    RevokeKeys {
        user: UserId,
        #[command(flatten)]
        common: Common,
    },
}

pub(super) async fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::List { q, list } => list_users(q.as_deref(), &list).await,
        Command::Brands { user, list } => {
            let found = with_store(&list.common, async |store| {
                collect(list.limit, async |after, limit| {
                    store.list_brands_of(&user, after.as_ref(), limit).await
                })
                .await
            })
            .await?;
            print_list(
                &list,
                "brands",
                &found,
                |listed| json!(crate::http::brand_view(listed.clone())),
                brands_table,
            )
        }
        Command::Erase { user, confirm, mail, common } => erase_user(&user, &confirm, &mail, &common).await,
        Command::EndSessions { user, common } => {
            let sessions = with_store(&common, async |store| {
                Ok(store.end_user_sessions(&user, MachineClock::default().now()).await?)
            })
            .await?;
            let sentence = format!("{sessions} sessions of {user} have ended.");
            print_result(common.json, &json!({"sessions": sessions}), &sentence)
        }
        Command::RevokeKeys { user, common } => {
            let done = with_store(&common, async |store| {
                let events = id::fresh("evt", &mut machine_entropy());
                let now = MachineClock::default().now();
                Ok(store.revoke_keys_of(&KeysOf::User(user.clone()), &actor(), now, &events).await?)
            })
            .await?;
            print_revoked_keys(common.json, user.as_str(), done)
        }
    }
}

async fn list_users(q: Option<&str>, list: &ListArgs) -> anyhow::Result<()> {
    let found = with_store(&list.common, async |store| {
        collect(list.limit, async |after, limit| store.search_users(q, after.as_ref(), limit).await).await
    })
    .await?;
    print_list(
        list,
        "users",
        &found,
        |user| json!(crate::http::user_view(user.clone())),
        |users| {
            let mut table = Table::new(&["USER", "NAME", "EMAIL", "BRANDS"]);
            for user in users {
                table.add([
                    user.user_id.to_string(),
                    optional(user.name.clone()),
                    optional(user.email.clone()),
                    user.brands.to_string(),
                ]);
            }
            table
        },
    )
}
