//! One rate limit over all instances, with different clocks.

use std::collections::BTreeSet;

use tokio::task::JoinSet;

use svc_mcp_testkit::{
    Api, ApiResponse,
    cluster::{BRAND, Cluster, ClusterOptions},
    eventually,
};

/// Sends `count` concurrent requests with each of these clients.
pub(crate) async fn send_concurrently(agents: &[Api], count: usize) -> Vec<ApiResponse> {
    let mut requests = JoinSet::new();
    for _ in 0..count {
        for agent in agents {
            let agent = agent.clone();
            requests.spawn(async move { agent.list_tools().await });
        }
    }
    requests.join_all().await
}

/// Repeats it with another key if the store of a busy machine did not answer in time.
async fn all_answered(
    cluster: &Cluster,
    mut send: impl AsyncFnMut() -> Vec<ApiResponse>,
) -> Vec<ApiResponse> {
    eventually("an answer to every request", async || {
        let responses = cluster.with_redis(&mut send).await;
        (!responses.iter().any(ApiResponse::is_unavailable)).then_some(responses)
    })
    .await
}

pub(crate) fn count_admitted(responses: &[ApiResponse]) -> usize {
    for response in responses {
        assert!(matches!(response.status, 200 | 429), "{response:?}");
    }
    responses.iter().filter(|response| response.status == 200).count()
}

/// `r` of the header `RateLimit: "key";r=R;t=T`.
fn remaining(response: &ApiResponse) -> usize {
    let header = response.header("ratelimit");
    let part = header.split(';').find_map(|part| part.strip_prefix("r="));
    part.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no rate in {response:?}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_of_600_requests_over_three_instances_are_admitted() {
    let options =
        ClusterOptions { clock_offsets: &["-7m", "+0", "+41m"], balancer: true, ..ClusterOptions::default() };
    let cluster = Cluster::start(options).await;
    let mut clocks = BTreeSet::new();
    for instance in 0..cluster.count() {
        // The date up to the tens of minutes.
        clocks.insert(cluster.at(instance).get("/healthz").await.header("date")[..21].to_owned());
    }
    assert!(clocks.len() > 1, "the clocks are equal: {clocks:?}");

    let responses = all_answered(&cluster, async || {
        let key = cluster.at(0).key(BRAND, "read").await;
        let agents: Vec<Api> = (0..cluster.count()).map(|instance| cluster.agent(instance, &key)).collect();
        send_concurrently(&agents, 200).await
    })
    .await;
    assert_eq!(responses.len(), 600);
    assert_eq!(count_admitted(&responses), 60);
    // Each of the 60 responses has a different number of remaining requests.
    let left: BTreeSet<usize> =
        responses.iter().filter(|response| response.status == 200).map(remaining).collect();
    assert_eq!(left, (0..60).collect());
    for response in responses.iter().filter(|response| response.status == 429) {
        let wait: u64 = response.header("retry-after").parse().expect("a number of seconds");
        assert!((1..=60).contains(&wait), "{response:?}");
    }

    let responses = all_answered(&cluster, async || {
        let key = cluster.at(0).key(BRAND, "read").await;
        send_concurrently(&[cluster.balanced().with_bearer(&key.secret)], 600).await
    })
    .await;
    assert_eq!(count_admitted(&responses), 60);
    let served: BTreeSet<&str> = responses.iter().map(|response| response.header("x-served-by")).collect();
    assert_eq!(served.len(), 3, "the balancer uses all instances: {served:?}");
}
