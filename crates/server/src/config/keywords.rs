//! The provider of search volumes.

use clap::Args;
use svc_mcp_access::Secret;

use super::values::secret;

/// The provider of search volumes.
#[derive(Debug, Clone, Args)]
pub struct KeywordArgs {
    /// URL of the keyword provider; docs/api.md describes its JSON; unset: no provider
    #[arg(long, env = "SVC_KEYWORD_PROVIDER_URL", value_name = "URL", value_parser = secret, hide_env_values = true)]
    pub keyword_provider_url: Option<Secret>,

    /// Token for the provider, sent as `Authorization: Bearer …`
    #[arg(long, env = "SVC_KEYWORD_PROVIDER_TOKEN", value_name = "TOKEN", value_parser = secret, hide_env_values = true)]
    pub keyword_provider_token: Option<Secret>,
}
