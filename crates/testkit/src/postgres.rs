use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use tempfile::TempDir;

use crate::{ServerProcess, free_port};

/// A PostgreSQL server for this test process.
#[derive(Debug)]
pub struct Postgres {
    port: u16,
    programs: PathBuf,
    databases: AtomicU32,
    server: Option<ServerProcess>,
    data: TempDir,
    shared: bool,
}

impl Postgres {
    /// One server for all tests of this process.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(|| Self::create(true))
    }

    /// A server for one test, which may stop or freeze it.
    pub fn start() -> Self {
        Self::create(false)
    }

    /// A shared server is never dropped. Its data is deleted when its process ends.
    fn create(shared: bool) -> Self {
        let programs = programs();
        let data = tempfile::tempdir().expect("a temporary directory");
        init_cluster(&programs, data.path());
        let mut postgres =
            Self { port: free_port(), programs, databases: AtomicU32::new(0), server: None, data, shared };
        postgres.start_again();
        postgres
    }

    /// Stops the server. Open connections are closed.
    pub fn stop(&mut self) {
        self.server = None;
    }

    /// Starts the stopped server with its data, on the same port.
    pub fn start_again(&mut self) {
        let program = self.programs.join("postgres").to_string_lossy().into_owned();
        let cluster = self.data.path().join("cluster").to_string_lossy().into_owned();
        let port = self.port.to_string();
        let mut command = as_server_user();
        command.extend([&program, "-D", &cluster, "-p", &port].map(str::to_owned));
        for setting in
            ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "max_connections=1000"]
        {
            command.extend(["-c", setting].map(str::to_owned));
        }
        let arguments: Vec<&str> = command[1..].iter().map(String::as_str).collect();
        let remove_dir = if self.shared { self.data.path().to_string_lossy() } else { "".into() };
        let mut server = ServerProcess::start(&command[0], &arguments, &remove_dir);
        server
            .wait_until_ready(|| self.psql("SELECT 1").output().is_ok_and(|output| output.status.success()));
        self.server = Some(server);
    }

    /// Creates an empty database, and returns its URL.
    pub fn fresh_database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::SeqCst));
        run(&mut self.psql(&format!("CREATE DATABASE {name}")));
        format!("postgres://postgres@127.0.0.1:{}/{name}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    fn psql(&self, sql: &str) -> Command {
        let url = format!("postgres://postgres@127.0.0.1:{}/postgres", self.port);
        let mut command = Command::new(self.programs.join("psql"));
        command.args([&url, "-qAtc", sql]);
        command
    }

    /// The output of `pg_dump`.
    pub fn dump(&self, url: &str) -> String {
        run(Command::new(self.programs.join("pg_dump")).arg(url))
    }
}

/// Runs a command that must succeed, and returns its standard output.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    assert!(output.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The directory of the newest PostgreSQL, as Debian installs it.
fn programs() -> PathBuf {
    let mut versions: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .map(|entries| entries.flatten().map(|entry| entry.path().join("bin")).collect())
        .unwrap_or_default();
    versions.retain(|programs| programs.join("initdb").exists());
    versions.sort();
    versions.pop().expect("PostgreSQL is not installed. Run `make setup`.")
}

/// PostgreSQL refuses to run as root, so root becomes the user `postgres`.
fn as_server_user() -> Vec<String> {
    if is_root() {
        ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"].map(str::to_owned).to_vec()
    } else {
        vec!["env".into()]
    }
}

fn is_root() -> bool {
    run(Command::new("id").arg("-u")).trim() == "0"
}

fn init_cluster(programs: &Path, data: &Path) {
    if is_root() {
        run(Command::new("chown").arg("postgres").arg(data));
    }
    let user = as_server_user();
    let mut command = Command::new(&user[0]);
    command.args(&user[1..]).arg(programs.join("initdb")).arg("-D").arg(data.join("cluster"));
    command.args(["-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"]);
    run(&mut command);
}
