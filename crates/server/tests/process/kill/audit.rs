//! The service is killed during an audit. The next process continues from the stored progress.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use svc_mcp_testkit::Site;

use crate::support::{Api, Sandbox, Service, eventually_with_key};

const PAGES: usize = 120;
const KILLS: u64 = 3;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn audit_survives_kills_on_sqlite() {
    audit_survives_kills(Sandbox::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn audit_survives_kills_on_postgresql() {
    audit_survives_kills(Sandbox::postgres()).await;
}

async fn audit_survives_kills(sandbox: Sandbox) {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let site = site().await;
    site.respond_only_to(0);
    let sandbox = sandbox.with("SVC_JOB_LEASE", "4").with("SVC_OUTBOUND_ALLOW", site.authority());
    sandbox.add_brand("acme", "ada");
    let brand = ["admin", "brand", "set", "acme", "--name", "Acme", "--plan", "business"];
    sandbox.run_ok(&[brand.as_slice(), &["--website", &site.url]].concat());
    let mut service = sandbox.serve(&[]);
    let token = sandbox.token("ada");
    let mut agent = new_agent(&service, &token).await;
    let started = agent.call("run_audit", &json!({"max_pages": 500})).await.tool_result();
    let audit_id = json!({"audit_id": started["id"]});
    for kill in 1..=KILLS {
        // The site sends some more pages, and the service is killed when it has stored a part of them.
        site.respond_only_to(random.random_range(20..=35));
        let stored = eventually_with_key("progress of the audit", async || {
            let audit = agent.poll_tool("get_audit", &audit_id).await?;
            let visited = audit["progress"]["visited"].as_u64()?;
            (visited >= 10 * kill).then_some(visited)
        })
        .await;
        service.kill();
        assert!(stored < PAGES as u64, "the audit had ended before the kill");
        service = sandbox.serve(&[]);
        agent = new_agent(&service, &token).await;
    }
    site.respond_to_all();
    let ended = eventually_with_key("the end of the audit", async || {
        let audit = agent.poll_tool("get_audit", &audit_id).await?;
        (audit["status"] == "done" || audit["status"] == "failed").then_some(audit)
    })
    .await;
    assert_eq!(
        (&ended["status"], &ended["summary"]["visited"]),
        (&json!("done"), &json!(PAGES + 1)),
        "{ended}"
    );
    let requests: usize = (0..PAGES).map(|page| site.request_count(&format!("/{page}"))).sum();
    // Without stored progress, each kill would repeat the first pages: hundreds of requests more.
    assert!(requests < PAGES + 3 * 35, "{requests} requests for {PAGES} pages");
    let list = agent.call("list_audits", &json!({})).await.tool_result();
    assert_eq!(list["total"], 1);
    service.stop();
}

/// A client with a new key, whose rate limit is unused.
async fn new_agent(service: &Service, token: &str) -> Api {
    let admin = service.api(token);
    let key = admin.key("acme", "write").await;
    admin.with_bearer(&key.secret)
}

/// A site whose home page links to all other pages.
async fn site() -> Site {
    let links: Vec<String> = (0..PAGES).map(|page| format!("<a href=/{page}>{page}</a> ")).collect();
    let site = Site::with(&[("/", &links.concat())]).await;
    for page in 0..PAGES {
        site.put(&format!("/{page}"), 200, &format!("<title>Page {page}</title><h1>{page}</h1>"));
    }
    site
}
