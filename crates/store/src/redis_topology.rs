//! Which server of a cluster holds which hash slots, as `CLUSTER NODES` says it.

use std::collections::HashMap;

/// What one server of the cluster says about all of them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Topology {
    pub(crate) masters: Vec<Master>,
    /// The addresses of all servers, with replicas.
    pub(crate) addresses: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Master {
    pub(crate) address: String,
    /// Where two servers claim a slot, the higher epoch is right.
    epoch: u64,
    /// First and last slot.
    slots: Vec<(u16, u16)>,
    pub(crate) has_replica: bool,
}

impl Topology {
    /// `asked` is the address of the server that was asked: it may not know its own. With TLS (`prefer_names`) servers are
    /// reached by the names in their certificates.
    pub(crate) fn parse(text: &str, asked: &str, prefer_names: bool) -> Option<Self> {
        let (mut topology, mut ids, mut replicas) =
            (Self::default(), Vec::new(), HashMap::<&str, bool>::new());
        for line in text.lines().filter(|line| !line.is_empty()) {
            let mut fields = line.split(' ');
            let (id, address, flags, master) =
                (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
            let (_ping, _pong, epoch) = (fields.next()?, fields.next()?, fields.next()?);
            let link = fields.next()?;
            let has = |flag: &str| flags.split(',').any(|one| one == flag);
            if has("noaddr") || has("handshake") {
                continue;
            }
            let address = node_address(address, asked, prefer_names)?;
            topology.addresses.push(address.clone());
            let is_up = !has("fail") && !has("fail?") && (link == "connected" || has("myself"));
            if !has("master") {
                *replicas.entry(master).or_default() |= is_up;
                continue;
            }
            // Slots in brackets are being moved. Until then they belong to the server that lists them without.
            let slots =
                fields.filter(|field| !field.starts_with('[')).map(slot_range).collect::<Option<_>>()?;
            ids.push(id);
            topology.masters.push(Master { address, epoch: epoch.parse().ok()?, slots, has_replica: false });
        }
        for (master, id) in topology.masters.iter_mut().zip(ids) {
            master.has_replica = replicas.get(id).copied().unwrap_or(false);
        }
        Some(topology)
    }

    /// The master of a slot, if the servers that were asked know one.
    pub(crate) fn master_of(answers: &[Self], slot: u16) -> Option<&Master> {
        let masters = answers.iter().flat_map(|answer| &answer.masters);
        let claims = masters
            .filter(|master| master.slots.iter().any(|(first, last)| (*first..=*last).contains(&slot)));
        claims.max_by_key(|master| master.epoch)
    }
}

fn slot_range(text: &str) -> Option<(u16, u16)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// `10.0.0.1:6379@16379,redis-1.example,shard-id=…`
fn node_address(field: &str, asked: &str, prefer_names: bool) -> Option<String> {
    let (endpoint, rest) = field.split_once('@').unwrap_or((field, ""));
    let name = rest.split(',').nth(1).filter(|name| !name.is_empty() && *name != "?");
    let endpoint = match name.filter(|_| prefer_names) {
        Some(name) => format!("{name}:{}", endpoint.rsplit_once(':')?.1),
        None => endpoint.to_owned(),
    };
    absolute(&endpoint, asked)
}

/// An address that a server has given, as `host:port`. Without a host, it is that of the server.
pub(crate) fn absolute(endpoint: &str, asked: &str) -> Option<String> {
    let (host, port) = endpoint.rsplit_once(':')?;
    let host = if host.is_empty() || host == "?" { asked.rsplit_once(':')?.0 } else { host };
    let is_bare_ipv6 = host.contains(':') && !host.starts_with('[');
    Some(if is_bare_ipv6 { format!("[{host}]:{port}") } else { format!("{host}:{port}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODES: &str = "\
a1 127.0.0.1:7000@17000,one.example myself,master - 0 0 1 connected 0-5460 [93-<-b2]
b2 127.0.0.1:7001@17001,,shard-id=x master - 0 1 2 connected 5461-10922 16383
c3 127.0.0.1:7002@17002 master,fail - 0 1 3 disconnected 10923-16382
d4 127.0.0.1:7003@17003 slave a1 0 1 1 connected
e5 127.0.0.1:7004@17004 slave,fail b2 0 1 2 disconnected
f6 :0@0 master,noaddr - 0 0 0 disconnected
";

    fn parse(text: &str) -> Topology {
        Topology::parse(text, "10.0.0.9:7000", false).expect("a topology")
    }

    #[test]
    fn masters_replicas_and_slots_are_read() {
        let topology = parse(NODES);
        let masters: Vec<_> =
            topology.masters.iter().map(|master| (master.address.as_str(), master.has_replica)).collect();
        assert_eq!(masters, [("127.0.0.1:7000", true), ("127.0.0.1:7001", false), ("127.0.0.1:7002", false)]);
        assert_eq!(topology.addresses.len(), 5);
        let answers = [topology];
        for (slot, port) in [(0, 7000), (5460, 7000), (5461, 7001), (16_383, 7001), (16_382, 7002)] {
            let master = Topology::master_of(&answers, slot).expect("a master");
            assert_eq!(master.address, format!("127.0.0.1:{port}"), "{slot}");
        }
    }

    /// During a failover some servers still name the old master.
    #[test]
    fn higher_epoch_wins() {
        let later = NODES.replace(
            "d4 127.0.0.1:7003@17003 slave a1 0 1 1 connected",
            "d4 127.0.0.1:7003@17003 master - 0 1 9 connected 0-5460",
        );
        for answers in [[parse(NODES), parse(&later)], [parse(&later), parse(NODES)]] {
            assert_eq!(Topology::master_of(&answers, 17).expect("a master").address, "127.0.0.1:7003");
        }
        assert_eq!(Topology::master_of(&[], 17), None);
    }

    #[test]
    fn addresses_are_completed() {
        let own = parse("a1 :7000@17000 myself,master - 0 0 1 connected 0-16383");
        assert_eq!(own.addresses, ["10.0.0.9:7000"]);
        let named = Topology::parse(NODES, "10.0.0.9:7000", true).expect("a topology");
        assert_eq!(named.addresses[..2], ["one.example:7000", "127.0.0.1:7001"]);
        assert_eq!(absolute("::1:7000", "x:1").as_deref(), Some("[::1]:7000"));
        assert_eq!(absolute("[::1]:7000", "x:1").as_deref(), Some("[::1]:7000"));
        assert_eq!(absolute("no port", "x:1"), None);
        assert_eq!(Topology::parse("ERR This instance has cluster support disabled", "x:1", false), None);
    }
}
