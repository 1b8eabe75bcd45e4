//! Sealing: how a secret is kept so that it can be shown again, and only where it belongs.

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use base64::{Engine, prelude::BASE64_STANDARD};
use rand::CryptoRng;

use crate::Secret;

const KEY_LENGTH: usize = 32;

/// The sealing keys of `SVC_REVEAL_KEYS`: `id:base64,…`. The first one seals, all of them open.
pub struct SealingKeys(Vec<SealingKey>);

struct SealingKey {
    id: String,
    cipher: LessSafeKey,
}

/// A sealed secret as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    pub sealing_key: String,
    /// Nonce, then ciphertext and tag.
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnreadableSealingKeys {
    #[error("expected id:base64[,id:base64…]; entry {0} has no colon")]
    NoColon(usize),
    #[error("the id of entry {0} must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -")]
    BadId(usize),
    #[error("entry {0} must hold exactly 32 bytes in base64 (`openssl rand -base64 32` makes one)")]
    BadKey(usize),
    #[error("the id {0} is there twice")]
    Twice(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsealable {
    #[error("the sealing key it was sealed with is not configured")]
    UnknownSealingKey,
    #[error("it was sealed for another owner, or damaged")]
    Refused,
}

impl SealingKeys {
    pub fn parse(text: &str) -> Result<Self, UnreadableSealingKeys> {
        use UnreadableSealingKeys as Bad;
        let mut keys: Vec<SealingKey> = Vec::new();
        for (index, entry) in text.split(',').enumerate() {
            let number = index + 1;
            let (id, key) = entry.trim().split_once(':').ok_or(Bad::NoColon(number))?;
            id.parse::<crate::KeyId>().map_err(|_| Bad::BadId(number))?;
            let bytes =
                zeroize::Zeroizing::new(BASE64_STANDARD.decode(key).map_err(|_| Bad::BadKey(number))?);
            if bytes.len() != KEY_LENGTH {
                return Err(Bad::BadKey(number));
            }
            if keys.iter().any(|known| known.id == id) {
                return Err(Bad::Twice(id.to_owned()));
            }
            let cipher = UnboundKey::new(&AES_256_GCM, &bytes).map_err(|_| Bad::BadKey(number))?;
            keys.push(SealingKey { id: id.to_owned(), cipher: LessSafeKey::new(cipher) });
        }
        Ok(Self(keys))
    }

    /// A fresh entry for `SVC_REVEAL_KEYS`.
    pub fn generate(id: &str, random: &mut impl CryptoRng) -> Secret {
        let mut bytes = zeroize::Zeroizing::new([0; KEY_LENGTH]);
        random.fill_bytes(bytes.as_mut());
        Secret::new(format!("{id}:{}", BASE64_STANDARD.encode(bytes.as_ref())))
    }

    /// The id of the key that seals.
    pub fn newest(&self) -> &str {
        &self.0[0].id
    }

    /// Seals `clear` for `owner` (such as a brand id and a key id): for any other owner it will not open.
    pub fn seal(&self, clear: &Secret, owner: &[&str], random: &mut impl CryptoRng) -> Sealed {
        let key = &self.0[0];
        let mut nonce = [0; NONCE_LEN];
        random.fill_bytes(&mut nonce);
        let mut sealed = clear.expose().as_bytes().to_vec();
        let aad = Aad::from(bound_to(&key.id, owner));
        key.cipher
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut sealed)
            .expect("AES-256-GCM seals anything shorter than 64 GiB");
        Sealed { sealing_key: key.id.clone(), bytes: [nonce.as_slice(), &sealed].concat() }
    }

    pub fn open(&self, sealed: &Sealed, owner: &[&str]) -> Result<Secret, Unsealable> {
        let key =
            self.0.iter().find(|key| key.id == sealed.sealing_key).ok_or(Unsealable::UnknownSealingKey)?;
        let (nonce, body) = sealed.bytes.split_at_checked(NONCE_LEN).ok_or(Unsealable::Refused)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| Unsealable::Refused)?;
        let mut body = zeroize::Zeroizing::new(body.to_vec());
        let aad = Aad::from(bound_to(&key.id, owner));
        let clear = key.cipher.open_in_place(nonce, aad, &mut body).map_err(|_| Unsealable::Refused)?;
        let clear = String::from_utf8(clear.to_vec()).map_err(|_| Unsealable::Refused)?;
        Ok(Secret::new(clear))
    }
}

