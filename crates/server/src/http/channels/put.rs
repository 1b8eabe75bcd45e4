use std::sync::Arc;

use axum::{Json, extract::State, response::IntoResponse};
use http::{HeaderValue, header};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_mcp_access::{
    BrandId, ChannelId, Fault, Secret,
    key::{SealOwner, Sealed},
};
use svc_mcp_store::PutChannelError;
use svc_mcp_tools::{
    posts::{
        BlueskySettings, BrandChannel, ChannelInput, FEED, FeedSettings, MAX_CHANNELS, MastodonSettings,
        SETTINGS_PATTERNS, SecretSource, StoredChannel, WebhookSettings,
    },
    standard_webhooks::SigningSecret,
};

use super::{CHANNEL, ChannelView};
use crate::{
    app::App,
    http::{
        extract::{Administrator, Input, PathIds, ValidatedJson},
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

/// The kind of a channel and its settings. A secret that is left out stays as it is, as long as it is sent to the same
/// account and server
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "settings", rename_all = "lowercase", deny_unknown_fields)]
enum PutChannel {
    /// Only for the channel `feed`
    Feed(FeedSettings),
    Webhook(WebhookSettings),
    Mastodon(MastodonSettings),
    Bluesky(BlueskySettings),
}

impl Input for PutChannel {
    const PATTERNS: &'static [(&'static str, &'static str)] = SETTINGS_PATTERNS;

    /// Settings that are left out are empty.
    fn normalize(body: &mut Value) {
        if let Some(fields) = body.as_object_mut() {
            let settings = fields.entry("settings").or_insert_with(|| json!({}));
            if settings.is_null() {
                *settings = json!({});
            }
        }
    }
}

impl From<PutChannel> for ChannelInput {
    fn from(body: PutChannel) -> Self {
        match body {
            PutChannel::Feed(settings) => settings.into(),
            PutChannel::Webhook(settings) => settings.into(),
            PutChannel::Mastodon(settings) => settings.into(),
            PutChannel::Bluesky(settings) => settings.into(),
        }
    }
}

/// A channel and, if one was generated for it, its signing secret
#[derive(Serialize, JsonSchema)]
struct PutChannelAnswer {
    #[serde(flatten)]
    channel: ChannelView,
    /// The signing secret that was generated for a webhook. It is shown only here
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"whsec_…")]
    secret: Option<String>,
}

pub(crate) fn operation() -> Operation {
    Operation::put(CHANNEL, put_channel)
        .describe(Tag::Brand, "put_channel", "Create or change a channel")
        .details(
            "Secrets in `settings` are sealed and never shown again. If a webhook has no signing secret, one is generated \
             and shown in this answer only.",
        )
        .body::<PutChannel>()
        .json::<PutChannelAnswer>(200, "The channel")
}

async fn put_channel(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    PathIds((brand_id, channel_id)): PathIds<(BrandId, ChannelId)>,
    ValidatedJson(body): ValidatedJson<PutChannel>,
) -> Result<impl IntoResponse, Problem> {
    match (&body, channel_id.as_str() == FEED) {
        (PutChannel::Feed(_), true) => return Ok(answer(ChannelView::feed(), None)),
        (PutChannel::Feed(_), false) => {
            let message = "must not be feed: the brand has its feed already, as the channel `feed`";
            return Err(Problem::invalid_request(Fault::new("kind", message)));
        }
        (_, true) => {
            return Err(Problem::new(
                Code::ChannelFixed,
                "The channel `feed` is the brand's own feed and stays one. Give this channel another name.",
            ));
        }
        (_, false) => {}
    }
    let mut input = ChannelInput::from(body);
    let before = app.store.channel(&brand_id, &channel_id).await?;
    let source = input.secret_source(before.as_ref().map(|before| &before.channel.settings));
    let source = source.map_err(Problem::invalid_request)?;
    let now = app.clock.now();
    let channel = BrandChannel { channel_id, settings: input.settings };
    let (sealed, generated) = match source {
        SecretSource::None => (None, None),
        SecretSource::Stored => (before.as_ref().and_then(|before| before.sealed.clone()), None),
        SecretSource::Provided(secret) => (Some(seal(&app, &brand_id, &channel, &secret)?), None),
        SecretSource::Generate => {
            let secret = SigningSecret::generate(&mut app.entropy.clone());
            (Some(seal(&app, &brand_id, &channel, &secret)?), Some(secret))
        }
    };
    let created_at = before.map_or(now, |before| before.created_at);
    let stored = StoredChannel { channel, sealed, created_at, updated_at: now };
    administrator.store(&app).put_channel(&brand_id, &stored).await.map_err(|error| match error {
        PutChannelError::Store(error) => error.into(),
        PutChannelError::LimitReached => Problem::new(
            Code::ChannelLimitReached,
            format!("A brand has at most {MAX_CHANNELS} channels beside its feed. Delete one that is no longer used."),
        ),
    })?;
    Ok(answer(ChannelView::stored(&stored), generated))
}

fn seal(app: &App, brand: &BrandId, channel: &BrandChannel, secret: &Secret) -> Result<Sealed, Problem> {
    let keys = app.sealing.as_ref().ok_or_else(|| {
        Problem::new(
            Code::SealingOff,
            "The secret of a channel is stored sealed, and sealing is off here. Nothing was changed; ask the operator to \
             set SVC_REVEAL_KEYS.",
        )
    })?;
    Ok(keys.seal(secret, SealOwner::channel(brand, &channel.channel_id), &mut app.entropy.clone()))
}

fn answer(channel: ChannelView, generated: Option<Secret>) -> impl IntoResponse {
    let secret = generated.map(|secret| secret.expose().to_owned());
    let no_store = HeaderValue::from_static("no-store");
    ([(header::CACHE_CONTROL, no_store)], Json(PutChannelAnswer { channel, secret }))
}
