//! What a brand may use.

pub(crate) mod list;
