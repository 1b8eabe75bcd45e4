//! Who is asking, and what. A handler that takes one of these cannot be reached without the privilege it stands for.

mod body;
mod caller;
mod credential;
mod fields;
mod manager;
mod operator;

pub(crate) use body::{JsonBody, read_bounded};
pub(crate) use caller::{CallRequest, ListRequest, Metered, NOT_MCP, answered};
pub(crate) use fields::{Fields, Params, parsed, text};
pub(crate) use manager::{Administrator, Manager, SignedIn};
pub(crate) use operator::Operator;
