//! `svc-mcp demo`: what a new user types first.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};

use crate::support::{Api, Place, Running, answered};

fn printed(running: &Running) -> Value {
    running.printed().expect("one line of JSON")
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} in {value}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_start_keeps_the_data_and_the_keys() {
    let place = Place::sqlite();
    let running = place.demo(&[]);
    let first = printed(&running);
    let (brand, keys) = (text(&first, "brand_id").to_owned(), &first["keys"]);
    for scope in ["read", "write", "full"] {
        running.api(text(keys, scope)).tools().await.expect(200);
    }
    let refused = running.api(text(keys, "read")).call("create_post", &json!({})).await.expect(403);
    assert_eq!(refused.code(), "insufficient_scope");
    let post = json!({"text": "kept over a restart", "channels": ["feed"], "mode": "now"});
    running.api(text(keys, "write")).call("create_post", &post).await.expect(200);
    let count = async |running: &Running| {
        let posts = running.api(text(keys, "full")).call("list_posts", &json!({})).await.expect(200);
        posts.json()["structuredContent"]["total"].as_u64().expect("a number")
    };
    let posts = count(&running).await;
    assert!(posts > 1, "there is sample content");
    running.stop();

    let running = place.demo(&[]);
    let second = printed(&running);
    assert_eq!(second["keys"], first["keys"]);
    assert_eq!(second["brand_id"], first["brand_id"]);
    assert_eq!(count(&running).await, posts);
    let me = running.api(text(&first, "token")).get("/api/me").await.expect(200).json();
    assert_eq!(me["brands"].as_array().map(Vec::len), Some(1), "a token of the first start works: {me}");
    let listed = running.api(text(&second, "token")).get(&format!("/api/brands/{brand}/mcp-keys")).await;
    assert_eq!(listed.json()["keys"].as_array().map(Vec::len), Some(3), "{listed:?}");
    for plan in ["business", "starter"] {
        let path = format!("/api/admin/plans/{plan}");
        let plan = running.api(text(&second, "operator_token")).get(&path).await.expect(200).json();
        assert!(plan["mcp_enabled"].is_boolean(), "{plan}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_json_line_says_where_everything_is() {
    let place = Place::sqlite();
    let running = place.demo(&[]);
    let line = printed(&running);
    assert_eq!(running.stdout().lines().count(), 1, "{}", running.stdout());
    assert_eq!(text(&line, "url"), running.url(""));
    let (page, token) = text(&line, "settings_url").split_once("#token=").expect("a link that signs in");
    assert_eq!(page, running.url("/settings/mcp"));
    let me = running.api(token).get("/api/me").await.expect(200).json();
    assert_eq!(me["user_id"], line["user_id"], "{me}");
    let anywhere = Api::unpooled("");
    for url in [page, text(&line, "site_url")] {
        answered(anywhere.bare(reqwest::Method::GET, url)).await.expect(200);
    }
    let brand =
        running.api(text(&line["keys"], "read")).call("get_brand", &json!({})).await.expect(200).json();
    assert_eq!(brand["structuredContent"]["website"], line["site_url"], "{brand}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_printed_curl_line_works_when_pasted() {
    let place = Place::sqlite();
    let running = place.demo_in_words(&[]);
    let words = running.stdout();
    let begin = words.find("curl -s").expect("a curl line");
    let line = words[begin..].split("\n\n").next().expect("a paragraph");
    let Output { status, stdout, stderr } = Command::new("sh").args(["-c", line]).output().expect("a shell");
    assert!(status.success(), "{line}: {}", String::from_utf8_lossy(&stderr));
    let result: Value = serde_json::from_slice(&stdout).expect("JSON");
    assert_eq!(result["isError"], false, "{result}");
    assert_eq!(result["structuredContent"]["brand_id"], "acme", "{result}");
    let link =
        words.lines().map(str::trim).find(|line| line.contains("/settings/mcp#token=")).expect("a link");
    let (_, token) = link.split_once("#token=").expect("a token");
    running.api(token).get("/api/me").await.expect(200);
}

/// The entry for MCP clients, used as a client would: with the bridge that the service offers.
#[tokio::test(flavor = "multi_thread")]
async fn the_printed_client_entry_works_with_the_bridge() {
    let place = Place::sqlite();
    let running = place.demo_in_words(&[]);
    let words = running.stdout();
    let begin = words.find("\n{").expect("an object") + 1;
    let end = begin + words[begin..].find("\n}").expect("its end") + 2;
    let entry: Value = serde_json::from_str(&words[begin..end]).expect("JSON");
    let server =
        entry["mcpServers"].as_object().expect("servers").values().next().expect("one server").clone();

    let script = running.api("").get("/bridge/svc_mcp_stdio.py").await.expect(200).text;
    let path = place.path("svc_mcp_stdio.py");
    std::fs::write(&path, script).expect("a file");
    let mut command = Command::new(text(&server, "command"));
    command.arg(path).stdin(Stdio::piped()).stdout(Stdio::piped());
    for (name, value) in server["env"].as_object().expect("variables") {
        command.env(name, value.as_str().expect("a text"));
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
        writeln!(input, "{message}").expect("it reads");
    }
    drop(input);
    let output = bridge.wait_with_output().expect("it ends");
    let answers = String::from_utf8(output.stdout).expect("UTF-8");
    let mut answers = answers.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let listed = answers.find(|answer| answer["id"] == 2).expect("an answer to tools/list");
    let tools = listed["result"]["tools"].as_array().expect("tools");
    assert!(tools.iter().any(|tool| tool["name"] == "create_post"), "{listed}");
}
