//! The line of one request in the access log, and its span, from its start to its end.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use svc_mcp_access::{BrandId, Clock, KeyId, UserId};

use super::{
    access_log::{AccessLog, Line, Participants, TARGET},
    client_address::ClientAddress,
    outcome::RequestOutcome,
    request_info::{RequestInfo, is_probe},
    request_span::RequestSpan,
};
use crate::app::App;

/// A request that runs and that is logged or traced. If it is dropped before `finish`, the client has disconnected.
#[derive(Debug)]
pub(crate) struct Entry<'a> {
    log: Option<&'a AccessLog>,
    span: Option<RequestSpan>,
    clock: &'a dyn Clock,
    route: &'a str,
    request: &'a RequestInfo,
    participants: Participants,
    is_finished: bool,
}

/// The end of a request, as `instrument` knows it.
#[derive(Debug, Default)]
pub(crate) struct End {
    pub(crate) status: Option<u16>,
    pub(crate) code: Option<&'static str>,
    pub(crate) reason: Option<&'static str>,
    pub(crate) took: Duration,
}

impl<'a> Entry<'a> {
    /// `None`: the request is neither logged nor traced.
    pub(crate) fn start(app: &'a App, route: &'a str, request: &'a RequestInfo) -> Option<Self> {
        let log = app.access_log.as_ref().filter(|_| AccessLog::is_shown());
        let span = RequestSpan::start(route, request);
        (log.is_some() || span.is_some()).then(|| Self::new(log, span, &*app.clock, route, request))
    }

    fn new(
        log: Option<&'a AccessLog>,
        span: Option<RequestSpan>,
        clock: &'a dyn Clock,
        route: &'a str,
        request: &'a RequestInfo,
    ) -> Self {
        Self { log, span, clock, route, request, participants: Participants::default(), is_finished: false }
    }

    /// Polls the handler of this request, which must not panic.
    pub(crate) fn poll<F: Future>(
        &mut self,
        handler: Pin<&mut F>,
        context: &mut Context<'_>,
    ) -> Poll<F::Output> {
        let _current = self.span.as_ref().map(RequestSpan::attach);
        self.participants.poll(handler, context)
    }

    pub(crate) fn finish(mut self, end: &End) {
        self.is_finished = true;
        self.write(end);
    }

    fn write(&self, end: &End) {
        // A probe comes every few seconds from every balancer. Only one that fails says something.
        if is_probe(self.route) && end.status == Some(200) {
            return;
        }
        let Participants { key_state, key_id, brand_id, user_id, tool, reason, outcome } = &self.participants;
        let of_key = key_state.as_deref();
        let ClientAddress(client) = self.request.client;
        let line = Line {
            timestamp: self.clock.now(),
            level: "INFO",
            message: "request",
            request_id: self.request.id(),
            method: self.request.method_name(),
            route: self.route,
            status: end.status,
            code: end.code,
            outcome: RequestOutcome::of_response(end.status, *outcome).as_str(),
            reason: reason.or(end.reason),
            micros: u64::try_from(end.took.as_micros()).unwrap_or(u64::MAX),
            client,
            key_id: of_key.map(|key| &key.key_id).or(key_id.as_ref()).map(KeyId::as_str),
            brand_id: of_key.map(|key| &key.brand_id).or(brand_id.as_ref()).map(BrandId::as_str),
            user_id: of_key.map(|key| &key.owner).or(user_id.as_ref()).map(UserId::as_str),
            tool: *tool,
            trace_id: self.span.as_ref().map(RequestSpan::trace_id),
            target: TARGET,
        };
        if let Some(span) = &self.span {
            span.describe(&line);
        }
        if let Some(log) = self.log {
            log.write(&line);
        }
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        if !self.is_finished {
            let took = self.clock.ticks().since(self.request.start.ticks);
            self.write(&End { took, ..End::default() });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        net::IpAddr,
        sync::{Arc, Mutex},
    };

    use serde_json::{Value, json};
    use tracing_appender::non_blocking::NonBlocking;

    use super::*;
    use crate::{app::RequestStart, clock::MachineClock, config::LogFormat, http::access_log::note_brand};

    /// Everything that was written.
    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn request_whose_client_leaves_has_a_line_without_a_status() {
        let written = Written::default();
        let (writer, guard) = NonBlocking::new(written.clone());
        let (log, clock) = (AccessLog::new(writer, LogFormat::Json), MachineClock::default());
        let (at, ticks) = clock.both();
        let request = RequestInfo {
            id: http::HeaderValue::from_static("req_1"),
            method: http::Method::POST,
            client: ClientAddress(IpAddr::from([192, 0, 2, 1])),
            start: RequestStart { at, ticks },
            parent: None,
        };
        let mut handler = Box::pin(async {
            note_brand(&"acme".parse().expect("an id"));
            std::future::pending::<()>().await;
        });
        let mut entry = Entry::new(Some(&log), None, &clock, "/mcp/v1/tools/call", &request);
        let polled =
            std::future::poll_fn(|context| Poll::Ready(entry.poll(handler.as_mut(), context).is_ready()));
        assert!(!polled.await);
        drop(entry);
        drop(guard);
        let text = String::from_utf8(written.0.lock().expect("no panic").clone()).expect("a text");
        let line: Value = serde_json::from_str(text.trim_end()).expect("one line");
        assert_eq!((&line["outcome"], &line["brand_id"]), (&json!("disconnected"), &json!("acme")), "{line}");
        assert_eq!(line.get("status"), None, "{line}");
    }
}
