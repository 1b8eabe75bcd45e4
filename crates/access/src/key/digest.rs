//! The hash under which the store keeps a key.

use std::{
    fmt,
    hash::{Hash, Hasher},
};

use crate::sha256;

/// SHA-256 of the whole secret. A key has 256 random bits, so a slow password hash is not needed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeyDigest([u8; 32]);

impl KeyDigest {
    pub fn of(secret: &[u8]) -> Self {
        Self(sha256(secret))
    }

    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first eight bytes as a number. A digest is uniformly distributed, so maps can use it as their hash.
    pub fn as_u64(&self) -> u64 {
        let (eights, _) = self.0.as_chunks();
        u64::from_le_bytes(eights[0])
    }

    /// The shard of this digest. It uses other bits than those that select the place in the shard's map.
    pub fn shard_of(&self, shards: usize) -> usize {
        (self.as_u64() >> 32) as usize % shards
    }
}

impl Hash for KeyDigest {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.as_u64());
    }
}

impl fmt::Debug for KeyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyDigest({:016x}…)", self.as_u64())
    }
}
