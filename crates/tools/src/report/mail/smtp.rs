//! A mail server.

use std::{fmt, future::Future, time::Duration};

use lettre::{
    Address,
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

use super::{super::words::one_line, MailFault};

/// How long the server may take to answer a command.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long it may take to say that it has the mail. Some look into it before they answer.
const PATIENCE_WITH_MAIL: Duration = Duration::from_mins(5);
/// The most of an answer that is kept.
const LONGEST_ANSWER: usize = 500;

/// Where the server is and how it is spoken to.
pub(super) struct Smtp {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) security: Security,
    pub(super) credentials: Option<Credentials>,
    /// What this side calls itself.
    pub(super) name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Security {
    /// TLS from the first byte.
    Tls,
    /// TLS by STARTTLS, or nothing is sent.
    StartTls,
    /// TLS by STARTTLS where the server offers it.
    Opportunistic,
    None,
}

/// A connection on which the server has accepted sender and recipient.
pub(super) struct Session(AsyncSmtpConnection);

impl Smtp {
    /// Goes up to the point where the next step would give the mail away.
    pub(super) async fn prepare(&self, envelope: &Envelope) -> Result<Session, MailFault> {
        // Whatever is wrong before a mail is named is wrong with the server or the settings: it may be mended.
        let later = |what: &str| {
            let what = what.to_owned();
            move |error: StepError| MailFault::Later(format!("{what}: {}", error.words()))
        };
        let mut connection =
            step(self.connect()).await.map_err(later("the mail server cannot be reached"))?;
        if let Some(credentials) = &self.credentials {
            let signed_in = step(connection.auth(DEFAULT_MECHANISMS, credentials)).await;
            if let Err(error) = signed_in {
                hang_up(connection).await;
                return Err(later("the mail server does not let us in")(error));
            }
        }
        match address(&mut connection, envelope).await {
            Ok(()) => Ok(Session(connection)),
            Err(error) => {
                hang_up(connection).await;
                Err(error.fault())
            }
        }
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Error> {
        let name = ClientId::Domain(self.name.clone());
        let tls = || TlsParameters::new(self.host.clone());
        let at_once = if self.security == Security::Tls { Some(tls()?) } else { None };
        let server = (self.host.as_str(), self.port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, Some(PATIENCE), &name, at_once, None).await?;
        let wanted = match self.security {
            Security::Tls | Security::None => false,
            Security::StartTls => true,
            Security::Opportunistic => connection.can_starttls(),
        };
        if wanted {
            connection.starttls(tls()?, &name).await?;
        }
        Ok(connection)
    }
}

async fn address(connection: &mut AsyncSmtpConnection, envelope: &Envelope) -> Result<(), StepError> {
    step(connection.command(Mail::new(envelope.from().cloned(), Vec::new()))).await?;
    for recipient in envelope.to() {
        let recipient: Address = recipient.clone();
        step(connection.command(Rcpt::new(recipient, Vec::new()))).await?;
    }
    Ok(())
}

impl Session {
    pub(super) async fn hand_over(self, mail: &[u8]) -> Result<String, MailFault> {
        let mut connection = self.0;
        // Until the server has said "go ahead", nothing of the mail has left.
        if let Err(error) = step(connection.command(Data)).await {
            hang_up(connection).await;
            return Err(error.fault());
        }
        let answered = match timeout(PATIENCE_WITH_MAIL, connection.message(mail)).await {
            Ok(answered) => answered.map_err(StepError::Smtp),
            Err(_) => Err(StepError::Silence),
        };
        match answered {
            Ok(answer) => {
                hang_up(connection).await;
                let words: Vec<&str> = answer.message().collect();
                Ok(one_line(&format!("{} {}", answer.code(), words.join(" ")), LONGEST_ANSWER))
            }
            Err(error) if error.is_answer() => {
                hang_up(connection).await;
                Err(error.fault())
            }
            // Cut off with the mail under way: the server may have it.
            Err(error) => Err(MailFault::Unknown(format!(
                "The connection ended before the mail server said whether it took the mail: {}",
                error.words()
            ))),
        }
    }
}

/// What can go wrong with one command.
enum StepError {
    Smtp(Error),
    Silence,
}

impl StepError {
    /// Whether the server said no, rather than nothing.
    fn is_answer(&self) -> bool {
        matches!(self, Self::Smtp(error) if error.status().is_some())
    }

    fn fault(&self) -> MailFault {
        match self {
            Self::Smtp(error) if error.is_permanent() => MailFault::Refused(self.words()),
            _ => MailFault::Later(self.words()),
        }
    }

    /// The server's own words where there are some.
    fn words(&self) -> String {
        let words = match self {
            Self::Silence => "it takes too long to answer".to_owned(),
            Self::Smtp(error) => match (error.status(), std::error::Error::source(error)) {
                (Some(code), Some(said)) => format!("{code} {said}"),
                (Some(code), None) => code.to_string(),
                (None, _) => error.to_string(),
            },
        };
        one_line(&words, LONGEST_ANSWER)
    }
}

async fn step<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, StepError> {
    match timeout(PATIENCE, work).await {
        Ok(done) => done.map_err(StepError::Smtp),
        Err(_) => Err(StepError::Silence),
    }
}

/// A courtesy: nothing depends on it, so it gets little time.
async fn hang_up(mut connection: AsyncSmtpConnection) {
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
