//! All rows of one brand: how they are exported, imported and erased.
//!
//! One list names every table that has rows of brands. A test compares it with the schema, so that a new table cannot be
//! forgotten.

mod cell;
mod erasure;
mod export;
mod import;

pub(crate) use cell::{Cell, Cells, ReadCells};
pub(crate) use erasure::SECOND_SEARCH_AFTER;
pub use erasure::{BrandErasureError, Erasure, ErasureKind, NewErasure};
pub(crate) use erasure::{is_erased, set_secure_delete};
pub use export::{ExportPosition, ExportedRow};
pub use import::ImportBrandError;

/// A table with rows of brands.
#[derive(Debug)]
struct BrandTable {
    name: &'static str,
    /// Identifies a row within its brand. An index starts with `brand_id` and these columns.
    identity: &'static [&'static str],
}

const fn table(name: &'static str, identity: &'static [&'static str]) -> BrandTable {
    BrandTable { name, identity }
}

/// Rows are inserted in this order and deleted in the reverse order, because of their references.
const BRAND_TABLES: &[BrandTable] = &[
    table("brands", &[]),
    table("members", &["user_id"]),
    table("keys", &["created_at", "key_id"]),
    table("channels", &["channel_id"]),
    table("posts", &["post_id"]),
    table("post_targets", &["post_id", "channel"]),
    table("audits", &["audit_id"]),
    table("audit_pages", &["audit_id", "url"]),
    table("audit_issues", &["audit_id", "position"]),
    table("audited_pages", &["audit_id", "position"]),
    table("page_texts", &["site", "position"]),
    table("analyses", &["analysis_id"]),
    table("report_recipients", &["address"]),
    table("reports", &["report_id"]),
    table("report_emails", &["email_id"]),
    table("keyword_imports", &["import_id"]),
    table("keyword_rows", &["import_id", "position"]),
    table("keyword_searches", &["search_id"]),
    table("schedules", &["schedule_id"]),
    table("approvals", &["approval_id"]),
    table("jobs", &["created_at", "job_id"]),
    table("job_turns", &["kind"]),
    table("promises", &["key_id", "idempotency_key"]),
    table("recent_calls", &["fingerprint"]),
    table("quota_counts", &["quota", "day"]),
    table("activity", &["at", "event_id"]),
    table("events_left_out", &["minute"]),
    table("usage_counts", &["day", "key_id", "tool", "outcome", "bucket"]),
    table("peaks", &["key_id", "minute"]),
    table("event_endpoints", &["endpoint_id"]),
    table("outbox_events", &["event_id"]),
    table("event_deliveries", &["at", "delivery_id"]),
];

/// Table and column. The database computes them, so they are neither exported nor imported.
const GENERATED_COLUMNS: [(&str, &str); 4] = [
    ("brands", "search_id"),
    ("brands", "search_name"),
    ("members", "search_id"),
    ("members", "search_email"),
];

/// The columns that identify a row of any brand, in the order of an index. `None`: it is not a table with rows of brands.
pub(crate) fn identity_of_table(name: &str) -> Option<Vec<&'static str>> {
    let table = table_named(name)?;
    Some(std::iter::once("brand_id").chain(table.identity.iter().copied()).collect())
}

fn table_named(name: &str) -> Option<&'static BrandTable> {
    BRAND_TABLES.iter().find(|table| table.name == name)
}
