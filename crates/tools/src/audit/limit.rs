use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A limit that an audit has reached, so that a part of the site was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditLimit {
    SitemapFiles,
    SitemapDepth,
    SitemapFileBytes,
    SitemapBytes,
    SitemapUrls,
    KnownUrls,
    PageBytes,
    PageItems,
    HeldBytes,
    Issues,
}

impl AuditLimit {
    /// What was left out, for the person who reads the audit.
    pub fn message(self) -> &'static str {
        match self {
            Self::SitemapFiles => "The site has more than 50 sitemap files. Only the first 50 were read.",
            Self::SitemapDepth => {
                "Sitemap indexes are nested more than 3 deep. The deeper ones were not read."
            }
            Self::SitemapFileBytes => "A sitemap file is larger than 4 MiB. Only its beginning was read.",
            Self::SitemapBytes => "The sitemaps are larger than 32 MiB together. The rest was not read.",
            Self::SitemapUrls => "The sitemaps list more than 10,000 URLs. Only the first ones were used.",
            Self::KnownUrls => {
                "The site has more URLs than an audit can remember (20,000), so `left_out` is an estimate."
            }
            Self::PageBytes => "A page is larger than 2 MiB. Only its beginning was read.",
            Self::PageItems => {
                "A page has very many links, images or other items. Only the first ones were checked."
            }
            Self::HeldBytes => {
                "The pages have more content than one audit can hold (14 MiB), so it ended before `max_pages`. \
                 Start another audit with the `start_url` of a part of the site."
            }
            Self::Issues => {
                "There are more than 20,000 issues. All are counted, but only the most severe are listed."
            }
        }
    }
}
