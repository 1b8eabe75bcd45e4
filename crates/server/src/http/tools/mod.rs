//! The tool endpoints, opened by an MCP key.

pub(crate) mod call;
pub(crate) mod list;
