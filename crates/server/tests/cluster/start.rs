//! Concurrent starts, and an old version on newer tables.

use svc_mcp_testkit::cluster::{BRAND, Cluster, ClusterOptions, execute, query_one};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_starts_migrate_once() {
    let cluster = Cluster::prepare(&ClusterOptions::default()).await;
    let migrate = cluster.program.command(&["migrate"]).spawn().expect("the binary starts");
    let mut cluster = cluster;
    for instance in &mut cluster.instances {
        instance.spawn();
    }
    for instance in &mut cluster.instances {
        instance.wait_until_ready().await;
    }
    let migrate = migrate.wait_with_output().expect("the command ends");
    assert!(migrate.status.success(), "{migrate:?}");
    let sql = "SELECT COUNT(*), COUNT(DISTINCT version), bool_and(success) FROM _sqlx_migrations";
    let (all, versions, success): (i64, i64, bool) = query_one(&cluster.database, sql).await;
    assert!(all == versions && all > 0 && success, "{all} runs of {versions} migrations");
}

/// In a rolling upgrade an old instance may restart after the new version has migrated the tables.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_version_starts_on_tables_of_a_newer_one() {
    let mut cluster = Cluster::start(ClusterOptions::default()).await;
    execute(
        &cluster.database,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'of a newer version', TRUE, '\\x00', 0); \
         ALTER TABLE keys ADD COLUMN of_a_newer_version TEXT; \
         ALTER TABLE posts ADD COLUMN of_a_newer_version TEXT NOT NULL DEFAULT ''",
    )
    .await;
    // Running instances continue, and a restarted one accepts the tables.
    let key = cluster.at(0).key(BRAND, "write").await;
    cluster.agent(1, &key).list_tools().await.expect_status(200);
    cluster.instances[2].stop().await;
    cluster.instances[2].start().await;
    cluster.agent(2, &key).list_tools().await.expect_status(200);
}
