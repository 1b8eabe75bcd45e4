//! Behaviour of the Redis limiter only: several instances, stamps, and a server that is emptied or away.

use std::time::Duration;

use svc_mcp_access::{
    decision::StepOutcome,
    key::KeyDigest,
    rate::{Rate, Step},
};
use svc_mcp_testkit::Redis;
use tokio::task::JoinSet;

use crate::{
    limited::{OnRedis, fresh_key, fresh_redis, open_redis},
    model::{BEGIN, LIMIT, WINDOW},
};

/// Direct access to Redis.
struct Raw(redis::aio::MultiplexedConnection);

impl Raw {
    async fn new(url: &str) -> Self {
        let client = redis::Client::open(url).expect("an address of Redis");
        Self(client.get_multiplexed_async_connection().await.expect("Redis answers"))
    }

    async fn ask<T: redis::FromRedisValue>(&mut self, command: &[&[u8]]) -> T {
        let mut query = redis::cmd(std::str::from_utf8(command[0]).expect("a command"));
        query.arg(&command[1..]);
        query.query_async(&mut self.0).await.expect("Redis answers")
    }

    async fn window(&mut self, key: &KeyDigest) -> Vec<f64> {
        let name = [b"svc:moments:".as_slice(), key.as_bytes()].concat();
        let stored: Option<Vec<u8>> = self.ask(&[b"GET", &name]).await;
        let (moments, rest) = stored.as_deref().unwrap_or_default().as_chunks();
        assert!(rest.is_empty());
        moments.iter().map(|moment| f64::from_le_bytes(*moment)).collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "that none is lost is what the test is about")]
fn exact(micros: u64) -> f64 {
    micros as f64
}

fn rate(admitted: bool, remaining: usize, frees_in: u64) -> StepOutcome {
    StepOutcome::Rate(Rate { admitted, remaining, frees_in: Duration::from_micros(frees_in) })
}

#[tokio::test]
async fn microseconds_are_stored_exactly() {
    let url = fresh_redis().await;
    let (redis, mut raw) = (OnRedis::new(&url).await, Raw::new(&url).await);
    for begin in [1_800_000_000_000_001, 1_794_700_800_123_457, 1_799_999_999_999_999, 4_102_444_800_000_003]
    {
        let key = fresh_key();
        for number in 0..60 {
            let expected = Some(rate(true, 59 - usize::try_from(number).expect("small"), WINDOW - number));
            assert_eq!(redis.step(&key, Some(begin + number), Step::Count).await, expected);
        }
        let written: Vec<f64> = (0..60).map(|number| exact(begin + number)).collect();
        assert_eq!(raw.window(&key).await, written);
        assert_eq!(redis.step(&key, Some(begin + WINDOW - 1), Step::Count).await, Some(rate(false, 0, 1)));
        assert_eq!(redis.step(&key, Some(begin + WINDOW), Step::Count).await, Some(rate(true, 0, 1)));
        assert_eq!(redis.step(&key, Some(begin + WINDOW), Step::Count).await, Some(rate(false, 0, 1)));
    }
}

#[tokio::test]
async fn two_instances_share_the_limit() {
    let url = fresh_redis().await;
    let (here, there) = (OnRedis::new(&url).await, OnRedis::new(&url).await);
    assert_eq!(here.stamps, there.stamps);
    let key = fresh_key();
    for number in 0..LIMIT {
        let instance = if number % 3 == 0 { &here } else { &there };
        let expected = Some(rate(true, LIMIT - 1 - number, WINDOW));
        assert_eq!(instance.step(&key, Some(BEGIN), Step::Count).await, expected);
    }
    for instance in [&here, &there] {
        assert_eq!(instance.step(&key, Some(BEGIN), Step::Count).await, Some(rate(false, 0, WINDOW)));
    }
}

/// With the clock of Redis, like the service.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_instances_admit_sixty_of_two_hundred_concurrent_requests() {
    let url = fresh_redis().await;
    let instances = [OnRedis::new(&url).await, OnRedis::new(&url).await].map(std::sync::Arc::new);
    let key = fresh_key();
    let mut tasks = JoinSet::new();
    for number in 0..200 {
        let instance = std::sync::Arc::clone(&instances[number % 2]);
        tasks.spawn(async move { instance.step(&key, None, Step::Count).await });
    }
    let answers = tasks.join_all().await;
    let admitted =
        answers.iter().filter(|answer| matches!(answer, Some(StepOutcome::Rate(rate)) if rate.admitted));
    assert_eq!(admitted.count(), LIMIT, "{answers:?}");
}

#[tokio::test]
async fn peek_counts_nothing_and_writes_nothing() {
    let url = fresh_redis().await;
    let (redis, mut raw) = (OnRedis::new(&url).await, Raw::new(&url).await);
    let key = fresh_key();
    for _ in 0..100 {
        assert_eq!(redis.step(&key, Some(BEGIN), Step::Peek).await, Some(rate(true, LIMIT, 0)));
    }
    assert_eq!(raw.window(&key).await, Vec::<f64>::new());
}

