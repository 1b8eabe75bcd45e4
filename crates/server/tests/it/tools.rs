//! Listing and calling tools.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Reply, TestApp, WRITE_TOOLS};

#[tokio::test]
async fn list_has_complete_mcp_tool_objects() {
    let app = TestApp::new().await;
    let reply = app.list_tools(&app.key("write").await).await.expect_status(200);
    assert_eq!(reply.header("cache-control"), "private, no-cache");
    assert!(reply.text.len() <= 40_000, "every agent pays for the {} bytes", reply.text.len());
    for tool in reply.body["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        for field in ["title", "description"] {
            assert!(tool[field].as_str().is_some_and(|text| text.len() > 3), "{name} has no {field}");
        }
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object", "{name}");
            jsonschema::meta::validate(&tool[schema]).unwrap();
        }
        let hints = tool["annotations"].as_object().unwrap();
        let writes = WRITE_TOOLS.contains(&name);
        assert_eq!(hints["readOnlyHint"], !writes, "{name}");
        assert!(hints["openWorldHint"].is_boolean(), "{name}");
        // These say nothing about a tool that only reads.
        for hint in ["destructiveHint", "idempotentHint"] {
            assert_eq!(hints.get(hint).is_some_and(Value::is_boolean), writes, "{hint} of {name}");
        }
    }
}

#[tokio::test]
async fn unchanged_list_is_answered_304() {
    let app = TestApp::new().await;
    let (read, write) = (app.key("read").await, app.key("write").await);
    let tag = app.list_tools(&read).await.header("etag").to_owned();
    assert_ne!(tag, app.list_tools(&write).await.header("etag"));
    let again =
        app.get("/mcp/v1/tools").bearer(&read).header("if-none-match", &tag).send().await.expect_status(304);
    assert_eq!((again.header("etag"), again.text.as_str()), (tag.as_str(), ""));
    assert_eq!(again.remaining(), 58);
    app.get("/mcp/v1/tools").bearer(&write).header("if-none-match", &tag).send().await.expect_status(200);
}

#[tokio::test]
async fn list_is_compressed_if_the_client_accepts_gzip() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let list_compressed = |tag: &str| {
        let request = app.get("/mcp/v1/tools").bearer(&key).header("accept-encoding", "gzip, deflate");
        request.header("if-none-match", tag).send()
    };
    let (plain, compressed) = (app.list_tools(&key).await, list_compressed("").await.expect_status(200));
    assert_eq!(plain.body, compressed.body);
    assert_eq!(
        (compressed.header("content-encoding"), compressed.header("vary")),
        ("gzip", "accept-encoding")
    );
    assert_eq!((plain.headers.get("content-encoding"), plain.header("vary")), (None, "accept-encoding"));
    let length = |reply: &Reply| reply.header("content-length").parse::<usize>().unwrap();
    assert!(length(&compressed) < length(&plain) / 3, "{} of {}", length(&compressed), length(&plain));

    assert_ne!(compressed.header("etag"), plain.header("etag"));
    list_compressed(plain.header("etag")).await.expect_status(200);
    let again = list_compressed(compressed.header("etag")).await.expect_status(304);
    assert_eq!(again.headers.get("content-encoding"), None);
}

