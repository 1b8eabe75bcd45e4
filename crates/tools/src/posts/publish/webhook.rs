//! Publishes by webhook, signed as Standard Webhooks: over the message id, the time of the attempt and the body.

use serde_json::{Value, json};
use svc_mcp_access::{BrandId, ChannelId, Secret, Timestamp};
use url::Url;

use super::{
    CHANGE_THE_POST, Delivery, Publication, PublishError, PublishResult, WithdrawResult,
    remote_server::RemoteServer,
};
use crate::{
    net::Outbound,
    posts::{Post, Target},
    standard_webhooks::SigningSecret,
};

pub(super) async fn deliver(delivery: &Delivery<'_>, url: &Url, secret: &Secret) -> PublishResult {
    let body = event(delivery.brand_id, delivery.channel_id, delivery.post, delivery.publish_time());
    send(delivery, url, secret, (&delivery.id(), &body, CHANGE_THE_POST)).await?;
    Ok(Publication::default())
}

/// Tells the receiver that the post is withdrawn. What it does then is its own decision.
pub(super) async fn withdraw(
    delivery: &Delivery<'_>,
    target: &Target,
    url: &Url,
    secret: &Secret,
) -> WithdrawResult {
    let Delivery { brand_id, channel_id, post, .. } = delivery;
    let body = json!({
        "type": "post.withdrawn",
        "timestamp": target.withdraw_requested_at,
        "data": {
            "brand_id": brand_id,
            "channel": channel_id,
            "post_id": post.post_id,
            "published_at": target.published_at,
        },
    });
    let id = format!("msg_withdrawn_{}_{channel_id}", post.post_id);
    send(delivery, url, secret, (&id, &body, "Tell its operator that the post is withdrawn.")).await
}

pub(super) fn receiver<'a>(outbound: &'a Outbound, now: Timestamp, secret: &'a Secret) -> RemoteServer<'a> {
    RemoteServer {
        outbound,
        now,
        name: "The webhook's receiver",
        remedy: "Check that it accepts the channel's signing secret.",
        advice: "",
        secret,
    }
}

pub(super) fn damaged_secret() -> PublishError {
    PublishError::Failed(
        "The channel's signing secret is damaged. Save the channel again with a new one.".into(),
    )
}

async fn send(
    delivery: &Delivery<'_>,
    url: &Url,
    secret: &Secret,
    (id, body, advice): (&str, &Value, &str),
) -> Result<(), PublishError> {
    let server = RemoteServer { advice, ..receiver(delivery.outbound, delivery.now, secret) };
    let key = SigningSecret::parse(secret).map_err(|_| damaged_secret())?;
    let request = key.request(url.clone(), id, delivery.now, body.to_string());
    server.send(request).await.map(|_| ())
}

/// The request body. It is the same for every attempt.
pub(super) fn event(brand: &BrandId, channel: &ChannelId, post: &Post, at: Timestamp) -> Value {
    json!({
        "type": "post.published",
        "timestamp": at,
        "data": {
            "brand_id": brand,
            "channel": channel,
            "post_id": post.post_id,
            "text": post.text,
            "title": post.title,
            "link": post.link,
            "media": post.media,
            "created_at": post.created_at,
            "scheduled_at": post.scheduled_at,
        },
    })
}
