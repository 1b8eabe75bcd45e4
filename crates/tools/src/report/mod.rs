//! The report: what happened in a period against the one before, as an email that goes to people who asked for it.
//!
//! [`figures`] are read, [`compose`] words and draws them, [`mail`] hands them over.

mod address;
pub mod compose;
mod content;
mod figures;
pub mod mail;
mod period;
mod words;

pub use address::{Address, InvalidAddress};
pub use content::{Content, LONGEST_NOTE, Section};
pub use figures::{AuditFigures, AuditState, ChannelFigures, Compared, Figures, LatestPost, TopIssue};
pub use period::{InvalidPeriod, Period, Span};
