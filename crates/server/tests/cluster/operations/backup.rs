//! Backup of a service that is in use, and restore of it elsewhere.

use std::{path::Path, process::Command};

use serde_json::json;

use super::follow;
use svc_mcp_testkit::{
    Api, Key, Program,
    cluster::{BRAND, Cluster, Instance, PLAN, USER, Wishes},
};

/// What a restored service must still know.
#[derive(Debug)]
struct Known {
    active: Key,
    revoked: Key,
    post_id: String,
}

/// Makes a brand, two keys and a post.
async fn fill(operator: &Api, person: &Api) -> Known {
    let plan = json!({"name": "Business", "mcp_enabled": true});
    operator.put(&format!("/api/admin/plans/{PLAN}"), &plan).await.expect(200);
    let about = json!({"name": "Acme", "website": "https://acme.example", "plan_id": PLAN});
    operator.put(&format!("/api/admin/brands/{BRAND}"), &about).await.expect(200);
    let member = format!("/api/admin/brands/{BRAND}/members/{USER}");
    operator.put(&member, &json!({"role": "admin"})).await.expect(200);
    let (active, revoked) = (person.key(BRAND, "write").await, person.key(BRAND, "read").await);
    person.revoke(&revoked).await.expect(204);
    let draft = json!({"text": "kept", "channels": ["feed"], "mode": "now"});
    let made = person.with(&active.secret).call("create_post", &draft).await.structured();
    Known { active, revoked, post_id: made["post"]["post_id"].as_str().expect("an id").to_owned() }
}

async fn everything_is_there(person: &Api, known: &Known) {
    let agent = person.with(&known.active.secret);
    agent.tools().await.expect(200);
    let post = agent.call("get_post", &json!({"post_id": known.post_id})).await.structured();
    assert_eq!(post["text"], "kept", "{post}");
    person.with(&known.revoked.secret).tools().await.expect(401);
    let revealed =
        person.post(&format!("{}/reveal", known.active.path()), &json!({})).await.expect(200).json();
    assert_eq!(revealed["api_key"], known.active.secret.as_str(), "the sealing keys were restored too");
    let events =
        person.get(&format!("/api/brands/{BRAND}/mcp-activity?kind=created")).await.expect(200).json();
    assert_eq!(events["events"].as_array().map(Vec::len), Some(2), "{events}");
}

/// Keeps writing while the backup runs.
async fn write_meanwhile(agent: Api, backup: tokio::task::JoinHandle<()>) {
    let mut written = 0;
    while !backup.is_finished() && written < 50 {
        let draft = json!({"text": format!("meanwhile {written}"), "channels": ["feed"]});
        agent.call("create_post", &draft).await.structured();
        written += 1;
    }
    backup.await.expect("the backup");
}

fn mode_of(path: &Path) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).expect("it is there").permissions())
        & 0o777
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_is_backed_up_in_use_and_restored() {
    let dir = tempfile::tempdir().expect("a directory");
    let at = |name: &str| dir.path().join(name).to_string_lossy().into_owned();
    let program = Program::new(dir.path()).with("SVC_DATA_DIR", &at("data")).with("SVC_LOG_FORMAT", "json");
    let mut instance = Instance::new("first", program.clone(), &[]);
    instance.start().await;
    let person = Api::new(&program.token(USER)).at(instance.address);
    let known = fill(&person.with(&program.operator_token()), &person).await;
    let backup = at("backup");
    let running = {
        let (program, backup) = (program.clone(), backup.clone());
        tokio::task::spawn_blocking(move || {
            follow("backup-sqlite", &program, &[("BACKUP", &backup)]);
        })
    };
    write_meanwhile(person.with(&known.active.secret), running).await;
    for file in ["svc-mcp.db", "reveal.keys", "jwt.secret"] {
        assert_eq!(mode_of(&Path::new(&backup).join(file)), 0o600, "{file} is for its owner alone");
    }
    // The machine is lost.
    instance.kill();
    std::fs::remove_dir_all(at("data")).expect("the data go");

    let program = program.with("SVC_DATA_DIR", &at("restored"));
    follow("restore-sqlite", &program, &[("BACKUP", &backup)]);
    let mut instance = Instance::new("second", program.clone(), &[]);
    instance.start().await;
    everything_is_there(&Api::new(&program.token(USER)).at(instance.address), &known).await;
    instance.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgresql_is_backed_up_in_use_and_restored() {
    let mut cluster = Cluster::start(Wishes::default()).await;
    let known = fill(&cluster.at(0).with(&cluster.operator), &cluster.at(1)).await;
    let backup = cluster.dir.path().join("backup").to_string_lossy().into_owned();
    let running = {
        let (program, backup) = (cluster.program.clone(), backup.clone());
        tokio::task::spawn_blocking(move || {
            follow("backup-postgresql", &program, &[("BACKUP", &backup)]);
        })
    };
    write_meanwhile(cluster.agent(2, &known.active), running).await;
    for instance in &mut cluster.instances {
        instance.stop().await;
    }
    let admin = format!("postgres://postgres@127.0.0.1:{}/postgres", cluster.postgres.port());
    // Another server would have another name; here it is another database.
    let new = format!("restored_{}", std::process::id());
    let restored = format!("postgres://postgres@127.0.0.1:{}/{new}", cluster.postgres.port());
    let role = "DO $$ BEGIN CREATE ROLE svc_mcp NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$";
    let made = Command::new("psql").args([&admin, "-qc", role]).status().expect("psql runs");
    assert!(made.success());
    let variables =
        [("BACKUP", backup.as_str()), ("ADMIN_URL", &admin), ("DATABASE", &new), ("NEW_URL", &restored)];
    follow("restore-postgresql", &cluster.program, &variables);
    for instance in &mut cluster.instances {
        instance.program.set("SVC_DATABASE_URL", &restored);
        instance.start().await;
    }
    for instance in 0..cluster.count() {
        everything_is_there(&cluster.at(instance), &known).await;
    }
}
