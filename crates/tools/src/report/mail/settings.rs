//! The mail settings of the operator.

use lettre::{message::Mailbox, transport::smtp::authentication::Credentials};
use svc_mcp_access::Secret;
use url::Url;

use super::{
    Mailer, Transport,
    directory::Directory,
    smtp::{Security, Smtp},
};
use crate::{outage::Outage, report::EmailAddress};

/// The settings as the operator wrote them.
#[derive(Debug, Clone)]
pub struct MailSettings {
    /// `smtp://[user:password@]host[:port][?tls=required|opportunistic|none]`, `smtps://…`, or `file:` and a directory.
    pub url: Secret,
    /// `Name <name@example.com>`. Required for a mail server.
    pub from: Option<String>,
    pub reply_to: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MailSettingsError {
    #[error("SVC_SMTP_URL: must be smtp://[user:password@]host[:port], smtps://… or file: and a directory")]
    Url,
    #[error("SVC_SMTP_URL: `tls` must be required, opportunistic or none, and smtps:// takes no `tls`")]
    Tls,
    #[error("SVC_SMTP_URL: set both user and password, and percent-encode : / @ and % in them")]
    Credentials,
    #[error("SVC_SMTP_URL: a password must not be sent without TLS: use smtps:// or ?tls=required")]
    PasswordInClear,
    #[error("SVC_MAIL_FROM: is required with SVC_SMTP_URL, such as `Acme reports <reports@example.com>`")]
    NoFrom,
    #[error("{0}: must be an address such as `Acme reports <reports@example.com>`")]
    Mailbox(&'static str),
}

impl MailSettings {
    pub fn mailer(&self) -> Result<Mailer, MailSettingsError> {
        let url = self.url.expose();
        let directory = url.strip_prefix("file:");
        let from = match (&self.from, directory) {
            (Some(from), _) => parse_mailbox(from, "SVC_MAIL_FROM")?,
            // No email leaves the machine, so the sender does not matter.
            (None, Some(_)) => parse_mailbox("svc-mcp <reports@svc-mcp.invalid>", "SVC_MAIL_FROM")?,
            (None, None) => return Err(MailSettingsError::NoFrom),
        };
        let transport = match directory {
            Some(path) => Transport::Directory(parse_directory(path)?),
            None => Transport::Smtp(parse_server(url, from.email.domain())?),
        };
        let reply_to =
            self.reply_to.as_deref().map(|text| parse_mailbox(text, "SVC_MAIL_REPLY_TO")).transpose()?;
        let outage =
            Outage::of_seldom_used("mail", "the mail server does not accept emails; they are tried again");
        Ok(Mailer { from, reply_to, transport, outage })
    }
}

fn parse_mailbox(text: &str, variable: &'static str) -> Result<Mailbox, MailSettingsError> {
    let error = MailSettingsError::Mailbox(variable);
    if text.chars().any(char::is_control) {
        return Err(error);
    }
    let mailbox: Mailbox = text.parse().map_err(|_| error.clone())?;
    mailbox.email.to_string().parse::<EmailAddress>().map_err(|_| error)?;
    Ok(mailbox)
}

fn parse_directory(path: &str) -> Result<Directory, MailSettingsError> {
    let path = path.strip_prefix("//").unwrap_or(path);
    if path.is_empty() || path.contains('\0') {
        Err(MailSettingsError::Url)
    } else {
        Ok(Directory(path.into()))
    }
}

fn parse_server(url: &str, name: &str) -> Result<Smtp, MailSettingsError> {
    use MailSettingsError as Error;
    let url = Url::parse(url).map_err(|_| Error::Url)?;
    let host = url.host_str().filter(|host| !host.is_empty()).ok_or(Error::Url)?;
    if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
        return Err(Error::Url);
    }
    let mut tls = None;
    for (name, value) in url.query_pairs() {
        if name != "tls" || tls.is_some() {
            return Err(Error::Tls);
        }
        tls = Some(value.into_owned());
    }
    let credentials = credentials(&url)?;
    let (security, port) = match (url.scheme(), tls.as_deref()) {
        ("smtps", None) => (Security::Tls, 465),
        ("smtp", Some("required")) => (Security::StartTls, 587),
        ("smtp", Some("none")) => (Security::None, 25),
        ("smtp", None) if credentials.is_some() => (Security::StartTls, 587),
        ("smtp", None | Some("opportunistic")) => (Security::Opportunistic, 25),
        ("smtp" | "smtps", Some(_)) => return Err(Error::Tls),
        _ => return Err(Error::Url),
    };
    if credentials.is_some() && matches!(security, Security::Opportunistic | Security::None) {
        return Err(Error::PasswordInClear);
    }
    let port = url.port().unwrap_or(port);
    // `Url` writes an IPv6 host in brackets; a socket address has none.
    let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    Ok(Smtp { host, port, security, credentials, name: name.to_owned() })
}

fn credentials(url: &Url) -> Result<Option<Credentials>, MailSettingsError> {
    match (url.username(), url.password()) {
        ("", None) => Ok(None),
        (user, Some(password)) if !user.is_empty() => {
            let (user, password) =
                decoded(user).zip(decoded(password)).ok_or(MailSettingsError::Credentials)?;
            Ok(Some(Credentials::new(user, password)))
        }
        _ => Err(MailSettingsError::Credentials),
    }
}

fn decoded(text: &str) -> Option<String> {
    percent_encoding::percent_decode_str(text).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(url: &str) -> MailSettings {
        let from = Some("Acme reports <reports@acme.example>".to_owned());
        MailSettings { url: Secret::new(url.to_owned()), from, reply_to: None }
    }

    fn smtp(url: &str) -> (String, u16, Security) {
        match settings(url).mailer().unwrap().transport {
            Transport::Smtp(smtp) => (smtp.host, smtp.port, smtp.security),
            Transport::Directory(_) => panic!("{url} is a server"),
        }
    }

    #[test]
    fn scheme_and_query_select_port_and_encryption() {
        for (url, host, port, security) in [
            ("smtp://mail.example", "mail.example", 25, Security::Opportunistic),
            ("smtp://127.0.0.1:2525?tls=none", "127.0.0.1", 2525, Security::None),
            ("smtp://[::1]:2525", "::1", 2525, Security::Opportunistic),
            ("smtp://ada:p%40ss@mail.example", "mail.example", 587, Security::StartTls),
            ("smtp://mail.example?tls=required", "mail.example", 587, Security::StartTls),
            ("smtps://ada:pass@mail.example/", "mail.example", 465, Security::Tls),
        ] {
            assert_eq!(smtp(url), (host.to_owned(), port, security), "{url}");
        }
    }

    #[test]
    fn invalid_settings_are_reported_without_the_password() {
        use MailSettingsError as Error;
        for (url, error) in [
            ("mail.example", Error::Url),
            ("http://mail.example", Error::Url),
            ("smtp://mail.example/name", Error::Url),
            ("file:", Error::Url),
            ("smtp://mail.example?tls=maybe", Error::Tls),
            ("smtps://mail.example?tls=none", Error::Tls),
            ("smtp://mail.example?ssl=1", Error::Tls),
            ("smtp://ada@mail.example", Error::Credentials),
            ("smtp://:pass@mail.example", Error::Credentials),
            ("smtp://ada:pass@mail.example?tls=none", Error::PasswordInClear),
            ("smtp://ada:pass@mail.example?tls=opportunistic", Error::PasswordInClear),
        ] {
            let reported = settings(url).mailer().unwrap_err();
            assert_eq!(reported, error, "{url}");
            assert!(!reported.to_string().contains("pass@"), "{reported}");
        }
        let without_sender = MailSettings { from: None, ..settings("smtp://mail.example") };
        assert_eq!(without_sender.mailer().unwrap_err(), Error::NoFrom);
        for from in
            ["reports", "a@b.example\r\nBcc: c@d.example", "Reports <reports@acme.example>, eve@x.example"]
        {
            let settings = MailSettings { from: Some(from.into()), ..settings("smtp://mail.example") };
            assert_eq!(settings.mailer().unwrap_err(), Error::Mailbox("SVC_MAIL_FROM"), "{from:?}");
        }
        assert!(MailSettings { from: None, ..settings("file:./mail") }.mailer().is_ok());
    }

    #[test]
    fn debug_output_hides_the_password() {
        let shown = format!("{:?}", settings("smtps://ada:hunter2@mail.example").mailer().unwrap());
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
