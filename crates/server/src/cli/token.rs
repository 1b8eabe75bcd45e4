use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::json;
use svc_mcp_access::{Clock, UserId};

use super::print_result;
use crate::{
    clock::{MachineClock, machine_entropy},
    config::{JwtArgs, StoreArgs},
    jwt::NewToken,
    service::issuer,
};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The user, which becomes the token's `sub`
    #[arg(long, value_name = "USER")]
    user: UserId,

    /// Open the operator API too
    #[arg(long)]
    operator: bool,

    /// How long the token is valid, such as 30m, 1h or 7d
    #[arg(long, default_value = "1h", value_name = "DURATION", value_parser = parse_duration)]
    ttl: Duration,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    jwt: JwtArgs,

    #[command(flatten)]
    store: StoreArgs,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let issuer = issuer(&args.jwt, &args.store, &machine_entropy())?;
    let token = NewToken { user_id: args.user.clone(), operator: args.operator, valid_for: args.ttl };
    let token = issuer.issue(&token, MachineClock::default().now());
    print_result(args.json, &json!({"token": token.expose()}), token.expose())
}

fn parse_duration(text: &str) -> anyhow::Result<Duration> {
    let split = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: u64 = number.parse().ok().context("must be a number and a unit, such as 30m, 1h or 7d")?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => bail!("the unit must be s, m, h or d"),
    };
    if number == 0 {
        bail!("must be greater than zero");
    }
    Ok(Duration::from_secs(number.saturating_mul(seconds)))
}
