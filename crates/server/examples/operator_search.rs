//! A benchmark: the operator's search by prefix among a million keys.
//!
//! `make bench-operator` measures the release build on each engine. `--binary PATH` measures another build.

#![expect(clippy::print_stdout, reason = "the figures are printed for the user")]

use std::{env, path::PathBuf, process::ExitCode};

use svc_mcp_testkit::{
    Api,
    hostile::{Engine, Installation, InstallationOptions},
};
use tokio::time::Instant;

const USAGE: &str = "usage: operator_search [--binary PATH] [--keys N] [--engine sqlite|postgres]";
/// Prefixes in hexadecimal digits, so the number of matches is known.
const SEARCHES: u32 = 300;
const SEARCHES_PER_USER: u32 = 100;

#[tokio::main(worker_threads = 2)]
async fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (mut binary, mut keys) = (None, 1_000_000_u32);
    let mut engines = vec![Engine::Sqlite, Engine::Postgres];
    for pair in arguments.chunks(2) {
        match pair {
            [name, path] if name == "--binary" => binary = PathBuf::from(path).canonicalize().ok(),
            [name, engine] if name == "--engine" && engine == "sqlite" => engines = vec![Engine::Sqlite],
            [name, engine] if name == "--engine" && engine == "postgres" => engines = vec![Engine::Postgres],
            [name, count] if name == "--keys" && count.parse::<u32>().is_ok() => {
                keys = count.parse().unwrap_or(keys);
            }
            _ => {
                println!("{USAGE}");
                return ExitCode::from(2);
            }
        }
    }
    for engine in engines {
        measure(engine, binary.clone(), keys).await;
    }
    ExitCode::SUCCESS
}

async fn measure(engine: Engine, binary: Option<PathBuf>, keys: u32) {
    let site = "http://127.0.0.1:9".to_owned();
    let installation = InstallationOptions { engine, binary, neighbour_keys: 1, site };
    let installation = Installation::start(installation).await;
    let started = Instant::now();
    fill(&installation, engine, keys).await;
    println!("{engine}: {keys} keys, inserted in {:.0} s", started.elapsed().as_secs_f64());
    for digits in [6, 4, 2] {
        // An operator may send 120 requests a minute.
        let token = |group: u32| {
            let user = format!("root-{digits}-{group}");
            installation.instance.program.run_ok(&["token", "--user", &user, "--operator"])
        };
        let http = Api::new("").at(installation.instance.address);
        let operators: Vec<Api> =
            (0..=SEARCHES / SEARCHES_PER_USER).map(|group| http.with_bearer(&token(group))).collect();
        let operator = |number: u32| &operators[(number / SEARCHES_PER_USER) as usize];
        let (mut times, mut found) = (Vec::new(), 0);
        for number in 0..SEARCHES {
            // The same numbers as in the statement that inserts them: each prefix exists.
            let prefix = format!("{:06x}", u64::from(number + 1) * 3_331 * 65_537 % 0x100_0000);
            let path = format!("/api/admin/keys?limit=50&prefix=svc_mcp_{}", &prefix[..digits]);
            let started = Instant::now();
            let list = operator(number).get(&path).await;
            times.push(started.elapsed());
            found += list.expect_status(200).json()["keys"].as_array().map_or(0, Vec::len);
        }
        times.sort_unstable();
        let quantile = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)];
        println!(
            "prefix of {digits} digits: {} searches, {found} keys, p50 {:.2} ms, p99 {:.2} ms",
            times.len(),
            quantile(50).as_secs_f64() * 1e3,
            quantile(99).as_secs_f64() * 1e3,
        );
    }
    println!();
}

/// Inserts keys of the neighbour's brand with SQL.
async fn fill(installation: &Installation, engine: Engine, keys: u32) {
    let (digest, hex, analyze) = match engine {
        Engine::Sqlite => {
            ("randomblob(32)", "printf('%06x', n * 65537 % 16777216)", "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        Engine::Postgres => (
            "decode(md5(n::text) || md5('b' || n::text), 'hex')",
            "lpad(to_hex(n::bigint * 65537 % 16777216), 6, '0')",
            "VACUUM ANALYZE keys",
        ),
    };
    let insert = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {keys}) \
         INSERT INTO keys (key_id, brand_id, created_by, label, scope, prefix, digest, created_at) \
         SELECT 'key_' || n, 'neighbour', 'user' || (n % 10000), 'a key', 'read', 'svc_mcp_' || {hex}, {digest}, n \
         FROM numbers"
    );
    installation.execute(&insert).await;
    installation.execute(analyze).await;
}
