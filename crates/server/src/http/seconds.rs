//! How long answers take, as a histogram that costs two additions a request. The exporter's own keeps every single value
//! until somebody asks.

use std::{
    fmt::Write,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// The upper ends of a histogram's buckets, in seconds.
pub(crate) const BUCKETS: [f64; 15] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0,
];

#[derive(Debug, Default)]
pub(crate) struct Seconds {
    /// The last is for what is beyond all ends.
    counts: [AtomicU64; BUCKETS.len() + 1],
    nanos: AtomicU64,
}

impl Seconds {
    pub(crate) fn record(&self, took: Duration) {
        let seconds = took.as_secs_f64();
        let bucket = BUCKETS.iter().position(|end| seconds <= *end).unwrap_or(BUCKETS.len());
        self.counts[bucket].fetch_add(1, Relaxed);
        self.nanos.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    /// In Prometheus's format; nothing where nothing was recorded.
    pub(crate) fn write(&self, name: &str, route: &str, text: &mut String) {
        let seconds = Duration::from_nanos(self.nanos.load(Relaxed)).as_secs_f64();
        let mut count = 0;
        let mut lines = String::new();
        let ends = BUCKETS.iter().map(ToString::to_string).chain(["+Inf".to_owned()]);
        for (end, within) in ends.zip(&self.counts) {
            count += within.load(Relaxed);
            let _ = writeln!(lines, r#"{name}_bucket{{route="{route}",le="{end}"}} {count}"#);
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
    fn each_bucket_counts_all_up_to_its_end() {
        let seconds = Seconds::default();
        let mut text = String::new();
        seconds.write("s", "/a", &mut text);
        assert_eq!(text, "");
        for micros in [50, 51, 1_000, 6_000_000] {
            seconds.record(Duration::from_micros(micros));
        }
        seconds.write("s", "/a", &mut text);
        for line in [
            r#"s_bucket{route="/a",le="0.00005"} 1"#,
            r#"s_bucket{route="/a",le="0.0001"} 2"#,
            r#"s_bucket{route="/a",le="0.0005"} 2"#,
            r#"s_bucket{route="/a",le="0.001"} 3"#,
            r#"s_bucket{route="/a",le="5"} 3"#,
            r#"s_bucket{route="/a",le="+Inf"} 4"#,
            r#"s_sum{route="/a"} 6.001101"#,
            r#"s_count{route="/a"} 4"#,
        ] {
            assert!(text.lines().any(|one| one == line), "{line} in {text}");
        }
        assert_eq!(text.lines().count(), BUCKETS.len() + 3);
    }
}
