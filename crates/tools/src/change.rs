//! What a tool or a job asks the store to change.

use crate::{
    analysis::AnalysisChange,
    approvals::ApprovalChange,
    audit::AuditChange,
    jobs::NewJob,
    keywords::KeywordChange,
    posts::{Post, PostEdit, PostEvent, TargetChange, TargetStatus},
    report::ReportChange,
};

#[derive(Debug, Clone)]
pub enum Change {
    AddPost(Post),
    EditPost(Box<PostEdit>),
    PostEvent(PostEvent),
    Target(TargetChange),
    AddJob(NewJob),
    Audits(AuditChange),
    Analyses(AnalysisChange),
    Keywords(KeywordChange),
    Reports(ReportChange),
    Approvals(ApprovalChange),
}

impl Change {
    /// Whether people outside notice it: a post is published, scheduled, changed while it is scheduled, or withdrawn, or a
    /// report is mailed.
    pub fn is_outward(&self) -> bool {
        match self {
            Self::AddPost(post) => post.targets.iter().any(|target| target.status != TargetStatus::Draft),
            Self::EditPost(edit) => edit.is_outward(),
            Self::Reports(change) => matches!(change, ReportChange::Order { .. }),
            _ => false,
        }
    }
}
