//! The behaviour of the store, tested on both engines.
//!
//! A test case is an async function that takes a [`world::World`]: a new database with two brands. The macro makes the
//! tests `case::sqlite` and `case::postgres` of it.

macro_rules! on_both_engines {
    ($($case:ident),+ $(,)?) => {$(
        mod $case {
            use crate::world::World;

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                let world = World::on_sqlite().await;
                super::$case(&world).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                let world = World::on_postgres().await;
                super::$case(&world).await;
                world.drop_database().await;
            }
        }
    )+};
}

mod activity;
mod analyses;
mod approval_notices;
mod audit_log;
mod audit_log_tampering;
mod audit_results;
mod audits;
mod backup;
mod brand_data;
mod brands;
mod channels;
mod cold_start;
mod commits;
mod damaged_rows;
mod feed;
mod idempotency_records;
mod instances;
mod job_hold;
mod job_turns;
mod jobs;
mod key_bloom;
mod key_limit;
mod key_notices;
mod key_pause;
mod key_rotation;
mod key_states;
mod key_updates;
mod keys;
mod keywords;
mod lane_deadlock;
mod last_clients;
mod make;
mod odd_texts;
mod opening;
mod operator_lists;
mod operator_stops;
mod outbox;
mod partitions;
mod post_edits;
mod posts;
mod prune;
mod queue_sizes;
mod queued_work;
mod quota_counts;
mod quotas;
mod races;
mod recent_calls;
mod recorder;
mod redis_cluster;
mod reports;
mod schedules;
mod seals;
mod sessions;
mod targets;
mod usage;
mod user_erasure;
mod user_ids;
mod world;
