//! The client of a request: its address, and the name that it gives itself.

use std::net::IpAddr;

use crate::key::mentions_key;

pub const MAX_CLIENT_NAME_CHARS: usize = 100;

/// Where a key was last used from, and by which client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastClient {
    pub address: IpAddr,
    /// `None`: the client sent no usable name.
    pub name: Option<Box<str>>,
}

impl LastClient {
    /// `sent` is the name as the client has sent it. It is cleaned, because people read it. A key in it is not kept.
    pub fn new(address: IpAddr, sent: &[u8]) -> Self {
        let whole: String = visible(sent).map(char::from).collect();
        let name = if mentions_key(&whole) { "" } else { &whole[..whole.len().min(MAX_CLIENT_NAME_CHARS)] };
        Self { address, name: (!name.is_empty()).then(|| name.into()) }
    }

    /// Whether a request with this address and name came from the same client. It allocates nothing.
    pub fn is_same(&self, address: IpAddr, sent: &[u8]) -> bool {
        let name = self.name.as_deref().unwrap_or_default().bytes();
        self.address == address && visible(sent).take(MAX_CLIENT_NAME_CHARS).eq(name)
    }
}

/// The visible ASCII characters, and the spaces between them.
fn visible(sent: &[u8]) -> impl Iterator<Item = u8> {
    let sent = match (sent.iter().position(u8::is_ascii_graphic), sent.iter().rposition(u8::is_ascii_graphic))
    {
        (Some(first), Some(last)) => &sent[first..=last],
        _ => &[],
    };
    sent.iter().copied().filter(|byte| byte.is_ascii_graphic() || *byte == b' ')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn name(sent: &[u8]) -> Option<String> {
        LastClient::new(HERE, sent).name.map(String::from)
    }

    #[test]
    fn name_is_cleaned_and_cut() {
        assert_eq!(name(b"claude-ai/1.2 (macOS)").as_deref(), Some("claude-ai/1.2 (macOS)"));
        assert_eq!(name(b" \t claude\x01\x7f \xc3\xa9ai\xff ").as_deref(), Some("claude ai"));
        assert_eq!(name("<b>é\u{202e}evil</b>".as_bytes()).as_deref(), Some("<b>evil</b>"));
        assert_eq!(name(&[b'x'; 5_000]), Some("x".repeat(MAX_CLIENT_NAME_CHARS)));
        for nothing in [&b""[..], b"   ", b"\xff\xfe", b" \xff "] {
            assert_eq!(name(nothing), None);
        }
    }

    #[test]
    fn key_in_a_name_is_not_kept() {
        let key = crate::key::KeyToken::generate(&mut StdRng::seed_from_u64(1));
        for sent in [
            key.expose().to_owned(),
            format!("curl/8 {}", key.expose()),
            format!("{}{}", "x".repeat(80), key.expose()),
            format!("{}\u{e9}{}", &key.expose()[..20], &key.expose()[20..]),
        ] {
            assert_eq!(name(sent.as_bytes()), None);
        }
    }

    proptest! {
        #[test]
        fn client_is_the_same_as_itself(sent in prop::collection::vec(any::<u8>(), 0..300)) {
            let client = LastClient::new(HERE, &sent);
            prop_assert!(client.is_same(HERE, &sent));
            prop_assert!(!client.is_same("10.0.0.1".parse().expect("an address"), &sent));
            if let Some(name) = &client.name {
                prop_assert!((1..=MAX_CLIENT_NAME_CHARS).contains(&name.len()));
                prop_assert!(name.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
            }
        }
    }
}
