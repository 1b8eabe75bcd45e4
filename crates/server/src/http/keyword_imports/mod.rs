//! Keyword lists that a brand's administrators import: CSV exports of keyword tools.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;

use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::Timestamp;
use svc_mcp_tools::keywords::KeywordImport;

use super::extract::schemas::Time;

const IMPORTS: &str = "/api/brands/{brand_id}/keyword-imports";

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "KeywordImport")]
struct KeywordImportView {
    #[schemars(example = &"import_4fT9aZ0kQw3LmN8xYb2C")]
    import_id: String,
    /// `keyword_planner`, `search_console`, `ahrefs` or `semrush`
    #[schemars(example = &"semrush")]
    tool: String,
    /// How many keywords it has
    rows: u64,
    /// How many rows could not be imported
    skipped: u64,
    #[schemars(with = "Time")]
    imported_at: Timestamp,
    imported_by: String,
}

impl From<KeywordImport> for KeywordImportView {
    fn from(import: KeywordImport) -> Self {
        Self {
            import_id: import.import_id,
            tool: import.tool.as_str().to_owned(),
            rows: import.rows,
            skipped: import.skipped,
            imported_at: import.imported_at,
            imported_by: import.imported_by,
        }
    }
}
