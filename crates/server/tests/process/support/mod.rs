//! Starts the real binary, sends it requests and stops it.

mod raw;
mod sandbox;
mod service;
mod test_service;

pub(crate) use raw::{RawClient, RawResponse};
pub(crate) use sandbox::Sandbox;
pub(crate) use service::Service;
pub(crate) use svc_mcp_testkit::{
    Api, ApiResponse, WAIT_TIMEOUT, eventually, eventually_with_key, send, try_send, wait_until,
    with_json_body,
};
pub(crate) use test_service::TestService;
