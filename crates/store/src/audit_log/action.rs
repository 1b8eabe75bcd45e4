//! What can be done, as the audit log names it.

use std::str::FromStr;

use super::names::NameKind;

macro_rules! actions {
    ($($name:ident $text:literal),+ $(,)?) => {
        /// What a person or a command did. The name begins with the kind of its target.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum AuditAction {
            $($name),+
        }

        impl AuditAction {
            pub const ALL: &'static [Self] = &[$(Self::$name),+];
            pub const NAMES: &'static [&'static str] = &[$($text),+];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text),+
                }
            }
        }
    };
}

actions! {
    UserErase "user.erase",
    KeyCreate "key.create",
    KeyUpdate "key.update",
    KeyRotate "key.rotate",
    KeyFinishRotation "key.finish_rotation",
    KeyReveal "key.reveal",
    KeyRevoke "key.revoke",
    KeyRewrap "key.rewrap",
    PlanPut "plan.put",
    PlanDelete "plan.delete",
    BrandPut "brand.put",
    BrandUpdate "brand.update",
    BrandSuspend "brand.suspend",
    BrandResume "brand.resume",
    BrandErase "brand.erase",
    BrandExport "brand.export",
    BrandImport "brand.import",
    MemberPut "member.put",
    MemberRemove "member.remove",
    ApprovalSettingsUpdate "approval_settings.update",
    ApprovalEmailsUpdate "approval_emails.update",
    ApprovalApprove "approval.approve",
    ApprovalReject "approval.reject",
    PostUpdate "post.update",
    PostPublish "post.publish",
    PostCancel "post.cancel",
    PostWithdraw "post.withdraw",
    PostRetry "post.retry",
    PostDelete "post.delete",
    AuditRun "audit.run",
    ChannelPut "channel.put",
    ChannelDelete "channel.delete",
    ChannelTest "channel.test",
    ChannelRewrap "channel.rewrap",
    EventEndpointPut "event_endpoint.put",
    EventEndpointDelete "event_endpoint.delete",
    EventEndpointTest "event_endpoint.test",
    EventEndpointRewrap "event_endpoint.rewrap",
    EventDeliveryResend "event_delivery.resend",
    KeywordImportCreate "keyword_import.create",
    KeywordImportDelete "keyword_import.delete",
    ReportRecipientsPut "report_recipients.put",
    ReportRecipientsTest "report_recipients.test",
    ScheduleCreate "schedule.create",
    ScheduleDelete "schedule.delete",
    JobRetry "job.retry",
    JobCancel "job.cancel",
    JobsHold "jobs.hold",
    JobsResume "jobs.resume",
}

impl AuditAction {
    /// What it is done to, such as `key`.
    pub fn target_kind(self) -> &'static str {
        let name = self.as_str();
        name.split_once('.').map_or(name, |(kind, _)| kind)
    }
}

impl AuditAction {
    /// What the id of the target names. `None`: the id is random, or belongs to nobody, and is stored as it is.
    pub(super) fn target_name(self) -> Option<NameKind> {
        match self.target_kind() {
            "member" | "approval_emails" => Some(NameKind::User),
            "brand" | "approval_settings" | "report_recipients" => Some(NameKind::Brand),
            "channel" => Some(NameKind::Channel),
            "event_endpoint" => Some(NameKind::EventEndpoint),
            _ => None,
        }
    }
}

impl FromStr for AuditAction {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.iter().copied().find(|action| action.as_str() == text).ok_or(())
    }
}
