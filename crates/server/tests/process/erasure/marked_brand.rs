//! A brand that is filled over the API with one word in every text that people and agents can write.

use std::path::PathBuf;

use reqwest::Method;
use serde_json::{Value, json};

use super::places::in_mails;
use crate::support::{Api, Sandbox, Service, eventually, send};

/// What the words are.
pub(super) struct Marks<'a> {
    pub(super) brand: &'a str,
    /// The administrator of the brand.
    pub(super) user: &'a str,
    /// In texts of the brand.
    pub(super) word: &'a str,
    /// The name of the administrator.
    pub(super) name: &'a str,
    /// The address of the administrator, who also gets the reports.
    pub(super) address: &'a str,
}

pub(super) fn mail_directory(sandbox: &Sandbox) -> PathBuf {
    sandbox.path("mails")
}

/// Mails are written into files.
pub(super) fn with_mails(sandbox: Sandbox) -> Sandbox {
    let url = format!("file:{}", mail_directory(&sandbox).display());
    sandbox.with("SVC_SMTP_URL", &url).with("SVC_MAIL_FROM", "reports@svc.example")
}

/// Creates the brand with its administrator, uses every part of the service, and returns the key of an agent.
pub(super) async fn fill(service: &Service, sandbox: &Sandbox, marks: &Marks<'_>) -> String {
    let Marks { brand, user, word, name, address } = marks;
    let operator = service.api(&sandbox.operator_token());
    let plan = json!({"name": "Business", "mcp_enabled": true});
    operator.put("/api/admin/plans/business", &plan).await.expect_status(200);
    let website = format!("https://{word}.example");
    let body = json!({
        "name": format!("The {word} company"), "website": website, "plan_id": "business",
        "competitors": [format!("https://rival-of-{word}.example")],
    });
    operator.put(&format!("/api/admin/brands/{brand}"), &body).await.expect_status(200);
    let member = json!({"role": "admin", "name": name, "email": address});
    operator.put(&format!("/api/admin/brands/{brand}/members/{user}"), &member).await.expect_status(200);

    let admin = service.api(&sandbox.token(user));
    let path = |rest: &str| format!("/api/brands/{brand}{rest}");
    admin.put(&path("/approval-settings/emails"), &json!({"enabled": true})).await.expect_status(204);
    let hook = json!({"kind": "webhook", "settings": {"url": format!("https://127.0.0.1:1/{word}")}});
    admin.put(&path("/channels/hook"), &hook).await.expect_status(200);
    let header = "Keyword,Intent,Volume,Trend,Keyword Difficulty,CPC (USD),Competitive Density,SERP Features,Number of Results";
    let csv = format!("{header}\nbuy {word},Commercial,8100,\"0.67,0.82\",48,1.37,1.00,Sitelinks,41800000\n");
    let import = admin.request(Method::POST, &path("/keyword-imports")).header("content-type", "text/csv");
    send(import.body(csv)).await.expect_status(201);
    confirm_recipient(&admin, sandbox, marks).await;
    let schedule = json!({"kind": "report", "every": "week", "weekday": "monday", "at": "09:00"});
    admin.post(&path("/schedules"), &schedule).await.expect_status(201);

    let key = json!({"label": format!("{word} agent"), "scope": "write"});
    let key = admin.create_key(brand, &key).await["api_key"].as_str().expect("a key").to_owned();
    use_tools(&admin.with_bearer(&key), word).await;
    decide_approvals(&admin, marks).await;
    eventually("the report mail", async || {
        let mails = in_mails(&mail_directory(sandbox), &format!("note-{word}"));
        (!mails.is_empty()).then_some(())
    })
    .await;
    key
}

/// The person who gets the reports says yes, with the link of the mail.
async fn confirm_recipient(admin: &Api, sandbox: &Sandbox, marks: &Marks<'_>) {
    let path = format!("/api/brands/{}/report-recipients", marks.brand);
    admin.put(&path, &json!({"recipients": [marks.address]})).await.expect_status(200);
    let directory = mail_directory(sandbox);
    let mail = eventually("the confirmation mail", async || {
        let mails = in_mails(&directory, &marks.address.to_lowercase());
        mails.into_iter().next()
    })
    .await;
    let text = std::fs::read_to_string(mail).expect("a mail").replace("=\r\n", "").replace("=3D", "=");
    let start = text.find("/confirm/").expect("a link");
    let link = text[start..].split(|end: char| end.is_whitespace() || end == '"').next().expect("a link");
    send(admin.anonymous_request(Method::POST, link)).await.expect_status(200);
}

async fn use_tools(agent: &Api, word: &str) {
    let call = async |tool: &str, arguments: Value| {
        let request = agent.idempotent_call_request(tool, &arguments, &format!("{word}-{tool}"));
        let request = request.header("X-MCP-Client", format!("{word} client/1.0"));
        let response = send(request).await.expect_status(200).json();
        assert_eq!(response["isError"], false, "{tool}: {response}");
    };
    agent.list_tools().await.expect_status(200);
    let text = format!("Hello {word}");
    let post = json!({"text": text, "title": text, "link": format!("https://{word}.example/new"),
        "channels": ["feed", "hook"], "mode": "now"});
    call("create_post", post).await;
    call("run_analysis", json!({"kind": "content", "text": format!("{word} sells tea. {word} is good.")}))
        .await;
    call("keyword_research_search", json!({"seeds": [format!("buy {word}")]})).await;
    call("run_audit", json!({})).await;
    call("create_schedule", json!({"kind": "audit", "every": "week", "weekday": "monday", "at": "09:00"}))
        .await;
    call("send_report_email", json!({"period": "last_7_days", "note": format!("note-{word}")})).await;
    let denied = agent.call("no_such_tool", &json!({})).await;
    assert_ne!(denied.status, 500, "{denied:?}");
}

/// One call is approved, one is rejected, and one waits.
async fn decide_approvals(admin: &Api, marks: &Marks<'_>) {
    let Marks { brand, word, .. } = marks;
    let key = json!({"label": format!("{word} asks"), "scope": "write", "approval": "all"});
    let key = admin.create_key(brand, &key).await;
    let agent = admin.with_bearer(key["api_key"].as_str().expect("a key"));
    let mut approvals = Vec::new();
    for number in 0..3 {
        let post = json!({"text": format!("{word} {number}"), "channels": ["feed"], "mode": "draft"});
        let held = agent.call("create_post", &post).await.tool_result();
        approvals.push(held["approval_id"].as_str().expect("an id").to_owned());
    }
    let path = |id: &str| format!("/api/brands/{brand}/approvals/{id}");
    let view = admin.get(&path(&approvals[0])).await.expect_status(200).json();
    let note = json!({"digest": view["digest"], "note": format!("{word} is fine")});
    admin.post(&format!("{}/approve", path(&approvals[0])), &note).await.expect_status(200);
    let reason = json!({"reason": format!("{word} is wrong")});
    admin.post(&format!("{}/reject", path(&approvals[1])), &reason).await.expect_status(200);
}
