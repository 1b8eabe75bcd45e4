use std::time::Duration;

use serde_json::json;
use svc_mcp_access::{Clock, UserId};

use super::answer;
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

    /// How long it is valid, such as 30m, 1h or 7d
    #[arg(long, default_value = "1h", value_name = "SPAN", value_parser = span)]
    ttl: Duration,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    jwt: JwtArgs,

    #[command(flatten)]
    store: StoreArgs,
}

pub(super) fn run(args: &Args) -> Result<(), String> {
    let issuer = issuer(&args.jwt, &args.store, &machine_entropy())?;
    let token = NewToken { user_id: args.user.clone(), operator: args.operator, valid_for: args.ttl };
    let token = issuer.issue(&token, MachineClock::default().now());
    answer(args.json, &json!({"token": token.expose()}), token.expose())
}

fn span(text: &str) -> Result<Duration, String> {
    let split = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: u64 =
        number.parse().map_err(|_| "must be a number and a unit, such as 30m, 1h or 7d".to_owned())?;
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => return Err("the unit must be s, m, h or d".into()),
    };
    if number == 0 {
        return Err("must be more than nothing".into());
    }
    Ok(Duration::from_secs(number.saturating_mul(seconds)))
}
