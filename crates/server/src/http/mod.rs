//! The HTTP interface. Only this module knows status codes.

mod access_entry;
pub(crate) mod access_log;
mod activity;
mod approval_settings;
mod approvals;
pub(crate) mod attempt_cookie;
mod audits;
pub(crate) mod body_budget;
mod brands;
mod channels;
pub(crate) mod client_address;
mod connection_tests;
pub(crate) mod digest;
pub(crate) mod dispatcher;
mod event_deliveries;
mod event_endpoints;
mod extract;
mod feeds;
pub mod forwarded;
pub(crate) mod histogram;
pub(crate) mod in_flight;
mod instrument;
mod keys;
mod keyword_imports;
pub(crate) mod leaked_keys;
mod markup;
mod me;
mod members;
pub(crate) mod metrics;
mod negotiation;
mod openapi;
mod operation;
mod operator;
mod outcome;
pub(crate) mod pages;
mod plans;
mod posts;
pub(crate) mod problem;
mod quotas;
mod rate_limit;
pub(crate) mod refusal_log;
mod report_recipients;
mod request_info;
pub(crate) mod request_limit;
mod request_span;
mod reused_headers;
pub mod router;
mod same_origin;
mod schedules;
mod session;
pub(crate) mod session_cookie;
pub(crate) mod tool_lists;
mod tools;
pub(crate) mod transport;
mod usage;

pub use feeds::atom::write_feed;
pub(crate) use operator::find_key::NOT_A_KEY;

/// A key in the form of the API, for the command line.
pub(crate) fn key_view(
    key: svc_mcp_access::key::Key,
    now: svc_mcp_access::Timestamp,
) -> impl serde::Serialize {
    keys::KeyView::new(key, now)
}

/// A plan in the form of the API, for the command line.
pub(crate) fn plan_view(plan: svc_mcp_access::Plan) -> impl serde::Serialize {
    plans::PlanView::from(plan)
}

/// What a revoke stopped, in the form of the API.
pub(crate) fn revoked_view(stopped: svc_mcp_store::StoppedWork) -> impl serde::Serialize {
    keys::revoke::RevokedKey::from(stopped)
}

/// What a revoke of many keys stopped, in the form of the API.
pub(crate) fn revoked_keys_view(done: svc_mcp_store::RevokedKeys) -> impl serde::Serialize {
    operator::revoke_keys::RevokedKeysView::from(done)
}

/// A brand in the form of the operator's API.
pub(crate) fn brand_view(listed: svc_mcp_store::ListedBrand) -> impl serde::Serialize {
    brands::OperatorBrand::from(listed)
}

/// A receipt in the form of the API.
pub(crate) fn erasure_view(erasure: svc_mcp_store::Erasure) -> impl serde::Serialize {
    operator::erasure_view::ErasureView::from(erasure)
}

/// A user in the form of the API.
pub(crate) fn user_view(user: svc_mcp_store::ListedUser) -> impl serde::Serialize {
    operator::list_users::UserView::from(user)
}

/// A job in the form of the API.
pub(crate) fn job_view(job: svc_mcp_store::ListedJob) -> impl serde::Serialize {
    operator::job_view::JobView::from(job)
}

/// Why no job runs, in the form of the API.
pub(crate) fn job_hold_view(hold: svc_mcp_store::JobHold) -> impl serde::Serialize {
    operator::hold_jobs::JobHoldView::from(hold)
}

/// Held jobs in the form of the API.
pub(crate) fn held_jobs_view(held: svc_mcp_store::HeldJobs) -> impl serde::Serialize {
    operator::hold_jobs::HeldJobsView::from(held)
}

/// Resumed jobs in the form of the API.
pub(crate) fn resumed_jobs_view(resumed: svc_mcp_store::ResumedJobs) -> impl serde::Serialize {
    operator::hold_jobs::ResumedJobsView::from(resumed)
}

/// An event delivery in the form of the API.
pub(crate) fn delivery_view(delivery: svc_mcp_store::Delivery) -> impl serde::Serialize {
    event_deliveries::view::DeliveryView::from(delivery)
}

/// An approval in the form of the operator's API.
pub(crate) fn approval_view(listed: svc_mcp_store::ListedApproval) -> impl serde::Serialize {
    operator::list_approvals::OperatorApproval::from(listed)
}

/// A record of the audit log in the form of the API.
pub(crate) fn audit_record_view(record: svc_mcp_store::AuditRecord) -> impl serde::Serialize {
    operator::list_audit_log::AuditRecordView::from(record)
}

/// An event of any brand in the form of the operator's API.
pub(crate) fn brand_event_view(event: svc_mcp_store::BrandEvent) -> impl serde::Serialize {
    operator::list_activity::OperatorEvent::from(event)
}

/// A post in the form of the API.
pub(crate) fn post_view(post: svc_mcp_tools::posts::Post) -> impl serde::Serialize {
    posts::ManagedPost::from(post)
}
