//! Log lines about something that the service depends on and that does not work: one when the outage begins, one a minute
//! while it lasts, and one when it ends. A line for each failure would fill the disk when it is needed most.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use parking_lot::Mutex;

/// How often a line says that an outage continues.
const REPEAT_INTERVAL: Duration = Duration::from_mins(1);
/// For something that is used all the time: an outage ends when nothing has failed for this long. So if only every second use
/// fails, that is one outage, and not one for each failure.
const SETTLE_TIME: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub struct Outage {
    /// The label of the metric, and the field `of` of the log.
    of: &'static str,
    /// What a person reads when it begins.
    message: &'static str,
    settle_time: Duration,
    /// A use that succeeds looks only at this.
    is_ongoing: AtomicBool,
    ongoing: Mutex<Option<Ongoing>>,
}

#[derive(Debug)]
struct Ongoing {
    began: Instant,
    logged: Instant,
    failures: u64,
    /// The first success after the last failure.
    recovered: Option<Instant>,
}

#[derive(Debug, PartialEq, Eq)]
enum Line {
    Begins,
    Continues { lasted: Duration, failures: u64 },
    Ended { lasted: Duration, failures: u64 },
}

impl Outage {
    /// For something that is used all the time, such as the database.
    pub fn new(of: &'static str, message: &'static str) -> Self {
        let (is_ongoing, ongoing) = (AtomicBool::new(false), Mutex::new(None));
        Self { of, message, settle_time: SETTLE_TIME, is_ongoing, ongoing }
    }

    /// For something that is seldom used: the first success ends the outage.
    pub fn of_seldom_used(of: &'static str, message: &'static str) -> Self {
        Self { settle_time: Duration::ZERO, ..Self::new(of, message) }
    }

    pub fn failed(&self, at: Instant, error: &dyn fmt::Display) {
        match self.count_failure(at) {
            Some(Line::Continues { lasted, failures }) => {
                let seconds = lasted.as_secs();
                tracing::error!(of = self.of, %error, failures, seconds, "outage continues: {}", self.message);
            }
            Some(_) => {
                metrics::gauge!("svc_mcp_outage", "of" => self.of).set(1.0);
                tracing::error!(of = self.of, %error, "outage begins: {}", self.message);
            }
            None => tracing::debug!(of = self.of, %error, "it failed during an outage"),
        }
    }

    pub fn succeeded(&self, at: Instant) {
        // Relaxed: if the change is seen late, the next success ends the outage.
        if !self.is_ongoing.load(Ordering::Relaxed) {
            return;
        }
        if let Some(Line::Ended { lasted, failures }) = self.count_success(at) {
            metrics::gauge!("svc_mcp_outage", "of" => self.of).set(0.0);
            tracing::info!(of = self.of, failures, seconds = lasted.as_secs(), "outage ended");
        }
    }

    fn count_failure(&self, at: Instant) -> Option<Line> {
        let mut ongoing = self.ongoing.lock();
        let Some(outage) = &mut *ongoing else {
            *ongoing = Some(Ongoing { began: at, logged: at, failures: 1, recovered: None });
            self.is_ongoing.store(true, Ordering::Relaxed);
            return Some(Line::Begins);
        };
        outage.failures += 1;
        outage.recovered = None;
        if at.saturating_duration_since(outage.logged) < REPEAT_INTERVAL {
            return None;
        }
        outage.logged = at;
        let lasted = at.saturating_duration_since(outage.began);
        Some(Line::Continues { lasted, failures: outage.failures })
    }

    fn count_success(&self, at: Instant) -> Option<Line> {
        let mut ongoing = self.ongoing.lock();
        let outage = ongoing.as_mut()?;
        let recovered = *outage.recovered.get_or_insert(at);
        if at.saturating_duration_since(recovered) < self.settle_time {
            return None;
        }
        let lasted = recovered.saturating_duration_since(outage.began);
        let line = Line::Ended { lasted, failures: outage.failures };
        *ongoing = None;
        self.is_ongoing.store(false, Ordering::Relaxed);
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    #[test]
    fn three_minutes_with_ten_failures_a_second_are_five_lines() {
        let (outage, start) = (Outage::new("database", "it does not answer"), Instant::now());
        let mut lines = Vec::new();
        for tenth in 0..1900 {
            lines.extend(outage.count_failure(start + Duration::from_millis(tenth * 100)));
        }
        let back = start + seconds(200);
        for second in 0..10 {
            lines.extend(outage.count_success(back + seconds(second)));
        }
        let continues =
            |minute: u64| Line::Continues { lasted: seconds(60 * minute), failures: 600 * minute + 1 };
        let ended = Line::Ended { lasted: seconds(200), failures: 1900 };
        assert_eq!(lines, [Line::Begins, continues(1), continues(2), continues(3), ended]);
        assert_eq!(outage.count_failure(back + seconds(60)), Some(Line::Begins), "the next one is a new one");
    }

    #[test]
    fn success_between_failures_does_not_end_an_outage() {
        let (outage, start) = (Outage::new("database", "it does not answer"), Instant::now());
        let mut lines = Vec::new();
        for second in 0..59 {
            let at = start + seconds(second);
            lines.extend(outage.count_failure(at));
            lines.extend(outage.count_success(at + Duration::from_millis(500)));
        }
        assert_eq!(lines, [Line::Begins]);
        let lasted = Duration::from_millis(58_500);
        let almost_settled = start + lasted + SETTLE_TIME.saturating_sub(Duration::from_millis(1));
        assert_eq!(outage.count_success(almost_settled), None);
        assert_eq!(
            outage.count_success(start + lasted + SETTLE_TIME),
            Some(Line::Ended { lasted, failures: 59 })
        );
    }

    #[test]
    fn first_success_of_something_seldom_used_ends_its_outage() {
        let (outage, start) = (Outage::of_seldom_used("mail", "no mail is sent"), Instant::now());
        assert_eq!(outage.count_failure(start), Some(Line::Begins));
        let ended = Line::Ended { lasted: seconds(90), failures: 1 };
        assert_eq!(outage.count_success(start + seconds(90)), Some(ended));
        assert_eq!(outage.count_success(start + seconds(91)), None);
    }
}
