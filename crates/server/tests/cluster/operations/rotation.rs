//! Rotation of every secret while the service is used.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::json;
use tokio::task::JoinHandle;

use super::run_step;
use svc_mcp_testkit::{
    Api, Key,
    cluster::{BRAND, Cluster, ClusterOptions, REVEAL_KEYS, USER, execute, query_one},
};

/// Sets a variable of every instance in a rolling restart.
async fn restart_each(cluster: &mut Cluster, name: &str, value: &str) {
    cluster.program.set(name, value);
    for instance in &mut cluster.instances {
        instance.program.set(name, value);
        instance.stop().await;
        instance.start().await;
    }
}

/// A client of the balancer whose requests must all succeed.
fn start_client(api: Api, stop: &Arc<AtomicBool>) -> JoinHandle<usize> {
    let stop = Arc::clone(stop);
    tokio::spawn(async move {
        let mut answered = 0;
        while !stop.load(Ordering::SeqCst) {
            let response = if answered % 2 == 0 {
                api.list_tools().await
            } else {
                api.call("list_posts", &json!({})).await
            };
            assert!(matches!(response.status, 200 | 429), "{response:?}");
            answered += 1;
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        answered
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jwt_secret_is_rotated() {
    let mut cluster = Cluster::start(ClusterOptions::default()).await;
    let key = cluster.at(0).key(BRAND, "read").await;
    let old = cluster.token.clone();
    let secret = run_step("new-jwt-secret", &cluster.program, &[]);
    assert!(secret.len() >= 32, "{secret}");
    cluster.program.set("SVC_JWT_SECRET", &secret);
    let new = cluster.program.token(USER);
    for instance in 0..cluster.count() {
        // An instance accepts the old secret until its restart. Keys are not affected.
        cluster.at(instance).with_bearer(&old).get("/api/me").await.expect_status(200);
        cluster.at(instance).with_bearer(&new).get("/api/me").await.expect_status(401);
        let restarted = &mut cluster.instances[instance];
        restarted.program.set("SVC_JWT_SECRET", &secret);
        restarted.stop().await;
        restarted.start().await;
        cluster.at(instance).with_bearer(&new).get("/api/me").await.expect_status(200);
        let refused = cluster.at(instance).with_bearer(&old).get("/api/me").await.expect_status(401);
        assert_eq!(refused.code(), "token_invalid");
        cluster.agent(instance, &key).list_tools().await.expect_status(200);
    }
}

async fn assert_all_reveal(cluster: &Cluster, keys: &[Key]) {
    for instance in 0..cluster.count() {
        for key in keys {
            let revealed = cluster.at(instance).post(&format!("{}/reveal", key.path()), &json!({})).await;
            assert_eq!(revealed.expect_status(200).json()["api_key"], key.secret.as_str());
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reveal_keys_is_rotated() {
    let mut cluster = Cluster::start(ClusterOptions::default()).await;
    let old = REVEAL_KEYS.to_owned();
    let new = run_step("new-reveal-key", &cluster.program, &[("NEW_ID", "2027")]);
    assert!(new.starts_with("2027:"), "{new}");
    let mut keys = vec![cluster.at(0).key(BRAND, "read").await];
    // All instances must be able to open with the new key before one of them seals with it.
    for setting in [format!("{old},{new}"), format!("{new},{old}")] {
        for instance in 0..cluster.count() {
            let restarted = &mut cluster.instances[instance];
            restarted.program.set("SVC_REVEAL_KEYS", &setting);
            restarted.stop().await;
            restarted.start().await;
            keys.push(cluster.at(instance).key(BRAND, "read").await);
            assert_all_reveal(&cluster, &keys).await;
        }
        cluster.program.set("SVC_REVEAL_KEYS", &setting);
    }
    let sql = "SELECT COUNT(*) FROM keys WHERE sealing_key = '2026'";
    let (before,): (i64,) = query_one(&cluster.database, sql).await;
    assert!(before > 0);
    let output = run_step("rewrap", &cluster.program, &[]);
    assert!(output.contains(&before.to_string()), "{output}");
    let (after,): (i64,) = query_one(&cluster.database, sql).await;
    assert_eq!(after, 0);
    restart_each(&mut cluster, "SVC_REVEAL_KEYS", &new).await;
    assert_all_reveal(&cluster, &keys).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn database_password_is_rotated() {
    let arguments = ["--drain-delay", "5"];
    let options = ClusterOptions {
        own_postgres: true,
        balancer: true,
        arguments: &arguments,
        ..ClusterOptions::default()
    };
    let mut cluster = Cluster::start(options).await;
    let admin = format!("postgres://postgres@127.0.0.1:{}/postgres", cluster.postgres.port());
    let url_of = |user: &str, password: &str| {
        format!("postgres://{user}:{password}@127.0.0.1:{}/svc_mcp", cluster.postgres.port())
    };
    let (first, second) = (url_of("svc_mcp_a", "first-password"), url_of("svc_mcp_b", "second-password"));
    // Only these two users need a password.
    let (hba,): (String,) = query_one(&admin, "SHOW hba_file").await;
    let rules = fs::read_to_string(&hba).expect("pg_hba.conf");
    fs::write(&hba, format!("host all svc_mcp_a,svc_mcp_b 127.0.0.1/32 scram-sha-256\n{rules}"))
        .expect("pg_hba.conf is written");
    execute(&admin, "SELECT pg_reload_conf()").await;

    let a = [("ADMIN_URL", admin.as_str()), ("USER_NAME", "svc_mcp_a"), ("PASSWORD", "first-password")];
    run_step("database-roles", &cluster.program, &a);
    assert!(connects(&first).await && !connects(&url_of("svc_mcp_a", "wrong")).await);
    restart_each(&mut cluster, "SVC_DATABASE_URL", &first).await;
    cluster.database.clone_from(&first);
    cluster.add_brand(BRAND, "business").await;
    let key = cluster.at(0).key(BRAND, "read").await;
    let more = cluster.at(0).key(BRAND, "read").await;
    let stop = Arc::new(AtomicBool::new(false));
    let clients = [&key, &more].map(|key| start_client(cluster.balanced().with_bearer(&key.secret), &stop));

    let b = [("ADMIN_URL", admin.as_str()), ("USER_NAME", "svc_mcp_b"), ("PASSWORD", "second-password")];
    run_step("new-database-password", &cluster.program, &b);
    restart_each(&mut cluster, "SVC_DATABASE_URL", &second).await;
    run_step(
        "old-database-password",
        &cluster.program,
        &[("ADMIN_URL", &admin), ("OLD_USER_NAME", "svc_mcp_a")],
    );
    assert!(!connects(&first).await, "the old password is still valid");
    for instance in 0..cluster.count() {
        cluster.at(instance).get("/api/me").await.expect_status(200);
    }
    stop.store(true, Ordering::SeqCst);
    for client in clients {
        println!(
            "{} requests were answered during the rotation",
            client.await.expect("all requests succeed")
        );
    }
    // The tables belong to the role, so that the next version can change them.
    let (owners,): (String,) = query_one(
        &second,
        "SELECT string_agg(DISTINCT tableowner, ',') FROM pg_tables WHERE schemaname = 'public'",
    )
    .await;
    assert_eq!(owners, "svc_mcp");
}

async fn connects(url: &str) -> bool {
    <sqlx::PgConnection as sqlx::Connection>::connect(url).await.is_ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_password_is_rotated() {
    let mut cluster = Cluster::start(ClusterOptions::default()).await;
    let key = cluster.at(0).key(BRAND, "read").await;
    let url_of = |password: &str| format!("redis://default:{password}@127.0.0.1:{}/0", cluster.redis.port());
    let (first, second) = (url_of("first-password"), url_of("second-password"));
    cluster.redis.command("CONFIG SET requirepass first-password");
    restart_each(&mut cluster, "SVC_REDIS_URL", &first).await;
    run_step("new-redis-password", &cluster.program, &[("NEW_PASSWORD", "second-password")]);
    restart_each(&mut cluster, "SVC_REDIS_URL", &second).await;
    run_step("old-redis-password", &cluster.program, &[("OLD_PASSWORD", "first-password")]);
    for instance in &cluster.instances {
        instance.wait_until_degraded(false).await;
    }
    for instance in 0..cluster.count() {
        cluster.agent(instance, &key).list_tools().await.expect_status(200);
    }
    let refused =
        std::process::Command::new("redis-cli").args(["-u", &first, "--no-auth-warning", "PING"]).output();
    let refused = refused.expect("redis-cli runs");
    assert!(
        !String::from_utf8_lossy(&refused.stdout).contains("PONG"),
        "the old password is still valid: {refused:?}"
    );
}
