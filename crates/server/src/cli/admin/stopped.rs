//! What a revoke has stopped, as a sentence.

use std::fmt::Write;

use serde_json::json;
use svc_mcp_store::{RevokedKeys, StoppedWork, WorkCounts};

use super::print_result;

/// Empty if nothing was stopped, else it begins with a space.
pub(super) fn stopped_sentence(stopped: StoppedWork) -> String {
    let mut sentence = String::new();
    if stopped.cancelled != WorkCounts::default() {
        let _ = write!(sentence, " Cancelled: {}.", counts(stopped.cancelled));
    }
    if stopped.already_sending != WorkCounts::default() {
        let _ = write!(sentence, " Already being sent: {}.", counts(stopped.already_sending));
    }
    sentence
}

fn counts(counts: WorkCounts) -> String {
    let WorkCounts { posts, mails, jobs, approvals, schedules } = counts;
    let mut text = format!("{posts} posts, {mails} mails, {jobs} audits and analyses");
    if approvals > 0 {
        let _ = write!(text, ", {approvals} calls that waited for approval");
    }
    if schedules > 0 {
        let _ = write!(text, ", {schedules} schedules");
    }
    text
}

/// `whose`: the user or the brand.
pub(super) fn print_revoked_keys(json: bool, whose: &str, done: RevokedKeys) -> anyhow::Result<()> {
    let sentence = format!("{} keys of {whose} are revoked.{}", done.revoked, stopped_sentence(done.stopped));
    print_result(json, &json!(crate::http::revoked_keys_view(done)), &sentence)
}
