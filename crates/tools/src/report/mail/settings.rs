//! How the operator says where mails go.

use lettre::{message::Mailbox, transport::smtp::authentication::Credentials};
use svc_mcp_access::Secret;
use url::Url;

use super::{
    Mailer, Way,
    directory::Directory,
    smtp::{Security, Smtp},
};

/// What is set, as it was written.
#[derive(Debug, Clone)]
pub struct MailSettings {
    /// `smtp://[user:password@]host[:port][?tls=required|opportunistic|none]`, `smtps://…`, or `file:` and a directory.
    pub url: Secret,
    /// `Name <name@example.com>`. Needed unless mails go into a directory.
    pub from: Option<String>,
    pub reply_to: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnreadableMailSettings {
    #[error("SVC_SMTP_URL: must be smtp://[user:password@]host[:port], smtps://… or file: and a directory")]
    Url,
    #[error("SVC_SMTP_URL: `tls` must be required, opportunistic or none, and smtps:// takes no `tls`")]
    Tls,
    #[error("SVC_SMTP_URL: user and password must come together, percent-encoded where they hold : / @ or %")]
    Credentials,
    #[error("SVC_SMTP_URL: a password must not travel in clear: use smtps:// or ?tls=required")]
    PasswordInClear,
    #[error("SVC_MAIL_FROM: is needed with SVC_SMTP_URL, such as `Acme reports <reports@example.com>`")]
    NoFrom,
    #[error("{0}: must be an address such as `Acme reports <reports@example.com>`")]
    Mailbox(&'static str),
}

impl MailSettings {
    pub fn mailer(&self) -> Result<Mailer, UnreadableMailSettings> {
        let url = self.url.expose();
        let directory = url.strip_prefix("file:");
        let from = match (&self.from, directory) {
            (Some(from), _) => mailbox(from, "SVC_MAIL_FROM")?,
            // Nothing leaves the machine: a sender that cannot be anybody's will do.
            (None, Some(_)) => mailbox("svc-mcp <reports@svc-mcp.invalid>", "SVC_MAIL_FROM")?,
            (None, None) => return Err(UnreadableMailSettings::NoFrom),
        };
        let way = match directory {
            Some(path) => Way::Directory(directory_at(path)?),
            None => Way::Smtp(server(url, from.email.domain())?),
        };
        let reply_to = self.reply_to.as_deref().map(|text| mailbox(text, "SVC_MAIL_REPLY_TO")).transpose()?;
        Ok(Mailer { from, reply_to, way })
    }
}

fn mailbox(text: &str, variable: &'static str) -> Result<Mailbox, UnreadableMailSettings> {
    let fault = UnreadableMailSettings::Mailbox(variable);
    if text.chars().any(char::is_control) {
        return Err(fault);
    }
    let mailbox: Mailbox = text.parse().map_err(|_| fault.clone())?;
    // Held to the same rules as a recipient: plain, and fit for a header.
    mailbox.email.to_string().parse::<super::super::Address>().map_err(|_| fault)?;
    Ok(mailbox)
}

fn directory_at(path: &str) -> Result<Directory, UnreadableMailSettings> {
    let path = path.strip_prefix("//").unwrap_or(path);
    if path.is_empty() || path.contains('\0') {
        Err(UnreadableMailSettings::Url)
    } else {
        Ok(Directory(path.into()))
    }
}

fn server(url: &str, name: &str) -> Result<Smtp, UnreadableMailSettings> {
    use UnreadableMailSettings as Bad;
    let url = Url::parse(url).map_err(|_| Bad::Url)?;
    let host = url.host_str().filter(|host| !host.is_empty()).ok_or(Bad::Url)?;
    if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
        return Err(Bad::Url);
    }
    let mut tls = None;
    for (name, value) in url.query_pairs() {
        if name != "tls" || tls.is_some() {
            return Err(Bad::Tls);
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
        ("smtp" | "smtps", Some(_)) => return Err(Bad::Tls),
        _ => return Err(Bad::Url),
    };
    if credentials.is_some() && matches!(security, Security::Opportunistic | Security::None) {
        return Err(Bad::PasswordInClear);
    }
    let port = url.port().unwrap_or(port);
    // `url` writes an IPv6 host in brackets; a socket wants it without.
    let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    Ok(Smtp { host, port, security, credentials, name: name.to_owned() })
}

fn credentials(url: &Url) -> Result<Option<Credentials>, UnreadableMailSettings> {
    match (url.username(), url.password()) {
        ("", None) => Ok(None),
        (user, Some(password)) if !user.is_empty() => {
            let (user, password) =
                decoded(user).zip(decoded(password)).ok_or(UnreadableMailSettings::Credentials)?;
            Ok(Some(Credentials::new(user, password)))
        }
        _ => Err(UnreadableMailSettings::Credentials),
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
        match settings(url).mailer().unwrap().way {
            Way::Smtp(smtp) => (smtp.host, smtp.port, smtp.security),
            Way::Directory(_) => panic!("{url} is a server"),
        }
    }

    #[test]
    fn a_server_is_spoken_to_as_its_address_says() {
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
    fn what_cannot_be_meant_is_told() {
        use UnreadableMailSettings as Bad;
        for (url, fault) in [
            ("mail.example", Bad::Url),
            ("http://mail.example", Bad::Url),
            ("smtp://mail.example/name", Bad::Url),
            ("file:", Bad::Url),
            ("smtp://mail.example?tls=maybe", Bad::Tls),
            ("smtps://mail.example?tls=none", Bad::Tls),
            ("smtp://mail.example?ssl=1", Bad::Tls),
            ("smtp://ada@mail.example", Bad::Credentials),
            ("smtp://:pass@mail.example", Bad::Credentials),
            ("smtp://ada:pass@mail.example?tls=none", Bad::PasswordInClear),
            ("smtp://ada:pass@mail.example?tls=opportunistic", Bad::PasswordInClear),
        ] {
            let said = settings(url).mailer().unwrap_err();
            assert_eq!(said, fault, "{url}");
            assert!(!said.to_string().contains("pass@"), "{said}");
        }
        let nobody = MailSettings { from: None, ..settings("smtp://mail.example") };
        assert_eq!(nobody.mailer().unwrap_err(), Bad::NoFrom);
        for from in
            ["reports", "a@b.example\r\nBcc: c@d.example", "Reports <reports@acme.example>, eve@x.example"]
        {
            let settings = MailSettings { from: Some(from.into()), ..settings("smtp://mail.example") };
            assert_eq!(settings.mailer().unwrap_err(), Bad::Mailbox("SVC_MAIL_FROM"), "{from:?}");
        }
        assert!(MailSettings { from: None, ..settings("file:./mail") }.mailer().is_ok());
    }

    #[test]
    fn a_password_is_not_shown() {
        let shown = format!("{:?}", settings("smtps://ada:hunter2@mail.example").mailer().unwrap());
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
