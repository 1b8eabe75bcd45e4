//! What the settings page and the operator's console are: their documents, with what the operator has set.

use http::HeaderValue;

use super::{Document, PageSettings};

const INDEX: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/ui/index.html"));
const OPERATOR_INDEX: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/ui/operator/index.html"));
const HTML: &str = "text/html; charset=utf-8";

/// The settings page with what the operator has set.
#[derive(Debug)]
pub(crate) struct SettingsPage {
    pub(super) document: Document,
    pub(super) policy: HeaderValue,
    is_embeddable: bool,
}

impl SettingsPage {
    pub(crate) fn new(settings: &PageSettings) -> Self {
        Self {
            document: Document::new(settings.fill(INDEX), HTML),
            policy: settings.policy(),
            is_embeddable: settings.is_embeddable(),
        }
    }

    /// Whether a page of another origin may show it in a frame.
    pub(crate) fn is_embeddable(&self) -> bool {
        self.is_embeddable
    }
}

/// The operator's console, with the address where people sign in.
pub(crate) fn operator_page(settings: &PageSettings) -> Document {
    Document::new(settings.fill(OPERATOR_INDEX), HTML)
}
