//! Posts and the channels they are published on.

mod channel;
mod create_post;
mod entities;
mod get_post;
mod length;
mod list_posts;
mod post;
mod post_arguments;
mod publish;
mod records;
mod validate_post;
mod view;

pub use channel::{
    BlueskySettings, BrandChannel, Channel, ChannelInput, ChannelKind, ChannelKindError, FEED, FeedSettings,
    MAX_CHANNELS, MastodonSettings, SETTINGS_PATTERNS, SecretSource, Settings, SigningSecret,
    SigningSecretError, StoredChannel, Visibility, WebhookSettings,
};
pub use create_post::CreatePost;
pub use get_post::GetPost;
pub use list_posts::ListPosts;
pub use post::{Media, Post, PostFilter, Target, TargetChange, TargetStatus, TargetStep, uncertain_reason};
pub use publish::PublishJob;
pub use records::PostRecords;
pub use validate_post::ValidatePost;
