//! How mails are sent.

use clap::Args;
use svc_mcp_access::Secret;

use super::values::secret;

/// How report mails are sent.
#[derive(Debug, Clone, Args)]
pub struct MailArgs {
    /// smtp://[user:password@]host[:port][?tls=required|opportunistic|none], smtps://…, or `file:DIR` to write mails
    /// into a directory; unset: no mails are sent
    #[arg(long, env = "SVC_SMTP_URL", value_name = "URL", value_parser = secret, hide_env_values = true)]
    pub smtp_url: Option<Secret>,

    /// Sender of mails, such as `Acme reports <reports@example.com>`; required with a mail server
    #[arg(long, env = "SVC_MAIL_FROM", value_name = "ADDRESS")]
    pub mail_from: Option<String>,

    /// Address for replies to mails; unset: the sender
    #[arg(long, env = "SVC_MAIL_REPLY_TO", value_name = "ADDRESS")]
    pub mail_reply_to: Option<String>,
}
