use std::{net::TcpStream, process::Command};

use crate::{ServerCertificate, ServerProcess, free_port, redis::tls_arguments, wait_until};

/// Three masters and three replicas.
#[derive(Debug)]
pub struct RedisCluster {
    ports: Vec<u16>,
    servers: Vec<ServerProcess>,
    /// How `redis-cli` reaches the servers.
    client_arguments: Vec<String>,
}

const MASTERS: usize = 3;
const SLOTS: usize = 16_384;

impl RedisCluster {
    pub fn start() -> Self {
        Self::start_servers(|port| vec!["--port".to_owned(), port.to_string()], Vec::new())
    }

    /// Servers that accept only TLS and this password, also from each other.
    pub fn start_with_tls(certificate: &ServerCertificate, password: &str) -> Self {
        let ca_file = certificate.ca_file.to_str().expect("a path in UTF-8");
        let client = ["--tls", "--cacert", ca_file, "--no-auth-warning", "-a", password];
        let server = |port| {
            let mut arguments = tls_arguments(certificate, password, port);
            let among_servers =
                ["--tls-cluster", "yes", "--tls-replication", "yes", "--masterauth", password];
            arguments.extend(among_servers.map(str::to_owned));
            arguments
        };
        Self::start_servers(server, client.map(str::to_owned).to_vec())
    }

    /// `reached_at` gives the arguments that make a server listen on a port.
    fn start_servers(reached_at: impl Fn(u16) -> Vec<String>, client_arguments: Vec<String>) -> Self {
        let (mut ports, mut bus_ports, mut servers) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..2 * MASTERS {
            let (port, bus_port) = (free_port(), free_port());
            let directory = tempfile::tempdir().expect("a directory").keep();
            let directory = directory.to_str().expect("a path in UTF-8");
            let (reached_at, bus_port_text) = (reached_at(port), bus_port.to_string());
            let common = [
                "--cluster-port",
                &bus_port_text,
                "--cluster-enabled",
                "yes",
                // Long enough for a busy machine, so that only a killed server counts as failed.
                "--cluster-node-timeout",
                "3000",
                "--cluster-require-full-coverage",
                "no",
                "--repl-diskless-sync-delay",
                "0",
                "--bind",
                "127.0.0.1",
                "--dir",
                directory,
                "--save",
                "",
                "--appendonly",
                "no",
            ];
            let arguments: Vec<&str> = reached_at.iter().map(String::as_str).chain(common).collect();
            servers.push(ServerProcess::start("redis-server", &arguments, directory));
            ports.push(port);
            bus_ports.push(bus_port);
        }
        for (server, port) in servers.iter_mut().zip(&ports) {
            server.wait_until_ready(|| TcpStream::connect(("127.0.0.1", *port)).is_ok());
        }
        let cluster = Self { ports, servers, client_arguments };
        cluster.join(&bus_ports);
        cluster
    }

    fn join(&self, bus_ports: &[u16]) {
        for (index, port) in self.ports.iter().enumerate() {
            self.command(*port, &format!("CLUSTER SET-CONFIG-EPOCH {}", index + 1));
            if index < MASTERS {
                let (first, next) = (index * SLOTS / MASTERS, (index + 1) * SLOTS / MASTERS);
                self.command(*port, &format!("CLUSTER ADDSLOTSRANGE {first} {}", next - 1));
            }
            self.command(self.ports[0], &format!("CLUSTER MEET 127.0.0.1 {port} {}", bus_ports[index]));
        }
        let known = format!("cluster_known_nodes:{}", self.ports.len());
        for port in &self.ports {
            wait_until("the meeting of the servers", || self.command(*port, "CLUSTER INFO").contains(&known));
        }
        for (index, port) in self.ports[MASTERS..].iter().enumerate() {
            let master = self.command(self.ports[index], "CLUSTER MYID");
            // It may not have learnt yet that the other one is a master.
            wait_until("a replica", || {
                self.command(*port, &format!("CLUSTER REPLICATE {master}")).contains("OK")
            });
            wait_until("the copy of the replica", || {
                self.command(*port, "INFO replication").contains("master_link_status:up")
            });
        }
        for port in &self.ports {
            wait_until("the cluster", || {
                let nodes = self.command(*port, "CLUSTER NODES");
                self.command(*port, "CLUSTER INFO").contains("cluster_state:ok")
                    && nodes.lines().filter(|line| line.contains("slave")).count() == MASTERS
            });
        }
    }

    pub fn url(&self) -> String {
        format!("redis+cluster://{}", self.addresses())
    }

    /// The servers, as a URL names them.
    pub fn addresses(&self) -> String {
        self.ports.iter().map(|port| format!("127.0.0.1:{port}")).collect::<Vec<_>>().join(",")
    }

    /// The reply of the server on this port, as text.
    pub fn command(&self, port: u16, command: &str) -> String {
        let mut client = Command::new("redis-cli");
        client.args(["-p", &port.to_string()]).args(&self.client_arguments).args(command.split(' '));
        let output = client.output().expect("redis-cli runs");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub fn ports(&self) -> &[u16] {
        &self.ports
    }

    /// The ports of the masters now.
    pub fn masters(&self) -> Vec<u16> {
        let is_master = |port: &&u16| self.command(**port, "ROLE").starts_with("master");
        self.ports.iter().filter(is_master).copied().collect()
    }

    /// Ends a server without a chance to say goodbye, as when its machine loses power.
    pub fn kill(&self, port: u16) {
        let info = self.command(port, "INFO server");
        let pid = info.lines().find_map(|line| line.strip_prefix("process_id:")).expect("a process id");
        let killed = Command::new("kill").args(["-9", pid.trim()]).status().expect("kill runs");
        assert!(killed.success(), "the server on port {port} is killed");
    }

    /// How many servers were started.
    pub fn count(&self) -> usize {
        self.servers.len()
    }
}
