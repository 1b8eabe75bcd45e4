//! The figures of one run, and which bounds they keep.

use std::{fmt, time::Duration};

use crate::measure::{Measured, Responses};

const MAX_LIST_RATIO: f64 = 2.0;
const MAX_DELAY: Duration = Duration::from_secs(5);
const MAX_MEMORY_GROWTH_KIB: u64 = 64 * 1024;
const BYTES_PER_MB: f64 = 1e6;

pub(crate) struct Report<'a>(pub(crate) &'a Measured);

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Measured { quiet, busy, attacked, .. } = self.0;
        writeln!(f, "{:<44} {:>10} {:>12} {:>12}", "the neighbour", "quiet", "busy cores", "attacked")?;
        for (name, of, share) in [
            ("list p50", list as fn(&Responses) -> &[Duration], 0.5),
            ("list p99", list, 0.99),
            ("get_post p50", get, 0.5),
            ("get_post p99", get, 0.99),
        ] {
            let [quiet, busy, attacked] =
                [quiet, busy, attacked].map(|phase| millis(quantile(of(phase), share)));
            writeln!(f, "{name:<44} {quiet:>10} {busy:>12} {attacked:>12}")?;
        }
        let [quiet_count, busy_count, attacked_count] = [quiet, busy, attacked].map(Responses::count);
        writeln!(f, "{:<44} {quiet_count:>10} {busy_count:>12} {attacked_count:>12}", "requests")?;
        writeln!(
            f,
            "statuses: quiet {:?}, busy cores {:?}, attacked {:?}",
            quiet.statuses, busy.statuses, attacked.statuses
        )?;
        writeln!(f)?;
        writeln!(f, "{:<44} {:>10} {:>12}", "bound", "at most", "measured")?;
        self.write_bounds(f)?;
        writeln!(f)?;
        self.write_attack(f)
    }
}

impl Report<'_> {
    fn write_bounds(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let measured = self.0;
        let failed = measured.attacked.failed() + measured.busy.failed() + measured.quiet.failed();
        line(f, "5xx or no response", "0", &failed.to_string(), failed == 0)?;
        let [busy, attacked] = [&measured.busy, &measured.attacked].map(|phase| quantile(&phase.list, 0.99));
        let ratio = attacked.as_secs_f64() / busy.as_secs_f64();
        line(
            f,
            "list p99 attacked / busy cores",
            &format!("{MAX_LIST_RATIO:.1}"),
            &format!("{ratio:.2}"),
            ratio <= MAX_LIST_RATIO,
        )?;
        write_delay(f, "an audit begins after", &measured.audit_starts)?;
        write_delay(f, "a scheduled post is late by", &measured.post_delays)?;
        let growth = measured.max_memory_kib.saturating_sub(measured.idle_memory_kib);
        line(
            f,
            &format!("memory above the idle {} MiB", measured.idle_memory_kib / 1024),
            &format!("{} MiB", MAX_MEMORY_GROWTH_KIB / 1024),
            &format!("{} MiB", growth / 1024),
            growth <= MAX_MEMORY_GROWTH_KIB,
        )?;
        for row in &measured.rows {
            let name = format!("rows: {}", row.name);
            line(f, &name, &row.max.to_string(), &row.count.to_string(), row.count <= row.max)?;
        }
        Ok(())
    }

    #[expect(clippy::cast_precision_loss, reason = "a figure for people")]
    fn write_attack(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let measured = self.0;
        writeln!(f, "the database grew by {:.1} MB", measured.database_growth as f64 / BYTES_PER_MB)?;
        let total: u64 = measured.attack.values().flat_map(|statuses| statuses.values()).sum();
        let rate = total as f64 / measured.attack_time.as_secs_f64();
        writeln!(f, "the attack: {total} responses, {rate:.0} per second, by status (0: none)")?;
        for (kind, statuses) in &measured.attack {
            writeln!(f, "  {:<12} {statuses:?}", format!("{kind:?}"))?;
        }
        Ok(())
    }
}

impl Responses {
    fn count(&self) -> u64 {
        self.statuses.values().sum()
    }

    fn failed(&self) -> u64 {
        self.statuses
            .iter()
            .filter(|(status, _)| **status == 0 || **status >= 500)
            .map(|(_, count)| count)
            .sum()
    }
}

fn list(responses: &Responses) -> &[Duration] {
    &responses.list
}

fn get(responses: &Responses) -> &[Duration] {
    &responses.get
}

fn line(f: &mut fmt::Formatter<'_>, name: &str, max: &str, measured: &str, is_kept: bool) -> fmt::Result {
    writeln!(f, "{name:<44} {max:>10} {measured:>12}  {}", if is_kept { "PASS" } else { "MISS" })
}

/// The longest of the rounds, and what went wrong in a round.
fn write_delay(f: &mut fmt::Formatter<'_>, name: &str, rounds: &[Result<Duration, String>]) -> fmt::Result {
    let max = rounds.iter().flatten().max().copied().unwrap_or_default();
    let is_kept = max <= MAX_DELAY && rounds.iter().all(Result::is_ok);
    line(f, name, &format!("{MAX_DELAY:?}"), &format!("{:.2} s", max.as_secs_f64()), is_kept)?;
    for problem in rounds.iter().filter_map(|round| round.as_ref().err()) {
        writeln!(f, "    {}", problem.chars().take(200).collect::<String>())?;
    }
    Ok(())
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a small positive number"
)]
fn quantile(latencies: &[Duration], share: f64) -> Duration {
    let mut sorted = latencies.to_vec();
    sorted.sort();
    let at = (sorted.len() as f64 * share) as usize;
    sorted.get(at).or(sorted.last()).copied().unwrap_or_default()
}

fn millis(latency: Duration) -> String {
    format!("{:.2} ms", latency.as_secs_f64() * 1000.0)
}
