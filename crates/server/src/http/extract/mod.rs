//! Extractors: who sends the request, and what it contains. The type of an extractor proves the privilege: a handler that
//! takes `Operator` cannot be reached without the operator role.

mod body;
mod caller;
mod changed_by;
mod credential;
mod input;
mod manager;
mod operator;
mod page_limit;
mod path_ids;
pub(crate) mod schemas;
mod sign_in;

pub(crate) use body::read_bounded;
pub(crate) use caller::{
    CallRequest, ListRequest, MAX_TOOL_NAME_CHARS, NOT_MCP, UseOutcome, record_admitted,
};
pub(crate) use input::{Input, OptionalJson, ValidatedJson, ValidatedQuery, trim_fields};
pub(crate) use manager::{Administrator, Manager, SignedIn};
pub(crate) use operator::Operator;
pub(crate) use page_limit::PageLimit;
pub(crate) use path_ids::PathIds;
pub(crate) use sign_in::{OptionalTokenHolder, SameOrigin, TokenHolder};
