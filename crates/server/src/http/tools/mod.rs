//! The tool endpoints. They need an MCP key.

pub(crate) mod call;
pub(crate) mod list;
