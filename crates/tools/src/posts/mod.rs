//! Posts: what the brand says, and where it went.

mod channel;
mod create_post;
mod draft;
mod get_post;
mod list_posts;
mod model;
mod records;
mod validate_post;
mod view;

pub use channel::{Channel, ChannelKind, FEED, channels_of};
pub use create_post::CreatePost;
pub use get_post::GetPost;
pub use list_posts::ListPosts;
pub use model::{Media, Post, PostFilter, Target, TargetStatus, UnknownStatus};
pub use records::PostRecords;
pub use validate_post::ValidatePost;
