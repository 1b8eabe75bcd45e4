use std::{
    fs::File,
    io::{Read, Seek},
    net::TcpListener,
    process::{self, Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use crate::wait_until;

/// A server that ends with the test process, even if the test process is killed.
///
/// A shell supervises the server. It reads a pipe that only the test process holds open, and stops the server when the
/// pipe closes.
#[derive(Debug)]
pub struct ServerProcess {
    name: String,
    shell: Child,
    log: File,
}

impl ServerProcess {
    /// `remove_dir` is deleted after the server has ended; an empty string deletes nothing.
    pub fn start(program: &str, arguments: &[&str], remove_dir: &str) -> Self {
        let script = r#"remove_dir=$1; shift; exec 3<&0
            "$@" 3<&- </dev/null & server=$!
            { cat <&3 >/dev/null; kill -INT $server; } 2>/dev/null & exec 3<&-
            wait $server; [ -z "$remove_dir" ] || rm -rf "$remove_dir""#;
        let log = tempfile::tempfile().expect("a temporary file");
        let output = || log.try_clone().expect("a second handle of the log");
        let shell = Command::new("sh")
            .args(["-c", script, "sh", remove_dir, program])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(output())
            .stderr(output())
            .spawn();
        let shell = shell.unwrap_or_else(|error| panic!("cannot start {program}: {error}"));
        Self { name: program.to_owned(), shell, log }
    }

    /// Waits until `is_ready` returns true. Panics if the server exits before.
    pub fn wait_until_ready(&mut self, mut is_ready: impl FnMut() -> bool) {
        wait_until(format!("the start of {}", self.name), || {
            is_ready() || {
                self.assert_running();
                false
            }
        });
    }

    /// Panics with the server's output if it has exited.
    pub fn assert_running(&mut self) {
        let exited = self.shell.try_wait().expect("the state of the shell");
        let output = if exited.is_some() { self.output() } else { String::new() };
        assert!(exited.is_none(), "{} has exited: {output}", self.name);
    }

    fn output(&mut self) -> String {
        let mut bytes = Vec::new();
        self.log.rewind().expect("the log is a file");
        self.log.read_to_end(&mut bytes).expect("the log is readable");
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}

/// A port that nothing listens on. This process gets each port once, so a server can be restarted on its port.
///
/// The ports are below the range that the system assigns to outgoing connections, so no connection takes one
/// while its server is down.
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let (first, count) = (12_000, 20_000);
    // Test processes that run at the same time start at different ports.
    let begin = process::id().wrapping_mul(101);
    let mut ports =
        (0..count).map(|_| first + begin.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % count);
    let free = ports.find_map(|port| {
        let port = u16::try_from(port).ok()?;
        TcpListener::bind(("127.0.0.1", port)).is_ok().then_some(port)
    });
    free.expect("a free port below 32000")
}
