//! `svc-mcp demo`.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};

use crate::support::{Api, Sandbox, Service, send};

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} in {value}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn second_start_keeps_the_data_and_the_keys() {
    let sandbox = Sandbox::sqlite();
    let service = sandbox.demo(&[]);
    let first = service.printed_json().expect("one line of JSON");
    let (brand, keys) = (text(&first, "brand_id").to_owned(), &first["keys"]);
    for scope in ["read", "write", "full"] {
        service.api(text(keys, scope)).list_tools().await.expect_status(200);
    }
    let refused = service.api(text(keys, "read")).call("create_post", &json!({})).await.expect_status(403);
    assert_eq!(refused.code(), "insufficient_scope");
    let post = json!({"text": "before the restart", "channels": ["feed"], "mode": "now"});
    service.api(text(keys, "write")).call("create_post", &post).await.expect_status(200);
    let count = async |service: &Service, filter: Value| {
        let posts = service.api(text(keys, "full")).call("list_posts", &filter).await.expect_status(200);
        posts.json()["structuredContent"]["total"].as_u64().expect("a number")
    };
    let posts = count(&service, json!({})).await;
    for (status, least) in [("published", 2), ("draft", 1), ("scheduled", 1)] {
        let found = count(&service, json!({"status": status})).await;
        assert!(found >= least, "the demo has sample content: {found} {status}");
    }
    service.stop();

    let service = sandbox.demo(&[]);
    let second = service.printed_json().expect("one line of JSON");
    assert_eq!(second["keys"], first["keys"]);
    assert_eq!(second["brand_id"], first["brand_id"]);
    assert_eq!(count(&service, json!({})).await, posts);
    let me = service.api(text(&first, "token")).get("/api/me").await.expect_status(200).json();
    assert_eq!(
        me["brands"].as_array().map(Vec::len),
        Some(1),
        "a token of the first start is still valid: {me}"
    );
    let listed = service.api(text(&second, "token")).get(&format!("/api/brands/{brand}/mcp-keys")).await;
    assert_eq!(listed.json()["keys"].as_array().map(Vec::len), Some(4), "{listed:?}");
    for plan in ["business", "starter"] {
        let path = format!("/api/admin/plans/{plan}");
        let plan = service.api(text(&second, "operator_token")).get(&path).await.expect_status(200).json();
        assert!(plan["mcp_enabled"].is_boolean(), "{plan}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn json_line_has_all_addresses_and_tokens() {
    let sandbox = Sandbox::sqlite();
    let service = sandbox.demo(&[]);
    let line = service.printed_json().expect("one line of JSON");
    assert_eq!(service.stdout().lines().count(), 1, "{}", service.stdout());
    assert_eq!(text(&line, "url"), service.url(""));
    let (page, token) = text(&line, "settings_url").split_once("#token=").expect("a link that signs in");
    assert_eq!(page, service.url("/settings/mcp"));
    let me = service.api(token).get("/api/me").await.expect_status(200).json();
    assert_eq!(me["user_id"], line["user_id"], "{me}");
    let client = Api::unpooled("");
    for url in [page, text(&line, "site_url")] {
        send(client.anonymous_request(reqwest::Method::GET, url)).await.expect_status(200);
    }
    let brand = service
        .api(text(&line["keys"], "read"))
        .call("get_brand", &json!({}))
        .await
        .expect_status(200)
        .json();
    assert_eq!(brand["structuredContent"]["website"], line["site_url"], "{brand}");
}

#[tokio::test(flavor = "multi_thread")]
async fn printed_curl_command_works() {
    let sandbox = Sandbox::sqlite();
    let service = sandbox.demo_as_text(&[]);
    let printed = service.stdout();
    let begin = printed.find("curl -s").expect("a curl line");
    let line = printed[begin..].split("\n\n").next().expect("a paragraph");
    let Output { status, stdout, stderr } = Command::new("sh").args(["-c", line]).output().expect("a shell");
    assert!(status.success(), "{line}: {}", String::from_utf8_lossy(&stderr));
    let result: Value = serde_json::from_slice(&stdout).expect("JSON");
    assert_eq!(result["isError"], false, "{result}");
    assert_eq!(result["structuredContent"]["brand_id"], "acme", "{result}");
    let link =
        printed.lines().map(str::trim).find(|line| line.contains("/settings/mcp#token=")).expect("a link");
    let (_, token) = link.split_once("#token=").expect("a token");
    service.api(token).get("/api/me").await.expect_status(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_post_waits_for_approval_after_each_start() {
    let sandbox = Sandbox::sqlite();
    let service = sandbox.demo(&[]);
    let line = service.printed_json().expect("one line of JSON");
    let path = format!("/api/brands/{}/approvals", text(&line, "brand_id"));
    let waiting = async |service: &Service| {
        let person = service.api(text(&line, "token"));
        let list = person.get(&format!("{path}?status=pending")).await.expect_status(200).json();
        assert_eq!(list["total"], 1, "{list}");
        list["approvals"][0].clone()
    };
    let first = waiting(&service).await;
    assert_eq!(
        (&first["tool"], &first["arguments"]["title"]),
        (&json!("create_post"), &json!("Cupping on Friday"))
    );
    service.stop();

    // A second start keeps it.
    let service = sandbox.demo(&[]);
    assert_eq!(waiting(&service).await["approval_id"], first["approval_id"]);
    let person = service.api(text(&line, "token"));
    let approval = format!("{path}/{}", text(&first, "approval_id"));
    let seen = person.get(&approval).await.expect_status(200).json();
    let body = json!({"digest": seen["digest"]});
    let done = person.post(&format!("{approval}/approve"), &body).await.expect_status(200).json();
    assert_eq!(done["status"], "done", "{done}");
    let feed = person.get(&format!("/feeds/{}/feed.json", text(&line, "brand_id"))).await.expect_status(200);
    assert!(feed.text.contains("Cupping on Friday"), "{}", feed.text);
    service.stop();

    let service = sandbox.demo(&[]);
    assert_ne!(waiting(&service).await["approval_id"], first["approval_id"]);
}

/// The printed line adds the bridge to a client, and the entry that it writes is started like the client does.
#[tokio::test(flavor = "multi_thread")]
async fn printed_install_line_connects_a_client() {
    let sandbox = Sandbox::sqlite();
    let service = sandbox.demo_as_text(&[]);
    let printed = service.stdout();
    let begin = printed.find("curl -fsSO").expect("an install line");
    let line = printed[begin..].split("\n\n").next().expect("a paragraph");
    let home = sandbox.path("home");
    std::fs::create_dir_all(home.join(".cursor")).expect("a directory");
    let mut install = Command::new("sh");
    install.args(["-c", line]).current_dir(&home).env("HOME", &home).env_remove("XDG_DATA_HOME");
    let Output { status, stderr, .. } = install.output().expect("a shell");
    assert!(status.success(), "{line}: {}", String::from_utf8_lossy(&stderr));
    let entry = std::fs::read_to_string(home.join(".cursor/mcp.json")).expect("the client's file");
    let entry: Value = serde_json::from_str(&entry).expect("JSON");
    let server =
        entry["mcpServers"].as_object().expect("servers").values().next().expect("one server").clone();

    let mut command = Command::new(text(&server, "command"));
    let arguments =
        server["args"].as_array().expect("arguments").iter().map(|value| value.as_str().expect("text"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    for (name, value) in server["env"].as_object().expect("variables") {
        command.env(name, value.as_str().expect("a string"));
    }
    let mut bridge = command.spawn().expect("the bridge starts");
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
    ];
    let mut input = bridge.stdin.take().expect("a pipe");
    for message in messages {
        writeln!(input, "{message}").expect("the bridge reads");
    }
    drop(input);
    let output = bridge.wait_with_output().expect("the bridge ends");
    let responses = String::from_utf8(output.stdout).expect("UTF-8");
    let mut responses = responses.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let listed = responses.find(|response| response["id"] == 2).expect("a response to tools/list");
    let tools = listed["result"]["tools"].as_array().expect("tools");
    assert!(tools.iter().any(|tool| tool["name"] == "create_post"), "{listed}");
}
