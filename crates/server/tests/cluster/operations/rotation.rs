//! Every secret replaced while the service is in use.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::json;
use tokio::task::JoinHandle;

use super::follow;
use svc_mcp_testkit::{
    Api, Key,
    cluster::{BRAND, Cluster, REVEAL_KEYS, USER, Wishes, execute, one},
};

/// Gives every instance new variables, one after the other, as a rolling restart does.
async fn restart_each(cluster: &mut Cluster, name: &str, value: &str) {
    cluster.program.set(name, value);
    for instance in &mut cluster.instances {
        instance.program.set(name, value);
        instance.stop().await;
        instance.start().await;
    }
}

/// A client behind the balancer that must not notice anything.
fn client(api: Api, stop: &Arc<AtomicBool>) -> JoinHandle<usize> {
    let stop = Arc::clone(stop);
    tokio::spawn(async move {
        let mut answered = 0;
        while !stop.load(Ordering::SeqCst) {
            let answer =
                if answered % 2 == 0 { api.tools().await } else { api.call("list_posts", &json!({})).await };
            assert!(matches!(answer.status, 200 | 429), "{answer:?}");
            answered += 1;
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        answered
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_jwt_secret() {
    let mut cluster = Cluster::start(Wishes::default()).await;
    let key = cluster.at(0).key(BRAND, "read").await;
    let old = cluster.token.clone();
    let secret = follow("new-jwt-secret", &cluster.program, &[]);
    assert!(secret.len() >= 32, "{secret}");
    cluster.program.set("SVC_JWT_SECRET", &secret);
    let new = cluster.program.token(USER);
    for instance in 0..cluster.count() {
        // Until its turn comes, an instance takes the old one; keys do not care.
        cluster.at(instance).with(&old).get("/api/me").await.expect(200);
        cluster.at(instance).with(&new).get("/api/me").await.expect(401);
        let restarted = &mut cluster.instances[instance];
        restarted.program.set("SVC_JWT_SECRET", &secret);
        restarted.stop().await;
        restarted.start().await;
        cluster.at(instance).with(&new).get("/api/me").await.expect(200);
        let refused = cluster.at(instance).with(&old).get("/api/me").await.expect(401);
        assert_eq!(refused.code(), "token_invalid");
        cluster.agent(instance, &key).tools().await.expect(200);
    }
}

async fn all_reveal(cluster: &Cluster, keys: &[Key]) {
    for instance in 0..cluster.count() {
        for key in keys {
            let revealed = cluster.at(instance).post(&format!("{}/reveal", key.path()), &json!({})).await;
            assert_eq!(revealed.expect(200).json()["api_key"], key.secret.as_str());
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_reveal_keys() {
    let mut cluster = Cluster::start(Wishes::default()).await;
    let old = REVEAL_KEYS.to_owned();
    let new = follow("new-reveal-key", &cluster.program, &[("NEW_ID", "2027")]);
    assert!(new.starts_with("2027:"), "{new}");
    let mut keys = vec![cluster.at(0).key(BRAND, "read").await];
    // First every instance must be able to open what is sealed with the new one; only then may one seal with it.
    for setting in [format!("{old},{new}"), format!("{new},{old}")] {
        for instance in 0..cluster.count() {
            let restarted = &mut cluster.instances[instance];
            restarted.program.set("SVC_REVEAL_KEYS", &setting);
            restarted.stop().await;
            restarted.start().await;
            keys.push(cluster.at(instance).key(BRAND, "read").await);
            all_reveal(&cluster, &keys).await;
        }
        cluster.program.set("SVC_REVEAL_KEYS", &setting);
    }
    let sql = "SELECT COUNT(*) FROM keys WHERE sealing_key = '2026'";
    let (before,): (i64,) = one(&cluster.database, sql).await;
    assert!(before > 0);
    let said = follow("rewrap", &cluster.program, &[]);
    assert!(said.contains(&before.to_string()), "{said}");
    let (after,): (i64,) = one(&cluster.database, sql).await;
    assert_eq!(after, 0);
    restart_each(&mut cluster, "SVC_REVEAL_KEYS", &new).await;
    all_reveal(&cluster, &keys).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_database_password() {
    let arguments = ["--drain-delay", "2"];
    let wishes = Wishes { own_postgres: true, balancer: true, arguments: &arguments, ..Wishes::default() };
    let mut cluster = Cluster::start(wishes).await;
    let admin = format!("postgres://postgres@127.0.0.1:{}/postgres", cluster.postgres.port());
    let url_of = |user: &str, password: &str| {
        format!("postgres://{user}:{password}@127.0.0.1:{}/svc_mcp", cluster.postgres.port())
    };
    let (first, second) = (url_of("svc_mcp_a", "first-password"), url_of("svc_mcp_b", "second-password"));
    // Passwords count only for these two; the test's own user needs none.
    let (hba,): (String,) = one(&admin, "SHOW hba_file").await;
    let rules = fs::read_to_string(&hba).expect("the rules");
    fs::write(&hba, format!("host all svc_mcp_a,svc_mcp_b 127.0.0.1/32 scram-sha-256\n{rules}"))
        .expect("a file");
    execute(&admin, "SELECT pg_reload_conf()").await;

    let a = [("ADMIN_URL", admin.as_str()), ("USER_NAME", "svc_mcp_a"), ("PASSWORD", "first-password")];
    follow("database-roles", &cluster.program, &a);
    assert!(connects(&first).await && !connects(&url_of("svc_mcp_a", "wrong")).await);
    restart_each(&mut cluster, "SVC_DATABASE_URL", &first).await;
    cluster.database.clone_from(&first);
    cluster.add_brand(BRAND, "business").await;
    let key = cluster.at(0).key(BRAND, "read").await;
    let more = cluster.at(0).key(BRAND, "read").await;
    let stop = Arc::new(AtomicBool::new(false));
    let clients = [&key, &more].map(|key| client(cluster.balanced().with(&key.secret), &stop));

    let b = [("ADMIN_URL", admin.as_str()), ("USER_NAME", "svc_mcp_b"), ("PASSWORD", "second-password")];
    follow("new-database-password", &cluster.program, &b);
    restart_each(&mut cluster, "SVC_DATABASE_URL", &second).await;
    follow(
        "old-database-password",
        &cluster.program,
        &[("ADMIN_URL", &admin), ("OLD_USER_NAME", "svc_mcp_a")],
    );
    assert!(!connects(&first).await, "the old password is of no use any more");
    for instance in 0..cluster.count() {
        cluster.at(instance).get("/api/me").await.expect(200);
    }
    stop.store(true, Ordering::SeqCst);
    for client in clients {
        println!("{} requests were answered meanwhile", client.await.expect("nothing is noticed"));
    }
    // The next version can still change the tables: they belong to neither of the two.
    let (owners,): (String,) = one(
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
async fn the_redis_password() {
    let mut cluster = Cluster::start(Wishes::default()).await;
    let key = cluster.at(0).key(BRAND, "read").await;
    let url_of = |password: &str| format!("redis://default:{password}@127.0.0.1:{}/0", cluster.redis.port());
    let (first, second) = (url_of("first-password"), url_of("second-password"));
    cluster.redis.ask("CONFIG SET requirepass first-password");
    restart_each(&mut cluster, "SVC_REDIS_URL", &first).await;
    follow("new-redis-password", &cluster.program, &[("NEW_PASSWORD", "second-password")]);
    restart_each(&mut cluster, "SVC_REDIS_URL", &second).await;
    follow("old-redis-password", &cluster.program, &[("OLD_PASSWORD", "first-password")]);
    for instance in &cluster.instances {
        instance.becomes_degraded(false).await;
    }
    for instance in 0..cluster.count() {
        cluster.agent(instance, &key).tools().await.expect(200);
    }
    let refused =
        std::process::Command::new("redis-cli").args(["-u", &first, "--no-auth-warning", "PING"]).output();
    let refused = refused.expect("redis-cli runs");
    assert!(
        !String::from_utf8_lossy(&refused.stdout).contains("PONG"),
        "the old password is of no use: {refused:?}"
    );
}
