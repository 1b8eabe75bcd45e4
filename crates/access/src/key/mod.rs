//! MCP keys: how one is made and recognised, what is kept of it, and how it is revealed again.

pub(crate) mod base62;
mod digest;
mod model;
mod seal;
mod token;

pub use digest::KeyDigest;
pub use model::{ACTIVE_KEYS_PER_BRAND, Key, KeyStatus, NewKey};
pub use seal::{Sealed, SealingKeys, UnreadableSealingKeys, Unsealable};
pub use token::{KeyToken, Malformed, PREFIX, mentions_key};
