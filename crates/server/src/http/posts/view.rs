use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_tools::posts::{Post, PostView};

/// A post with the key that created it
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ManagedPost")]
pub(crate) struct ManagedPost {
    #[serde(flatten)]
    post: PostView,
    /// The key that created it. Its owner and administrators can change the post
    key_id: String,
}

impl From<Post> for ManagedPost {
    fn from(post: Post) -> Self {
        let key_id = post.created_by_key.to_string();
        Self { post: post.into(), key_id }
    }
}