#[tokio::test]
async fn window_expires() {
    let url = fresh_redis().await;
    let (redis, mut raw) = (OnRedis::new(&url).await, Raw::new(&url).await);
    let key = fresh_key();
    redis.step(&key, None, Step::Count).await.expect("Redis answers");
    let name = [b"svc:moments:".as_slice(), key.as_bytes()].concat();
    let millis: i64 = raw.ask(&[b"PTTL", &name]).await;
    // It lives at least as long as it counts, and not much longer.
    assert!((60_000 - 30_000..=62_000).contains(&millis), "{millis} ms left");
}

#[tokio::test]
async fn changed_stamp_is_stale_and_counts_nothing() {
    let url = fresh_redis().await;
    let (mut redis, mut raw) = (OnRedis::new(&url).await, Raw::new(&url).await);
    let key = fresh_key();
    assert_eq!(redis.step(&key, Some(BEGIN), Step::Count).await, Some(rate(true, 59, WINDOW)));
    let counted = raw.window(&key).await;
    for changed in [b"svc:brand:acme".as_slice(), b"svc:plan:pro"] {
        let before = redis.stamps;
        raw.ask::<()>(&[b"SET", changed, b"12345"]).await;
        for step in [Step::Count, Step::Peek] {
            assert_eq!(redis.step(&key, Some(BEGIN), step).await, Some(StepOutcome::Stale));
        }
        assert_eq!(raw.window(&key).await, counted, "nothing was counted");
        redis.refresh().await;
        assert_ne!(redis.stamps, before);
        assert_eq!(redis.step(&key, Some(BEGIN), Step::Peek).await, Some(rate(true, 59, WINDOW)));
    }
    // A change of another brand or plan does not affect this key.
    for other in [b"svc:brand:umbrella".as_slice(), b"svc:plan:free"] {
        raw.ask::<()>(&[b"SET", other, b"12345"]).await;
    }
    assert_eq!(redis.step(&key, Some(BEGIN), Step::Peek).await, Some(rate(true, 59, WINDOW)));
}

#[tokio::test]
async fn key_state_without_stamps_is_stale() {
    let mut redis = OnRedis::new(&fresh_redis().await).await;
    redis.stamps = svc_mcp_access::decision::Stamps::default();
    assert_eq!(redis.step(&fresh_key(), Some(BEGIN), Step::Count).await, Some(StepOutcome::Stale));
}

#[tokio::test]
async fn emptied_redis_makes_key_states_stale_and_recovers() {
    let server = own_redis(None).await;
    let url = server.fresh_database();
    let (mut redis, mut raw) = (OnRedis::new(&url).await, Raw::new(&url).await);
    let key = fresh_key();
    assert_eq!(redis.step(&key, Some(BEGIN), Step::Count).await, Some(rate(true, 59, WINDOW)));
    // Redis forgets the script too.
    raw.ask::<()>(&[b"FLUSHALL"]).await;
    raw.ask::<()>(&[b"SCRIPT", b"FLUSH"]).await;
    assert_eq!(redis.step(&key, Some(BEGIN), Step::Count).await, Some(StepOutcome::Stale));
    let before = redis.stamps;
    redis.refresh().await;
    assert_ne!(redis.stamps, before, "what was read before the flood stays stale");
    assert_eq!(redis.step(&key, Some(BEGIN), Step::Count).await, Some(rate(true, 59, WINDOW)));
    assert!(!redis.shared.is_degraded());
}

#[tokio::test]
async fn state_is_degraded_until_redis_is_back() {
    let server = own_redis(None).await;
    let (port, url) = (server.port(), server.fresh_database());
    let mut redis = OnRedis::new(&url).await;
    let key = fresh_key();
    assert_eq!(redis.step(&key, Some(BEGIN), Step::Count).await, Some(rate(true, 59, WINDOW)));
    assert!(!redis.shared.is_degraded());
    tokio::task::spawn_blocking(move || drop(server)).await.expect("it stops");
    assert_eq!(redis.step(&key, Some(BEGIN), Step::Count).await, None);
    assert!(redis.shared.is_degraded());
    assert_eq!(redis.shared.stamps(&redis.brand, &redis.plan).await, None);
    redis.shared.probe().await;
    assert!(redis.shared.is_degraded(), "it is still gone");

    let _server = own_redis(Some(port)).await;
    for _ in 0..100 {
        redis.shared.probe().await;
        if !redis.shared.is_degraded() {
            break;
        }
    }
    assert!(!redis.shared.is_degraded(), "Redis answers, and the probe does not find it");
    assert_eq!(redis.step(&key, Some(BEGIN), Step::Count).await, Some(StepOutcome::Stale));
    redis.refresh().await;
    assert_eq!(redis.step(&key, Some(BEGIN), Step::Count).await, Some(rate(true, 59, WINDOW)));
}

/// The service starts without Redis and finds it later.
#[tokio::test]
async fn state_opens_before_redis_is_up() {
    let port = svc_mcp_testkit::free_port();
    let shared = open_redis(&format!("redis://127.0.0.1:{port}/0"));
    shared.probe().await;
    assert!(shared.is_degraded());
    let _server = own_redis(Some(port)).await;
    for _ in 0..100 {
        shared.probe().await;
        if !shared.is_degraded() {
            return;
        }
    }
    panic!("Redis answers, and the probe does not find it");
}

async fn own_redis(port: Option<u16>) -> Redis {
    let start = move || port.map_or_else(Redis::start, Redis::start_on);
    tokio::task::spawn_blocking(start).await.expect("Redis")
}
