//! Emails about one key: it expires soon, or it was reported as leaked.

mod email;
mod notice;

pub(crate) use email::key_notice_email;
pub use notice::{CancelledWork, KeyNotice, KeyNoticeRecords, MAX_SOURCE_CHARS, clean_source};
