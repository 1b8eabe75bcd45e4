//! Everything that the store knows of a user, and how it is erased.
//!
//! One list names every column that can hold a user id, a name or a mail address. A test compares it with the schema, so
//! that a new column cannot be forgotten.

mod erasure;
mod open_erasure;
mod position;
mod pseudonymizer;
mod replace;
mod search;
mod sql;

pub use erasure::NewUserErasure;
pub use search::EmailFiles;

use crate::brand_data::identity_of_table;

/// What a column can hold of a person, and what an erasure does with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// Part of a membership. The row is deleted first of all.
    Membership,
    /// A user id and nothing else. It becomes the pseudonym.
    UserId,
    /// The creator of a key. It becomes the pseudonym once the key is revoked.
    Creator,
    /// The client that used a key. It is cleared together with the creator.
    Client,
    /// The address of a person who gets reports. The row is deleted.
    Recipient,
    /// The address that a mail was sent to. It becomes an address that does not exist.
    MailAddress,
    /// Who is signed in. The rows are deleted when the access ends, and again by the search.
    SignIn,
    /// A text or JSON in which addresses, and fields with user ids and names, can occur.
    Text,
    /// What an erasure itself remembers until it is done.
    Erasure,
    /// A name of the audit log. It becomes the pseudonym when the erasure is done (`audit_log/names.rs`).
    AuditName,
}

/// A column that can hold something of a person.
#[derive(Debug)]
struct PersonalColumn {
    table: &'static str,
    name: &'static str,
    holds: Holds,
}

const fn column(table: &'static str, name: &'static str, holds: Holds) -> PersonalColumn {
    PersonalColumn { table, name, holds }
}

/// The columns of one table stand together.
const PERSONAL_COLUMNS: &[PersonalColumn] = &[
    column("members", "user_id", Holds::Membership),
    column("members", "email", Holds::Membership),
    column("members", "name", Holds::Membership),
    column("keys", "created_by", Holds::Creator),
    column("keys", "last_used_ip", Holds::Client),
    column("keys", "last_used_client", Holds::Client),
    column("keys", "paused_by", Holds::UserId),
    column("keys", "label", Holds::Text),
    column("brands", "suspended_by", Holds::UserId),
    column("brands", "suspension_reason", Holds::Text),
    column("report_recipients", "address", Holds::Recipient),
    column("report_emails", "recipient", Holds::MailAddress),
    column("report_emails", "answer", Holds::Text),
    column("report_emails", "key_notice", Holds::Text),
    column("report_emails", "endpoint_notice", Holds::Text),
    column("reports", "content", Holds::Text),
    column("keyword_imports", "imported_by", Holds::UserId),
    column("schedules", "created_by", Holds::UserId),
    column("audits", "requested_by", Holds::UserId),
    column("approvals", "decided_by", Holds::UserId),
    column("approvals", "arguments", Holds::Text),
    column("approvals", "approved_arguments", Holds::Text),
    column("approvals", "preview", Holds::Text),
    column("approvals", "result", Holds::Text),
    column("approvals", "failure", Holds::Text),
    column("approvals", "note", Holds::Text),
    column("jobs", "reason", Holds::Text),
    column("promises", "answer", Holds::Text),
    column("activity", "actor", Holds::UserId),
    column("outbox_events", "body", Holds::Text),
    column("erasures", "requested_by", Holds::UserId),
    column("erasures", "erasing_user", Holds::Erasure),
    column("erasures", "traces", Holds::Erasure),
    column("erasures", "position", Holds::Erasure),
    column("sign_in_codes", "user_id", Holds::SignIn),
    column("sessions", "user_id", Holds::SignIn),
    column("audit_log_names", "name", Holds::AuditName),
];

/// The columns that can hold something of a person, as `table.column`, for tests.
#[doc(hidden)]
pub fn personal_columns() -> Vec<String> {
    PERSONAL_COLUMNS.iter().map(|column| format!("{}.{}", column.table, column.name)).collect()
}

/// The tables that are searched, in this order.
fn searched_tables() -> Vec<&'static str> {
    let mut tables: Vec<&str> = PERSONAL_COLUMNS
        .iter()
        .filter(|column| !matches!(column.holds, Holds::Membership | Holds::AuditName))
        .map(|column| column.table)
        .collect();
    tables.dedup();
    tables
}

/// The columns by which a table is searched, in the order of an index.
fn identity_of(table: &str) -> Vec<&'static str> {
    match table {
        "erasures" => vec!["receipt_id"],
        "sign_in_codes" | "sessions" => vec!["digest"],
        // Some events belong to no brand, and an order by brand would leave them out.
        "outbox_events" => vec!["event_id"],
        table => identity_of_table(table).expect("a table with rows of brands"),
    }
}

fn columns_of(table: &str, holds: Holds) -> Vec<&'static str> {
    let of_table = PERSONAL_COLUMNS.iter().filter(|column| column.table == table && column.holds == holds);
    of_table.map(|column| column.name).collect()
}
