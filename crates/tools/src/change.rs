//! What a tool or a job asks the store to change.

use crate::{
    analysis::AnalysisChange,
    audit::AuditChange,
    jobs::NewJob,
    keywords::KeywordChange,
    posts::{Post, PostEdit, PostEvent, TargetChange},
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
}