#[tokio::test]
async fn key_lists_only_its_tools() {
    let app = TestApp::new().await;
    for tools in [json!(["get_post"]), json!(["list_posts", "create_post"]), json!(["get_post", "get_brand"])]
    {
        for scope in ["read", "write"] {
            let created =
                app.create_key(json!({"label": "few", "scope": scope, "tools": tools.clone()})).await;
            for _ in 0..2 {
                let listed = app.list_tools(&created.api_key).await.expect_status(200);
                let names = listed.body["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]);
                let mut names: Vec<_> = names.map(|name| name.as_str().unwrap()).collect();
                names.sort_unstable();
                let wanted = tools.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                let mut wanted: Vec<_> =
                    wanted.filter(|name| scope == "write" || !WRITE_TOOLS.contains(name)).collect();
                wanted.sort_unstable();
                assert_eq!(names, wanted, "{scope}");
            }
        }
    }
}

#[tokio::test]
async fn text_content_equals_the_structured_content() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    for (tool, arguments) in [("get_brand", json!({})), ("get_post", json!({"post_id": "post_none"}))] {
        let reply = app.call(&key, tool, arguments).await;
        let text: Value = serde_json::from_str(reply.body["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, reply.body["structuredContent"]);
    }
}

#[tokio::test]
async fn get_brand_returns_the_scope_of_the_key() {
    let app = TestApp::new().await;
    let reply = app.call(&app.key("full").await, "get_brand", json!({})).await;
    let brand = reply.result();
    assert_eq!(brand["name"], "acme");
    assert_eq!(brand["key"]["scope"], "full");
    assert_eq!(brand["key"]["requests_left"], 59);
    assert_eq!(brand["channels"][0]["channel"], "feed");
    assert_eq!(brand["plan"], json!({"plan_id": "business", "name": "business", "mcp_enabled": true}));
}

#[tokio::test]
async fn failed_tool_is_a_result_with_is_error() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let reply = app.call(&key, "get_post", json!({"post_id": "post_none"})).await.expect_status(200);
    assert_eq!(reply.body["isError"], true);
    let failure = &reply.body["structuredContent"];
    assert_eq!((&failure["code"], &failure["retryable"]), (&json!("post_not_found"), &json!(false)));
    assert!(failure["hint"].as_str().unwrap().contains("list_posts"));
    let long = json!({"text": "x".repeat(10_001), "channels": ["feed"], "mode": "now"});
    let reply = app.call(&key, "create_post", long).await.expect_status(200);
    assert_eq!(reply.body["structuredContent"]["code"], "post_invalid");
    assert_eq!(app.call(&key, "list_posts", json!({})).await.result()["total"], 0);
}

#[tokio::test]
async fn all_argument_errors_are_returned_at_once() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let wrong = json!({"channels": [], "mode": "shout", "colour": "red", "media": [{"alt": 3}], "link": 7});
    let reply = app.call(&key, "create_post", wrong).await.expect_problem(422, "invalid_arguments");
    for field in ["text", "channels", "mode", "colour", "media[0].url", "media[0].alt", "link"] {
        assert!(reply.faulty_fields().contains(&field), "{field} is missing: {}", reply.text);
    }
    for (tool, arguments, field) in [
        ("create_post", json!({"text": "x", "channels": ["feed"], "link": "ftp://a.example"}), "link"),
        ("create_post", json!({"text": "x", "channels": ["feed"], "link": "javascript:alert(1)"}), "link"),
        ("create_post", json!({"text": "   ", "channels": ["feed"]}), "text"),
        (
            "create_post",
            json!({"text": "x", "channels": ["feed"], "scheduled_at": "tomorrow"}),
            "scheduled_at",
        ),
        ("list_posts", json!({"limit": 101}), "limit"),
        ("list_posts", json!({"limit": 0}), "limit"),
        ("list_posts", json!({"cursor": "%%%"}), "cursor"),
        ("list_posts", json!({"from": "yesterday"}), "from"),
        ("get_brand", json!([]), "arguments"),
        ("get_brand", json!({"brand_id": "umbrella"}), "brand_id"),
    ] {
        let reply = app.call(&key, tool, arguments).await.expect_problem(422, "invalid_arguments");
        assert_eq!(reply.faulty_fields(), [field], "{}", reply.text);
    }
    assert_eq!(app.call(&key, "list_posts", json!({})).await.result()["total"], 0);
}

