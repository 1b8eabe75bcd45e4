//! What a tool or a job asks the store to change.

use crate::{
    analysis::AnalysisChange,
    approvals::ApprovalChange,
    audit::{AuditChange, SiteAuditStarted},
    connection_test::TestedConnection,
    jobs::NewJob,
    keywords::KeywordChange,
    posts::{Post, PostEdit, PostEvent, TargetChange, TargetStatus},
    recent_call::RecentCall,
    report::ReportChange,
    schedules::{ScheduleChange, ScheduleKind},
};

#[derive(Debug, Clone)]
pub enum Change {
    AddPost(Post),
    EditPost(Box<PostEdit>),
    PostEvent(PostEvent),
    Target(TargetChange),
    AddJob(NewJob),
    Audits(AuditChange),
    SiteAuditStarted(SiteAuditStarted),
    Analyses(AnalysisChange),
    Keywords(KeywordChange),
    Reports(ReportChange),
    Schedules(ScheduleChange),
    Approvals(ApprovalChange),
    /// A person tests a connection. It is counted and recorded before something is sent.
    ConnectionTest(TestedConnection),
    RecentCall(RecentCall),
}

impl Change {
    /// Whether people outside notice it: a post is published, scheduled, changed while it is scheduled, or withdrawn, a
    /// report is mailed, or will be mailed again and again.
    pub fn is_outward(&self) -> bool {
        match self {
            Self::AddPost(post) => post.targets.iter().any(|target| target.status != TargetStatus::Draft),
            Self::EditPost(edit) => edit.is_outward(),
            Self::Reports(change) => matches!(change, ReportChange::Order { .. }),
            Self::Schedules(ScheduleChange::Add(schedule)) => schedule.kind == ScheduleKind::Report,
            _ => false,
        }
    }
}
