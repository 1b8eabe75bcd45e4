//! The state that all handlers share.

use std::{net::IpAddr, sync::Arc, time::Duration};

use svc_mcp_access::{
    Clock, Entropy, Networks, Ticks, Timestamp,
    decision::{Caller, Credential, KeyState, Rejection, RejectionCause, ToolRequest, decide},
    id::Sequence,
    key::SealingKeys,
};
use svc_mcp_store::{Store, ToolRecords, UsageRecorder};
use svc_mcp_tools::{
    Call, CpuPool, Registry, ToolContext,
    events::{EventSender, OperatorEndpoint},
    jobs::JobContext,
    keywords::{Provider, SearchSlots},
    net::Outbound,
    report::mail::Mailer,
    trace::{self, NewSpan},
};
use tokio_util::sync::CancellationToken;

use crate::{
    http::{
        access_log::AccessLog,
        attempt_cookie::AttemptCookie,
        body_budget::BodyBudget,
        in_flight::InFlight,
        leaked_keys::LeakReportLimits,
        metrics::{DecisionMetrics, ProblemMetrics, RequestMetrics, ToolCallMetrics},
        pages::{Document, PageSettings, SettingsPage, bundle_file, download::Download, operator_page},
        refusal_log::RefusalLog,
        request_limit::{ManagementLimit, RequestLimit},
        session_cookie::SessionCookie,
        tool_lists::ToolLists,
    },
    jwt::Verifier,
    oidc::OidcProvider,
};

/// Of one address (IPv6: one /64 network), on each instance: codes are sent without a credential.
pub(crate) const MAX_CODE_EXCHANGES_PER_MINUTE: u16 = 60;

pub struct App {
    pub(crate) store: Store,
    pub(crate) context: Arc<ToolContext>,
    pub(crate) registry: Registry,
    pub(crate) tool_lists: ToolLists,
    pub(crate) recorder: UsageRecorder,
    pub(crate) request_metrics: RequestMetrics,
    pub(crate) decision_metrics: DecisionMetrics,
    pub(crate) problem_metrics: ProblemMetrics,
    pub(crate) tool_call_metrics: ToolCallMetrics,
    /// `None`: requests are not logged.
    pub(crate) access_log: Option<AccessLog>,
    pub(crate) in_flight: InFlight,
    pub(crate) body_budget: BodyBudget,
    pub(crate) management_limit: ManagementLimit,
    pub(crate) leak_report_limits: LeakReportLimits,
    /// Of the addresses that exchange sign-in codes.
    pub(crate) code_exchange_limit: RequestLimit<IpAddr>,
    pub(crate) session_cookie: SessionCookie,
    pub(crate) attempt_cookie: AttemptCookie,
    /// `None`: nobody signs in with OpenID Connect.
    pub(crate) oidc: Option<OidcProvider>,
    pub(crate) settings_page: SettingsPage,
    pub(crate) operator_page: Document,
    pub(crate) refusal_log: RefusalLog,
    pub(crate) verifier: Verifier,
    /// `None`: revealing is off.
    pub(crate) sealing: Option<Arc<SealingKeys>>,
    /// `None`: no emails are sent.
    pub(crate) mailer: Option<Arc<Mailer>>,
    /// `None`: the operator gets no events.
    operator_endpoint: Option<OperatorEndpoint>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Entropy,
    event_ids: Sequence,
    request_ids: Sequence,
    pub(crate) public_url: Arc<str>,
    /// The MCP Bundle with this address.
    pub(crate) bundle: Download,
    pub(crate) body_timeout: Duration,
    pub(crate) cors_origins: Vec<String>,
    /// `None`: no proxy is trusted.
    pub(crate) trusted_proxies: Option<Networks>,
    shutdown: CancellationToken,
}

/// The parts of an [`App`].
#[derive(Debug)]
pub struct Parts {
    pub store: Store,
    pub verifier: Verifier,
    pub sealing: Option<SealingKeys>,
    pub outbound: Outbound,
    pub keyword_provider: Option<Provider>,
    pub mailer: Option<Arc<Mailer>>,
    /// `None`: the operator gets no events.
    pub operator_endpoint: Option<OperatorEndpoint>,
    pub clock: Arc<dyn Clock>,
    pub entropy: Entropy,
    pub public_url: String,
    pub body_timeout: Duration,
    pub max_requests: usize,
    /// 0: no limit.
    pub management_limit: u16,
    pub cors_origins: Vec<String>,
    pub page: PageSettings,
    /// `None`: nobody signs in with OpenID Connect.
    pub oidc: Option<OidcProvider>,
    /// `None`: no proxy is trusted.
    pub trusted_proxies: Option<Networks>,
    /// `None`: requests are not logged.
    pub access_log: Option<AccessLog>,
}

