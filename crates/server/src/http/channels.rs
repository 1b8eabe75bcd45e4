//! The channels of a brand: where its posts can go.

use std::sync::Arc;

use axum::{Json, extract::State, response::IntoResponse};
use http::{HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_mcp_access::{BrandId, ChannelId, Fault, Secret, Timestamp, key::Sealed};
use svc_mcp_store::ChannelLimitReached;
use svc_mcp_tools::posts::{
    BrandChannel, ChannelKind, FEED, Given, KeptChannel, MOST_CHANNELS, SecretPlan, Settings, SigningSecret,
    secret_owner,
};
use utoipa::ToSchema;

use super::{
    admin::PathIds,
    extract::{Administrator, Fields, JsonBody, parsed},
    problem::{Code, Problem},
};
use crate::app::App;

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Channels {
    channels: Vec<ChannelView>,
}

/// Somewhere posts can go
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Channel)]
pub(crate) struct ChannelView {
    #[schema(example = "news")]
    channel_id: String,
    /// `feed`, `webhook`, `mastodon` or `bluesky`
    #[schema(value_type = String, example = "webhook")]
    kind: ChannelKind,
    /// All but the secret, which is never shown again
    #[schema(value_type = Object)]
    settings: Value,
    /// Whether a secret is kept
    secret_set: bool,
    /// The longest text it takes, as its network counts
    text_limit: u32,
    media_limit: u32,
    #[schema(value_type = Option<String>, format = DateTime)]
    created_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    updated_at: Option<Timestamp>,
}

/// A channel and, where one was made for it, its signing secret
#[derive(Serialize, ToSchema)]
pub(crate) struct PutChannelAnswer {
    #[serde(flatten)]
    channel: ChannelView,
    /// The signing secret that was made for a webhook. It is shown only here
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "whsec_…")]
    secret: Option<String>,
}

/// What a channel is to be
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "the document's picture of what `put_channel` takes")]
pub(crate) struct PutChannel {
    /// `webhook`, `mastodon` or `bluesky`; `feed` for the channel `feed` alone
    #[schema(example = "mastodon")]
    kind: String,
    /// `webhook`: `url`, `secret` (`whsec_…`; one is made where left out). `mastodon`: `server`, `access_token`,
    /// `visibility` (`public`, `unlisted`, `private`), `max_characters` (500). `bluesky`: `server`
    /// (`https://bsky.social`), `identifier` (a handle or DID), `app_password`, `langs`. A secret that is left out stays
    /// as it is, as long as it would go to the same account and server
    #[schema(value_type = Object, example = json!({"server": "https://mastodon.example", "access_token": "…"}))]
    settings: Value,
}

impl ChannelView {
    fn of(channel: &BrandChannel, kept: Option<&KeptChannel>) -> Self {
        let limits = channel.view();
        Self {
            channel_id: limits.channel,
            kind: limits.kind,
            settings: channel.settings.shown(),
            secret_set: kept.is_some_and(|kept| kept.sealed.is_some()),
            text_limit: limits.text_limit,
            media_limit: limits.media_limit,
            created_at: kept.map(|kept| kept.created_at),
            updated_at: kept.map(|kept| kept.updated_at),
        }
    }

    fn feed() -> Self {
        Self::of(&BrandChannel::feed(), None)
    }

    fn kept(kept: &KeptChannel) -> Self {
        Self::of(&kept.channel, Some(kept))
    }
}

/// The brand's channels
///
/// `feed`, which every brand has, comes first.
#[utoipa::path(get, path = "/api/brands/{brand_id}/channels", tag = "brand", security(("jwt" = [])),
    params(("brand_id" = String, Path)), responses((status = 200, description = "The channels", body = Channels)))]
pub(crate) async fn list_channels(
    State(app): State<Arc<App>>,
    administrator: Administrator,
) -> Result<Json<Channels>, Problem> {
    let kept = app.store.channels(&administrator.brand_id).await?;
    let channels = std::iter::once(ChannelView::feed()).chain(kept.iter().map(ChannelView::kept)).collect();
    Ok(Json(Channels { channels }))
}

/// One channel
#[utoipa::path(get, path = "/api/brands/{brand_id}/channels/{channel_id}", tag = "brand", security(("jwt" = [])),
    params(("brand_id" = String, Path), ("channel_id" = String, Path)),
    responses((status = 200, description = "The channel", body = ChannelView)))]
pub(crate) async fn get_channel(
    State(app): State<Arc<App>>,
    _: Administrator,
    PathIds((brand_id, channel_id)): PathIds<(BrandId, ChannelId)>,
) -> Result<Json<ChannelView>, Problem> {
    if channel_id.as_str() == FEED {
        return Ok(Json(ChannelView::feed()));
    }
    let kept = app.store.channel(&brand_id, &channel_id).await?;
    kept.map(|kept| Json(ChannelView::kept(&kept))).ok_or_else(|| Problem::not_found("channel"))
}

