//! Several instances with one database and one Redis: a change in one is effective for the next request to any other.

use svc_mcp_access::{
    Brand, Clock, Suspension,
    decision::{Credential, Denial, ListTools, RejectionCause, decide},
    key::NewKey,
    rate::WINDOW,
};
use svc_mcp_store::{QueuedWork, RedisState, Store, ToolRecords};
use svc_mcp_testkit::{Redis, TestClock};
use svc_mcp_tools::Records;

use crate::{
    make::{self, CLIENT, NOW, acme, after, id},
    seals::sealing,
    world::World,
};

on_both_engines! {
    next_request_to_another_instance_sees_every_change,
    another_instance_reads_the_new_profile_at_once,
    instances_share_the_limit,
    instances_recover_from_an_emptied_redis,
    keys_are_read_from_the_database_while_redis_is_away,
    revoked_key_is_refused_on_every_instance_without_redis,
}

pub(crate) struct Instance {
    pub(crate) store: Store,
    shared: RedisState,
    pub(crate) clock: TestClock,
}

impl Instance {
    pub(crate) async fn new(world: &World, redis: &str) -> Self {
        let shared = world.redis(redis.to_owned());
        Self {
            store: world.another_instance(Some(shared.clone())).await,
            shared,
            clock: TestClock::default(),
        }
    }

    pub(crate) async fn probe(&self) {
        self.shared.probe().await;
    }

    pub(crate) fn is_degraded(&self) -> bool {
        self.shared.is_degraded()
    }

    /// Requests the list of tools. Returns `ok` or the reason of the denial.
    pub(crate) async fn ask(&self, secret: &str) -> &'static str {
        let (now, ticks) = (self.clock.now(), self.clock.ticks());
        let ask = async { Ok::<_, ()>(ListTools) };
        let presented = Credential::Bearer(secret.as_bytes());
        match decide(&self.store, &self.store, presented, CLIENT, (now, ticks), |_| ask).await {
            Ok(_) => "ok",
            Err(refusal) => match refusal.cause {
                RejectionCause::Denied(denial) => Denial::reason(&denial),
                RejectionCause::Body(()) => unreachable!("it can be read"),
            },
        }
    }

    /// The website in the profile that a call with this key gets.
    async fn website(&self, world: &World, secret: &str) -> String {
        let ask = async { Ok::<_, ()>(ListTools) };
        let presented = Credential::Bearer(secret.as_bytes());
        let at = (self.clock.now(), self.clock.ticks());
        let Ok((caller, ())) = decide(&self.store, &self.store, presented, CLIENT, at, |_| ask).await else {
            panic!("the key is good")
        };
        let records = ToolRecords { store: self.store.clone(), entropy: world.entropy.clone() };
        let profile = records.profile_of(&caller.key_state).await.expect("the store answers");
        profile.brand.website.clone()
    }

    async fn revoke(&self, new: &NewKey) {
        let event = make::revoked(new, after(1));
        self.store
            .revoke_key(&acme(), &new.key.key_id, QueuedWork::Cancel, &event)
            .await
            .expect("the store answers");
    }
}

async fn key(world: &World) -> (NewKey, String) {
    let (new, secret) = make::sealed_key("acme", &sealing(&["a"], &world.entropy), world.entropy.clone());
    world.keep(&new).await;
    (new, secret)
}

pub(crate) async fn shared_redis() -> String {
    tokio::task::spawn_blocking(|| Redis::shared().fresh_database()).await.expect("Redis")
}

pub(crate) async fn own_redis(port: Option<u16>) -> Redis {
    let start = move || port.map_or_else(Redis::start, Redis::start_on);
    tokio::task::spawn_blocking(start).await.expect("Redis")
}

pub(crate) async fn stop(redis: Redis) {
    tokio::task::spawn_blocking(move || drop(redis)).await.expect("it stops");
}

async fn next_request_to_another_instance_sees_every_change(world: &World) {
    let redis = shared_redis().await;
    let (here, there) = (Instance::new(world, &redis).await, Instance::new(world, &redis).await);
    let (new, secret) = key(world).await;
    let store = &here.store;
    let both = async |what: &str| {
        let (there, here) = (there.ask(&secret).await, here.ask(&secret).await);
        assert_eq!(there, here, "{what}");
        there
    };
    assert_eq!(both("at first").await, "ok");
    for _ in 0..2 {
        store.put_plan(&make::plan("pro", false)).await.expect("the store answers");
        assert_eq!(both("plan off").await, "mcp_inactive");
        store.put_plan(&make::plan("pro", true)).await.expect("the store answers");
        assert_eq!(both("plan on").await, "ok");
        store.put_brand(&make::brand("acme", "free")).await.expect("the store answers");
        assert_eq!(both("another plan").await, "mcp_inactive");
        store.put_plan(&make::plan("free", true)).await.expect("the store answers");
        assert_eq!(both("the other plan on").await, "ok");
        store.put_plan(&make::plan("free", false)).await.expect("the store answers");
        store.put_brand(&make::brand("acme", "pro")).await.expect("the store answers");
        assert_eq!(both("the first plan again").await, "ok");
        let suspension = Suspension { at: NOW, by: id("olga"), reason: None };
        store.suspend_brand(&acme(), &suspension).await.expect("the store answers");
        assert_eq!(both("suspended").await, "brand_suspended");
        store.resume_brand(&acme(), NOW).await.expect("the store answers");
        assert_eq!(both("brand resumed").await, "ok");
        store.remove_member(&acme(), &id("ada"), &make::removal()).await.expect("the store answers");
        assert_eq!(both("owner gone").await, "key_owner_removed");
        store.put_member(&make::member("acme", "ada", "member")).await.expect("the store answers");
        assert_eq!(both("owner back").await, "key_paused");
        store.resume_key(&acme(), &new.key.key_id, &make::resumed(&new)).await.expect("the store answers");
        assert_eq!(both("resumed").await, "ok");
        store.pause_key(&acme(), &new.key.key_id, &make::paused(&new)).await.expect("the store answers");
        assert_eq!(both("paused").await, "key_paused");
        store.resume_key(&acme(), &new.key.key_id, &make::resumed(&new)).await.expect("the store answers");
    }
    here.revoke(&new).await;
    assert_eq!(both("revoked").await, "key_revoked");
}

