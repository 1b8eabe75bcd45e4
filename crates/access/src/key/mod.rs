//! MCP keys: how they are generated, recognised, stored and revealed.

pub(crate) mod base62;
mod digest;
mod model;
mod seal;
mod token;

pub use digest::KeyDigest;
pub use model::{Key, KeySpec, KeyStatus, NewKey, Pause, PauseReason};
pub use seal::{SealOwner, Sealed, SealingKeys, SealingKeysError, UnsealError};
pub use token::{KeyToken, Malformed, PREFIX, mentions_key};
