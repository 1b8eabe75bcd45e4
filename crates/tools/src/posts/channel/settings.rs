//! The settings of a channel as they are stored and shown. They hold no secret: that is sealed and stored apart.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use url::Url;

use super::ChannelKind;

const DEFAULT_TEXT_LIMIT: u32 = 10_000;
const BLUESKY_GRAPHEMES: u32 = 300;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Settings {
    Feed,
    Webhook { url: Url },
    Mastodon { server: Url, visibility: Visibility, max_characters: u32 },
    Bluesky { server: Url, identifier: String, langs: Vec<String> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    Public,
    Unlisted,
    Private,
}

impl Settings {
    pub fn kind(&self) -> ChannelKind {
        match self {
            Self::Feed => ChannelKind::Feed,
            Self::Webhook { .. } => ChannelKind::Webhook,
            Self::Mastodon { .. } => ChannelKind::Mastodon,
            Self::Bluesky { .. } => ChannelKind::Bluesky,
        }
    }

    pub(crate) fn text_limit(&self) -> u32 {
        match self {
            Self::Feed | Self::Webhook { .. } => DEFAULT_TEXT_LIMIT,
            Self::Mastodon { max_characters, .. } => *max_characters,
            Self::Bluesky { .. } => BLUESKY_GRAPHEMES,
        }
    }

    /// The settings as an administrator sees them.
    pub fn shown(&self) -> Value {
        let mut shown = json!(self);
        if let Some(fields) = shown.as_object_mut() {
            fields.remove("kind");
        }
        shown
    }

    /// The input field that holds the secret.
    pub fn secret_field(&self) -> Option<&'static str> {
        match self {
            Self::Feed => None,
            Self::Webhook { .. } => Some("secret"),
            Self::Mastodon { .. } => Some("access_token"),
            Self::Bluesky { .. } => Some("app_password"),
        }
    }

    /// Whether the stored secret of `before` may be used with these settings. A credential must not be sent to another
    /// server or account: an administrator could read it there. A signing secret is never sent.
    pub(super) fn can_reuse_secret_of(&self, before: &Self) -> bool {
        match (self, before) {
            (Self::Webhook { .. }, Self::Webhook { .. }) => true,
            (Self::Mastodon { server, .. }, Self::Mastodon { server: old_server, .. }) => {
                server == old_server
            }
            (
                Self::Bluesky { server, identifier, .. },
                Self::Bluesky { server: old_server, identifier: old_identifier, .. },
            ) => server == old_server && identifier == old_identifier,
            _ => false,
        }
    }
}