/// Create or change a channel
///
/// Secrets in `settings` are sealed and never shown again. A webhook's signing secret is made where none is given, and
/// shown in this answer alone.
#[utoipa::path(put, path = "/api/brands/{brand_id}/channels/{channel_id}", tag = "brand", security(("jwt" = [])),
    params(("brand_id" = String, Path), ("channel_id" = String, Path)), request_body = PutChannel,
    responses((status = 200, description = "The channel", body = PutChannelAnswer)))]
pub(crate) async fn put_channel(
    State(app): State<Arc<App>>,
    _: Administrator,
    PathIds((brand_id, channel_id)): PathIds<(BrandId, ChannelId)>,
    JsonBody(body): JsonBody,
) -> Result<impl IntoResponse, Problem> {
    let mut given = read(body, &channel_id)?;
    if given.settings == Settings::Feed {
        return Ok(answer(ChannelView::feed(), None));
    }
    let before = app.store.channel(&brand_id, &channel_id).await?;
    let plan = given.secret_plan(before.as_ref().map(|before| &before.channel.settings));
    let plan = plan.map_err(|fault| Problem::invalid_request(vec![fault]))?;
    let now = app.clock.now();
    let channel = BrandChannel { channel_id, settings: given.settings };
    let (sealed, made) = match plan {
        SecretPlan::None => (None, None),
        SecretPlan::Keep => (before.as_ref().and_then(|before| before.sealed.clone()), None),
        SecretPlan::Given(secret) => (Some(seal(&app, &brand_id, &channel, &secret)?), None),
        SecretPlan::Generate => {
            let secret = SigningSecret::generate(&mut app.entropy.clone());
            (Some(seal(&app, &brand_id, &channel, &secret)?), Some(secret))
        }
    };
    let created_at = before.map_or(now, |before| before.created_at);
    let kept = KeptChannel { channel, sealed, created_at, updated_at: now };
    let put = app.store.put_channel(&brand_id, &kept).await?;
    put.map_err(|ChannelLimitReached| {
        Problem::new(
            Code::ChannelLimitReached,
            format!("A brand has at most {MOST_CHANNELS} channels beside its feed. Delete one that is no longer used."),
        )
    })?;
    Ok(answer(ChannelView::kept(&kept), made))
}

/// Delete a channel
///
/// What was still to be published there is cancelled. Deleting it again changes nothing and answers the same.
#[utoipa::path(delete, path = "/api/brands/{brand_id}/channels/{channel_id}", tag = "brand", security(("jwt" = [])),
    params(("brand_id" = String, Path), ("channel_id" = String, Path)),
    responses((status = 204, description = "It is gone")))]
pub(crate) async fn delete_channel(
    State(app): State<Arc<App>>,
    _: Administrator,
    PathIds((brand_id, channel_id)): PathIds<(BrandId, ChannelId)>,
) -> Result<StatusCode, Problem> {
    if channel_id.as_str() == FEED {
        return Err(Problem::new(
            Code::ChannelFixed,
            "Every brand has the channel `feed`; it cannot be deleted.",
        ));
    }
    app.store.delete_channel(&brand_id, &channel_id).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn read(body: Value, channel_id: &ChannelId) -> Result<Given, Problem> {
    let mut fields = Fields::of(body)?;
    let kind: Option<ChannelKind> = fields.required("kind", parsed);
    let is_feed = channel_id.as_str() == FEED;
    if is_feed && kind.is_some_and(|kind| kind != ChannelKind::Feed) {
        return Err(Problem::new(
            Code::ChannelFixed,
            "The channel `feed` is the brand's own feed and stays one. Give this channel another name.",
        ));
    }
    let given = fields.nested("settings", |settings| match kind {
        Some(ChannelKind::Feed) if !is_feed => Err(vec![Fault::new(
            "kind",
            "must not be feed: the brand has its feed already, as the channel `feed`",
        )]),
        Some(kind) => Given::read(kind, settings),
        // Which settings there are depends on the kind, and that is missing.
        None => Err(Vec::new()),
    });
    fields.finish()?;
    Ok(given.expect("finish found no fault"))
}

fn seal(app: &App, brand: &BrandId, channel: &BrandChannel, secret: &Secret) -> Result<Sealed, Problem> {
    let keys = app.sealing.as_ref().ok_or_else(|| {
        Problem::new(
            Code::SealingOff,
            "A channel's secret is kept sealed, and sealing is off here. Nothing was changed; ask the operator to set \
             SVC_REVEAL_KEYS.",
        )
    })?;
    Ok(keys.seal(secret, &secret_owner(brand, &channel.channel_id), &mut app.entropy.clone()))
}

fn answer(channel: ChannelView, made: Option<Secret>) -> impl IntoResponse {
    let secret = made.map(|secret| secret.expose().to_owned());
    let no_store = HeaderValue::from_static("no-store");
    ([(header::CACHE_CONTROL, no_store)], Json(PutChannelAnswer { channel, secret }))
}
