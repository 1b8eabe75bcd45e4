//! The first byte chooses a route of the management API, the rest is its body. The real service answers it: never with a
//! server error, and always with JSON.
#![no_main]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    sync::{Arc, LazyLock},
    time::Duration,
};

use clap::Parser;
use libfuzzer_sys::fuzz_target;
use svc_mcp::{
    clock::{MachineClock, machine_entropy},
    config::ServeArgs,
    jwt::{Issuer, NewToken, OperatorClaim},
    service,
};
use svc_mcp_access::{Clock, Secret};
use tokio::runtime::Runtime;

const JWT_SECRET: &str = "fuzzing-with-a-secret-of-32-bytes-or-more";
/// Each is called with a token that may do everything.
const ROUTES: &[&str] = &[
    "PUT /api/admin/plans/business",
    "PUT /api/admin/brands/acme",
    "PUT /api/admin/brands/acme/members/ben",
    "POST /api/brands/acme/mcp-keys",
    "PATCH /api/brands/acme/approval-settings",
    "PUT /api/brands/acme/channels/shop",
    "PUT /api/brands/acme/report-recipients",
    "POST /api/brands/acme/keyword-imports",
    "PUT /api/brands/acme/event-endpoints/hook",
    "POST /api/admin/keys/search",
    "POST /api/leaked-keys",
];

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    serve: ServeArgs,
}

struct Service {
    address: SocketAddr,
    token: Secret,
    _runtime: Runtime,
    _running: service::Running,
}

static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    let data = std::env::temp_dir().join(format!("svc-mcp-fuzz-{}", std::process::id()));
    let arguments = [
        "serve".to_owned(),
        "--listen=127.0.0.1:0".to_owned(),
        "--management-limit=0".to_owned(),
        format!("--jwt-secret={JWT_SECRET}"),
        format!("--data-dir={}", data.display()),
    ];
    let arguments = Arguments::try_parse_from(arguments).expect("valid").serve;
    let runtime = Runtime::new().expect("a runtime");
    let clock: Arc<dyn Clock> = Arc::new(MachineClock::default());
    let running = runtime
        .block_on(service::start(&arguments, Arc::clone(&clock), machine_entropy(), None))
        .expect("the service starts");
    let issuer = Issuer {
        secret: Secret::new(JWT_SECRET.to_owned()),
        issuer: None,
        audience: None,
        operator_claim: OperatorClaim::default(),
    };
    let user_id = "ada".parse().expect("an id");
    let valid_for = Duration::from_secs(7 * 24 * 3600);
    let token = issuer.issue(&NewToken { user_id, operator: true, valid_for }, clock.now());
    let service = Service { address: running.address, token, _runtime: runtime, _running: running };
    for (route, body) in [
        (ROUTES[0], r#"{"name": "Business", "mcp_enabled": true}"#),
        (ROUTES[1], r#"{"name": "Acme", "website": "https://acme.example", "plan_id": "business"}"#),
        ("PUT /api/admin/brands/acme/members/ada", r#"{"role": "admin"}"#),
    ] {
        let (status, answer) = service.send(route, body.as_bytes());
        assert_eq!(status, 200, "{answer}");
    }
    service
});

impl Service {
    fn send(&self, route: &str, body: &[u8]) -> (u16, String) {
        // A new one each time: the service closes a connection that is idle while the fuzzer is busy.
        let mut connection = BufReader::new(TcpStream::connect(self.address).expect("it listens"));
        let head = format!(
            "{route} HTTP/1.1\r\nhost: fuzz\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n",
            self.token.expose(),
            body.len()
        );
        let stream = connection.get_mut();
        stream.write_all(&[head.as_bytes(), body].concat()).expect("it reads");
        let (mut status, mut length) = (0, 0);
        for number in 0.. {
            let mut line = String::new();
            connection.read_line(&mut line).expect("it answers");
            let line = line.trim_end().to_ascii_lowercase();
            if number == 0 {
                status = line.split(' ').nth(1).expect("a status").parse().expect("a number");
            } else if line.is_empty() {
                break;
            } else if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().expect("a number");
            }
        }
        let mut answer = vec![0; length];
        connection.read_exact(&mut answer).expect("the whole body");
        (status, String::from_utf8(answer).expect("UTF-8"))
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((choice, body)) = data.split_first() else { return };
    let (status, answer) = SERVICE.send(ROUTES[usize::from(*choice) % ROUTES.len()], body);
    assert!((200..500).contains(&status), "{status}: {answer}");
    serde_json::from_str::<serde_json::Value>(&answer).expect("JSON");
    assert!(answer.len() < 200_000, "{} bytes", answer.len());
});
