//! What an agent can do. Each tool is a file: its arguments, its result, its words for the model, and its work.
//!
//! A tool reads through [`Records`] and hands back what it wants changed; [`execute`] commits that together with
//! the idempotency record. No tool takes a brand id: the key fixes the brand.

pub mod analysis;
pub mod audit;
pub mod brand;
pub mod document;
pub mod execute;
pub mod jobs;
pub mod keywords;
pub mod net;
pub mod page;
pub mod posts;
pub mod records;
pub mod registry;
pub mod report;
mod result;
mod schema;
pub mod tool;

pub use records::{Change, Records};
pub use registry::{Registry, works};
pub use tool::{Call, Failure, Means, Outcome, Stopped, Tool};