async fn another_instance_reads_the_new_profile_at_once(world: &World) {
    let redis = shared_redis().await;
    let (here, there) = (Instance::new(world, &redis).await, Instance::new(world, &redis).await);
    let (_, secret) = key(world).await;
    for website in ["https://one.example", "https://two.example", "https://three.example"] {
        let changed = Brand { website: website.into(), ..make::brand("acme", "pro") };
        here.store.put_brand(&changed).await.expect("the store answers");
        for instance in [&there, &here, &there] {
            assert_eq!(instance.website(world, &secret).await, website);
        }
    }
}

async fn instances_share_the_limit(world: &World) {
    let redis = shared_redis().await;
    let (here, there) = (Instance::new(world, &redis).await, Instance::new(world, &redis).await);
    let (_, secret) = key(world).await;
    let mut answers = Vec::new();
    for number in 0..70 {
        let instance = if number % 2 == 0 { &here } else { &there };
        answers.push(instance.ask(&secret).await);
    }
    assert_eq!(answers[..60], ["ok"; 60]);
    assert_eq!(answers[60..], ["rate_limited"; 10]);
    // The plan is checked before the limit.
    here.store.put_plan(&make::plan("pro", false)).await.expect("the store answers");
    assert_eq!((here.ask(&secret).await, there.ask(&secret).await), ("mcp_inactive", "mcp_inactive"));
}

async fn instances_recover_from_an_emptied_redis(world: &World) {
    let redis = shared_redis().await;
    let (here, there) = (Instance::new(world, &redis).await, Instance::new(world, &redis).await);
    let (new, secret) = key(world).await;
    assert_eq!((here.ask(&secret).await, there.ask(&secret).await), ("ok", "ok"));
    let client = redis::Client::open(redis.as_str()).expect("an address");
    let mut connection = client.get_multiplexed_async_connection().await.expect("Redis answers");
    redis::cmd("FLUSHDB").query_async::<()>(&mut connection).await.expect("Redis is emptied");
    assert_eq!((here.ask(&secret).await, there.ask(&secret).await), ("ok", "ok"));
    here.revoke(&new).await;
    assert_eq!((there.ask(&secret).await, here.ask(&secret).await), ("key_revoked", "key_revoked"));
}

async fn keys_are_read_from_the_database_while_redis_is_away(world: &World) {
    let redis = own_redis(None).await;
    let port = redis.port();
    let instance = Instance::new(world, &redis.fresh_database()).await;
    let (new, secret) = key(world).await;
    assert_eq!(instance.ask(&secret).await, "ok");
    stop(redis).await;
    assert_eq!(instance.ask(&secret).await, "ok", "still served");
    assert!(instance.shared.is_degraded());

    // The version does not move and no stamp changes, so only reading the row shows the change.
    let revoked_at = |value: &str| format!("UPDATE keys SET revoked_at = {value}");
    world.raw.execute(&revoked_at("1")).await;
    assert_eq!(instance.ask(&secret).await, "key_revoked");
    world.raw.execute(&revoked_at("NULL")).await;
    // Two requests were counted here, one of them before Redis was stopped.
    for _ in 0..58 {
        assert_eq!(instance.ask(&secret).await, "ok");
    }
    assert_eq!(instance.ask(&secret).await, "rate_limited", "counted by the instance for itself");

    let _redis = own_redis(Some(port)).await;
    wait_until_redis_is_back(&instance.shared).await;
    assert_eq!(
        instance.ask(&secret).await,
        "rate_limited",
        "what was admitted here counts, also over an empty Redis"
    );
    instance.clock.advance(WINDOW);
    assert_eq!(instance.ask(&secret).await, "ok", "shared again");
    instance.revoke(&new).await;
    assert_eq!(instance.ask(&secret).await, "key_revoked");
}

async fn revoked_key_is_refused_on_every_instance_without_redis(world: &World) {
    let redis = own_redis(None).await;
    let (port, url) = (redis.port(), redis.fresh_database());
    let (here, there) = (Instance::new(world, &url).await, Instance::new(world, &url).await);
    let (new, secret) = key(world).await;
    assert_eq!((here.ask(&secret).await, there.ask(&secret).await), ("ok", "ok"));
    stop(redis).await;
    here.revoke(&new).await;
    assert_eq!((there.ask(&secret).await, here.ask(&secret).await), ("key_revoked", "key_revoked"));
    let _redis = own_redis(Some(port)).await;
    wait_until_redis_is_back(&here.shared).await;
    wait_until_redis_is_back(&there.shared).await;
    assert_eq!((there.ask(&secret).await, here.ask(&secret).await), ("key_revoked", "key_revoked"));
}

async fn wait_until_redis_is_back(shared: &RedisState) {
    for _ in 0..100 {
        shared.probe().await;
        if !shared.is_degraded() {
            return;
        }
    }
    panic!("Redis answers, and the probe does not find it");
}
