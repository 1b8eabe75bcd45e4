use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such check")]
pub struct UnknownCode;

/// The name of each check, once: the type, its JSON and its schema come from this list.
macro_rules! codes {
    ($($name:ident = $text:literal),+ $(,)?) => {
        /// What is wrong.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum Code {
            $(#[serde(rename = $text)] $name,)+
        }

        impl Code {
            pub const ALL: &[Self] = &[$(Self::$name),+];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }

        impl std::str::FromStr for Code {
            type Err = UnknownCode;

            fn from_str(text: &str) -> Result<Self, UnknownCode> {
                Self::ALL.iter().copied().find(|code| code.as_str() == text).ok_or(UnknownCode)
            }
        }
    };
}

codes! {
    Http4xx = "http_4xx",
    Http5xx = "http_5xx",
    Timeout = "timeout",
    RedirectLoop = "redirect_loop",
    BrokenInternalLink = "broken_internal_link",
    TitleMissing = "title_missing",
    TitleDuplicate = "title_duplicate",
    CanonicalToError = "canonical_to_error",
    CanonicalToRedirect = "canonical_to_redirect",
    CanonicalToNoindex = "canonical_to_noindex",
    SitemapUrlError = "sitemap_url_error",
    SitemapUrlNoindex = "sitemap_url_noindex",
    RobotsBlocksSite = "robots_blocks_site",
    MixedContent = "mixed_content",
    HttpScheme = "http_scheme",
    HreflangToError = "hreflang_to_error",
    RedirectChain = "redirect_chain",
    MetaRefresh = "meta_refresh",
    TitleShort = "title_short",
    TitleLong = "title_long",
    TitleMultiple = "title_multiple",
    DescriptionMissing = "description_missing",
    DescriptionDuplicate = "description_duplicate",
    H1Missing = "h1_missing",
    HeadingOrder = "heading_order",
    ThinContent = "thin_content",
    DuplicateContent = "duplicate_content",
    ImageAltMissing = "image_alt_missing",
    CanonicalMultiple = "canonical_multiple",
    CanonicalRelative = "canonical_relative",
    CanonicalHeaderMismatch = "canonical_header_mismatch",
    HreflangNoReturn = "hreflang_no_return",
    HreflangNoSelf = "hreflang_no_self",
    HreflangBadCode = "hreflang_bad_code",
    JsonldInvalid = "jsonld_invalid",
    SitemapMissing = "sitemap_missing",
    SitemapUrlBlocked = "sitemap_url_blocked",
    OrphanPage = "orphan_page",
    ViewportMissing = "viewport_missing",
    SlowTtfb = "slow_ttfb",
    InsecureForm = "insecure_form",
    AiSearchBotBlocked = "ai_search_bot_blocked",
    DescriptionLong = "description_long",
    H1Multiple = "h1_multiple",
    LangMissing = "lang_missing",
    HreflangNoXdefault = "hreflang_no_xdefault",
    OgMissing = "og_missing",
    TwitterCardMissing = "twitter_card_missing",
    JsonldMissing = "jsonld_missing",
    ExternalLinkBroken = "external_link_broken",
    InternalNofollow = "internal_nofollow",
    NondescriptiveAnchor = "nondescriptive_anchor",
    DeepPage = "deep_page",
    UrlUnderscore = "url_underscore",
    UrlUppercase = "url_uppercase",
    ImgNoDimensions = "img_no_dimensions",
    HstsMissing = "hsts_missing",
    CspMissing = "csp_missing",
    NosniffMissing = "nosniff_missing",
    RobotsTxtMissing = "robots_txt_missing",
    LlmsTxtMalformed = "llms_txt_malformed",
    AiTrainingBotBlocked = "ai_training_bot_blocked",
}
