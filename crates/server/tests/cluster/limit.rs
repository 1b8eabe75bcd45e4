//! One limit over all instances, whatever their clocks say.

use std::collections::BTreeSet;

use tokio::task::JoinSet;

use svc_mcp_testkit::{
    Answer, Api,
    cluster::{BRAND, Cluster, Wishes},
};

/// Sends so many requests to each of these at once, and gives all answers.
pub(crate) async fn all_at_once(agents: &[Api], each: usize) -> Vec<Answer> {
    let mut requests = JoinSet::new();
    for _ in 0..each {
        for agent in agents {
            let agent = agent.clone();
            requests.spawn(async move { agent.tools().await });
        }
    }
    requests.join_all().await
}

pub(crate) fn admitted(answers: &[Answer]) -> usize {
    for answer in answers {
        assert!(matches!(answer.status, 200 | 429), "{answer:?}");
    }
    answers.iter().filter(|answer| answer.status == 200).count()
}

/// `r` of the header `RateLimit: "key";r=R;t=T`.
fn remaining(answer: &Answer) -> usize {
    let header = answer.header("ratelimit");
    let part = header.split(';').find_map(|part| part.strip_prefix("r="));
    part.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no rate in {answer:?}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_600_requests_over_three_instances_60_are_admitted() {
    let wishes = Wishes { clocks: &["-7m", "+0", "+41m"], balancer: true, ..Wishes::default() };
    let cluster = Cluster::start(wishes).await;
    let mut clocks = BTreeSet::new();
    for instance in 0..cluster.count() {
        // To the ten minutes.
        clocks.insert(cluster.at(instance).get("/healthz").await.header("date")[..21].to_owned());
    }
    assert!(clocks.len() > 1, "the clocks agree: {clocks:?}");

    let answers = cluster
        .with_redis(async || {
            let key = cluster.at(0).key(BRAND, "read").await;
            let agents: Vec<Api> =
                (0..cluster.count()).map(|instance| cluster.agent(instance, &key)).collect();
            all_at_once(&agents, 200).await
        })
        .await;
    assert_eq!(answers.len(), 600);
    assert_eq!(admitted(&answers), 60);
    // Each of the 60 was told another number of requests that are left: they were counted one after the other.
    let left: BTreeSet<usize> = answers.iter().filter(|answer| answer.status == 200).map(remaining).collect();
    assert_eq!(left, (0..60).collect());
    for answer in answers.iter().filter(|answer| answer.status == 429) {
        let wait: u64 = answer.header("retry-after").parse().expect("a number of seconds");
        assert!((1..=60).contains(&wait), "{answer:?}");
    }

    let answers = cluster
        .with_redis(async || {
            let key = cluster.at(0).key(BRAND, "read").await;
            all_at_once(&[cluster.balanced().with(&key.secret)], 600).await
        })
        .await;
    assert_eq!(admitted(&answers), 60);
    let served: BTreeSet<&str> = answers.iter().map(|answer| answer.header("x-served-by")).collect();
    assert_eq!(served.len(), 3, "the balancer used all: {served:?}");
}
