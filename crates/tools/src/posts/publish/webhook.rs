//! Webhooks, signed as Standard Webhooks: over the id, the time of the attempt and the body.

use std::fmt;

use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};
use base64::{Engine, prelude::BASE64_STANDARD};
use http::{HeaderName, HeaderValue, header::CONTENT_TYPE};
use rand::CryptoRng;
use serde_json::{Value, json};
use svc_mcp_access::{BrandId, ChannelId, Secret, Timestamp};
use url::Url;
use zeroize::Zeroizing;

use super::{Handed, Parcel, Trouble, answers::Server};
use crate::{net::Request, posts::Post};

const HEAD: &str = "whsec_";

/// The key that signs: `whsec_` and 24 to 64 bytes in base64.
pub struct SigningSecret(Key);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be `whsec_` followed by 24 to 64 bytes in base64; leave it out to have one made")]
pub struct UnreadableSecret;

impl SigningSecret {
    pub fn parse(text: &Secret) -> Result<Self, UnreadableSecret> {
        let bytes = text.expose().strip_prefix(HEAD).ok_or(UnreadableSecret)?;
        let bytes = Zeroizing::new(BASE64_STANDARD.decode(bytes).map_err(|_| UnreadableSecret)?);
        if !(24..=64).contains(&bytes.len()) {
            return Err(UnreadableSecret);
        }
        Ok(Self(Key::new(HMAC_SHA256, &bytes)))
    }

    /// A new one, as it is told and kept.
    pub fn generate(random: &mut impl CryptoRng) -> Secret {
        let mut bytes = Zeroizing::new([0; 32]);
        random.fill_bytes(bytes.as_mut());
        Secret::new(format!("{HEAD}{}", BASE64_STANDARD.encode(bytes.as_ref())))
    }

    /// The value of `webhook-signature`.
    fn sign(&self, id: &str, seconds: i64, body: &str) -> String {
        let tag = sign(&self.0, format!("{id}.{seconds}.{body}").as_bytes());
        format!("v1,{}", BASE64_STANDARD.encode(tag.as_ref()))
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret(redacted)")
    }
}

pub(super) async fn deliver(parcel: &Parcel<'_>, url: &Url, secret: &Secret) -> Handed {
    let server = Server {
        outbound: parcel.outbound,
        now: parcel.now,
        name: "The webhook's receiver",
        remedy: "Check that it accepts the channel's signing secret.",
        secret,
    };
    let key = SigningSecret::parse(secret).map_err(|_| {
        Trouble::Failed("The channel's signing secret is damaged. Set the channel again.".into())
    })?;
    let body = event(parcel.brand_id, parcel.channel_id, parcel.post, parcel.dated()).to_string();
    let seconds = parcel.now.millis().div_euclid(1000);
    let id = parcel.id();
    let headers = [
        ("webhook-id", id.clone()),
        ("webhook-timestamp", seconds.to_string()),
        ("webhook-signature", key.sign(&id, seconds, &body)),
    ];
    let mut request = Request::post(url.clone(), body);
    for (name, value) in headers {
        let value = HeaderValue::try_from(value).expect("ids, numbers and base64 are plain ASCII");
        request.headers.insert(HeaderName::from_static(name), value);
    }
    request.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    server.send(request).await?;
    Ok(None)
}

/// The body: the same at every try.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_signs_as_the_standard_says() {
        // The example of the Standard Webhooks libraries.
        let secret = Secret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".into());
        let key = SigningSecret::parse(&secret).expect("a secret");
        let signature = key.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert!(!format!("{key:?} {secret:?}").contains("MfKQ"));
    }

    #[test]
    fn a_secret_has_its_form() {
        for bad in ["", "whsec_", "whsec_AAAA", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_%%%"] {
            assert!(SigningSecret::parse(&Secret::new(bad.into())).is_err(), "{bad}");
        }
        let random = &mut <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(1);
        assert!(SigningSecret::parse(&SigningSecret::generate(random)).is_ok());
    }
}
