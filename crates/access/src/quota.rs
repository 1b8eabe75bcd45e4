//! Quotas: how much one brand may use. The defaults are in one table here, and a plan can have other numbers.

use std::{collections::BTreeMap, str::FromStr};

use serde::{Deserialize, Serialize, Serializer};

use crate::Timestamp;

/// The largest number that a plan can set.
pub const MAX_QUOTA: u32 = 1_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("there is no such quota")]
pub struct UnknownQuota;

macro_rules! quotas {
    ($($variant:ident $name:literal $limit:literal $what:literal;)+) => {
        /// What is limited for each brand.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
        #[serde(try_from = "String")]
        pub enum Quota { $($variant),+ }

        impl Quota {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// The limit of a brand whose plan does not say otherwise.
            pub const fn default_limit(self) -> u32 {
                match self { $(Self::$variant => $limit),+ }
            }

            /// What is counted, as it stands in a message after the number.
            pub fn description(self) -> &'static str {
                match self { $(Self::$variant => $what),+ }
            }
        }
    };
}

// A day is a UTC day, and an hour begins on the hour. The `Stored…` quotas refuse nothing: the oldest that have ended are
// deleted.
quotas! {
    OpenLongJobs          "open_long_jobs"           5     "audits and analyses that have not ended";
    QueuedTargets         "queued_targets"           1_000 "scheduled posts, counted on each channel";
    Drafts                "drafts"                   5_000 "drafts";
    ConcurrentWaits       "concurrent_waits"         8     "calls that wait for a result";
    AuditsPerDay          "audits_per_day"           50    "audits a day";
    AnalysesPerDay        "analyses_per_day"         500   "analyses a day";
    KeywordSearchesPerDay "keyword_searches_per_day" 500   "keyword searches a day";
    PostsPerDay           "posts_per_day"            500   "posts a day";
    ReportEmailsPerDay    "report_emails_per_day"    20    "report emails a day";
    Keys                  "keys"                     50    "active keys";
    StoredAnalyses        "stored_analyses"          2_000 "stored analyses";
    StoredAudits          "stored_audits"            200   "stored audits";
    Schedules             "schedules"                20    "schedules";
    ConnectionTestsPerHour "connection_tests_per_hour" 10  "tests of channels, endpoints and recipients an hour";
    // The only one that counts for each key.
    PendingApprovals      "pending_approvals"        100   "calls of one key that wait for approval";
}

impl Quota {
    /// When it starts again, if it counts what was used in a day or an hour.
    pub const fn next_period(self, now: Timestamp) -> Option<Timestamp> {
        if self.is_daily() {
            Some(now.next_midnight())
        } else if matches!(self, Self::ConnectionTestsPerHour) {
            Some(now.next_hour())
        } else {
            None
        }
    }

    /// Whether it starts again at midnight UTC.
    pub const fn is_daily(self) -> bool {
        matches!(
            self,
            Self::AuditsPerDay
                | Self::AnalysesPerDay
                | Self::KeywordSearchesPerDay
                | Self::PostsPerDay
                | Self::ReportEmailsPerDay
        )
    }
}

impl FromStr for Quota {
    type Err = UnknownQuota;

    fn from_str(name: &str) -> Result<Self, UnknownQuota> {
        Self::ALL.iter().copied().find(|quota| quota.as_str() == name).ok_or(UnknownQuota)
    }
}

impl TryFrom<String> for Quota {
    type Error = UnknownQuota;

    fn try_from(name: String) -> Result<Self, UnknownQuota> {
        name.parse()
    }
}

impl Serialize for Quota {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The limits of a plan: the defaults, except for those that the plan sets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Quotas(BTreeMap<Quota, u32>);

impl Quotas {
    pub fn limit(&self, quota: Quota) -> u32 {
        self.0.get(&quota).copied().unwrap_or_else(|| quota.default_limit())
    }

    /// `None`: the default.
    pub fn set(&mut self, quota: Quota, limit: Option<u32>) {
        match limit {
            Some(limit) => self.0.insert(quota, limit.min(MAX_QUOTA)),
            None => self.0.remove(&quota),
        };
    }

    /// Whether every limit is the default.
    pub fn is_default(&self) -> bool {
        self.0.is_empty()
    }

    /// The limits that the plan sets itself.
    pub fn overrides(&self) -> impl Iterator<Item = (Quota, u32)> {
        self.0.iter().map(|(quota, limit)| (*quota, *limit))
    }

