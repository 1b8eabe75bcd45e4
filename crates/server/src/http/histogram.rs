//! A histogram of durations that costs two additions per value. The exporter's own keeps every value until the next scrape.

use std::{
    fmt::Write,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// The upper bounds of the buckets, in seconds.
/// A call may wait up to 60 seconds for its result.
pub(crate) const BUCKETS: [f64; 19] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    5.0, 10.0, 30.0, 60.0,
];

#[derive(Debug, Default)]
pub(crate) struct DurationHistogram {
    /// The last entry counts values above all bounds.
    counts: [AtomicU64; BUCKETS.len() + 1],
    nanos: AtomicU64,
}

impl DurationHistogram {
    pub(crate) fn record(&self, took: Duration) {
        let seconds = took.as_secs_f64();
        let bucket = BUCKETS.iter().position(|bound| seconds <= *bound).unwrap_or(BUCKETS.len());
        self.counts[bucket].fetch_add(1, Relaxed);
        self.nanos.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    /// In Prometheus's format. Writes nothing while nothing was recorded.
    pub(crate) fn write(&self, name: &str, route: &str, text: &mut String) {
        let seconds = Duration::from_nanos(self.nanos.load(Relaxed)).as_secs_f64();
        let mut count = 0;
        let mut lines = String::new();
        let bounds = BUCKETS.iter().map(ToString::to_string).chain(["+Inf".to_owned()]);
        for (bound, within) in bounds.zip(&self.counts) {
            count += within.load(Relaxed);
            let _ = writeln!(lines, r#"{name}_bucket{{route="{route}",le="{bound}"}} {count}"#);
        }
        if count > 0 {
            let _ = writeln!(lines, r#"{name}_sum{{route="{route}"}} {seconds}"#);
            let _ = writeln!(lines, r#"{name}_count{{route="{route}"}} {count}"#);
            text.push_str(&lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bucket_counts_all_values_up_to_its_bound() {
        let histogram = DurationHistogram::default();
        let mut text = String::new();
        histogram.write("s", "/a", &mut text);
        assert_eq!(text, "");
        for micros in [50, 51, 1_000, 60_000_001] {
            histogram.record(Duration::from_micros(micros));
        }
        histogram.write("s", "/a", &mut text);
        for line in [
            r#"s_bucket{route="/a",le="0.00005"} 1"#,
            r#"s_bucket{route="/a",le="0.0001"} 2"#,
            r#"s_bucket{route="/a",le="0.0005"} 2"#,
            r#"s_bucket{route="/a",le="0.001"} 3"#,
            r#"s_bucket{route="/a",le="60"} 3"#,
            r#"s_bucket{route="/a",le="+Inf"} 4"#,
            r#"s_sum{route="/a"} 60.001102"#,
            r#"s_count{route="/a"} 4"#,
        ] {
            assert!(text.lines().any(|one| one == line), "{line} in {text}");
        }
        assert_eq!(text.lines().count(), BUCKETS.len() + 3);
    }
}
