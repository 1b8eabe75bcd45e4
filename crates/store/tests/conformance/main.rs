//! What the store promises, said once and held by both engines.
//!
//! A case is one async function that takes a [`world::World`]: a fresh database with two brands in it. The macro makes
//! the tests `case::sqlite` and `case::postgres` of it.

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
mod audits;
mod brands;
mod channels;
mod commits;
mod feed;
mod instances;
mod jobs;
mod key_limit;
mod keys;
mod keywords;
mod make;
mod odd_texts;
mod opening;
mod posts;
mod promises;
mod races;
mod recorder;
mod reports;
mod roll;
mod seals;
mod standings;
mod targets;
mod upkeep;
mod usage;
mod world;
