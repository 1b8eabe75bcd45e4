//! Shared by the programs in `bin/`.

pub mod bare;
pub mod queries;

use svc_mcp_access::Secret;
use svc_mcp_store::Location;

/// `postgres://…`, or the path of a SQLite file.
pub fn location(database: &str) -> Location {
    if database.starts_with("postgres://") {
        Location::Postgres { url: Secret::new(database.to_owned()), connections: 16 }
    } else {
        Location::Sqlite { file: database.into() }
    }
}

/// The id of a seeded brand.
pub fn brand_name(number: usize) -> String {
    format!("brand-{number:06}")
}

/// The value that `share` of the sorted values lie below.
pub fn percentile(sorted: &[u32], share: f64) -> u32 {
    let index = (sorted.len() as f64 * share) as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).copied().unwrap_or(0)
}
