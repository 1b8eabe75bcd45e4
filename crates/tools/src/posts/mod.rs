//! Posts: what the brand says, and where it went.

mod channel;
mod count;
mod create_post;
mod draft;
mod get_post;
mod list_posts;
mod model;
mod publish;
mod records;
mod validate_post;
mod view;
mod words;

pub use channel::{
    BrandChannel, Channel, ChannelKind, FEED, Given, KeptChannel, MOST_CHANNELS, SecretPlan, Settings,
    UnknownKind, Visibility, channels_of, secret_owner,
};
pub use create_post::CreatePost;
pub use get_post::GetPost;
pub use list_posts::ListPosts;
pub use model::{Media, Post, PostFilter, Target, TargetChange, TargetStatus, TargetStep, UnknownStatus};
pub use publish::{Publish, SigningSecret};
pub use records::PostRecords;
pub use validate_post::ValidatePost;
