//! The type of every clear-text secret.

use std::fmt;

use zeroize::Zeroizing;

/// A clear-text secret: redacted in `Debug`, without `Display` and `Serialize`, zeroized when dropped.
/// The only way to read it is `expose`, which is easy to search for.
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
    fn debug_output_is_redacted() {
        assert_eq!(format!("{:?}", Secret::new("svc_mcp_x".into())), "Secret(redacted)");
    }
}
