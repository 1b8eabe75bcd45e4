//! Tests a channel: the server is reached and the credential is checked, and nothing is published.

use serde_json::{Value, json};
use svc_mcp_access::{
    BrandId, Secret, Timestamp,
    key::SealingKeys,
    validate::{shortened, without_key},
};
use url::Url;

use super::{
    PublishError,
    bluesky::{self, Account},
    mastodon,
    post_target::open_secret,
    remote_server::RemoteServer,
    webhook,
};
use crate::{
    connection_test::TestOutcome,
    net::{Outbound, Request, Response},
    posts::{Settings, StoredChannel},
    standard_webhooks::SigningSecret,
};

const MAX_ACCOUNT_CHARS: usize = 100;

/// What a test of a channel needs.
#[derive(Debug)]
pub struct ChannelTest<'a> {
    pub brand_id: &'a BrandId,
    pub outbound: &'a Outbound,
    /// `None`: secrets cannot be opened.
    pub sealing: Option<&'a SealingKeys>,
    pub now: Timestamp,
    /// The id of the message that a webhook gets.
    pub message_id: &'a str,
    pub public_url: &'a str,
}

impl ChannelTest<'_> {
    pub async fn run(&self, stored: &StoredChannel) -> TestOutcome {
        if stored.channel.settings == Settings::Feed {
            return self.feed();
        }
        let secret = match open_secret(self.brand_id, stored, self.sealing) {
            Ok(secret) => secret,
            Err(error) => return TestOutcome::failed(error.reason(), None),
        };
        let reached = match &stored.channel.settings {
            Settings::Feed => return self.feed(),
            Settings::Webhook { url } => self.webhook(stored, url, &secret).await,
            Settings::Mastodon { server, .. } => self.mastodon(server, &secret).await,
            Settings::Bluesky { server, identifier, langs } => {
                self.bluesky(&Account { server, identifier, langs, password: &secret }).await
            }
        };
        reached.unwrap_or_else(|error| TestOutcome::failed(error.reason(), None))
    }

    /// The service serves the feed itself.
    pub fn feed(&self) -> TestOutcome {
        let Self { public_url, brand_id, .. } = self;
        let message = format!(
            "The feed is at {public_url}/feeds/{brand_id}/atom.xml and {public_url}/feeds/{brand_id}/feed.json."
        );
        TestOutcome::passed(message, None)
    }

    async fn webhook(
        &self,
        stored: &StoredChannel,
        url: &Url,
        secret: &Secret,
    ) -> Result<TestOutcome, PublishError> {
        let server = webhook::receiver(self.outbound, self.now, secret);
        let key = SigningSecret::parse(secret).map_err(|_| webhook::damaged_secret())?;
        let body = json!({
            "type": "ping",
            "timestamp": self.now,
            "data": {
                "brand_id": self.brand_id,
                "channel": stored.channel.channel_id,
                "message": "This is a test of the channel. Nothing was published.",
            },
        });
        let request = key.request(url.clone(), self.message_id, self.now, body.to_string());
        let answer = server.exchange(request).await?;
        Ok(outcome(&server, &answer, || "The webhook's receiver accepted a signed test message.".to_owned()))
    }

    async fn mastodon(&self, address: &Url, token: &Secret) -> Result<TestOutcome, PublishError> {
        let server = mastodon::remote_server(self.outbound, self.now, token, "");
        let ask = async |path: &str| {
            let request = Request::get(super::remote_server::endpoint(address, path));
            server.exchange(mastodon::authorized(&server, request)).await
        };
        let answer = ask("/api/v1/accounts/verify_credentials").await?;
        if answer.status == 403 {
            // A token that may only write cannot read its account. The server can still say that the token is valid.
            let app = ask("/api/v1/apps/verify_credentials").await?;
            if app.is_success() {
                let message = "The Mastodon server accepts the access token. The token may not read the account, so its \
                    name is not known.";
                return Ok(TestOutcome::passed(message, Some(app.status)));
            }
        }
        Ok(outcome(&server, &answer, || {
            let account = account_name(&answer, "acct", token);
            format!("The Mastodon server accepts the access token{account}.")
        }))
    }

    async fn bluesky(&self, account: &Account<'_>) -> Result<TestOutcome, PublishError> {
        let server = bluesky::remote_server(self.outbound, self.now, account, "");
        let answer = server.exchange(bluesky::session_request(account)).await?;
        let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        if answer.is_success() && !body["did"].is_string() {
            return Ok(TestOutcome::failed(server.unreadable().reason(), Some(answer.status)));
        }
        Ok(outcome(&server, &answer, || {
            let name = account_name(&answer, "handle", account.password);
            format!("The Bluesky server accepts the app password{name}.")
        }))
    }
}

fn outcome(server: &RemoteServer<'_>, answer: &Response, passed: impl FnOnce() -> String) -> TestOutcome {
    let status = Some(answer.status);
    match answer.status {
        _ if answer.is_success() => TestOutcome::passed(passed(), status),
        300..=399 | 401 | 403 | 404 | 410 => TestOutcome::failed(server.refusal(answer).reason(), status),
        number => {
            let quote = server.quote(&answer.body);
            TestOutcome::failed(format!("{} answered {number}{quote}.", server.name), status)
        }
    }
}

/// The name of the account that the server has answered with, as a part of a sentence. The text comes from the other server.
fn account_name(answer: &Response, field: &str, secret: &Secret) -> String {
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let name = body[field].as_str().unwrap_or_default();
    let is_plain = !name.is_empty() && !name.chars().any(char::is_control);
    if !is_plain || name.contains(secret.expose()) || without_key(name).is_err() {
        return String::new();
    }
    format!(". The account is “{}”", shortened(name.to_owned(), MAX_ACCOUNT_CHARS))
}
