//! MCP keys: how they are generated, recognised, stored and revealed.

pub(crate) mod base62;
mod changes;
mod digest;
mod model;
mod rotation;
mod seal;
mod token;

pub use changes::{ChangeRefused, KeyChanges};
pub use digest::KeyDigest;
pub use model::{Key, KeySpec, KeyStatus, NewKey, Pause, PauseReason, RevokedReason};
pub use rotation::{NewSecret, OldSecret};
pub use seal::{SealOwner, Sealed, SealingKeys, SealingKeysError, UnsealError};
pub use token::{KeyToken, Malformed, PREFIX, SHOWN_LENGTH, digests_in, mentions_key, redact_keys};
