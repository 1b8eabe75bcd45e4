//! How much a brand's keys were used.

pub(crate) mod get;
