//! Backup while the service is used, and restore to another place.

use std::{path::Path, process::Command};

use serde_json::json;

use super::run_step;
use svc_mcp_testkit::{
    Api, Key, Program,
    cluster::{BRAND, Cluster, ClusterOptions, Instance, PLAN, USER},
    eventually_with_key,
};

/// The data that must exist after the restore.
#[derive(Debug)]
struct StoredData {
    active: Key,
    revoked: Key,
    post_id: String,
}

/// Creates a brand, two keys and a post.
async fn create_data(operator: &Api, person: &Api) -> StoredData {
    let plan = json!({"name": "Business", "mcp_enabled": true});
    operator.put(&format!("/api/admin/plans/{PLAN}"), &plan).await.expect_status(200);
    let body = json!({"name": "Acme", "website": "https://acme.example", "plan_id": PLAN});
    operator.put(&format!("/api/admin/brands/{BRAND}"), &body).await.expect_status(200);
    let member = format!("/api/admin/brands/{BRAND}/members/{USER}");
    operator.put(&member, &json!({"role": "admin"})).await.expect_status(200);
    let (active, revoked) = (person.key(BRAND, "write").await, person.key(BRAND, "read").await);
    person.revoke(&revoked).await.expect_status(204);
    let draft = json!({"text": "kept", "channels": ["feed"], "mode": "now"});
    let created = person.with_bearer(&active.secret).call("create_post", &draft).await.tool_result();
    StoredData { active, revoked, post_id: created["post"]["post_id"].as_str().expect("an id").to_owned() }
}

async fn assert_restored(person: &Api, known: &StoredData) {
    let agent = person.with_bearer(&known.active.secret);
    agent.list_tools().await.expect_status(200);
    let post = agent.call("get_post", &json!({"post_id": known.post_id})).await.tool_result();
    assert_eq!(post["text"], "kept", "{post}");
    person.with_bearer(&known.revoked.secret).list_tools().await.expect_status(401);
    let revealed =
        person.post(&format!("{}/reveal", known.active.path()), &json!({})).await.expect_status(200).json();
    assert_eq!(revealed["api_key"], known.active.secret.as_str(), "the sealing keys are restored");
    let events =
        person.get(&format!("/api/brands/{BRAND}/mcp-activity?kind=created")).await.expect_status(200).json();
    assert_eq!(events["events"].as_array().map(Vec::len), Some(2), "{events}");
}

/// An analysis that is ordered after the restore does not run before the operator resumes the jobs.
async fn assert_jobs_wait_for_the_operator(person: &Api, known: &StoredData, program: &Program) {
    let agent = person.with_bearer(&known.active.secret);
    let text = json!({"kind": "content", "text": "Fresh coffee, roasted every morning."});
    let result = agent.call("run_analysis", &text).await.expect_status(200).json();
    assert!(result["content"][1]["text"].as_str().expect("a note").contains("waits"), "{result}");
    let analysis = result["structuredContent"]["id"].as_str().expect("an id");
    let jobs = run_step("held-jobs", program, &[]);
    assert!(jobs.starts_with("All jobs are held since") && jobs.contains(analysis), "{jobs}");
    assert_eq!(run_step("resume-jobs", program, &[]), "Jobs run again.");
    eventually_with_key("the analysis", async || {
        let analysis = agent.poll_tool("get_analysis", &json!({"analysis_id": analysis})).await?;
        (analysis["status"] == "done").then_some(())
    })
    .await;
}

/// Writes posts until the backup has ended.
async fn write_during_backup(agent: Api, backup: tokio::task::JoinHandle<()>) {
    let mut written = 0;
    while !backup.is_finished() && written < 50 {
        let draft = json!({"text": format!("during the backup {written}"), "channels": ["feed"]});
        agent.call("create_post", &draft).await.tool_result();
        written += 1;
    }
    backup.await.expect("the backup succeeds");
}

fn mode_of(path: &Path) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).expect("the file exists").permissions())
        & 0o777
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_backup_during_writes_is_restored() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| dir.path().join(name).to_string_lossy().into_owned();
    let program = Program::new(dir.path()).with("SVC_DATA_DIR", &at("data")).with("SVC_LOG_FORMAT", "json");
    let mut instance = Instance::new("first", program.clone(), &[]);
    instance.start().await;
    let person = Api::new(&program.token(USER)).at(instance.address);
    let known = create_data(&person.with_bearer(&program.operator_token()), &person).await;
    let backup = at("backup");
    let running = {
        let (program, backup) = (program.clone(), backup.clone());
        tokio::task::spawn_blocking(move || {
            run_step("backup-sqlite", &program, &[("BACKUP", &backup)]);
        })
    };
    write_during_backup(person.with_bearer(&known.active.secret), running).await;
    for file in ["svc-mcp.db", "secrets.json", "manifest.json"] {
        assert_eq!(mode_of(&Path::new(&backup).join(file)), 0o600, "{file} is readable only by its owner");
    }
    // The data directory is lost.
    instance.kill();
    std::fs::remove_dir_all(at("data")).expect("the data directory is deleted");

    let program = program.with("SVC_DATA_DIR", &at("restored"));
    run_step("restore-sqlite", &program, &[("BACKUP", &backup)]);
    let mut instance = Instance::new("second", program.clone(), &[]);
    instance.start().await;
    let person = Api::new(&program.token(USER)).at(instance.address);
    assert_restored(&person, &known).await;
    assert_jobs_wait_for_the_operator(&person, &known, &program).await;
    instance.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgresql_backup_during_writes_is_restored() {
    let mut cluster = Cluster::start(ClusterOptions::default()).await;
    let known = create_data(&cluster.at(0).with_bearer(&cluster.operator), &cluster.at(1)).await;
    let backup = cluster.dir.path().join("backup").to_string_lossy().into_owned();
    let running = {
        let (program, backup) = (cluster.program.clone(), backup.clone());
        tokio::task::spawn_blocking(move || {
            run_step("backup-postgresql", &program, &[("BACKUP", &backup)]);
        })
    };
    write_during_backup(cluster.agent(2, &known.active), running).await;
    for instance in &mut cluster.instances {
        instance.stop().await;
    }
    let admin = format!("postgres://postgres@127.0.0.1:{}/postgres", cluster.postgres.port());
    // The restored database has another name on the same server.
    let new = format!("restored_{}", std::process::id());
    let restored = format!("postgres://postgres@127.0.0.1:{}/{new}", cluster.postgres.port());
    let role = "DO $$ BEGIN CREATE ROLE svc_mcp NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$";
    let made = Command::new("psql").args([&admin, "-qc", role]).status().expect("psql runs");
    assert!(made.success());
    let variables =
        [("BACKUP", backup.as_str()), ("ADMIN_URL", &admin), ("DATABASE", &new), ("NEW_URL", &restored)];
    run_step("restore-postgresql", &cluster.program, &variables);
    for instance in &mut cluster.instances {
        instance.program.set("SVC_DATABASE_URL", &restored);
        instance.start().await;
    }
    for instance in 0..cluster.count() {
        assert_restored(&cluster.at(instance), &known).await;
    }
    let program = cluster.program.clone().with("SVC_DATABASE_URL", &restored);
    assert_jobs_wait_for_the_operator(&cluster.at(0), &known, &program).await;
}
