//! How people sign in to the settings page.

use clap::Args;

use super::values::page_url;

#[derive(Debug, Clone, Args)]
pub struct SignInArgs {
    /// Address of the application's own page where a person without a session signs in; unset: the settings page explains how
    #[arg(long, env = "SVC_LOGIN_URL", value_name = "URL", value_parser = page_url)]
    pub login_url: Option<String>,
}