    /// Fails if `wanted` more would exceed the limit. `frees_at` is when some of what is used becomes free by itself.
    pub fn check(
        &self,
        quota: Quota,
        used: u32,
        wanted: u32,
        frees_at: Option<Timestamp>,
    ) -> Result<(), QuotaReached> {
        let limit = self.limit(quota);
        if used.saturating_add(wanted) <= limit {
            return Ok(());
        }
        // If even an empty quota is too small, waiting does not help.
        Err(QuotaReached { quota, limit, used, frees_at: frees_at.filter(|_| wanted <= limit) })
    }
}

impl FromIterator<(Quota, u32)> for Quotas {
    fn from_iter<T: IntoIterator<Item = (Quota, u32)>>(limits: T) -> Self {
        let mut quotas = Self::default();
        for (quota, limit) in limits {
            quotas.set(quota, Some(limit));
        }
        quotas
    }
}

/// How much is used of each quota, and when some of it becomes free by itself. A quota that is not here is not used.
pub type QuotaCounts = BTreeMap<Quota, (u32, Option<Timestamp>)>;

/// One quota of a brand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotaUsage {
    pub quota: Quota,
    pub limit: u32,
    /// It can be more than the limit, if the limit was lowered.
    pub used: u32,
    /// `None`: nothing is used, that is not known, or only people can free it.
    pub frees_at: Option<Timestamp>,
}

impl Quotas {
    /// All quotas, in the order of the table.
    pub fn usage(&self, counts: &QuotaCounts) -> Vec<QuotaUsage> {
        let usage = |quota: &Quota| {
            let (used, frees_at) = counts.get(quota).copied().unwrap_or_default();
            let frees_at = frees_at.filter(|_| used > 0);
            QuotaUsage { quota: *quota, limit: self.limit(*quota), used, frees_at }
        };
        Quota::ALL.iter().map(usage).collect()
    }

    /// Whether the plan sets this limit itself.
    pub fn is_overridden(&self, quota: Quota) -> bool {
        self.0.contains_key(&quota)
    }
}

/// The brand has used up a quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the brand has reached its quota of {limit} {}", .quota.description())]
pub struct QuotaReached {
    pub quota: Quota,
    pub limit: u32,
    pub used: u32,
    /// `None`: that is not known, or only people can free it.
    pub frees_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Timestamp = Timestamp::from_millis(1_794_744_000_000);

    #[test]
    fn plan_changes_only_the_limits_that_it_sets() {
        let quotas: Quotas = [(Quota::Keys, 3), (Quota::Drafts, 0)].into_iter().collect();
        assert_eq!((quotas.limit(Quota::Keys), quotas.limit(Quota::Drafts)), (3, 0));
        assert_eq!(quotas.limit(Quota::PostsPerDay), 500);
        let text = serde_json::to_string(&quotas).expect("JSON");
        assert_eq!(text, r#"{"drafts":0,"keys":3}"#);
        assert_eq!(serde_json::from_str::<Quotas>(&text).expect("JSON"), quotas);
        assert!(serde_json::from_str::<Quotas>(r#"{"wishes":3}"#).is_err());
    }

    #[test]
    fn defaults_are_the_documented_numbers() {
        let limits: Vec<u32> = Quota::ALL.iter().map(|quota| quota.default_limit()).collect();
        assert_eq!(limits, [5, 1_000, 5_000, 8, 50, 500, 500, 500, 20, 50, 2_000, 200, 20, 10, 100]);
    }

    #[test]
    fn limit_itself_is_allowed_and_one_more_is_refused() {
        let quotas = Quotas::default();
        assert_eq!(quotas.check(Quota::Keys, 49, 1, None), Ok(()));
        let refused = QuotaReached { quota: Quota::Keys, limit: 50, used: 50, frees_at: Some(NOON) };
        assert_eq!(quotas.check(Quota::Keys, 50, 1, Some(NOON)), Err(refused));
        assert_eq!(refused.to_string(), "the brand has reached its quota of 50 active keys");
    }

    #[test]
    fn usage_lists_every_quota_once() {
        let quotas: Quotas = [(Quota::Keys, 3)].into_iter().collect();
        let counts =
            QuotaCounts::from([(Quota::Keys, (4, Some(NOON))), (Quota::AuditsPerDay, (0, Some(NOON)))]);
        let usage = quotas.usage(&counts);
        let listed: Vec<Quota> = usage.iter().map(|usage| usage.quota).collect();
        assert_eq!(listed, Quota::ALL);
        for usage in usage {
            let expected = match usage.quota {
                Quota::Keys => (3, 4, Some(NOON)),
                other => (other.default_limit(), 0, None),
            };
            assert_eq!((usage.limit, usage.used, usage.frees_at), expected, "{:?}", usage.quota);
            assert_eq!(quotas.is_overridden(usage.quota), usage.quota == Quota::Keys);
        }
    }

    #[test]
    fn request_that_never_fits_frees_at_no_time() {
        let refused = Quotas::default().check(Quota::ReportEmailsPerDay, 0, 21, Some(NOON));
        assert_eq!(refused.map_err(|reached| reached.frees_at), Err(None));
    }

    #[test]
    fn every_quota_is_found_by_its_name() {
        for quota in Quota::ALL {
            assert_eq!(quota.as_str().parse(), Ok(*quota));
            assert_eq!(quota.is_daily(), quota.as_str().ends_with("_per_day"));
            let (per_day, per_hour) = (Some(NOON.next_midnight()), Some(NOON.next_hour()));
            let expected = match quota.as_str().rsplit_once("_per_") {
                Some((_, "day")) => per_day,
                Some((_, "hour")) => per_hour,
                _ => None,
            };
            assert_eq!(quota.next_period(NOON), expected, "{quota:?}");
        }
    }
}
