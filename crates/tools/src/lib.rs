//! The tools that agents call. Each tool is one file: its arguments, result, description and code.
//!
//! A tool reads through [`Records`] and returns the changes it wants; [`execute`] commits them together with the
//! idempotency record. No tool takes a brand id: the key determines the brand.

pub mod analysis;
pub mod approvals;
pub mod audit;
pub mod bounded_json;
pub mod brand;
mod change;
pub mod cpu_pool;
pub mod document;
pub mod execute;
pub mod jobs;
pub mod keywords;
pub mod large_input;
mod low_priority;
pub mod net;
pub mod page;
pub mod posts;
pub mod private_files;
pub mod records;
pub mod ref_counted_map;
pub mod registry;
pub mod report;
mod result;
mod schema;
pub mod text_fields;
pub mod tool;
mod tool_error;
pub mod validation;

pub use change::Change;
pub use cpu_pool::CpuPool;
pub use records::Records;
pub use registry::{Registry, job_handlers};
pub use tool::{Call, Outcome, Tool, ToolContext, ToolError, ToolFailure};
