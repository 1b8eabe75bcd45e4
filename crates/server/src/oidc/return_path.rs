//! The page that a person returns to after a sign-in.

const SETTINGS_PAGE: &str = "/settings/mcp";
const PAGES: [&str; 2] = [SETTINGS_PAGE, "/operator"];
pub(crate) const MAX_CHARS: usize = 2000;

/// A path of the service's own pages, with its query. A sign-in never leads to another site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReturnPath(String);

impl Default for ReturnPath {
    fn default() -> Self {
        Self(SETTINGS_PAGE.to_owned())
    }
}

impl ReturnPath {
    /// Anything else leads to the settings page.
    pub(crate) fn parse(text: &str) -> Self {
        let path = text.split_once('?').map_or(text, |(path, _)| path);
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"#\\\"<>".contains(&byte);
        let fits = PAGES.contains(&path) && text.len() <= MAX_CHARS && text.bytes().all(is_plain);
        if fits { Self(text.to_owned()) } else { Self::default() }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_own_pages_are_returned_to() {
        for own in ["/settings/mcp", "/operator", "/settings/mcp?brand=acme&view=posts", "/operator?q=%20a"] {
            assert_eq!(ReturnPath::parse(own).as_str(), own);
        }
        let long = format!("/operator?{}", "x".repeat(MAX_CHARS));
        for other in [
            "",
            "/",
            "/docs",
            "/operator/",
            "/operatorx",
            "//evil.example",
            "//evil.example/operator",
            "/\\evil.example",
            "https://evil.example/operator",
            "/settings/mcp/../../docs",
            "/settings/mcp#code=svc_code_x",
            "/settings/mcp?a=b\r\nSet-Cookie: a=b",
            "/settings/mcp?a=ü",
            "/api/session",
            &long,
        ] {
            assert_eq!(ReturnPath::parse(other), ReturnPath::default(), "{other}");
        }
    }
}
