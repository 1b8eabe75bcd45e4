//! Audits and reports of a brand that repeat.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;

const SCHEDULES: &str = "/api/brands/{brand_id}/schedules";
