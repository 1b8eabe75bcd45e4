//! How people sign in to the settings page.

use clap::Args;

use svc_mcp_access::Secret;

use super::values::{issuer_url, page_url, secret};
use crate::oidc::OidcSettings;

#[derive(Debug, Clone, Args)]
pub struct SignInArgs {
    /// Address of the application's own page where a person without a session signs in; unset: the settings page explains how
    #[arg(long, env = "SVC_LOGIN_URL", value_name = "URL", value_parser = page_url)]
    pub login_url: Option<String>,

    /// OpenID Connect provider with which people sign in, exactly as it names itself: https, or http on this machine; unset: none
    #[arg(long, env = "SVC_OIDC_ISSUER", value_name = "URL", value_parser = issuer_url,
        requires_all = ["oidc_client_id", "oidc_client_secret"])]
    pub oidc_issuer: Option<String>,

    /// Client id of this service at the provider
    #[arg(long, env = "SVC_OIDC_CLIENT_ID", value_name = "TEXT", requires_all = ["oidc_issuer", "oidc_client_secret"])]
    pub oidc_client_id: Option<String>,

    /// Client secret of this service at the provider
    #[arg(long, env = "SVC_OIDC_CLIENT_SECRET", value_name = "SECRET", value_parser = secret, hide_env_values = true,
        requires_all = ["oidc_issuer", "oidc_client_id"])]
    pub oidc_client_secret: Option<Secret>,
}

impl SignInArgs {
    /// `None`: nobody signs in with OpenID Connect.
    pub(crate) fn oidc(&self) -> Option<OidcSettings> {
        Some(OidcSettings {
            issuer: self.oidc_issuer.clone()?,
            client_id: self.oidc_client_id.clone()?,
            client_secret: self.oidc_client_secret.clone()?,
        })
    }
}
