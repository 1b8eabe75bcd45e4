//! The real binary: where it lives, how it is started, asked and ended.

mod place;
mod raw;
mod running;

pub(crate) use place::Place;
pub(crate) use raw::{Raw, RawAnswer};
pub(crate) use running::Running;
pub(crate) use svc_mcp_testkit::{Answer, Api, LONG, answered, as_json, eventually, try_answered};
