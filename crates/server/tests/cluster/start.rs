//! Starting: several at once, and old beside new.

use svc_mcp_testkit::cluster::{BRAND, Cluster, Wishes, execute, one};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn instances_that_start_at_once_migrate_once() {
    let cluster = Cluster::prepare(&Wishes::default()).await;
    let by_hand = cluster.program.command(&["migrate"]).spawn().expect("the binary starts");
    let mut cluster = cluster;
    for instance in &mut cluster.instances {
        instance.spawn();
    }
    for instance in &mut cluster.instances {
        instance.is_ready().await;
    }
    let by_hand = by_hand.wait_with_output().expect("it ends");
    assert!(by_hand.status.success(), "{by_hand:?}");
    let sql = "SELECT COUNT(*), COUNT(DISTINCT version), bool_and(success) FROM _sqlx_migrations";
    let (all, versions, success): (i64, i64, bool) = one(&cluster.database, sql).await;
    assert!(all == versions && all > 0 && success, "{all} runs of {versions} migrations");
}

/// In a rolling upgrade the new version has migrated already when an old instance is started again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_old_version_starts_on_tables_that_a_newer_one_has_extended() {
    let mut cluster = Cluster::start(Wishes::default()).await;
    execute(
        &cluster.database,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'of a newer version', TRUE, '\\x00', 0); \
         ALTER TABLE keys ADD COLUMN of_a_newer_version TEXT; \
         ALTER TABLE posts ADD COLUMN of_a_newer_version TEXT NOT NULL DEFAULT ''",
    )
    .await;
    // Those that run notice nothing; those that start do not mind.
    let key = cluster.at(0).key(BRAND, "write").await;
    cluster.agent(1, &key).tools().await.expect(200);
    cluster.instances[2].stop().await;
    cluster.instances[2].start().await;
    cluster.agent(2, &key).tools().await.expect(200);
}
