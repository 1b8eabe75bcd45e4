//! The one type a clear secret lives in.

use std::fmt;

use zeroize::Zeroizing;

/// A clear secret: redacted when debugged, not printable, not serialisable, wiped when dropped.
/// Whoever must hand it out writes `expose`, which is easy to search for.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    pub fn new(clear: String) -> Self {
        Self(Zeroizing::new(clear))
    }

    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(redacted)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debugging_a_secret_does_not_show_it() {
        assert_eq!(format!("{:?}", Secret::new("svc_mcp_x".into())), "Secret(redacted)");
    }
}
