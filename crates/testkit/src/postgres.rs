use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use tempfile::TempDir;

use crate::supervised::{Supervised, free_port, wait_until};

/// A PostgreSQL server of this test process.
#[derive(Debug)]
pub struct Postgres {
    port: u16,
    programs: PathBuf,
    databases: AtomicU32,
    server: Option<Supervised>,
    data: TempDir,
    shared: bool,
}

impl Postgres {
    /// The one that all tests of this process share.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(|| Self::made(true))
    }

    /// One of one's own, to be stopped or starved.
    pub fn start() -> Self {
        Self::made(false)
    }

    /// What is shared is never dropped, so its server's end takes the data along.
    fn made(shared: bool) -> Self {
        let programs = programs();
        let data = tempfile::tempdir().expect("a directory");
        make_cluster(&programs, data.path());
        let mut postgres =
            Self { port: free_port(), programs, databases: AtomicU32::new(0), server: None, data, shared };
        postgres.start_again();
        postgres
    }

    /// Ends the server, whoever is connected.
    pub fn stop(&mut self) {
        self.server = None;
    }

    /// Starts it again with its data, on the same port.
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
        let rubbish = if self.shared { self.data.path().to_string_lossy() } else { "".into() };
        self.server = Some(Supervised::start(&command[0], &arguments, &rubbish));
        wait_until("PostgreSQL's start", || self.psql("SELECT 1").is_ok());
    }

    /// A new, empty database.
    pub fn fresh_database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::SeqCst));
        self.psql(&format!("CREATE DATABASE {name}")).expect("a database");
        format!("postgres://postgres@127.0.0.1:{}/{name}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    fn psql(&self, sql: &str) -> Result<String, String> {
        let url = format!("postgres://postgres@127.0.0.1:{}/postgres", self.port);
        answer(Command::new(self.programs.join("psql")).args([&url, "-qAtc", sql]))
    }

    /// Everything in a database as text, as `pg_dump` writes it.
    pub fn dump(&self, url: &str) -> String {
        answer(Command::new(self.programs.join("pg_dump")).arg(url)).expect("a dump")
    }
}

fn answer(command: &mut Command) -> Result<String, String> {
    let Output { status, stdout, stderr } = command.output().map_err(|error| error.to_string())?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    if status.success() { Ok(text(stdout)) } else { Err(text(stderr)) }
}

/// Where Debian puts the newest PostgreSQL, or wherever the path leads.
fn programs() -> PathBuf {
    let mut versions: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .map(|entries| entries.flatten().map(|entry| entry.path().join("bin")).collect())
        .unwrap_or_default();
    versions.retain(|programs| programs.join("initdb").exists());
    versions.sort();
    versions.pop().expect("PostgreSQL is not installed: `make setup` installs what the tests need")
}

/// PostgreSQL refuses to run as root.
fn as_server_user() -> Vec<String> {
    if is_root() {
        ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"].map(str::to_owned).to_vec()
    } else {
        vec!["env".into()]
    }
}

fn is_root() -> bool {
    answer(Command::new("id").arg("-u")).is_ok_and(|user| user.trim() == "0")
}

fn make_cluster(programs: &Path, data: &Path) {
    if is_root() {
        answer(Command::new("chown").arg("postgres").arg(data)).expect("the user postgres");
    }
    let user = as_server_user();
    let mut command = Command::new(&user[0]);
    command.args(&user[1..]).arg(programs.join("initdb")).arg("-D").arg(data.join("cluster"));
    command.args(["-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"]);
    answer(&mut command).expect("initdb");
}
