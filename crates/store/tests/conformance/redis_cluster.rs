//! Instances that share a Redis Cluster: changes are effective for the next request, and no key gets more than its limit,
//! also while keys are moved to another master and while a master is killed.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use redis::aio::MultiplexedConnection;
use svc_mcp_access::rate::{LIMIT, WINDOW};
use svc_mcp_testkit::{RedisCluster, eventually};
use tokio::task::JoinSet;

use crate::{instances::Instance, make, seals::sealing, world::World};

/// Enough for every master to have some.
const BRANDS: usize = 24;

struct Fixture {
    cluster: RedisCluster,
    instances: [Arc<Instance>; 2],
    /// The secrets of one key of each brand.
    secrets: Arc<Vec<String>>,
    _upkeep: JoinSet<()>,
}

impl Fixture {
    async fn new(world: &World) -> Self {
        let cluster = tokio::task::spawn_blocking(RedisCluster::start).await.expect("a cluster");
        let mut secrets = Vec::new();
        for number in 0..BRANDS {
            let brand = format!("brand-{number}");
            world.store.put_brand(&make::brand(&brand, "pro")).await.expect("a brand");
            world.store.put_member(&make::member(&brand, "ada", "admin")).await.expect("a member");
            secrets.push(key(world, number).await);
        }
        let url = cluster.url();
        let instances = [Instance::new(world, &url).await, Instance::new(world, &url).await].map(Arc::new);
        let mut upkeep = JoinSet::new();
        for instance in &instances {
            // As the service does in the background.
            let instance = Arc::clone(instance);
            upkeep.spawn(async move {
                loop {
                    instance.probe().await;
                    let _ = instance.store.notice_changes().await;
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
            });
        }
        Self { cluster, instances, secrets: Arc::new(secrets), _upkeep: upkeep }
    }

    /// How many of 70 requests, which both instances get in turn, are admitted.
    async fn admitted(&self, secret: &str) -> usize {
        let mut admitted = 0;
        for number in 0..70 {
            match self.instances[number % 2].ask(secret).await {
                "ok" => admitted += 1,
                "rate_limited" => {}
                other => panic!("{other}"),
            }
        }
        admitted
    }
}

/// A new key of a brand.
async fn key(world: &World, brand: usize) -> String {
    let sealing = sealing(&["a"], &world.entropy);
    let (new, secret) = make::sealed_key(&format!("brand-{brand}"), &sealing, world.entropy.clone());
    world.keep(&new).await;
    secret
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cluster_shares_limits_and_changes() {
    let world = World::on_postgres().await;
    let fixture = Fixture::new(&world).await;
    changes_are_effective_for_keys_of_every_master(&fixture).await;
    limit_is_exact_while_keys_move_to_another_master(&world, &fixture).await;
    limit_is_exact_while_a_master_is_killed(&world, &fixture).await;
    drop(fixture);
    world.drop_database().await;
}

async fn changes_are_effective_for_keys_of_every_master(fixture: &Fixture) {
    let [here, there] = &fixture.instances;
    for enabled in [true, false, true] {
        here.store.put_plan(&make::plan("pro", enabled)).await.expect("the store answers");
        let expected = if enabled { "ok" } else { "mcp_inactive" };
        for secret in fixture.secrets.iter() {
            assert_eq!((there.ask(secret).await, here.ask(secret).await), (expected, expected));
        }
    }
    for (number, secret) in fixture.secrets.iter().enumerate() {
        for (plan, expected) in [("free", "mcp_inactive"), ("pro", "ok")] {
            let changed = make::brand(&format!("brand-{number}"), plan);
            here.store.put_brand(&changed).await.expect("the store answers");
            assert_eq!((there.ask(secret).await, here.ask(secret).await), (expected, expected));
        }
    }
    assert!(!here.is_degraded() && !there.is_degraded());
}

async fn connection(port: u16) -> MultiplexedConnection {
    let client = redis::Client::open(format!("redis://127.0.0.1:{port}")).expect("an address");
    client.get_multiplexed_async_connection().await.expect("Redis answers")
}

/// Moves the slot of a brand as the tools of Redis do, with requests in between.
async fn limit_is_exact_while_keys_move_to_another_master(world: &World, fixture: &Fixture) {
    let cluster = &fixture.cluster;
    let secret = key(world, 0).await;
    for number in 0..20 {
        assert_eq!(fixture.instances[number % 2].ask(&secret).await, "ok");
    }
    let masters = cluster.masters();
    let (mut source, mut found) = (masters[0], Vec::new());
    for port in &masters {
        found = redis::cmd("KEYS")
            .arg("*:brand:brand-0")
            .query_async::<Vec<String>>(&mut connection(*port).await)
            .await
            .expect("Redis answers");
        if !found.is_empty() {
            source = *port;
            break;
        }
    }
    let stamp = found.first().expect("the stamp of the brand");
    let target = *masters.iter().find(|port| **port != source).expect("another master");
    let slot = cluster.command(source, &format!("CLUSTER KEYSLOT {stamp}"));
    let (source_id, target_id) =
        (cluster.command(source, "CLUSTER MYID"), cluster.command(target, "CLUSTER MYID"));
    cluster.command(target, &format!("CLUSTER SETSLOT {slot} IMPORTING {source_id}"));
    cluster.command(source, &format!("CLUSTER SETSLOT {slot} MIGRATING {target_id}"));
    for number in 20..30 {
        assert_eq!(fixture.instances[number % 2].ask(&secret).await, "ok", "the keys are still there");
    }
    let mut redis = connection(source).await;
    // A key may expire in between, so it is repeated until none is left.
    eventually("the slot is empty", async || {
        let keys: Vec<Vec<u8>> = redis::cmd("CLUSTER")
            .arg("GETKEYSINSLOT")
            .arg(&slot)
            .arg(1_000)
            .query_async(&mut redis.clone())
            .await
            .expect("Redis answers");
        if keys.is_empty() {
            return Some(());
        }
        let mut migrate = redis::cmd("MIGRATE");
        migrate.arg("127.0.0.1").arg(target).arg("").arg(0).arg(60_000).arg("KEYS").arg(keys);
        migrate.query_async::<()>(&mut redis).await.expect("the keys move");
        None
    })
    .await;
    for number in 30..40 {
        assert_eq!(fixture.instances[number % 2].ask(&secret).await, "ok", "the target is asked");
    }
    for port in [target, source] {
        assert_eq!(cluster.command(port, &format!("CLUSTER SETSLOT {slot} NODE {target_id}")), "OK");
    }
    let mut admitted = 40;
    for number in 0..40 {
        match fixture.instances[number % 2].ask(&secret).await {
            "ok" => admitted += 1,
            other => assert_eq!(other, "rate_limited"),
        }
    }
    assert_eq!(admitted, LIMIT, "the window has moved with the key");
}

/// One admitted request: between these times it was counted.
#[derive(Clone, Copy)]
struct Admitted {
    sent: Instant,
    answered: Instant,
}

#[derive(Default)]
struct Load {
    stop: AtomicBool,
    /// By key.
    admitted: Vec<Mutex<Vec<Admitted>>>,
    total: AtomicUsize,
    /// The keys that were answered since the set was emptied.
    answered: Mutex<BTreeSet<usize>>,
}

async fn limit_is_exact_while_a_master_is_killed(world: &World, fixture: &Fixture) {
    let mut random = StdRng::seed_from_u64(svc_mcp_testkit::seed());
    let mut secrets = Vec::new();
    for brand in 0..BRANDS {
        secrets.push(key(world, brand).await);
    }
    let secrets = Arc::new(secrets);
    let load =
        Arc::new(Load { admitted: secrets.iter().map(|_| Mutex::default()).collect(), ..Load::default() });
    let mut tasks = JoinSet::new();
    for instance in fixture.instances.iter().cycle().take(8) {
        let (instance, secrets, load) = (Arc::clone(instance), Arc::clone(&secrets), Arc::clone(&load));
        let mut random = StdRng::seed_from_u64(random.random());
        tasks.spawn(async move {
            while !load.stop.load(Ordering::SeqCst) {
                let number = random.random_range(0..secrets.len());
                let sent = Instant::now();
                match instance.ask(&secrets[number]).await {
                    "ok" => {
                        load.admitted[number].lock().push(Admitted { sent, answered: Instant::now() });
                        load.total.fetch_add(1, Ordering::SeqCst);
                        load.answered.lock().insert(number);
                    }
                    "rate_limited" => {
                        load.answered.lock().insert(number);
                    }
                    // During the failover.
                    "unavailable" => {}
                    other => panic!("{other}"),
                }
            }
        });
    }
    let half = BRANDS * LIMIT / 2;
    eventually("half of the limit is used", async || {
        (load.total.load(Ordering::SeqCst) >= half).then_some(())
    })
    .await;
    let masters = fixture.cluster.masters();
    let killed = masters[random.random_range(0..masters.len())];
    fixture.cluster.kill(killed);
    let before = load.total.load(Ordering::SeqCst);
    assert!(before < BRANDS * LIMIT, "the windows were full before the master was killed: {before}");
    eventually("a replica takes over", async || {
        let others: Vec<u16> =
            fixture.cluster.ports().iter().copied().filter(|port| *port != killed).collect();
        let count =
            others.iter().filter(|port| fixture.cluster.command(**port, "ROLE").starts_with("master"));
        (count.count() == masters.len()).then_some(())
    })
    .await;
    load.answered.lock().clear();
    eventually("requests with every key go on", async || {
        (load.answered.lock().len() == secrets.len()).then_some(())
    })
    .await;
    eventually("every key has used its limit", async || {
        load.admitted.iter().all(|admitted| admitted.lock().len() >= LIMIT - 5).then_some(())
    })
    .await;
    load.stop.store(true, Ordering::SeqCst);
    tasks.join_all().await;
    for (number, admitted) in load.admitted.iter().enumerate() {
        let admitted = admitted.lock();
        for first in admitted.iter() {
            // All of these were certainly counted within one span.
            let end = first.sent + WINDOW;
            let within = admitted.iter().filter(|one| one.sent >= first.sent && one.answered < end).count();
            assert!(within <= LIMIT, "key {number}: {within} requests in one window");
        }
    }
    assert!(
        fixture.instances.iter().all(|instance| !instance.is_degraded()),
        "the rest of the cluster answers"
    );
    // The new master counts as exactly as the old one.
    for brand in 0..BRANDS {
        let secret = key(world, brand).await;
        assert_eq!(fixture.admitted(&secret).await, LIMIT, "brand {brand}");
    }
}
