//! What is accepted as a key has the published form, and texts that contain it are recognised.
#![no_main]

use libfuzzer_sys::fuzz_target;
use svc_mcp_access::{
    Secret,
    key::{KeyToken, PREFIX, mentions_key},
};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        assert!(KeyToken::digest_of(data).is_err(), "a key is ASCII");
        return;
    };
    let is_mentioned = mentions_key(text);
    if let Ok(digest) = KeyToken::digest_of(data) {
        assert!(text.starts_with(PREFIX) && is_mentioned);
        let token = KeyToken::from_clear(Secret::new(text.to_owned())).expect("it has a digest");
        assert!(token.digest() == digest && text.starts_with(token.shown_prefix()));
    }
});
