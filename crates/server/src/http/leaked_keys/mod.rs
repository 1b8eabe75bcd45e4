//! Keys whose secrets are public, reported by anybody.

mod limits;
pub(crate) mod report;

pub(crate) use limits::LeakReportLimits;
