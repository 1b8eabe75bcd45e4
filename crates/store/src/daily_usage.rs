//! The usage of keys: requests by day, key and tool, and the peaks of the rate window.

use std::collections::BTreeMap;

use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, KeyId, StoreError, Timestamp, rate, usage::Outcome};

use crate::{Store, engine::query, parse_column};

/// One key's use of one tool on one day. `tool` is `None` for the list of tools.
#[derive(Debug, Clone)]
pub struct DailyUsage {
    pub day: String,
    pub key_id: KeyId,
    pub tool: Option<String>,
    pub calls: u64,
    pub errors: u64,
    pub denied: u64,
    pub p50_ms: Option<f64>,
    pub p95_ms: Option<f64>,
}

/// The highest number of requests in a key's window.
#[derive(Debug, Clone)]
pub struct Peak {
    pub key_id: KeyId,
    pub most: u32,
}

#[derive(FromRow)]
struct UsageRow {
    day: String,
    key_id: String,
    tool: String,
    outcome: String,
    bucket: i64,
    requests: i64,
}

impl Store {
    /// By day, key and tool, from `first_day` on.
    pub async fn usage(&self, brand: &BrandId, first_day: &str) -> Result<Vec<DailyUsage>, StoreError> {
        self.run_for(brand, "usage", async {
            let sql = "SELECT day, key_id, tool, outcome, bucket, requests FROM usage_counts \
                       WHERE brand_id = $1 AND day >= $2 ORDER BY day, key_id, tool, bucket LIMIT 200000";
            let rows: Vec<UsageRow> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(brand.as_str())
                .bind(first_day)
                .fetch_all(db)
                .await)?;
            let mut lines: BTreeMap<(String, String, String), Vec<UsageRow>> = BTreeMap::new();
            for row in rows {
                lines.entry((row.day.clone(), row.key_id.clone(), row.tool.clone())).or_default().push(row);
            }
            lines.into_iter().map(|((day, key, tool), rows)| daily_usage(day, &key, tool, &rows)).collect()
        })
        .await
    }

    /// The peak of each key since then.
    pub async fn peaks(&self, brand: &BrandId, since: Timestamp) -> Result<Vec<Peak>, StoreError> {
        self.run_for(brand, "peaks", async {
            let sql = "SELECT key_id, MAX(most) FROM peaks WHERE brand_id = $1 AND minute >= $2 \
                       GROUP BY key_id ORDER BY key_id";
            let rows: Vec<(String, i64)> = query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(brand.as_str())
                .bind(since.millis() / 60_000)
                .fetch_all(db)
                .await)?;
            let decode = |(key, most): (String, i64)| {
                let most =
                    u32::try_from(most).unwrap_or(0).min(u32::try_from(rate::LIMIT).unwrap_or(u32::MAX));
                Ok(Peak { key_id: parse_column(&key, "key id")?, most })
            };
            rows.into_iter().map(decode).collect()
        })
        .await
    }
}

fn daily_usage(day: String, key: &str, tool: String, rows: &[UsageRow]) -> Result<DailyUsage, sqlx::Error> {
    let count = |outcome: Outcome| -> u64 {
        let matching = rows.iter().filter(|row| row.outcome == outcome.as_str());
        matching.map(|row| u64::try_from(row.requests).unwrap_or(0)).sum()
    };
    let (ok, errors, denied) = (count(Outcome::Ok), count(Outcome::Error), count(Outcome::Denied));
    let mut buckets: BTreeMap<i64, u64> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.outcome != Outcome::Denied.as_str()) {
        *buckets.entry(row.bucket).or_default() += u64::try_from(row.requests).unwrap_or(0);
    }
    Ok(DailyUsage {
        day,
        key_id: parse_column(key, "key id")?,
        tool: (!tool.is_empty()).then_some(tool),
        calls: ok + errors,
        errors,
        denied,
        p50_ms: quantile_ms(&buckets, 0.50),
        p95_ms: quantile_ms(&buckets, 0.95),
    })
}

/// Each latency bucket is a fifth larger than the one before, from 1 µs on. A quantile is off by a tenth at most.
const GROWTH: f64 = 1.2;
/// The natural logarithm of `GROWTH`. Computing it for each request costs as much as the rest of `bucket_of`.
const LN_GROWTH: f64 = 0.182_321_556_793_954_6;

#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "an estimate by design")]
pub(crate) fn bucket_of(latency_us: i64) -> i64 {
    ((latency_us.max(1) as f64).ln() / LN_GROWTH).floor() as i64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "an estimate by design")]
#[expect(clippy::cast_sign_loss, reason = "a count is not negative")]
fn quantile_ms(buckets: &BTreeMap<i64, u64>, share: f64) -> Option<f64> {
    let total: u64 = buckets.values().sum();
    let rank = ((total as f64 * share).ceil() as u64).max(1);
    let mut seen = 0;
    for (bucket, count) in buckets {
        seen += count;
        if seen >= rank {
            let middle_us = GROWTH.powf(*bucket as f64 + 0.5);
            return Some((middle_us / 10.0).round() / 100.0);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_within_a_tenth() {
        let mut buckets = BTreeMap::new();
        for micros in 1..=100_000 {
            *buckets.entry(bucket_of(micros)).or_default() += 1;
        }
        let p50 = quantile_ms(&buckets, 0.50).expect("some");
        let p95 = quantile_ms(&buckets, 0.95).expect("some");
        assert!((p50 - 50.0).abs() <= 5.0, "{p50}");
        assert!((p95 - 95.0).abs() <= 9.5, "{p95}");
        assert_eq!(quantile_ms(&BTreeMap::new(), 0.5), None);
    }
}
