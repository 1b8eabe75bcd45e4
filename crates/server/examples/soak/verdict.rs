//! The evaluation of a run.

use std::{
    collections::BTreeMap,
    fmt,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use sqlx::Connection;
use svc_mcp_testkit::cluster::Cluster;

use crate::{
    load::LoadResult,
    notes::{Admitted, FailureKind, Notes},
};

/// Admitted requests per key and window.
const LIMIT: usize = 60;
const WINDOW: Duration = Duration::from_mins(1);
const SLACK: Duration = Duration::from_secs(2);

#[derive(Debug, Default)]
pub(crate) struct Verdict {
    lines: Vec<String>,
    faults: Vec<String>,
}

impl Verdict {
    pub(crate) fn is_success(&self) -> bool {
        self.faults.is_empty()
    }

    fn add(&mut self, what: &str, wrong: &[String]) {
        self.lines.push(format!(
            "{what}: {}",
            if wrong.is_empty() { "none".into() } else { wrong.len().to_string() }
        ));
        self.faults.extend(wrong.iter().take(10).map(|wrong| format!("{what}: {wrong}")));
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "---")?;
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        for fault in &self.faults {
            writeln!(f, "WRONG: {fault}")?;
        }
        write!(
            f,
            "{}",
            if self.is_success() { "The soak test has passed." } else { "The soak test has failed." }
        )
    }
}

pub(crate) async fn evaluate(
    cluster: &Cluster,
    notes: &Notes,
    result: LoadResult,
    took: Duration,
) -> Verdict {
    let mut verdict = Verdict::default();
    let faults = notes.faults();
    verdict.lines.push(format!(
        "{:.0} s, {} faults, {} requests answered, {} failed, {} posts, {} keys revoked, {} requests refused after it",
        took.as_secs_f64(),
        faults.len(),
        notes.answered.load(Ordering::SeqCst),
        notes.failures().len(),
        result.posts.len(),
        notes.revoked.load(Ordering::SeqCst),
        notes.refused_after.load(Ordering::SeqCst),
    ));
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for fault in &faults {
        let kind: String =
            fault.description.chars().filter(|character| !character.is_ascii_digit()).collect();
        *kinds.entry(kind).or_default() += 1;
    }
    verdict.lines.push(format!("faults: {kinds:?}"));
    verdict.add("violations", &notes.violations());
    verdict.add("acknowledged writes lost or doubled", &lost_writes(cluster, &result).await);
    verdict.add("scheduled posts not published once", &unpublished(cluster).await);
    verdict.add("writes never acknowledged", &result.given_up);
    verdict.add("over-admission", &over_admission(notes));
    verdict.add("unexplained errors", &unexplained(notes));
    verdict.add("errors in the logs", &in_logs(cluster));
    memory(notes, &mut verdict);
    verdict
}

async fn lost_writes(cluster: &Cluster, result: &LoadResult) -> Vec<String> {
    let mut database =
        sqlx::PgConnection::connect(&cluster.database).await.expect("a connection to PostgreSQL");
    let posts: Vec<(String, i64)> = sqlx::query_as("SELECT text, COUNT(*) FROM posts GROUP BY text")
        .fetch_all(&mut database)
        .await
        .expect("the SQL runs");
    let posts: BTreeMap<String, i64> = posts.into_iter().collect();
    let keys: Vec<(String, bool)> = sqlx::query_as("SELECT key_id, revoked_at IS NOT NULL FROM keys")
        .fetch_all(&mut database)
        .await
        .expect("the SQL runs");
    let keys: BTreeMap<String, bool> = keys.into_iter().collect();
    let mut wrong = Vec::new();
    for text in &result.posts {
        if !posts.contains_key(text) {
            wrong.push(format!("the post {text:?} is lost"));
        }
    }
    for (text, count) in posts.iter().filter(|(_, count)| **count > 1) {
        wrong.push(format!("the post {text:?} exists {count} times"));
    }
    for (ids, revoked) in [(&result.revoked, true), (&result.active, false)] {
        for key_id in ids {
            if keys.get(key_id) != Some(&revoked) {
                wrong.push(format!("the key {key_id} should exist, revoked: {revoked}"));
            }
        }
    }
    wrong
}

