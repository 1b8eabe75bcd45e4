//! The operator's lists, searches and stops over all brands, the export and erasure of one, the erasure of a user,
//! and the end of their sessions.

pub(crate) mod change_job;
pub(crate) mod end_sessions;
pub(crate) mod erase_brand;
pub(crate) mod erase_user;
pub(crate) mod erasure_view;
pub(crate) mod export_brand;
pub(crate) mod find_key;
pub(crate) mod get_erasure;
pub(crate) mod hold_jobs;
pub(crate) mod job_view;
pub(crate) mod list_activity;
pub(crate) mod list_approvals;
pub(crate) mod list_audit_log;
pub(crate) mod list_brands;
pub(crate) mod list_erasures;
pub(crate) mod list_jobs;
pub(crate) mod list_keys;
pub(crate) mod list_members;
pub(crate) mod list_plans;
pub(crate) mod list_posts;
pub(crate) mod list_user_brands;
pub(crate) mod list_users;
pub(crate) mod revoke_key;
pub(crate) mod revoke_keys;
pub(crate) mod suspend_brand;

use schemars::JsonSchema;
use serde::Deserialize;
use svc_mcp_store::Cursor;

use super::extract::{
    Input, PageLimit,
    schemas::{self, LongCursorText},
};

/// The longest text to search for.
const MAX_SEARCH_CHARS: usize = 255;

/// The query of a list without filters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PageQuery {
    #[serde(default)]
    limit: PageLimit<50, 100>,
    #[serde(default, deserialize_with = "schemas::cursor")]
    #[schemars(with = "Option<LongCursorText>")]
    cursor: Option<Cursor>,
}

impl Input for PageQuery {}
