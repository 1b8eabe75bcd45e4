//! How the settings page looks, and where it may be shown.

use clap::Args;

use super::{
    accent::Accent,
    values::{embedding_origin, https_url, page_name, page_url},
};

#[derive(Debug, Clone, Args)]
pub struct PageArgs {
    /// Origins whose pages may show the settings page in a frame, separated by commas (https, or http on this machine); unset:
    /// none
    #[arg(long, env = "SVC_FRAME_ANCESTORS", value_name = "ORIGINS", value_delimiter = ',', value_parser = embedding_origin)]
    pub frame_ancestors: Vec<String>,

    /// Name in the header of the settings page, 1 to 60 characters; unset: Settings
    #[arg(long, env = "SVC_PAGE_NAME", value_name = "NAME", value_parser = page_name)]
    pub page_name: Option<String>,

    /// Address of the logo in the header of the settings page (https); unset: the service's own icon
    #[arg(long, env = "SVC_PAGE_LOGO_URL", value_name = "URL", value_parser = https_url)]
    pub page_logo_url: Option<String>,

    /// Accent colour of the settings page, such as #2b59c3; unset: blue
    #[arg(long, env = "SVC_PAGE_ACCENT", value_name = "COLOUR")]
    pub page_accent: Option<Accent>,

    /// Address that the settings page has a link back to; unset: no link
    #[arg(long, env = "SVC_PAGE_BACK_URL", value_name = "URL", value_parser = page_url)]
    pub page_back_url: Option<String>,
}
