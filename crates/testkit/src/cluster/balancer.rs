//! `haproxy`, with the very settings of `deploy/haproxy.cfg`.

use std::{
    fmt::Write,
    fs::{self, File},
    net::{Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use super::port;
use crate::{eventually, glance};

#[derive(Debug)]
pub struct Balancer {
    pub address: SocketAddr,
    child: Child,
    log: PathBuf,
}

impl Balancer {
    pub async fn start(dir: &Path, instances: &[SocketAddr]) -> Self {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port()));
        let (settings, log) = (dir.join("haproxy.cfg"), dir.join("haproxy.log"));
        fs::write(&settings, settings_for(address, instances)).expect("a file");
        let output = File::create(&log).expect("a file");
        let started = Command::new("haproxy")
            .arg("-db")
            .arg("-f")
            .arg(&settings)
            .stdin(Stdio::null())
            .stdout(output.try_clone().expect("a file"))
            .stderr(output)
            .spawn();
        let child = started.unwrap_or_else(|error| {
            panic!("HAProxy does not start ({error}): `make setup` installs what the tests need")
        });
        let mut balancer = Self { address, child, log };
        eventually("HAProxy's start", async || {
            let ended = balancer.child.try_wait().expect("a child can be asked");
            assert!(ended.is_none(), "HAProxy ended with {ended:?}");
            let answer = glance(address, "/healthz").await;
            answer.is_some_and(|(status, _)| status == 200).then_some(())
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
            eprintln!("HAProxy said:\n{}", fs::read_to_string(&self.log).unwrap_or_default());
        }
    }
}

/// The settings that are deployed, with the addresses of this test.
fn settings_for(address: SocketAddr, instances: &[SocketAddr]) -> String {
    let deployed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/haproxy.cfg");
    let deployed = fs::read_to_string(deployed).expect("the settings that are deployed");
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
