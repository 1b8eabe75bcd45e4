//! The tools that agents call. Each tool is one file: its arguments, result, description and code.
//!
//! A tool reads through [`Records`] and returns the changes it wants; [`execute`] commits them together with the
//! idempotency record. No tool takes a brand id: the key determines the brand.

pub mod activity;
pub mod analysis;
pub mod approvals;
pub mod audit;
pub mod bounded_json;
pub mod brand;
mod change;
pub mod connection_test;
pub mod cpu_pool;
pub mod document;
pub mod events;
pub mod execute;
mod idempotency_argument;
pub mod jobs;
pub mod key_notices;
pub mod keywords;
pub mod large_input;
pub mod local_time;
mod log_text;
pub mod low_priority;
pub mod net;
mod normalize;
pub mod outage;
pub mod page;
pub mod posts;
pub mod private_files;
pub mod recent_call;
pub mod records;
pub mod ref_counted_map;
pub mod registry;
pub mod report;
mod result;
pub mod schedules;
mod schema;
mod shortened_result;
pub mod standard_webhooks;
pub mod text_fields;
pub mod tool;
mod tool_error;
pub mod trace;
pub mod validation;

pub use change::Change;
pub use cpu_pool::CpuPool;
pub use records::Records;
pub use registry::{Registry, job_handlers};
pub use tool::{Call, Outcome, Tool, ToolContext, ToolError, ToolFailure};
