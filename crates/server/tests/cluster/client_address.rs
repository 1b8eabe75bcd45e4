//! Clients behind the load balancer are known by their own addresses, on every instance.

use std::{
    collections::BTreeSet,
    net::{IpAddr, Ipv4Addr},
};

use serde_json::json;
use svc_mcp_testkit::{
    Api,
    cluster::{BRAND, Cluster, ClusterOptions},
    eventually, send,
};

const OFFICE: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 5));
const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 6));
/// The balancer has the address 127.0.0.1.
const TRUSTED: &[&str] = &["--trusted-proxies", "127.0.0.1"];

/// Sends requests through the balancer until each instance has answered one. Returns the distinct status and code.
async fn through_every_instance(cluster: &Cluster, client: &Api, headers: &[(&str, &str)]) -> (u16, String) {
    let (mut served_by, mut answers) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..20 {
        let request = headers
            .iter()
            .fold(client.list_tools_request(), |request, (name, value)| request.header(*name, *value));
        let response = send(request).await;
        served_by.insert(response.header("x-served-by").to_owned());
        answers.insert((response.status, response.code()));
        if served_by.len() == cluster.count() {
            assert_eq!(answers.len(), 1, "{answers:?}");
            return answers.pop_first().expect("one answer");
        }
    }
    panic!("only {served_by:?} answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn networks_of_a_key_hold_on_every_instance_behind_the_balancer() {
    let options = ClusterOptions { balancer: true, arguments: TRUSTED, ..ClusterOptions::default() };
    let cluster = Cluster::start(options).await;
    let not_allowed = (403, "address_not_allowed".to_owned());
    let allowed = (200, String::new());
    let key = cluster.at(0).key(BRAND, "read").await;
    let clients =
        [OFFICE, ELSEWHERE].map(|from| cluster.balanced().with_bearer(&key.secret).from_address(from));
    for client in &clients {
        assert_eq!(through_every_instance(&cluster, client, &[]).await, allowed);
    }
    let networks = json!({"allowed_networks": [OFFICE.to_string()]});
    cluster.at(1).update_key(&key, &networks).await.expect_status(200);
    let [office, elsewhere] = &clients;
    // Headers of a client do not change its address.
    for headers in [
        &[][..],
        &[("X-Forwarded-For", "127.0.0.5")],
        &[("Forwarded", "for=127.0.0.5")],
        &[("X-Forwarded-For", "127.0.0.5"), ("Forwarded", "for=127.0.0.5")],
    ] {
        assert_eq!(through_every_instance(&cluster, elsewhere, headers).await, not_allowed, "{headers:?}");
    }
    assert_eq!(through_every_instance(&cluster, office, &[("Forwarded", "for=127.0.0.6")]).await, allowed);
    // Without the balancer, the headers of the same client are ignored.
    for instance in 0..cluster.count() {
        let direct = cluster.agent(instance, &key).from_address(ELSEWHERE);
        for (name, value) in [("X-Forwarded-For", "127.0.0.5"), ("Forwarded", "for=127.0.0.5")] {
            let refused = send(direct.list_tools_request().header(name, value)).await.expect_status(403);
            assert_eq!(refused.code(), "address_not_allowed");
            assert!(refused.text.contains("127.0.0.6"), "{}", refused.text);
        }
    }
    send(office.list_tools_request().header("X-MCP-Client", "office-agent/1")).await.expect_status(200);
    eventually("the last use of the key", async || {
        let shown = cluster.at(2).get(&key.path()).await.expect_status(200).json();
        let last_use = (&shown["last_used_ip"], &shown["last_used_client"]);
        (last_use == (&json!("127.0.0.5"), &json!("office-agent/1"))).then_some(())
    })
    .await;
}
