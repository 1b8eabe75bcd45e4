//! What the soak has shown.

use std::{
    collections::BTreeMap,
    fmt,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use sqlx::Connection;
use svc_mcp_testkit::cluster::Cluster;

use crate::{
    load::Loaded,
    notes::{Admitted, Explains, Notes},
};

const LIMIT: usize = 60;
const SPAN: Duration = Duration::from_mins(1);
const SLACK: Duration = Duration::from_secs(2);

#[derive(Debug, Default)]
pub(crate) struct Verdict {
    lines: Vec<String>,
    faults: Vec<String>,
}

impl Verdict {
    pub(crate) fn is_good(&self) -> bool {
        self.faults.is_empty()
    }

    fn found(&mut self, what: &str, wrong: &[String]) {
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
        write!(f, "{}", if self.is_good() { "all is well" } else { "the soak has failed" })
    }
}

pub(crate) async fn reach(cluster: &Cluster, notes: &Notes, loaded: Loaded, took: Duration) -> Verdict {
    let mut verdict = Verdict::default();
    let faults = notes.faults();
    verdict.lines.push(format!(
        "{:.0} s, {} faults, {} requests answered, {} failed, {} posts, {} keys revoked, {} requests refused after it",
        took.as_secs_f64(),
        faults.len(),
        notes.answered.load(Ordering::SeqCst),
        notes.failures().len(),
        loaded.posts.len(),
        notes.revoked.load(Ordering::SeqCst),
        notes.refused_after.load(Ordering::SeqCst),
    ));
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for fault in &faults {
        let kind: String = fault.what.chars().filter(|character| !character.is_ascii_digit()).collect();
        *kinds.entry(kind).or_default() += 1;
    }
    verdict.lines.push(format!("faults: {kinds:?}"));
    verdict.found("violations", &notes.violations());
    verdict.found("acknowledged writes lost or doubled", &lost_writes(cluster, &loaded).await);
    verdict.found("scheduled posts not published once", &unpublished(cluster).await);
    verdict.found("writes never acknowledged", &loaded.given_up);
    verdict.found("over-admission", &over_admission(notes));
    verdict.found("unexplained errors", &unexplained(notes));
    verdict.found("panics and other faults in the logs", &in_logs(cluster));
    memory(notes, &mut verdict);
    verdict
}

async fn lost_writes(cluster: &Cluster, loaded: &Loaded) -> Vec<String> {
    let mut database = sqlx::PgConnection::connect(&cluster.database).await.expect("all is well again");
    let posts: Vec<(String, i64)> = sqlx::query_as("SELECT text, COUNT(*) FROM posts GROUP BY text")
        .fetch_all(&mut database)
        .await
        .expect("it takes SQL");
    let posts: BTreeMap<String, i64> = posts.into_iter().collect();
    let keys: Vec<(String, bool)> = sqlx::query_as("SELECT key_id, revoked_at IS NOT NULL FROM keys")
        .fetch_all(&mut database)
        .await
        .expect("it takes SQL");
    let keys: BTreeMap<String, bool> = keys.into_iter().collect();
    let mut wrong = Vec::new();
    for text in &loaded.posts {
        if !posts.contains_key(text) {
            wrong.push(format!("the post {text:?} is lost"));
        }
    }
    for (text, count) in posts.iter().filter(|(_, count)| **count > 1) {
        wrong.push(format!("the post {text:?} is there {count} times"));
    }
    for (ids, revoked) in [(&loaded.revoked, true), (&loaded.active, false)] {
        for key_id in ids {
            if keys.get(key_id) != Some(&revoked) {
                wrong.push(format!("the key {key_id} should be there, revoked: {revoked}"));
            }
        }
    }
    wrong
}

/// Waits until the last one is due.
async fn unpublished(cluster: &Cluster) -> Vec<String> {
    tokio::time::sleep(Duration::from_secs(15)).await;
    let mut database = sqlx::PgConnection::connect(&cluster.database).await.expect("all is well again");
    let sql = "SELECT p.text, t.status, t.attempts FROM post_targets t JOIN posts p USING (brand_id, post_id) \
               WHERE p.scheduled_at IS NOT NULL";
    let posts: Vec<(String, String, i64)> =
        sqlx::query_as(sql).fetch_all(&mut database).await.expect("it takes SQL");
    println!("{} posts were scheduled", posts.len());
    let wrong = posts.into_iter().filter(|(_, status, attempts)| status != "published" || *attempts != 1);
    wrong.map(|(text, status, attempts)| format!("{text:?} is {status} after {attempts} attempts")).collect()
}

/// Where Redis was there all the time, 60 over all instances; else 60 on each process.
fn over_admission(notes: &Notes) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut shared_spans = 0;
    for (key, mut all) in notes.all_admitted() {
        all.sort_by_key(|admitted| admitted.begun);
        for from in 0..all.len() {
            let begun = all[from].begun;
            let inside = in_span(&all[from..], begun);
            if notes.was_shared(begun, begun + SPAN) {
                shared_spans += 1;
                if inside.len() > LIMIT {
                    wrong.push(format!("{} requests of {key} in a minute with Redis", inside.len()));
                    break;
                }
            }
            let mut by: BTreeMap<&str, usize> = BTreeMap::new();
            // A process may go by its own clock and by Redis's in turn, so a second here or there is not counted.
            let surely = inside.into_iter().filter(|admitted| admitted.ended + SLACK < begun + SPAN);
            for admitted in surely {
                *by.entry(&admitted.by).or_default() += 1;
            }
            if let Some((by, count)) = by.into_iter().find(|(_, count)| *count > LIMIT) {
                wrong.push(format!("{count} requests of {key} in a minute by instance {by}"));
                break;
            }
        }
    }
    println!("{shared_spans} spans of a minute were counted over Redis alone");
    wrong
}

/// Those that were surely admitted within a minute from this moment.
fn in_span(all: &[Admitted], begun: Instant) -> Vec<&Admitted> {
    let until = begun + SPAN;
    all.iter()
        .take_while(|admitted| admitted.begun < until)
        .filter(|admitted| admitted.ended < until)
        .collect()
}

fn unexplained(notes: &Notes) -> Vec<String> {
    let faults = notes.faults();
    let mut wrong = Vec::new();
    for failure in notes.failures() {
        let explained = failure.kind != Explains::Nothing
            && faults.iter().any(|fault| {
                fault.explains.contains(&failure.kind)
                    && fault.begun <= failure.ended
                    && fault.over >= failure.begun
            });
        if !explained {
            let near = faults.iter().rev().find(|fault| fault.begun <= failure.ended);
            let near = near.map_or("nothing", |fault| fault.what.as_str());
            wrong.push(format!("{} (the last fault was: {near})", failure.what));
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
    let Some((begun, _)) = memory.first() else { return };
    let Some((ended, _)) = memory.last() else { return };
    let most = |from: Instant, to: Instant| {
        memory.iter().filter(|(at, _)| *at >= from && *at <= to).map(|(_, size)| *size).max().unwrap_or(0)
    };
    let lately = ended.checked_sub(Duration::from_secs(20)).unwrap_or(*begun);
    let (minute, end) = (most(*begun, *begun + SPAN), most(lately, *ended));
    verdict
        .lines
        .push(format!("memory of instance 0: {minute} KiB in the first minute, {end} KiB at the end"));
    if ended.duration_since(*begun) > 2 * SPAN && end > minute + minute / 4 {
        verdict.faults.push(format!("memory grew from {minute} to {end} KiB"));
    }
}
