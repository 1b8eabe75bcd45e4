//! What the store keeps of a key instead of the key.

use std::{
    fmt,
    hash::{Hash, Hasher},
};

use aws_lc_rs::digest::{SHA256, digest};

/// SHA-256 of the whole secret. Keys have 256 random bits, so no slow password hash is needed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeyDigest([u8; 32]);

impl KeyDigest {
    pub fn of(secret: &[u8]) -> Self {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest(&SHA256, secret).as_ref());
        Self(bytes)
    }

    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Eight of its bytes as a number. A digest is uniform already: maps and shards need no hash of their own.
    pub fn as_u64(&self) -> u64 {
        let (eights, _) = self.0.as_chunks();
        u64::from_le_bytes(eights[0])
    }

    /// Which of so many shards it belongs to, by other bits than those that find it there.
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
