//! The service put together: everything a handler may need, and nothing it may not.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use svc_mcp_access::{
    Clock, Entropy,
    decision::{Ask, Caller, Presented, Refusal, decide},
    id,
    key::SealingKeys,
};
use svc_mcp_store::{Meter, Recorder, Store, ToolRecords};
use svc_mcp_tools::{Call, Records, Registry};

use crate::{http::tool_lists::ToolLists, jwt::Verifier};

pub struct App {
    pub(crate) store: Store,
    pub(crate) records: Arc<dyn Records>,
    pub(crate) meter: Meter,
    pub(crate) registry: Registry,
    pub(crate) tool_lists: ToolLists,
    pub(crate) recorder: Recorder,
    pub(crate) verifier: Verifier,
    /// `None`: revealing is off.
    pub(crate) sealing: Option<SealingKeys>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Entropy,
    pub(crate) public_url: Arc<str>,
    pub(crate) body_timeout: Duration,
    pub(crate) cors_origins: Vec<String>,
    shutting_down: AtomicBool,
}

/// What an [`App`] is made of.
#[derive(Debug)]
pub struct Parts {
    pub store: Store,
    pub meter: Meter,
    pub verifier: Verifier,
    pub sealing: Option<SealingKeys>,
    pub clock: Arc<dyn Clock>,
    pub entropy: Entropy,
    pub public_url: String,
    pub body_timeout: Duration,
    pub cors_origins: Vec<String>,
}

impl App {
    pub fn new(parts: Parts) -> Self {
        let registry = Registry::default();
        let records = ToolRecords { store: parts.store.clone(), entropy: parts.entropy.clone() };
        Self {
            tool_lists: ToolLists::of(&registry),
            records: Arc::new(records),
            store: parts.store,
            meter: parts.meter,
            registry,
            recorder: Recorder::default(),
            verifier: parts.verifier,
            sealing: parts.sealing,
            clock: parts.clock,
            entropy: parts.entropy,
            public_url: parts.public_url.into(),
            body_timeout: parts.body_timeout,
            cors_origins: parts.cors_origins,
            shutting_down: AtomicBool::new(false),
        }
    }

    /// The one decision, with this service's store, meter and clock.
    pub(crate) async fn decide<A: Ask, E>(
        &self,
        presented: Presented<'_>,
        ask: impl Future<Output = Result<A, E>>,
    ) -> Result<(Caller, A::Granted), Refusal<E>> {
        decide(&self.store, &self.meter, presented, (self.clock.now(), self.clock.ticks()), ask).await
    }

    pub(crate) fn call(&self, caller: Caller) -> Call {
        Call {
            caller,
            records: Arc::clone(&self.records),
            now: self.clock.now(),
            entropy: self.entropy.clone(),
            public_url: Arc::clone(&self.public_url),
        }
    }

    pub(crate) fn fresh_id(&self, head: &str) -> String {
        id::fresh(head, &mut self.entropy.clone())
    }

    pub(crate) fn begin_shutdown(&self) {
        self.shutting_down.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_shutting_down(&self) -> bool {
        self.shutting_down.load(Ordering::SeqCst)
    }
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("public_url", &self.public_url).finish_non_exhaustive()
    }
}
