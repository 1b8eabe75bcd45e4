use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// What is wrong.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::EnumString,
    strum::IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Code {
    #[serde(rename = "http_4xx")]
    #[strum(serialize = "http_4xx")]
    Http4xx,
    #[serde(rename = "http_5xx")]
    #[strum(serialize = "http_5xx")]
    Http5xx,
    Timeout,
    RedirectLoop,
    BrokenInternalLink,
    TitleMissing,
    TitleDuplicate,
    CanonicalToError,
    CanonicalToRedirect,
    CanonicalToNoindex,
    SitemapUrlError,
    SitemapUrlNoindex,
    RobotsBlocksSite,
    MixedContent,
    HttpScheme,
    HreflangToError,
    RedirectChain,
    MetaRefresh,
    TitleShort,
    TitleLong,
    TitleMultiple,
    DescriptionMissing,
    DescriptionDuplicate,
    H1Missing,
    HeadingOrder,
    ThinContent,
    DuplicateContent,
    ImageAltMissing,
    ImageBroken,
    CanonicalMultiple,
    CanonicalRelative,
    CanonicalHeaderMismatch,
    HreflangNoReturn,
    HreflangNoSelf,
    HreflangBadCode,
    JsonldInvalid,
    SitemapMissing,
    SitemapUrlBlocked,
    OrphanPage,
    ViewportMissing,
    SlowTtfb,
    InsecureForm,
    AiSearchBotBlocked,
    DescriptionLong,
    H1Multiple,
    LangMissing,
    HreflangNoXdefault,
    OgMissing,
    TwitterCardMissing,
    JsonldMissing,
    ExternalLinkBroken,
    InternalNofollow,
    NondescriptiveAnchor,
    DeepPage,
    UrlUnderscore,
    UrlUppercase,
    ImgNoDimensions,
    HstsMissing,
    CspMissing,
    NosniffMissing,
    RobotsTxtMissing,
    LlmsTxtMalformed,
    AiTrainingBotBlocked,
}

impl Code {
    pub const ALL: &[Self] = Self::VARIANTS;

    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
