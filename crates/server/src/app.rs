//! The service put together: everything a handler may need, and nothing it may not.

use std::{sync::Arc, time::Duration};

use svc_mcp_access::{
    Clock, Entropy, Ticks, Timestamp,
    decision::{Ask, Caller, Presented, Refusal, decide},
    id::Sequence,
    key::SealingKeys,
};
use svc_mcp_store::{Recorder, Store, ToolRecords};
use svc_mcp_tools::{
    Call, Means, Registry, jobs::Workplace, keywords::Provider, net::Outbound, report::mail::Mailer,
};
use tokio::sync::watch;

use crate::{
    http::{
        in_flight::InFlight,
        observe::{Decisions, Requests},
        ready::Ready,
        tool_lists::ToolLists,
    },
    jwt::Verifier,
};

pub struct App {
    pub(crate) store: Store,
    pub(crate) means: Arc<Means>,
    pub(crate) registry: Registry,
    pub(crate) tool_lists: ToolLists,
    pub(crate) ready: Ready,
    pub(crate) recorder: Recorder,
    pub(crate) requests: Requests,
    pub(crate) decisions: Decisions,
    pub(crate) in_flight: InFlight,
    pub(crate) verifier: Verifier,
    /// `None`: revealing is off.
    pub(crate) sealing: Option<Arc<SealingKeys>>,
    /// `None`: no mails are sent.
    pub(crate) mailer: Option<Arc<Mailer>>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Entropy,
    event_ids: Sequence,
    request_ids: Sequence,
    pub(crate) public_url: Arc<str>,
    pub(crate) body_timeout: Duration,
    pub(crate) cors_origins: Vec<String>,
    closing: watch::Sender<bool>,
}

/// What an [`App`] is made of.
#[derive(Debug)]
pub struct Parts {
    pub store: Store,
    pub verifier: Verifier,
    pub sealing: Option<SealingKeys>,
    pub outbound: Outbound,
    pub keyword_provider: Option<Provider>,
    pub mailer: Option<Arc<Mailer>>,
    pub clock: Arc<dyn Clock>,
    pub entropy: Entropy,
    pub public_url: String,
    pub body_timeout: Duration,
    pub max_requests: usize,
    pub cors_origins: Vec<String>,
}

impl App {
    pub fn new(parts: Parts) -> Self {
        let registry = Registry::default();
        let public_url: Arc<str> = parts.public_url.into();
        let (closing, closes) = watch::channel(false);
        let means = Means {
            records: Arc::new(ToolRecords { store: parts.store.clone(), entropy: parts.entropy.clone() }),
            entropy: parts.entropy.clone(),
            public_url: Arc::clone(&public_url),
            outbound: parts.outbound,
            keyword_provider: parts.keyword_provider,
            can_mail: parts.mailer.is_some(),
            closing: closes,
        };
        Self {
            tool_lists: ToolLists::of(&registry, &public_url),
            ready: Ready::new(&public_url),
            means: Arc::new(means),
            store: parts.store,
            registry,
            recorder: Recorder::default(),
            requests: Requests::default(),
            decisions: Decisions::default(),
            in_flight: InFlight::new(parts.max_requests),
            verifier: parts.verifier,
            sealing: parts.sealing.map(Arc::new),
            mailer: parts.mailer,
            clock: parts.clock,
            event_ids: Sequence::new("evt", &mut parts.entropy.clone()),
            request_ids: Sequence::new("req", &mut parts.entropy.clone()),
            entropy: parts.entropy,
            public_url,
            body_timeout: parts.body_timeout,
            cors_origins: parts.cors_origins,
            closing,
        }
    }

    /// The one decision, with this service's store and clock.
    pub(crate) async fn decide<A: Ask, E>(
        &self,
        arrival: Arrival,
        presented: Presented<'_>,
        ask: impl Future<Output = Result<A, E>>,
    ) -> Result<(Caller, A::Granted), Refusal<E>> {
        decide(&self.store, &self.store, presented, (arrival.at, arrival.ticks), ask).await
    }

    pub(crate) fn call(&self, caller: Caller) -> Call {
        Call { caller, now: self.clock.now(), means: Arc::clone(&self.means) }
    }

    pub(crate) fn workplace(&self) -> Workplace {
        Workplace {
            records: Arc::clone(&self.means.records),
            outbound: self.means.outbound.clone(),
            clock: Arc::clone(&self.clock),
            entropy: self.entropy.clone(),
            sealing: self.sealing.clone(),
            public_url: Arc::clone(&self.public_url),
            mailer: self.mailer.clone(),
        }
    }

    /// An id that is unique, and no secret.
    pub(crate) fn fresh_event_id(&self) -> String {
        self.event_ids.next()
    }

    /// The same for a request.
    pub(crate) fn fresh_request_id(&self) -> String {
        self.request_ids.next()
    }

    pub(crate) fn arrival(&self) -> Arrival {
        let (at, ticks) = self.clock.both();
        Arrival { at, ticks }
    }

    pub(crate) fn begin_shutdown(&self) {
        self.closing.send_replace(true);
    }

    pub(crate) fn is_shutting_down(&self) -> bool {
        *self.closing.borrow()
    }
}

/// When a request with a key came in, read once for all that depends on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival {
    pub(crate) at: Timestamp,
    pub(crate) ticks: Ticks,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("public_url", &self.public_url).finish_non_exhaustive()
    }
}
