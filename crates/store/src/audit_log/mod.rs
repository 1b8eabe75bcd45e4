//! The audit log: what members, administrators, operators and commands have changed.
//!
//! A record commits in the transaction of its change. Records are numbered without gaps, and each holds the hash of the one
//! before, so that a record that is changed, removed or added later is found. They hold names of fields and plain values, but no
//! secrets, no texts that people wrote, and no mail addresses. Users and brands are references (`names.rs`), so that an
//! erasure changes no record.

mod action;
mod add;
mod fields;
mod names;
mod pages;
mod record;
mod tool_changes;
mod verify;

pub use action::AuditAction;
pub(crate) use add::NewAuditRecord;
pub(crate) use fields::{
    Fields, of_approval_settings, of_brand, of_channel, of_event_endpoint, of_key, of_member, of_plan,
    of_suspension,
};
pub(crate) use names::{forget_brand, forget_user};
pub use record::{AuditRecord, AuditReferences, AuditTarget};
pub(crate) use record::{RecordRow, SELECT_RECORDS};
pub(crate) use tool_changes::records_of;
pub use verify::{AuditFault, AuditHead, VerifiedAuditLog};
