//! The documents of the settings page and of the operator's console, with the operator's settings filled in.

use http::HeaderValue;

use super::{Document, PageSettings};

const INDEX: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/ui/index.html"));
const OPERATOR_INDEX: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/ui/operator/index.html"));
const HTML: &str = "text/html; charset=utf-8";

/// The settings page, with the operator's settings filled in.
#[derive(Debug)]
pub(crate) struct SettingsPage {
    pub(super) document: Document,
    pub(super) policy: HeaderValue,
    is_embeddable: bool,
}

impl SettingsPage {
    pub(crate) fn new(settings: &PageSettings) -> Self {
        Self {
            document: Document::compressed(&settings.fill(INDEX), HTML),
            policy: settings.policy(),
            is_embeddable: settings.is_embeddable(),
        }
    }

    /// Whether a page of another origin may show it in a frame.
    pub(crate) fn is_embeddable(&self) -> bool {
        self.is_embeddable
    }
}

/// The operator's console, with the operator's settings filled in.
pub(crate) fn operator_page(settings: &PageSettings) -> Document {
    Document::compressed(&settings.fill(OPERATOR_INDEX), HTML)
}
