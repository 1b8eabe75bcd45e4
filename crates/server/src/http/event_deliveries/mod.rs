//! What was sent to event endpoints, with the answers. For a brand's administrators, and for the operator.

pub(crate) mod list;
pub(crate) mod resend;
pub(crate) mod view;
