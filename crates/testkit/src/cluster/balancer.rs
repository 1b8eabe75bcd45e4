//! `HAProxy` with the settings of `deploy/haproxy.cfg`.

use std::{
    fmt::Write,
    fs::{self, File},
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use crate::{eventually, free_port, raw_get};

#[derive(Debug)]
pub struct Balancer {
    pub address: SocketAddr,
    child: Child,
    log: PathBuf,
}

impl Balancer {
    pub async fn start(dir: &Path, instances: &[SocketAddr]) -> Self {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()));
        let (settings, log) = (dir.join("haproxy.cfg"), dir.join("haproxy.log"));
        fs::write(&settings, settings_for(address, instances)).expect("the settings are written");
        let output = File::create(&log).expect("the log is created");
        let started = Command::new("haproxy")
            .arg("-db")
            .arg("-f")
            .arg(&settings)
            .stdin(Stdio::null())
            .stdout(output.try_clone().expect("a second handle of the log"))
            .stderr(output)
            .spawn();
        let child =
            started.unwrap_or_else(|error| panic!("cannot start HAProxy ({error}). Run `make setup`."));
        let mut balancer = Self { address, child, log };
        eventually("the start of HAProxy", async || {
            let exited = balancer.child.try_wait().expect("the state of HAProxy");
            assert!(exited.is_none(), "HAProxy exited with {exited:?}");
            let response = raw_get(address, "/healthz").await;
            response.is_some_and(|(status, _)| status == 200).then_some(())
        })
        .await;
        balancer
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("The log of HAProxy:\n{}", fs::read_to_string(&self.log).unwrap_or_default());
        }
    }
}

/// The deployed settings with the addresses of this test.
fn settings_for(address: SocketAddr, instances: &[SocketAddr]) -> String {
    let deployed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/haproxy.cfg");
    let deployed = fs::read_to_string(deployed).expect("deploy/haproxy.cfg");
    let mut settings = String::new();
    for line in deployed.lines() {
        if line.trim_start().starts_with("server ") {
            continue;
        }
        if line.trim_start().starts_with("bind ") {
            let _ = writeln!(settings, "    bind {address}");
        } else {
            let _ = writeln!(settings, "{line}");
        }
    }
    for (number, instance) in instances.iter().enumerate() {
        let _ = writeln!(settings, "    server {number} {instance}");
    }
    settings
}
