//! The types of events, and what the `data` of each one has.

/// `data` never has a secret, a text of a post or a mail address, except where a user id is one.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
pub enum EventType {
    #[strum(serialize = "key.created")]
    KeyCreated,
    #[strum(serialize = "key.updated")]
    KeyUpdated,
    #[strum(serialize = "key.revealed")]
    KeyRevealed,
    #[strum(serialize = "key.rotated")]
    KeyRotated,
    #[strum(serialize = "key.paused")]
    KeyPaused,
    #[strum(serialize = "key.resumed")]
    KeyResumed,
    #[strum(serialize = "key.revoked")]
    KeyRevoked,
    #[strum(serialize = "key.expiring")]
    KeyExpiring,
    #[strum(serialize = "key.leaked")]
    KeyLeaked,
    #[strum(serialize = "approval.requested")]
    ApprovalRequested,
    #[strum(serialize = "approval.decided")]
    ApprovalDecided,
    #[strum(serialize = "post.published")]
    PostPublished,
    #[strum(serialize = "post.failed")]
    PostFailed,
    #[strum(serialize = "post.withdrawn")]
    PostWithdrawn,
    #[strum(serialize = "job.failed")]
    JobFailed,
    #[strum(serialize = "audit.new_errors")]
    AuditNewErrors,
    #[strum(serialize = "brand.updated")]
    BrandUpdated,
    #[strum(serialize = "brand.suspended")]
    BrandSuspended,
    #[strum(serialize = "brand.resumed")]
    BrandResumed,
    #[strum(serialize = "brand.erased")]
    BrandErased,
    #[strum(serialize = "member.added")]
    MemberAdded,
    #[strum(serialize = "member.removed")]
    MemberRemoved,
    #[strum(serialize = "plan.updated")]
    PlanUpdated,
}

impl EventType {
    pub const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Only the operator's endpoint gets it: it belongs to no brand, or the brand is gone.
    pub fn is_for_operator_only(self) -> bool {
        matches!(self, Self::BrandErased | Self::PlanUpdated)
    }

    /// The types that the endpoint of a brand can get.
    pub fn of_brands() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|event| !event.is_for_operator_only())
    }

    /// The fields of `data`. A field with `?` is not always there.
    pub fn data(self) -> &'static [&'static str] {
        match self {
            Self::KeyCreated
            | Self::KeyRevealed
            | Self::KeyRotated
            | Self::KeyPaused
            | Self::KeyResumed
            | Self::KeyRevoked
            | Self::KeyExpiring
            | Self::KeyLeaked => &["brand_id", "key_id", "actor", "reason?"],
            Self::KeyUpdated => &["brand_id", "key_id", "actor", "changed"],
            Self::ApprovalRequested => &["brand_id", "key_id", "approval_id", "tool", "expires_at"],
            Self::ApprovalDecided => &["brand_id", "key_id", "approval_id", "tool", "status", "actor"],
            Self::PostPublished | Self::PostFailed | Self::PostWithdrawn => {
                &["brand_id", "key_id", "post_id", "channel", "status"]
            }
            Self::JobFailed => &["brand_id", "key_id?", "job_id", "kind", "subject", "attempts"],
            Self::AuditNewErrors => &["brand_id", "key_id", "audit_id", "compared_with", "new_errors"],
            Self::BrandUpdated => &["brand_id", "actor", "changed"],
            Self::BrandSuspended | Self::BrandResumed => &["brand_id", "actor"],
            Self::BrandErased => &["brand_id", "actor", "receipt_id", "deleted_rows"],
            Self::MemberAdded => &["brand_id", "user_id", "role", "actor"],
            Self::MemberRemoved => &["brand_id", "user_id", "actor"],
            Self::PlanUpdated => &["plan_id", "actor", "change"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for event in EventType::ALL {
            assert_eq!(event.as_str().parse(), Ok(*event));
        }
        assert_eq!(EventType::ALL.len(), 23);
        assert!(EventType::of_brands().all(|event| event.data().contains(&"brand_id")));
    }

    #[test]
    fn every_type_is_documented_with_its_data() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/events.md");
        let page = std::fs::read_to_string(page).expect("docs/events.md");
        for event in EventType::ALL {
            let name = format!("| `{}` |", event.as_str());
            let line = page.lines().find(|line| line.starts_with(&name));
            let line = line.unwrap_or_else(|| panic!("docs/events.md has no line for {}", event.as_str()));
            for field in event.data() {
                assert!(line.contains(&format!("`{}`", field.trim_end_matches('?'))), "{field} in {line}");
            }
        }
    }
}
