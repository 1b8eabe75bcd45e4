//! When trust in a key ends: every change × every kind of queued work, and what becomes of the work.

/// What happens after the work was queued and before a worker takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopChange {
    Revoked,
    RevokedButKept,
    OwnerRemoved,
    Paused,
    PausedForADay,
    PlanOff,
    PlanOffForADay,
    BrandSuspended,
    BrandSuspendedForADay,
    Expired,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueuedWork {
    WebhookPost,
    FeedPost,
    Mail,
    Audit,
    Analysis,
    /// A post that a person must approve first.
    HeldPost,
}

/// What becomes of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkEnd {
    Done,
    /// With the code in the activity, and a part of the reason.
    Cancelled(&'static str, &'static str),
    /// It still waits for a person.
    Pending,
}

impl StopChange {
    pub const ALL: [Self; 10] = [
        Self::Revoked,
        Self::RevokedButKept,
        Self::OwnerRemoved,
        Self::Paused,
        Self::PausedForADay,
        Self::PlanOff,
        Self::PlanOffForADay,
        Self::BrandSuspended,
        Self::BrandSuspendedForADay,
        Self::Expired,
    ];

    pub fn end_of(self, work: QueuedWork) -> WorkEnd {
        match self {
            Self::Revoked => WorkEnd::Cancelled("key_revoked", "was revoked"),
            Self::OwnerRemoved => WorkEnd::Cancelled("key_owner_removed", "was removed from the brand"),
            // The held post was not ordered yet, so it is cancelled with its key.
            Self::RevokedButKept if work == QueuedWork::HeldPost => {
                WorkEnd::Cancelled("key_revoked", "was revoked")
            }
            _ if work == QueuedWork::HeldPost => WorkEnd::Pending,
            Self::PausedForADay => WorkEnd::Cancelled("key_paused", "still paused 24 hours after"),
            Self::PlanOffForADay => {
                WorkEnd::Cancelled("mcp_inactive", "not active on the brand's plan 24 hours after")
            }
            Self::BrandSuspendedForADay => {
                WorkEnd::Cancelled("brand_suspended", "still suspended 24 hours after")
            }
            Self::RevokedButKept | Self::Paused | Self::PlanOff | Self::BrandSuspended | Self::Expired => {
                WorkEnd::Done
            }
        }
    }

    /// Whether workers hold the work until the change is taken back, or until a day has passed.
    pub fn holds_work(self) -> bool {
        matches!(
            self,
            Self::Paused
                | Self::PausedForADay
                | Self::PlanOff
                | Self::PlanOffForADay
                | Self::BrandSuspended
                | Self::BrandSuspendedForADay
        )
    }
}

impl QueuedWork {
    pub const ALL: [Self; 6] =
        [Self::WebhookPost, Self::FeedPost, Self::Mail, Self::Audit, Self::Analysis, Self::HeldPost];

    /// Whether work with this status can still change.
    pub fn is_open(status: &str) -> bool {
        ["scheduled", "publishing", "queued", "sending", "running"].contains(&status)
    }

    /// Whether this is the status of work that is done.
    pub fn is_done(status: &str) -> bool {
        ["published", "sent", "done"].contains(&status)
    }
}
