//! The records of changes that people make through the same functions as the tools: posts, approvals, audits and
//! schedules.

use svc_mcp_access::BrandId;
use svc_mcp_tools::{
    Change,
    approvals::{ApprovalChange, ApprovalStatus, NewDecision},
    audit::SiteAuditStarted,
    connection_test::TestedConnection,
    posts::{PostEdit, PostEvent},
    schedules::{Schedule, ScheduleChange},
};

use super::{
    AuditAction, NewAuditRecord,
    fields::{Fields, of_post},
};

/// The records of what one commit changes.
pub(crate) fn records_of(brand: &BrandId, changes: &[Change]) -> Vec<NewAuditRecord> {
    // What an approved call changes is done by its key. The person has decided.
    let decision = changes.iter().find_map(|change| match change {
        Change::Approvals(ApprovalChange::Decide(decision)) => Some(decision),
        _ => None,
    });
    if let Some(decision) = decision {
        return vec![of_decision(brand, decision)];
    }
    changes
        .iter()
        .filter_map(|change| match change {
            Change::PostEvent(event) => of_post_event(brand, event, changes),
            Change::ConnectionTest(tested) => Some(of_connection_test(brand, tested)),
            Change::SiteAuditStarted(event) => Some(of_site_audit_started(brand, event)),
            Change::Schedules(ScheduleChange::Add(schedule)) => Some(of_new_schedule(brand, schedule)),
            Change::Schedules(ScheduleChange::Delete { schedule_id }) => {
                Some(NewAuditRecord::new(AuditAction::ScheduleDelete, Some(brand), schedule_id))
            }
            _ => None,
        })
        .collect()
}

fn of_decision(brand: &BrandId, decision: &NewDecision) -> NewAuditRecord {
    let action = match decision.status {
        ApprovalStatus::Rejected => AuditAction::ApprovalReject,
        _ => AuditAction::ApprovalApprove,
    };
    let fields = Fields::default()
        .show("status", decision.status.as_str())
        .show("key_id", &decision.event.key_id)
        .show("tool", decision.event.tool)
        .show("arguments_changed", decision.arguments.is_some());
    NewAuditRecord::new(action, Some(brand), &decision.approval_id).with_after(&fields)
}

fn of_site_audit_started(brand: &BrandId, event: &SiteAuditStarted) -> NewAuditRecord {
    // Without the URL: the log is kept after the brand is erased.
    NewAuditRecord::new(AuditAction::AuditRun, Some(brand), event.audit_id.as_str())
}

fn of_connection_test(brand: &BrandId, tested: &TestedConnection) -> NewAuditRecord {
    let (action, target) = match tested {
        TestedConnection::Channel(channel) => (AuditAction::ChannelTest, channel.as_str()),
        TestedConnection::EventEndpoint(endpoint) => (AuditAction::EventEndpointTest, endpoint.as_str()),
        TestedConnection::ReportRecipients => (AuditAction::ReportRecipientsTest, brand.as_str()),
    };
    NewAuditRecord::new(action, Some(brand), target)
}

fn of_new_schedule(brand: &BrandId, schedule: &Schedule) -> NewAuditRecord {
    let (every, day, minutes) = schedule.recurrence.parts();
    let fields = Fields::default()
        .show("kind", schedule.kind.as_str())
        .show("every", every.as_str())
        .show("day", day)
        .show("minute_of_day", minutes);
    NewAuditRecord::new(AuditAction::ScheduleCreate, Some(brand), &schedule.schedule_id).with_after(&fields)
}

/// The edit of the post is another change of the same commit.
fn of_post_event(brand: &BrandId, event: &PostEvent, changes: &[Change]) -> Option<NewAuditRecord> {
    let action = post_action(event.action)?;
    let record = NewAuditRecord::new(action, Some(brand), &event.post_id);
    let edit = changes.iter().find_map(|change| match change {
        Change::EditPost(edit) if edit.before.post_id == event.post_id => Some(edit),
        _ => None,
    });
    match edit.map(|edit| &**edit) {
        None => Some(record),
        Some(PostEdit { before, after: None, .. }) => Some(record.with_before(&of_post(before))),
        Some(PostEdit { before, after: Some(after), .. }) => {
            record.with_change(Some(&of_post(before)), &of_post(after))
        }
    }
}

/// By the name of the tool that does the same.
fn post_action(tool: &str) -> Option<AuditAction> {
    match tool {
        "update_post" => Some(AuditAction::PostUpdate),
        "publish_post" => Some(AuditAction::PostPublish),
        "cancel_post" => Some(AuditAction::PostCancel),
        "withdraw_post" => Some(AuditAction::PostWithdraw),
        "retry_post" => Some(AuditAction::PostRetry),
        "delete_post" => Some(AuditAction::PostDelete),
        _ => None,
    }
}
