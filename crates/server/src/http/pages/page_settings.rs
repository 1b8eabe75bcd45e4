//! What the operator sets about the settings page: its meta tags and its policy.

use http::HeaderValue;
use url::Url;

use crate::{config::Accent, http::markup::escaped};

/// How the settings page looks, and where it may be shown.
#[derive(Debug, Clone, Default)]
pub struct PageSettings {
    /// `None`: people come with links from the application.
    pub login_url: Option<String>,
    /// Leads to the OpenID Connect provider. `None`: there is none.
    pub oidc_url: Option<String>,
    /// The origins whose pages may show it in a frame.
    pub frame_ancestors: Vec<String>,
    pub name: Option<String>,
    pub logo_url: Option<String>,
    pub accent: Option<Accent>,
    pub back_url: Option<String>,
}

impl PageSettings {
    /// Whether a page of another origin may show it in a frame.
    pub(crate) fn is_embeddable(&self) -> bool {
        !self.frame_ancestors.is_empty()
    }

    /// Fills the meta tags of a page, which its scripts read, and removes its indentation.
    pub(super) fn fill(&self, page: &str) -> String {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let accent = self.accent.map(|accent| (accent.to_string(), accent.text_colour().to_owned()));
        let (accent, accent_text) = accent.unwrap_or_default();
        let tags = [
            ("login-url", text(&self.login_url)),
            ("oidc-url", text(&self.oidc_url)),
            ("frame-ancestors", self.frame_ancestors.join(" ")),
            ("page-name", text(&self.name)),
            ("page-logo-url", text(&self.logo_url)),
            ("page-accent", accent),
            ("page-accent-text", accent_text),
            ("page-back-url", text(&self.back_url)),
        ];
        let page = page.lines().map(str::trim_start).collect::<Vec<_>>().join("\n");
        tags.iter().fold(page, |page, (name, value)| {
            let empty = format!(r#"<meta name="{name}" content="">"#);
            page.replace(&empty, &format!(r#"<meta name="{name}" content="{}">"#, escaped(value)))
        })
    }

    /// No inline code, nothing from other hosts except the logo, no frames except the named ones, and no HTML from strings.
    pub(super) fn policy(&self) -> HeaderValue {
        let logo = self.logo_url.as_deref().and_then(|url| Url::parse(url).ok());
        let logo = logo.map(|url| format!(" {}", url.origin().ascii_serialization())).unwrap_or_default();
        let ancestors =
            if self.is_embeddable() { self.frame_ancestors.join(" ") } else { "'none'".to_owned() };
        let policy = format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:{logo}; connect-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors {ancestors}; require-trusted-types-for 'script'"
        );
        HeaderValue::try_from(policy).expect("origins are plain ASCII")
    }
}