impl fmt::Debug for SealingKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|key| &key.id)).finish()
    }
}

/// The associated data: each part with its length before it, so that no two lists of parts read the same.
fn bound_to(sealing_key: &str, owner: &[&str]) -> Vec<u8> {
    let mut data = Vec::new();
    for part in std::iter::once(&sealing_key).chain(owner) {
        data.extend_from_slice(&(part.len() as u64).to_be_bytes());
        data.extend_from_slice(part.as_bytes());
    }
    data
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    fn keys(ids: &[&str]) -> (SealingKeys, Vec<String>) {
        let mut random = StdRng::seed_from_u64(7);
        let entries: Vec<String> =
            ids.iter().map(|id| SealingKeys::generate(id, &mut random).expose().to_owned()).collect();
        (SealingKeys::parse(&entries.join(",")).expect("valid"), entries)
    }

    fn sealed_for(keys: &SealingKeys, owner: &[&str]) -> Sealed {
        keys.seal(&Secret::new("s3cret".into()), owner, &mut StdRng::seed_from_u64(1))
    }

    #[test]
    fn it_opens_for_its_owner_alone() {
        let (keys, _) = keys(&["a"]);
        let sealed = sealed_for(&keys, &["acme", "key_1"]);
        assert_eq!(
            keys.open(&sealed, &["acme", "key_1"]).map(|s| s.expose().to_owned()),
            Ok("s3cret".into())
        );
        for other in [["acme", "key_2"], ["umbrella", "key_1"], ["acmek", "ey_1"]] {
            assert_eq!(keys.open(&sealed, &other).err(), Some(Unsealable::Refused), "{other:?}");
        }
    }

    #[test]
    fn a_damaged_one_does_not_open() {
        let (keys, _) = keys(&["a"]);
        let sealed = sealed_for(&keys, &["acme", "key_1"]);
        for at in 0..sealed.bytes.len() {
            let mut damaged = sealed.clone();
            damaged.bytes[at] ^= 1;
            assert_eq!(keys.open(&damaged, &["acme", "key_1"]).err(), Some(Unsealable::Refused));
        }
        for length in 0..sealed.bytes.len() {
            let cut = Sealed { bytes: sealed.bytes[..length].to_vec(), ..sealed.clone() };
            assert_eq!(keys.open(&cut, &["acme", "key_1"]).err(), Some(Unsealable::Refused));
        }
    }

    #[test]
    fn the_first_key_seals_and_all_of_them_open() {
        let (old, entries) = keys(&["old"]);
        let sealed = sealed_for(&old, &["acme"]);
        let new = SealingKeys::generate("new", &mut StdRng::seed_from_u64(9));
        let both = SealingKeys::parse(&format!("{},{}", new.expose(), entries[0])).expect("valid");
        assert_eq!(both.newest(), "new");
        assert!(both.open(&sealed, &["acme"]).is_ok());
        let new_alone = SealingKeys::parse(new.expose()).expect("valid");
        assert_eq!(new_alone.open(&sealed, &["acme"]).err(), Some(Unsealable::UnknownSealingKey));
    }

    #[test]
    fn unreadable_settings_say_which_entry_is_wrong() {
        use UnreadableSealingKeys as Bad;
        let good = "a:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        assert_eq!(SealingKeys::parse("").err(), Some(Bad::NoColon(1)));
        assert_eq!(SealingKeys::parse(&format!("{good},b:AAAA")).err(), Some(Bad::BadKey(2)));
        assert_eq!(SealingKeys::parse(&format!("{good},{good}")).err(), Some(Bad::Twice("a".into())));
        assert_eq!(SealingKeys::parse("a b:AAAA").err(), Some(Bad::BadId(1)));
    }
}
