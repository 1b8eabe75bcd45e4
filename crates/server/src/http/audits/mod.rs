//! Audits of a brand's site, as people start and read them. The rules are those of the tools.

pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod run;
mod view;

const AUDITS: &str = "/api/brands/{brand_id}/audits";
