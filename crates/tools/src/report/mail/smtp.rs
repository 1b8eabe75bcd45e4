//! Sends emails over SMTP.

use std::{fmt, future::Future, time::Duration};

use lettre::{
    address::Envelope,
    transport::smtp::{
        Error,
        authentication::{Credentials, DEFAULT_MECHANISMS},
        client::{AsyncSmtpConnection, TlsParameters},
        commands::{Data, Mail, Rcpt},
        extension::ClientId,
    },
};
use tokio::time::timeout;

use super::MailError;
use crate::report::format::one_line;

const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);
/// For the response to the content of the email: some servers scan it first.
const DATA_TIMEOUT: Duration = Duration::from_mins(5);
/// Longer responses are truncated.
const MAX_REPLY_CHARS: usize = 500;

/// The address of a mail server and how to connect to it.
pub(super) struct Smtp {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) security: Security,
    pub(super) credentials: Option<Credentials>,
    /// The name for the `EHLO` command.
    pub(super) name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Security {
    /// TLS from the first byte.
    Tls,
    /// STARTTLS is required.
    StartTls,
    /// STARTTLS is used if the server offers it.
    Opportunistic,
    None,
}

/// A connection on which the server accepted sender and recipient.
pub(super) struct Session(AsyncSmtpConnection);

impl Smtp {
    /// Does everything up to the `DATA` command.
    pub(super) async fn prepare(&self, envelope: &Envelope) -> Result<Session, MailError> {
        let mut connection = self.sign_in().await?;
        match send_envelope(&mut connection, envelope).await {
            Ok(()) => Ok(Session(connection)),
            Err(error) => {
                quit(connection).await;
                Err(error.into_mail_error())
            }
        }
    }

    pub(super) async fn check(&self) -> Result<String, MailError> {
        quit(self.sign_in().await?).await;
        Ok(format!("{}:{}", self.host, self.port))
    }

    /// An error before `MAIL FROM` is a problem of the server or the settings, which can be fixed.
    async fn sign_in(&self) -> Result<AsyncSmtpConnection, MailError> {
        let retry = |what: &str| {
            let what = what.to_owned();
            move |error: StepError| MailError::Retry(format!("{what}: {}", error.message()))
        };
        let mut connection =
            step(self.connect()).await.map_err(retry("the mail server cannot be reached"))?;
        if let Some(credentials) = &self.credentials {
            let login = step(connection.auth(DEFAULT_MECHANISMS, credentials)).await;
            if let Err(error) = login {
                quit(connection).await;
                return Err(retry("the mail server refused the login")(error));
            }
        }
        Ok(connection)
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Error> {
        let name = ClientId::Domain(self.name.clone());
        let tls = || TlsParameters::new(self.host.clone());
        let tls_on_connect = if self.security == Security::Tls { Some(tls()?) } else { None };
        let server = (self.host.as_str(), self.port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, Some(COMMAND_TIMEOUT), &name, tls_on_connect, None)
                .await?;
        let use_starttls = match self.security {
            Security::Tls | Security::None => false,
            Security::StartTls => true,
            Security::Opportunistic => connection.can_starttls(),
        };
        if use_starttls {
            connection.starttls(tls()?, &name).await?;
        }
        Ok(connection)
    }
}

async fn send_envelope(connection: &mut AsyncSmtpConnection, envelope: &Envelope) -> Result<(), StepError> {
    step(connection.command(Mail::new(envelope.from().cloned(), Vec::new()))).await?;
    for recipient in envelope.to() {
        step(connection.command(Rcpt::new(recipient.clone(), Vec::new()))).await?;
    }
    Ok(())
}

impl Session {
    pub(super) async fn send(self, email: &[u8]) -> Result<String, MailError> {
        let mut connection = self.0;
        // Before the server accepts `DATA`, nothing of the email is sent.
        if let Err(error) = step(connection.command(Data)).await {
            quit(connection).await;
            return Err(error.into_mail_error());
        }
        let response = match timeout(DATA_TIMEOUT, connection.message(email)).await {
            Ok(response) => response.map_err(StepError::Smtp),
            Err(_) => Err(StepError::Timeout),
        };
        match response {
            Ok(response) => {
                quit(connection).await;
                let lines: Vec<&str> = response.message().collect();
                Ok(one_line(&format!("{} {}", response.code(), lines.join(" ")), MAX_REPLY_CHARS))
            }
            Err(error) if error.is_response() => {
                quit(connection).await;
                Err(error.into_mail_error())
            }
            // The connection ended after `DATA`: the server may have accepted the email.
            Err(error) => Err(MailError::Unknown(format!(
                "The connection ended before the mail server said whether it accepted the email: {}",
                error.message()
            ))),
        }
    }
}

enum StepError {
    Smtp(Error),
    Timeout,
}

impl StepError {
    /// Whether the server responded with an error.
    fn is_response(&self) -> bool {
        matches!(self, Self::Smtp(error) if error.status().is_some())
    }

    fn into_mail_error(self) -> MailError {
        match &self {
            Self::Smtp(error) if error.is_permanent() => MailError::Refused(self.message()),
            _ => MailError::Retry(self.message()),
        }
    }

    /// The server's own message if there is one.
    fn message(&self) -> String {
        let message = match self {
            Self::Timeout => "the server did not answer in time".to_owned(),
            Self::Smtp(error) => match (error.status(), std::error::Error::source(error)) {
                (Some(code), Some(message)) => format!("{code} {message}"),
                (Some(code), None) => code.to_string(),
                (None, _) => error.to_string(),
            },
        };
        one_line(&message, MAX_REPLY_CHARS)
    }
}

async fn step<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, StepError> {
    match timeout(COMMAND_TIMEOUT, work).await {
        Ok(done) => done.map_err(StepError::Smtp),
        Err(_) => Err(StepError::Timeout),
    }
}

/// Closes the session politely. Nothing depends on it, so the timeout is short.
async fn quit(mut connection: AsyncSmtpConnection) {
    let _ = timeout(Duration::from_secs(2), connection.quit()).await;
}

impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Smtp")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("security", &self.security)
            .field("signs_in", &self.credentials.is_some())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Session")
    }
}