#[tokio::test]
async fn null_and_whole_numbers_with_decimals_are_accepted() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let post = json!({
        "text": "x", "channels": ["feed"], "mode": null, "link": null, "title": null, "scheduled_at": null, "dry_run": null,
    });
    let created = app.call(&key, "create_post", post).await;
    assert_eq!(created.result()["post"]["targets"][0]["status"], "draft");
    let listed = app.call(&key, "list_posts", json!({"limit": 10.0, "status": null, "cursor": null})).await;
    assert_eq!(listed.result()["total"], 1);
    let reply = app.call(&key, "create_post", json!({"text": null, "channels": ["feed"]})).await;
    let reply = reply.expect_problem(422, "invalid_arguments");
    assert_eq!(reply.body["errors"], json!([{"field": "text", "message": "is required"}]));
}

#[tokio::test]
async fn fields_without_a_value_are_left_out_of_results() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    let post = json!({"text": "x", "channels": ["feed"]});
    let created = app.call(&key, "create_post", post).await;
    assert!(!created.text.contains("null"), "{}", created.text);
    let listed = app.call(&key, "list_posts", json!({})).await;
    assert!(!listed.text.contains("null"), "{}", listed.text);
    assert!(listed.result().get("next_cursor").is_none());
}

#[tokio::test]
async fn unknown_tool_suggests_only_a_similar_one_that_the_key_may_call() {
    let app = TestApp::new().await;
    let (read, write) = (app.key("read").await, app.key("write").await);
    let few = json!({"label": "few", "scope": "write", "tools": ["get_post", "get_brand"]});
    let few = app.create_key(few).await.api_key;
    for (key, called, suggested) in [
        (&read, "list_post", Some("list_posts")),
        (&read, "List-Posts", Some("list_posts")),
        (&read, "getbrand", Some("get_brand")),
        (&read, "lsit_audits", Some("list_audits")),
        (&write, "create_posts", Some("create_post")),
        (&read, "create_posts", None),
        (&few, "create_posts", None),
        (&few, "list_post", None),
        (&few, "get_posts", Some("get_post")),
        (&write, "delete_everything", None),
        (&write, "x", None),
        (&write, "", None),
    ] {
        let reply = app.call(key, called, json!({})).await.expect_problem(404, "unknown_tool");
        let detail = reply.body["detail"].as_str().unwrap();
        let expected = suggested.map(|name| format!("Did you mean `{name}`? ")).unwrap_or_default();
        let expected = format!(
            "There is no tool with this name. {expected}`GET /mcp/v1/tools` lists the tools this key can call."
        );
        assert_eq!(detail, expected, "{called}");
    }
}

#[tokio::test]
async fn body_of_a_call_is_validated() {
    let app = TestApp::new().await;
    let key = app.key("read").await;
    let send = |body: Value| {
        let (app, key) = (&app, &key);
        async move { app.post("/mcp/v1/tools/call").bearer(key).json(&body).await }
    };
    assert_eq!(send(json!({})).await.expect_problem(422, "invalid_request").faulty_fields(), ["name"]);
    let unknown = json!({"name": "get_brand", "args": {}});
    assert_eq!(send(unknown).await.expect_problem(422, "invalid_request").faulty_fields(), ["args"]);
    send(json!({"name": "get_brand"})).await.expect_status(200);
    send(json!({"name": "get_brand", "arguments": null})).await.expect_status(200);
    send(json!({"name": "x".repeat(300)})).await.expect_problem(422, "invalid_request");
}

