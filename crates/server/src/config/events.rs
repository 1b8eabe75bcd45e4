//! Where events are sent.

use clap::Args;
use svc_mcp_access::Secret;

use super::values::secret;

/// Where the operator gets the events of all brands.
#[derive(Debug, Clone, Args)]
pub struct EventArgs {
    /// URL that gets every event as a Standard Webhook: https, or http on this machine; the same on all instances; unset:
    /// only the endpoints of brands get events
    #[arg(long, env = "SVC_EVENTS_URL", value_name = "URL", value_parser = secret, hide_env_values = true,
        requires = "events_secret")]
    pub events_url: Option<Secret>,

    /// Secret that signs these events: `whsec_` followed by 24 to 64 bytes in base64
    #[arg(long, env = "SVC_EVENTS_SECRET", value_name = "SECRET", value_parser = secret, hide_env_values = true,
        requires = "events_url")]
    pub events_secret: Option<Secret>,
}