impl App {
    pub fn new(parts: Parts) -> Self {
        let registry = Registry::default();
        let public_url: Arc<str> = parts.public_url.into();
        let shutdown = CancellationToken::new();
        let context = ToolContext {
            records: Arc::new(ToolRecords { store: parts.store.clone(), entropy: parts.entropy.clone() }),
            entropy: parts.entropy.clone(),
            public_url: Arc::clone(&public_url),
            outbound: parts.outbound,
            cpu: CpuPool::default(),
            keyword_provider: parts.keyword_provider,
            search_slots: SearchSlots::default(),
            can_mail: parts.mailer.is_some(),
            shutdown: shutdown.clone(),
            waits: Arc::default(),
        };
        Self {
            tool_lists: ToolLists::new(&registry),
            context: Arc::new(context),
            store: parts.store,
            registry,
            recorder: UsageRecorder::default(),
            request_metrics: RequestMetrics::default(),
            decision_metrics: DecisionMetrics::default(),
            problem_metrics: ProblemMetrics::default(),
            tool_call_metrics: ToolCallMetrics::default(),
            access_log: parts.access_log,
            in_flight: InFlight::new(parts.max_requests),
            body_budget: BodyBudget::default(),
            management_limit: ManagementLimit::new(parts.management_limit),
            leak_report_limits: LeakReportLimits::default(),
            code_exchange_limit: RequestLimit::new(MAX_CODE_EXCHANGES_PER_MINUTE),
            session_cookie: SessionCookie::new(&public_url),
            attempt_cookie: AttemptCookie::new(&public_url),
            oidc: parts.oidc,
            settings_page: SettingsPage::new(&parts.page),
            operator_page: operator_page(&parts.page),
            refusal_log: RefusalLog::default(),
            verifier: parts.verifier,
            sealing: parts.sealing.map(Arc::new),
            mailer: parts.mailer,
            operator_endpoint: parts.operator_endpoint,
            clock: parts.clock,
            event_ids: Sequence::new("evt", &mut parts.entropy.clone()),
            request_ids: Sequence::new("req", &mut parts.entropy.clone()),
            entropy: parts.entropy,
            bundle: bundle_file::build(&public_url),
            public_url,
            body_timeout: parts.body_timeout,
            cors_origins: parts.cors_origins,
            trusted_proxies: parts.trusted_proxies,
            shutdown,
        }
    }

    /// The access decision, with this service's store.
    pub(crate) async fn decide<F: Future<Output = Result<A, E>>, A: ToolRequest, E>(
        &self,
        start: RequestStart,
        presented: Credential<'_>,
        address: IpAddr,
        ask: impl FnOnce(&Arc<KeyState>) -> F,
    ) -> Result<(Caller, A::Authorized), Rejection<E>> {
        // The future is made where it is awaited. One that is moved before would be in the future of every request twice.
        let now = (start.at, start.ticks);
        if !trace::is_on() {
            return decide(&self.store, &self.store, presented, address, now, ask).await;
        }
        // Boxed: otherwise the future of every request would be larger, also without traces.
        let decided = async {
            let decided = decide(&self.store, &self.store, presented, address, now, ask).await;
            let denial = match &decided {
                Err(Rejection { cause: RejectionCause::Denied(denial), .. }) => Some(denial.reason()),
                Err(_) | Ok(_) => None,
            };
            if let Some(reason) = denial {
                trace::note("svc_mcp.reason", reason);
            }
            decided
        };
        Box::pin(trace::in_span(|| NewSpan::internal("decision"), decided)).await
    }

    /// Whether the access log or the traces need to know the key, user and tool of a request.
    pub(crate) fn notes_requests(&self) -> bool {
        self.access_log.is_some() || trace::is_on()
    }

    pub(crate) fn call(&self, caller: Caller) -> Call {
        Call { caller, now: self.clock.now(), context: Arc::clone(&self.context) }
    }

    pub(crate) fn job_context(&self) -> JobContext {
        JobContext {
            records: Arc::clone(&self.context.records),
            outbound: self.context.outbound.clone(),
            cpu: self.context.cpu.clone(),
            clock: Arc::clone(&self.clock),
            entropy: self.entropy.clone(),
            sealing: self.sealing.clone(),
            public_url: Arc::clone(&self.public_url),
            mailer: self.mailer.clone(),
            waits: Arc::clone(&self.context.waits),
        }
    }

    pub(crate) fn event_sender(&self) -> EventSender {
        EventSender {
            records: Arc::clone(&self.context.records),
            outbound: self.context.outbound.clone(),
            operator: self.operator_endpoint.clone(),
            sealing: self.sealing.clone(),
            clock: Arc::clone(&self.clock),
            can_mail: self.mailer.is_some(),
        }
    }

    /// A unique id. It is not a secret.
    pub(crate) fn fresh_event_id(&self) -> String {
        self.event_ids.next()
    }

    /// A unique id. It is not a secret.
    pub(crate) fn fresh_request_id(&self) -> String {
        self.request_ids.next()
    }

    pub(crate) fn request_start(&self) -> RequestStart {
        let (at, ticks) = self.clock.both();
        RequestStart { at, ticks }
    }

    pub(crate) fn begin_shutdown(&self) {
        self.shutdown.cancel();
    }

    pub(crate) fn is_shutting_down(&self) -> bool {
        self.shutdown.is_cancelled()
    }
}

/// The time at which a request started.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestStart {
    pub(crate) at: Timestamp,
    pub(crate) ticks: Ticks,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("public_url", &self.public_url).finish_non_exhaustive()
    }
}
