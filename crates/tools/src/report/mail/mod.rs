//! Handing mails over: to a mail server, or into a directory.
//!
//! In two steps, so that a mark can be committed between them: [`Mailer::prepare`] goes as far as one can without the
//! mail being anybody else's, [`Ready::hand_over`] gives it away. Who dies before the mark has sent nothing.

mod directory;
mod letter;
mod settings;
mod smtp;

pub use letter::{Letter, UnfitLetter};
use lettre::message::Mailbox;
pub use settings::{MailSettings, UnreadableMailSettings};

use self::{directory::Directory, smtp::Smtp};

/// Where mails go, and who they are from.
#[derive(Debug)]
pub struct Mailer {
    from: Mailbox,
    reply_to: Option<Mailbox>,
    way: Way,
}

#[derive(Debug)]
enum Way {
    Smtp(Smtp),
    Directory(Directory),
}

/// A mail that the other side is ready to take.
#[derive(Debug)]
pub struct Ready {
    bytes: Vec<u8>,
    to: ReadyWay,
}

#[derive(Debug)]
enum ReadyWay {
    Smtp(Box<smtp::Session>),
    Directory(directory::Place),
}

/// Why a mail was not handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailFault {
    /// It was not taken, and may be another time.
    Later(String),
    /// It was refused for good.
    Refused(String),
    /// The other side may have taken it or not: it was gone before it said.
    Unknown(String),
}

impl Mailer {
    pub async fn prepare(&self, letter: &Letter) -> Result<Ready, MailFault> {
        let unfit = |fault: UnfitLetter| MailFault::Refused(fault.to_string());
        let message = letter.message(&self.from, self.reply_to.as_ref()).map_err(unfit)?;
        let to = match &self.way {
            Way::Smtp(smtp) => ReadyWay::Smtp(Box::new(smtp.prepare(message.envelope()).await?)),
            Way::Directory(directory) => ReadyWay::Directory(directory.prepare(letter.id()).await?),
        };
        Ok(Ready { bytes: message.formatted(), to })
    }
}

impl Ready {
    /// Gives the mail away. The answer is the other side's, bounded.
    pub async fn hand_over(self) -> Result<String, MailFault> {
        match self.to {
            ReadyWay::Smtp(session) => session.hand_over(&self.bytes).await,
            ReadyWay::Directory(place) => place.hand_over(&self.bytes).await,
        }
    }
}
