use std::{
    fmt::Display,
    net::TcpListener,
    process::{self, Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

/// A server that ends with the test process, however that ends.
///
/// A shell stands between: it reads a pipe whose other end only this process holds, and stops the server when the
/// pipe closes.
#[derive(Debug)]
pub struct Supervised(Child);

impl Supervised {
    /// `rubbish` is a directory that nobody needs once the server has ended, or empty.
    pub fn start(program: &str, arguments: &[&str], rubbish: &str) -> Self {
        let script = r#"rubbish=$1; shift; "$@" >&2 & server=$!; cat >/dev/null
            kill -INT $server; wait $server; [ -z "$rubbish" ] || rm -rf "$rubbish""#;
        let child = Command::new("sh")
            .args(["-c", script, "sh", rubbish, program])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Self(child.unwrap_or_else(|error| panic!("{program} does not start: {error}")))
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// A port that nobody listens on, and that nobody is dealt by chance before a slow server has started: systems deal
/// out higher ones.
pub fn free_port() -> u16 {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let (first, count) = (20_000, 12_000);
    // Test processes that run beside each other begin at different places.
    let begin = process::id().wrapping_mul(101);
    let mut ports =
        (0..count).map(|_| first + begin.wrapping_add(ASKED.fetch_add(1, Ordering::Relaxed)) % count);
    let free = ports.find_map(|port| {
        let port = u16::try_from(port).ok()?;
        TcpListener::bind(("127.0.0.1", port)).is_ok().then_some(port)
    });
    free.expect("a free port")
}

/// Waits for something that another process does, half a minute at most.
pub fn wait_until(what: impl Display, mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < Duration::from_secs(30), "{what} did not happen in time");
        thread::sleep(Duration::from_millis(20));
    }
}
