//! Every route. The API document is made from the same list.

use std::sync::{Arc, LazyLock};

use axum::{Extension, Router, extract::Request, middleware};
use serde_json::Value;

use super::{
    activity, approval_settings, approvals, audits, brands, channels, event_deliveries, event_endpoints,
    extract::NOT_MCP,
    feeds,
    instrument::instrument_route,
    keys, keyword_imports, leaked_keys, me, members, openapi,
    operation::Operation,
    operator,
    pages::{Document, bridge, bundle, docs, health, mail_links, settings},
    plans, posts,
    problem::{Code, Problem},
    quotas, report_recipients, schedules, session, tools, usage,
};
use crate::app::App;

/// Every operation of the API. The routes and the API document are made from this list.
#[expect(clippy::too_many_lines, reason = "one line for each route")]
fn operations() -> Vec<Operation> {
    let mut operations = vec![
        // Tools, with an MCP key
        tools::list::operation(),
        tools::call::operation(),
        // Keys, with an application token
        keys::list::operation(),
        keys::create::operation(),
        keys::get::operation(),
        keys::update::operation(),
        keys::revoke::operation(),
        keys::reveal::operation(),
        keys::rotate::operation(),
        keys::rotation_finish::operation(),
        activity::key::operation(),
        activity::brand::operation(),
        usage::get::operation(),
        quotas::list::operation(),
        me::get::operation(),
        me::tool_catalogue::operation(),
        members::list::operation(),
        brands::managed::get_operation(),
        // Posts, with an application token
        posts::list::operation(),
        posts::get::operation(),
        posts::patch::operation(),
        posts::delete::operation(),
        posts::publish::operation(),
        posts::cancel::operation(),
        posts::withdraw::operation(),
        posts::retry::operation(),
        // Audits, with an application token
        audits::list::operation(),
        audits::get::operation(),
        audits::run::operation(),
        // Calls that wait for approval, with an application token
        approvals::list::operation(),
        approvals::get::operation(),
        approvals::approve::operation(),
        approvals::reject::operation(),
        approval_settings::get::operation(),
        approval_settings::patch::operation(),
        approval_settings::emails::operation(),
        // Set up by a brand's administrators, with an application token
        brands::managed::patch_operation(),
        channels::list::operation(),
        channels::get::operation(),
        channels::put::operation(),
        channels::delete::operation(),
        channels::send_test::operation(),
        keyword_imports::list::operation(),
        keyword_imports::create::operation(),
        keyword_imports::delete::operation(),
        report_recipients::get::operation(),
        report_recipients::put::operation(),
        report_recipients::send_test::operation(),
        schedules::list::operation(),
        schedules::create::operation(),
        schedules::delete::operation(),
        // Plans, brands and members, with an operator's token
        plans::get::operation(),
        plans::put::operation(),
        plans::delete::operation(),
        brands::get::operation(),
        brands::put::operation(),
        members::put::operation(),
        members::remove::operation(),
        operator::list_plans::operation(),
        operator::list_brands::operation(),
        operator::suspend_brand::suspend_operation(),
        operator::suspend_brand::resume_operation(),
        operator::export_brand::operation(),
        operator::erase_brand::operation(),
        operator::erase_user::operation(),
        operator::list_erasures::operation(),
        operator::get_erasure::operation(),
        operator::list_members::operation(),
        operator::list_users::operation(),
        operator::list_user_brands::operation(),
        operator::list_keys::operation(),
        operator::find_key::operation(),
        operator::revoke_key::operation(),
        operator::revoke_keys::of_brand_operation(),
        operator::revoke_keys::of_user_operation(),
        operator::list_jobs::operation(),
        operator::hold_jobs::hold_operation(),
        operator::hold_jobs::resume_operation(),
        operator::change_job::retry_operation(),
        operator::change_job::cancel_operation(),
        operator::list_approvals::operation(),
        operator::list_posts::operation(),
        operator::list_audit_log::operation(),
        operator::list_activity::operation(),
        posts::get::operator_operation(),
        posts::patch::operator_operation(),
        posts::delete::operator_operation(),
        posts::publish::operator_operation(),
        posts::cancel::operator_operation(),
        posts::withdraw::operator_operation(),
        posts::retry::operator_operation(),
        // Open to everybody
        leaked_keys::report::operation(),
        settings::root_operation(),
        settings::page_operation(),
        settings::operator_page_operation(),
        settings::asset_operation(),
        bridge::operation(),
        bridge::sum_operation(),
        bundle::operation(),
        bundle::sum_operation(),
        feeds::atom::operation(),
        feeds::json_feed::operation(),
        feeds::post_page::operation(),
        docs::json_operation(),
        docs::page_operation(),
        docs::asset_operation(),
        health::healthz_operation(),
        health::readyz_operation(),
    ];
    operations.extend(event_operations());
    operations.extend(session::operations());
    operations.extend(mail_links::operations());
    operations
}

/// Events, with the token of a brand's administrator or of an operator.
fn event_operations() -> Vec<Operation> {
    vec![
        event_endpoints::list::operation(),
        event_endpoints::get::operation(),
        event_endpoints::put::operation(),
        event_endpoints::delete::operation(),
        event_endpoints::send_test::operation(),
        event_deliveries::list::operation(),
        event_deliveries::resend::operation(),
        event_deliveries::list::operator_operation(),
        event_deliveries::resend::operator_operation(),
    ]
}

fn routes() -> Router<Arc<App>> {
    static JSON: LazyLock<Document> = LazyLock::new(|| docs::json_document(&document()));
    let add = |router: Router<_>, operation: Operation| router.route(operation.path, operation.route);
    operations().into_iter().fold(Router::new(), add).layer(Extension(&JSON))
}

/// The API document.
pub fn document() -> Value {
    openapi::document(&operations())
}

pub(super) fn router(app: &Arc<App>) -> Router {
    routes()
        .fallback(|| async { Problem::not_found("address") })
        .method_not_allowed_fallback(method_not_allowed)
        .layer(middleware::from_fn_with_state(Arc::clone(app), instrument_route))
        .with_state(Arc::clone(app))
}

async fn method_not_allowed(request: Request) -> Problem {
    let problem =
        Problem::new(Code::MethodNotAllowed, "The header `Allow` lists the methods of this address.");
    if request.uri().path().starts_with("/mcp/") { problem.hint(NOT_MCP) } else { problem }
}
