//! Posts and the channels they are published on.

mod cancel_post;
mod channel;
mod create_post;
mod edit;
mod edit_call;
mod entities;
mod get_post;
mod length;
mod list_posts;
mod media_check;
mod new_post;
mod post;
mod post_arguments;
mod post_edit;
mod publish;
mod publish_post;
mod records;
mod update_post;
mod validate_post;
mod view;
mod withdraw_post;

pub use cancel_post::CancelPost;
pub use channel::{
    BlueskySettings, BrandChannel, Channel, ChannelInput, ChannelKind, ChannelKindError, FEED, FeedSettings,
    MAX_CHANNELS, MastodonSettings, SETTINGS_PATTERNS, SecretSource, Settings, StoredChannel, Visibility,
    WebhookSettings,
};
pub use create_post::CreatePost;
pub use edit::{
    EditedPost, PlannedEdit, PostEditor, PostVersion, PublishArguments, StoppedPost, StoppedTarget,
    UpdateArguments,
};
pub use get_post::GetPost;
pub use list_posts::ListPosts;
pub use post::{Media, Post, PostFilter, Target, TargetChange, TargetStatus, TargetStep, uncertain_reason};
pub use post_edit::{PostEdit, PostEvent};
pub use publish::{ChannelTest, PublishJob, WithdrawJob};
pub use publish_post::PublishPost;
pub use records::PostRecords;
pub use update_post::UpdatePost;
pub use validate_post::ValidatePost;
pub use view::{PostView, TargetView};
pub use withdraw_post::WithdrawPost;
