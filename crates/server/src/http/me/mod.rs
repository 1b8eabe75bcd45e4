//! What a signed-in person can see of their account and of the service.

pub(crate) mod get;
pub(crate) mod tool_catalogue;
