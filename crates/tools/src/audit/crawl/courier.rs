//! Who may be asked now: requests to one host are few at a time, and apart.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use super::super::{
    Address, Page,
    address::authority_in,
    fetch::{Fetch, Method, Request},
    frontier::Visit,
};

/// No site is waited for longer between two requests, whatever it asks: an audit is to end.
const LONGEST_DELAY: Duration = Duration::from_secs(10);
/// For a host that has had too much and does not say how long to wait.
const BACK_OFF: Duration = Duration::from_secs(2);
/// Search engines read no more of a page.
const LARGEST_PAGE: usize = 2 * 1024 * 1024;

pub(super) struct Courier {
    per_host: u32,
    delay: Duration,
    hosts: HashMap<String, Host>,
    put_off: HashSet<String>,
}

#[derive(Default, Clone, Copy)]
struct Host {
    under_way: u32,
    /// The first request needs no pause before it.
    asked: bool,
    delay: Duration,
}

pub(super) struct Done {
    pub(super) visit: Visit,
    pub(super) address: Address,
    pub(super) page: Page,
}

impl Courier {
    pub(super) fn new(per_host: u32, delay: Duration) -> Self {
        let delay = delay.min(LONGEST_DELAY);
        Self { per_host: per_host.max(1), delay, hosts: HashMap::new(), put_off: HashSet::new() }
    }

    /// Sets the pause that a robots.txt asks for.
    pub(super) fn slow_down(&mut self, address: &Address, delay: Duration) {
        let host = self.host(address);
        host.delay = host.delay.max(delay.min(LONGEST_DELAY));
    }

    pub(super) fn may_go(&self, url: &str) -> bool {
        self.hosts.get(authority_in(url)).is_none_or(|host| {
            let most = if host.delay.is_zero() { self.per_host } else { 1 };
            host.under_way < most
        })
    }

    /// Sends the request, after the pause that its host wants. What is returned holds nothing of the courier.
    pub(super) fn visit<'f>(
        &mut self,
        fetch: &'f dyn Fetch,
        mut visit: Visit,
        address: Address,
    ) -> impl Future<Output = Done> + Send + use<'f> {
        visit.again = self.put_off.contains(&visit.url);
        let host = self.host(&address);
        host.under_way += 1;
        let pause = if std::mem::replace(&mut host.asked, true) { host.delay } else { Duration::ZERO };
        async move {
            if let Some(page) = fetch.remembered(&address) {
                return Done { visit, address, page };
            }
            if !pause.is_zero() {
                fetch.pause(pause).await;
            }
            let request =
                Request { address: address.clone(), method: Method::Get, largest_body: LARGEST_PAGE };
            let page = match fetch.fetch(request).await {
                Ok(fetched) => {
                    let address = address.clone();
                    fetch.read(Box::new(move || Page::answered(&address, &fetched))).await
                }
                Err(fault) => Page::unanswered(&address, fault),
            };
            Done { visit, address, page }
        }
    }

    pub(super) fn returned(&mut self, address: &Address, page: &Page) {
        let host = self.host(address);
        host.under_way = host.under_way.saturating_sub(1);
        if asks_to_wait(page) {
            let wanted = page.headers.retry_after.map(|seconds| Duration::from_secs(seconds.into()));
            host.delay = host.delay.max(wanted.unwrap_or(BACK_OFF)).min(LONGEST_DELAY);
        }
    }

    /// The pause that this host wants between two requests.
    pub(super) fn delay_of(&self, address: &Address) -> Duration {
        self.hosts.get(&address.authority()).map_or(self.delay, |host| host.delay)
    }

    pub(super) fn put_off(&mut self, url: String) {
        self.put_off.insert(url);
    }

    fn host(&mut self, address: &Address) -> &mut Host {
        let delay = self.delay;
        self.hosts.entry(address.authority()).or_insert(Host { delay, ..Host::default() })
    }
}

/// The host has had too much (RFC 6585 §4), or is away for a while and says for how long.
pub(super) fn asks_to_wait(page: &Page) -> bool {
    page.status == Some(429) || page.status == Some(503) && page.headers.retry_after.is_some()
}
