//! The members of a brand: listed for each other, managed by the operator.

pub(crate) mod list;
pub(crate) mod put;
pub(crate) mod remove;

const PATH: &str = "/api/admin/brands/{brand_id}/members/{user_id}";
