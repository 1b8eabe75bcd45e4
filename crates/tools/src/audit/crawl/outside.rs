//! Links that are not read, only tried: each once, with a HEAD.

use std::{
    collections::{HashSet, VecDeque},
    time::Duration,
};

use futures_util::{StreamExt, stream::FuturesUnordered};

use super::{
    super::{
        Address, Answer, End,
        fetch::{Method, Request},
    },
    Crawl, Stage, Watch,
};

/// How many hosts are asked at once. Each gets one request at a time.
const HOSTS_AT_ONCE: usize = 8;

impl Crawl<'_> {
    pub(super) async fn try_other_links(&mut self, watch: &mut Watch<'_>) {
        if self.site.end == End::Cancelled {
            return;
        }
        let most = usize::try_from(self.plan.max_tried).unwrap_or(usize::MAX);
        let mut waiting = VecDeque::new();
        for address in std::mem::take(&mut self.others).into_iter().take(most) {
            if !self.site.scope.holds(&address) || self.is_allowed(&address).await {
                waiting.push_back(address);
            }
        }
        let fetch = self.fetch;
        let mut busy = HashSet::new();
        let mut under_way = FuturesUnordered::new();
        loop {
            while under_way.len() < HOSTS_AT_ONCE
                && let Some(at) =
                    waiting.iter().position(|address: &Address| !busy.contains(&address.authority()))
                && let Some(address) = waiting.remove(at)
            {
                busy.insert(address.authority());
                let is_own = self.site.scope.holds(&address);
                let delay = if is_own { self.courier.delay_of(&address) } else { Duration::ZERO };
                under_way.push(async move {
                    if !delay.is_zero() {
                        fetch.pause(delay).await;
                    }
                    let request = Request { address: address.clone(), method: Method::Head, largest_body: 0 };
                    let answer = match fetch.fetch(request).await {
                        Ok(fetched) => Answer { status: Some(fetched.status), fault: None },
                        Err(fault) => Answer { status: None, fault: Some(fault) },
                    };
                    (address, answer)
                });
            }
            let Some((address, answer)) = under_way.next().await else { break };
            busy.remove(&address.authority());
            let url = address.to_string();
            self.site.tried.insert(url.clone(), answer);
            if watch(&self.progress(Stage::OtherLinks, url, waiting.len() + under_way.len())).is_break() {
                self.site.end = End::Cancelled;
                return;
            }
        }
    }
}
