//! Sealing: secrets are stored encrypted, and can be opened only for their owner.

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use base64::{Engine, prelude::BASE64_STANDARD};
use rand::CryptoRng;

use crate::{BrandId, ChannelId, EndpointId, KeyId, Secret};

const KEY_LENGTH: usize = 32;

/// The sealing keys of `SVC_REVEAL_KEYS`: `id:base64,…`. The first one seals. Every one of them can open.
pub struct SealingKeys(Vec<SealingKey>);

struct SealingKey {
    id: String,
    cipher: LessSafeKey,
}

/// A sealed secret, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    pub sealing_key: String,
    /// Nonce, then ciphertext and tag.
    pub bytes: Vec<u8>,
}

/// What a sealed secret belongs to. It is part of the encryption, so that a seal that is copied to another row of the
/// database does not open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SealOwner<'a>(Owner<'a>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner<'a> {
    Key(&'a BrandId, &'a KeyId),
    Channel(&'a BrandId, &'a ChannelId),
    EventEndpoint(&'a BrandId, &'a EndpointId),
}

impl<'a> SealOwner<'a> {
    pub fn key(brand: &'a BrandId, key: &'a KeyId) -> Self {
        Self(Owner::Key(brand, key))
    }

    pub fn channel(brand: &'a BrandId, channel: &'a ChannelId) -> Self {
        Self(Owner::Channel(brand, channel))
    }

    pub fn event_endpoint(brand: &'a BrandId, endpoint: &'a EndpointId) -> Self {
        Self(Owner::EventEndpoint(brand, endpoint))
    }

