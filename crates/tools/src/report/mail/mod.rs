//! Sends emails to a mail server or writes them into a directory.
//!
//! Sending has two steps, so that the caller can commit between them that it is about to send: [`Mailer::prepare`] does
//! everything except sending, and [`PreparedEmail::send`] sends.

mod directory;
mod email_message;
mod settings;
mod smtp;

use std::{io, time::Instant};

pub use email_message::{EmailMessage, EmailMessageError};
use lettre::{address::Envelope, message::Mailbox};
pub use settings::{MailSettings, MailSettingsError};

use self::{directory::Directory, smtp::Smtp};
use crate::{
    log_text::without_addresses,
    outage::Outage,
    trace::{self, NewSpan},
};

/// Where emails are sent, and their sender.
#[derive(Debug)]
pub struct Mailer {
    from: Mailbox,
    reply_to: Option<Mailbox>,
    transport: Transport,
    outage: Outage,
}

#[derive(Debug)]
enum Transport {
    Smtp(Smtp),
    Directory(Directory),
}

/// An email that is ready to be sent.
#[derive(Debug)]
pub struct PreparedEmail {
    bytes: Vec<u8>,
    to: PreparedTransport,
}

#[derive(Debug)]
enum PreparedTransport {
    Smtp(Box<smtp::Session>),
    Directory(directory::PendingFile),
}

/// Why an email was not sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// Another attempt may succeed.
    #[error("{0}")]
    Retry(String),
    /// The mail server refused it permanently.
    #[error("{0}")]
    Refused(String),
    /// The connection ended before the response, so the email may have been accepted.
    #[error("{0}")]
    Unknown(String),
}

impl Mailer {
    /// Restricts emails that are stored as files to their owner.
    pub fn restrict_files(&self) -> io::Result<()> {
        match &self.transport {
            Transport::Smtp(_) => Ok(()),
            Transport::Directory(directory) => directory.restrict_files(),
        }
    }

    /// Connects and signs in as for an email, without sending one. Returns where emails go.
    pub async fn check(&self) -> Result<String, MailError> {
        match &self.transport {
            Transport::Smtp(smtp) => smtp.check().await,
            Transport::Directory(directory) => directory.check(),
        }
    }

    /// Deletes the files of these emails, if emails are stored as files.
    pub async fn delete_files(&self, ids: Vec<String>) -> io::Result<()> {
        match &self.transport {
            Transport::Smtp(_) => Ok(()),
            Transport::Directory(directory) => directory.delete_files(ids).await,
        }
    }

    pub async fn prepare(&self, email: &EmailMessage) -> Result<PreparedEmail, MailError> {
        let refused = |error: EmailMessageError| MailError::Refused(error.to_string());
        let message = email.build(&self.from, self.reply_to.as_ref()).map_err(refused)?;
        let to = self.transport.prepare(message.envelope(), email.id());
        // Boxed: the future of a connection is large.
        let to = traced("mail connect", Box::pin(to)).await;
        match &to {
            // A server that refuses one recipient works.
            Ok(_) | Err(MailError::Refused(_)) => self.outage.succeeded(Instant::now()),
            Err(error) => self.outage.failed(Instant::now(), &without_addresses(&error.to_string())),
        }
        Ok(PreparedEmail { bytes: message.formatted(), to: to? })
    }
}

impl Transport {
    async fn prepare(&self, envelope: &Envelope, id: &str) -> Result<PreparedTransport, MailError> {
        Ok(match self {
            Self::Smtp(smtp) => PreparedTransport::Smtp(Box::new(smtp.prepare(envelope).await?)),
            Self::Directory(directory) => PreparedTransport::Directory(directory.prepare(id).await?),
        })
    }
}

impl PreparedEmail {
    /// Sends the email and returns the truncated response.
    pub async fn send(self) -> Result<String, MailError> {
        let sending = async {
            match self.to {
                PreparedTransport::Smtp(session) => session.send(&self.bytes).await,
                PreparedTransport::Directory(file) => file.write(self.bytes).await,
            }
        };
        traced("mail send", Box::pin(sending)).await
    }
}

/// Runs a step of sending in a span.
async fn traced<T>(
    name: &'static str,
    step: impl Future<Output = Result<T, MailError>>,
) -> Result<T, MailError> {
    let step = async {
        let result = step.await;
        match &result {
            Ok(_) => {}
            Err(MailError::Retry(_)) => trace::fail("retry"),
            Err(MailError::Refused(_)) => trace::fail("refused"),
            Err(MailError::Unknown(_)) => trace::fail("unknown"),
        }
        result
    };
    trace::in_span(|| NewSpan::client(name), step).await
}