#[tokio::test]
async fn mcp_client_without_the_bridge_gets_advice() {
    let app = TestApp::new().await;
    let key = app.key("read").await;
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}});
    let both = "application/json, text/event-stream";
    let replies = [
        app.post("/mcp/v1/tools/call")
            .bearer(&key)
            .json(&initialize)
            .await
            .expect_problem(400, "not_mcp_endpoint"),
        app.post("/mcp/v1/tools/call")
            .bearer(&key)
            .json(&json!([initialize]))
            .await
            .expect_problem(400, "not_mcp_endpoint"),
        app.get("/mcp/v1/tools")
            .bearer(&key)
            .header("accept", "text/event-stream")
            .send()
            .await
            .expect_problem(400, "not_mcp_endpoint"),
        app.post("/mcp/v1/tools")
            .bearer(&key)
            .json(&initialize)
            .await
            .expect_problem(405, "method_not_allowed"),
        app.post("/mcp/v1/tools/call")
            .header("accept", both)
            .json(&initialize)
            .await
            .expect_problem(401, "credential_missing"),
    ];
    for reply in replies {
        let detail = reply.body["detail"].as_str().unwrap();
        assert!(
            detail.contains("not an MCP HTTP endpoint") && detail.contains("svc_mcp_stdio.py"),
            "{detail}"
        );
    }
}

#[tokio::test]
async fn posts_are_listed_filtered_and_paged() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    for number in 0..5 {
        let mode = if number % 2 == 0 { "now" } else { "draft" };
        let post = json!({"text": format!("post {number}"), "channels": ["feed"], "mode": mode});
        app.call(&key, "create_post", post).await.result();
        app.clock.advance(Duration::from_secs(1));
    }
    let texts = |list: &Value| -> Vec<String> {
        list["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|post| post["text"].as_str().unwrap().to_owned())
            .collect()
    };
    let first = app.call(&key, "list_posts", json!({"limit": 3})).await;
    let first = first.result();
    assert_eq!(texts(first), ["post 4", "post 3", "post 2"]);
    let rest = app.call(&key, "list_posts", json!({"limit": 3, "cursor": first["next_cursor"]})).await;
    assert_eq!(
        (texts(rest.result()), &rest.result()["next_cursor"]),
        (vec!["post 1".into(), "post 0".into()], &Value::Null)
    );
    let published = app.call(&key, "list_posts", json!({"status": "published"})).await;
    assert_eq!((&published.result()["total"], texts(published.result()).len()), (&json!(3), 3));
    let span = json!({"from": "2026-11-15T00:00:01Z", "to": "2026-11-15T00:00:03Z"});
    assert_eq!(texts(app.call(&key, "list_posts", span).await.result()), ["post 2", "post 1"]);
    let unknown = app.call(&key, "list_posts", json!({"channel": "none"})).await;
    assert_eq!(unknown.result()["total"], 0);
    let note = unknown.result()["notes"][0].as_str().unwrap();
    assert!(note.contains("no channel `none`") && note.contains("`feed`"), "{note}");
    let known = app.call(&key, "list_posts", json!({"channel": "feed"})).await;
    assert_eq!((&known.result()["total"], &known.result()["notes"]), (&json!(5), &Value::Null));
    let lost = app.call(&key, "list_posts", json!({"status": "lost"})).await;
    assert_eq!(lost.expect_problem(422, "invalid_arguments").faulty_fields(), ["status"]);
}

#[tokio::test]
async fn a_dry_run_changes_nothing() {
    let app = TestApp::new().await;
    let key = app.key("write").await;
    for (mode, status) in [("now", "would_publish"), ("schedule", "would_schedule"), ("draft", "draft")] {
        let mut post = json!({"text": "maybe", "channels": ["feed"], "mode": mode, "dry_run": true});
        if mode == "schedule" {
            post["scheduled_at"] = json!("2026-11-16T00:00:00Z");
        }
        let reply = app.call(&key, "create_post", post).await;
        let (shown, target) = (reply.result(), &reply.result()["post"]["targets"][0]);
        assert_eq!((&shown["dry_run"], &target["status"]), (&json!(true), &json!(status)));
        // Nothing in it exists.
        for absent in [&shown["post"]["post_id"], &target["url"], &target["published_at"]] {
            assert_eq!(absent, &Value::Null, "{shown}");
        }
    }
    assert_eq!(app.call(&key, "list_posts", json!({})).await.result()["total"], 0);
}