    /// The associated data of the encryption. Each part follows its length, so that different lists never give the same
    /// bytes. Stored seals depend on this format.
    fn associated_data(self, sealing_key: &str) -> Vec<u8> {
        let parts: &[&str] = match self.0 {
            Owner::Key(brand, key) => &[sealing_key, brand.as_str(), key.as_str()],
            Owner::Channel(brand, channel) => &[sealing_key, brand.as_str(), "channel", channel.as_str()],
            Owner::EventEndpoint(brand, endpoint) => {
                &[sealing_key, brand.as_str(), "event endpoint", endpoint.as_str()]
            }
        };
        let mut data = Vec::new();
        for part in parts {
            data.extend_from_slice(&(part.len() as u64).to_be_bytes());
            data.extend_from_slice(part.as_bytes());
        }
        data
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SealingKeysError {
    #[error("expected id:base64[,id:base64…]; entry {0} has no colon")]
    NoColon(usize),
    #[error("the id of entry {0} must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -")]
    BadId(usize),
    #[error("entry {0} must hold exactly 32 bytes in base64 (`openssl rand -base64 32` makes one)")]
    BadKey(usize),
    #[error("the id {0} is used twice")]
    DuplicateId(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnsealError {
    #[error("its sealing key is not configured")]
    UnknownSealingKey,
    #[error("it was sealed for another owner, or it is damaged")]
    WrongOwnerOrDamaged,
}

impl SealingKeys {
    pub fn parse(text: &str) -> Result<Self, SealingKeysError> {
        use SealingKeysError as Bad;
        let mut keys: Vec<SealingKey> = Vec::new();
        for (index, entry) in text.split(',').enumerate() {
            let number = index + 1;
            let (id, key) = entry.trim().split_once(':').ok_or(Bad::NoColon(number))?;
            id.parse::<KeyId>().map_err(|_| Bad::BadId(number))?;
            let bytes =
                zeroize::Zeroizing::new(BASE64_STANDARD.decode(key).map_err(|_| Bad::BadKey(number))?);
            if bytes.len() != KEY_LENGTH {
                return Err(Bad::BadKey(number));
            }
            if keys.iter().any(|known| known.id == id) {
                return Err(Bad::DuplicateId(id.to_owned()));
            }
            let cipher = UnboundKey::new(&AES_256_GCM, &bytes).map_err(|_| Bad::BadKey(number))?;
            keys.push(SealingKey { id: id.to_owned(), cipher: LessSafeKey::new(cipher) });
        }
        Ok(Self(keys))
    }

    /// A new entry for `SVC_REVEAL_KEYS`.
    pub fn generate(id: &str, random: &mut impl CryptoRng) -> Secret {
        let mut bytes = zeroize::Zeroizing::new([0; KEY_LENGTH]);
        random.fill_bytes(bytes.as_mut());
        Secret::new(format!("{id}:{}", BASE64_STANDARD.encode(bytes.as_ref())))
    }

    /// The id of the sealing key that is used for new seals.
    pub fn newest(&self) -> &str {
        &self.0[0].id
    }

    pub fn seal(&self, clear: &Secret, owner: SealOwner<'_>, random: &mut impl CryptoRng) -> Sealed {
        let key = &self.0[0];
        let mut nonce = [0; NONCE_LEN];
        random.fill_bytes(&mut nonce);
        let mut sealed = clear.expose().as_bytes().to_vec();
        let aad = Aad::from(owner.associated_data(&key.id));
        key.cipher
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), aad, &mut sealed)
            .expect("AES-256-GCM seals anything shorter than 64 GiB");
        Sealed { sealing_key: key.id.clone(), bytes: [nonce.as_slice(), &sealed].concat() }
    }

    pub fn open(&self, sealed: &Sealed, owner: SealOwner<'_>) -> Result<Secret, UnsealError> {
        let key =
            self.0.iter().find(|key| key.id == sealed.sealing_key).ok_or(UnsealError::UnknownSealingKey)?;
        let (nonce, body) =
            sealed.bytes.split_at_checked(NONCE_LEN).ok_or(UnsealError::WrongOwnerOrDamaged)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| UnsealError::WrongOwnerOrDamaged)?;
        let mut body = zeroize::Zeroizing::new(body.to_vec());
        let aad = Aad::from(owner.associated_data(&key.id));
        let clear =
            key.cipher.open_in_place(nonce, aad, &mut body).map_err(|_| UnsealError::WrongOwnerOrDamaged)?;
        let clear = String::from_utf8(clear.to_vec()).map_err(|_| UnsealError::WrongOwnerOrDamaged)?;
        Ok(Secret::new(clear))
    }
}

impl fmt::Debug for SealingKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|key| &key.id)).finish()
    }
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

    fn id<T: std::str::FromStr<Err: fmt::Debug>>(text: &str) -> T {
        text.parse().expect("an id")
    }

    fn sealed_for(keys: &SealingKeys, owner: SealOwner<'_>) -> Sealed {
        keys.seal(&Secret::new("s3cret".into()), owner, &mut StdRng::seed_from_u64(1))
    }

    #[test]
    fn seal_opens_only_for_its_owner() {
        let (keys, _) = keys(&["a"]);
        let (brand, key) = (id("acme"), id("key_1"));
        let owner = SealOwner::key(&brand, &key);
        let sealed = sealed_for(&keys, owner);
        assert_eq!(keys.open(&sealed, owner).map(|clear| clear.expose().to_owned()), Ok("s3cret".into()));
        for (brand, key) in [("acme", "key_2"), ("umbrella", "key_1"), ("acmek", "ey_1")] {
            let (brand, key) = (id(brand), id(key));
            let opened = keys.open(&sealed, SealOwner::key(&brand, &key));
            assert_eq!(opened.err(), Some(UnsealError::WrongOwnerOrDamaged), "{brand} {key}");
        }
        let opened = keys.open(&sealed, SealOwner::channel(&brand, &id("key_1")));
        assert_eq!(opened.err(), Some(UnsealError::WrongOwnerOrDamaged), "a channel with the id of the key");
    }

    /// Seals that are stored already must open with every later version.
    #[test]
    fn associated_data_keeps_its_format() {
        let (brand, key, channel) = (id("acme"), id("key_1"), id("hook"));
        let data = |parts: &[&str]| {
            let length = |part: &str| u64::try_from(part.len()).expect("short").to_be_bytes().to_vec();
            parts
                .iter()
                .flat_map(|part| [length(part), part.as_bytes().to_vec()].concat())
                .collect::<Vec<_>>()
        };
        assert_eq!(SealOwner::key(&brand, &key).associated_data("a"), data(&["a", "acme", "key_1"]));
        let for_channel = SealOwner::channel(&brand, &channel).associated_data("a");
        assert_eq!(for_channel, data(&["a", "acme", "channel", "hook"]));
    }

    #[test]
    fn damaged_seal_does_not_open() {
        let (keys, _) = keys(&["a"]);
        let (brand, key) = (id("acme"), id("key_1"));
        let owner = SealOwner::key(&brand, &key);
        let sealed = sealed_for(&keys, owner);
        for at in 0..sealed.bytes.len() {
            let mut damaged = sealed.clone();
            damaged.bytes[at] ^= 1;
            assert_eq!(keys.open(&damaged, owner).err(), Some(UnsealError::WrongOwnerOrDamaged));
        }
        for length in 0..sealed.bytes.len() {
            let cut = Sealed { bytes: sealed.bytes[..length].to_vec(), ..sealed.clone() };
            assert_eq!(keys.open(&cut, owner).err(), Some(UnsealError::WrongOwnerOrDamaged));
        }
    }

    #[test]
    fn first_key_seals_and_every_key_opens() {
        let (old, entries) = keys(&["old"]);
        let (brand, key) = (id("acme"), id("key_1"));
        let owner = SealOwner::key(&brand, &key);
        let sealed = sealed_for(&old, owner);
        let new = SealingKeys::generate("new", &mut StdRng::seed_from_u64(9));
        let both = SealingKeys::parse(&format!("{},{}", new.expose(), entries[0])).expect("valid");
        assert_eq!(both.newest(), "new");
        assert!(both.open(&sealed, owner).is_ok());
        let new_alone = SealingKeys::parse(new.expose()).expect("valid");
        assert_eq!(new_alone.open(&sealed, owner).err(), Some(UnsealError::UnknownSealingKey));
    }

    #[test]
    fn parse_error_names_the_entry() {
        use SealingKeysError as Bad;
        let good = "a:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        assert_eq!(SealingKeys::parse("").err(), Some(Bad::NoColon(1)));
        assert_eq!(SealingKeys::parse(&format!("{good},b:AAAA")).err(), Some(Bad::BadKey(2)));
        assert_eq!(SealingKeys::parse(&format!("{good},{good}")).err(), Some(Bad::DuplicateId("a".into())));
        assert_eq!(SealingKeys::parse("a b:AAAA").err(), Some(Bad::BadId(1)));
    }
}