/// Waits until the last scheduled post is due.
async fn unpublished(cluster: &Cluster) -> Vec<String> {
    tokio::time::sleep(Duration::from_secs(15)).await;
    let mut database =
        sqlx::PgConnection::connect(&cluster.database).await.expect("a connection to PostgreSQL");
    let sql = "SELECT p.text, t.status, t.attempts FROM post_targets t JOIN posts p USING (brand_id, post_id) \
               WHERE p.scheduled_at IS NOT NULL";
    let posts: Vec<(String, String, i64)> =
        sqlx::query_as(sql).fetch_all(&mut database).await.expect("the SQL runs");
    println!("{} posts were scheduled", posts.len());
    let wrong = posts.into_iter().filter(|(_, status, attempts)| status != "published" || *attempts != 1);
    wrong.map(|(text, status, attempts)| format!("{text:?} is {status} after {attempts} attempts")).collect()
}

/// With Redis, 60 requests in a window over all instances; without it, 60 on each process.
fn over_admission(notes: &Notes) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut shared_windows = 0;
    for (key, mut all) in notes.all_admitted() {
        all.sort_by_key(|admitted| admitted.started);
        for from in 0..all.len() {
            let start = all[from].started;
            let inside = in_window(&all[from..], start);
            if notes.was_shared(start, start + WINDOW) {
                shared_windows += 1;
                if inside.len() > LIMIT {
                    wrong.push(format!("{} requests of {key} in a minute with Redis", inside.len()));
                    break;
                }
            }
            let mut by: BTreeMap<&str, usize> = BTreeMap::new();
            // A process uses its own clock or the clock of Redis, so requests near the end of the window are not counted.
            let certain = inside.into_iter().filter(|admitted| admitted.ended + SLACK < start + WINDOW);
            for admitted in certain {
                *by.entry(&admitted.by).or_default() += 1;
            }
            if let Some((by, count)) = by.into_iter().find(|(_, count)| *count > LIMIT) {
                wrong.push(format!("{count} requests of {key} in a minute by instance {by}"));
                break;
            }
        }
    }
    println!("{shared_windows} windows with a shared limit were checked");
    wrong
}

/// The requests that were certainly admitted within one window.
fn in_window(all: &[Admitted], start: Instant) -> Vec<&Admitted> {
    let until = start + WINDOW;
    all.iter()
        .take_while(|admitted| admitted.started < until)
        .filter(|admitted| admitted.ended < until)
        .collect()
}

fn unexplained(notes: &Notes) -> Vec<String> {
    let faults = notes.faults();
    let mut wrong = Vec::new();
    for failure in notes.failures() {
        let explained = failure.kind != FailureKind::Unexplained
            && faults.iter().any(|fault| {
                fault.explains.contains(&failure.kind)
                    && fault.started <= failure.ended
                    && fault.ended >= failure.started
            });
        if !explained {
            let near = faults.iter().rev().find(|fault| fault.started <= failure.ended);
            let near = near.map_or("nothing", |fault| fault.description.as_str());
            wrong.push(format!("{} (the last fault was: {near})", failure.description));
        }
    }
    wrong
}

fn in_logs(cluster: &Cluster) -> Vec<String> {
    let mut wrong = Vec::new();
    for instance in &cluster.instances {
        for word in ["panicked", "duplicate key", "deadlock", "\"code\":\"internal\""] {
            if let Some(line) = instance.log().lines().find(|line| line.contains(word)) {
                wrong.push(line.chars().take(300).collect());
            }
        }
    }
    wrong
}

fn memory(notes: &Notes, verdict: &mut Verdict) {
    let memory = notes.memory();
    let Some((start, _)) = memory.first() else { return };
    let Some((end, _)) = memory.last() else { return };
    let max = |from: Instant, to: Instant| {
        memory.iter().filter(|(at, _)| *at >= from && *at <= to).map(|(_, size)| *size).max().unwrap_or(0)
    };
    let last_part = end.checked_sub(Duration::from_secs(20)).unwrap_or(*start);
    let (first, last) = (max(*start, *start + WINDOW), max(last_part, *end));
    verdict
        .lines
        .push(format!("memory of instance 0: {first} KiB in the first minute, {last} KiB at the end"));
    if end.duration_since(*start) > 2 * WINDOW && last > first + first / 4 {
        verdict.faults.push(format!("memory grew from {first} to {last} KiB"));
    }
}
