//! Spans of the request or job that runs at this moment. The server decides whether they are exported (`server/src/traces`).
//!
//! If traces are off, or the request is not sampled, nothing is made: a description runs only for a span that is recorded.
//! Spans hold names and ids that the service has checked, never what a client wrote.

use std::{borrow::Cow, sync::OnceLock};

use futures_util::future::Either;
use opentelemetry::{
    Context, KeyValue, Value,
    global::{self, BoxedTracer},
    trace::{
        FutureExt, SpanBuilder, SpanId, SpanKind, Status, TraceContextExt, TraceFlags, TraceId, TraceState,
        Tracer,
    },
};
pub use opentelemetry::{ContextGuard as Attached, trace::SpanContext};

pub const TRACEPARENT: &str = "traceparent";

/// The name of the instrumentation in every span.
const SCOPE: &str = "svc-mcp";
/// `00-` trace id `-` span id `-` flags.
const TRACEPARENT_BYTES: usize = 55;

static TRACER: OnceLock<BoxedTracer> = OnceLock::new();

/// Makes spans with the global provider from now on.
pub fn switch_on() {
    let _ = TRACER.set(global::tracer(SCOPE));
}

pub fn is_on() -> bool {
    TRACER.get().is_some()
}

/// A span to be started.
#[derive(Debug)]
pub struct NewSpan(SpanBuilder);

impl NewSpan {
    /// Work inside of the service.
    pub fn internal(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, SpanKind::Internal)
    }

    /// A request that the service answers.
    pub fn server(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, SpanKind::Server)
    }

    /// A request to another system.
    pub fn client(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, SpanKind::Client)
    }

    /// Work that was queued.
    pub fn consumer(name: impl Into<Cow<'static, str>>) -> Self {
        Self::new(name, SpanKind::Consumer)
    }

    fn new(name: impl Into<Cow<'static, str>>, kind: SpanKind) -> Self {
        Self(SpanBuilder::from_name(name).with_kind(kind).with_attributes([]))
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.0.attributes.get_or_insert_default().push(KeyValue::new(name, value));
        self
    }
}

/// A span that has begun. It ends when this, and the work that runs in it, are dropped.
#[derive(Debug, Clone)]
pub struct OpenSpan(Context);

impl OpenSpan {
    /// Spans that begin on this thread until the guard is dropped are children of this one.
    pub fn attach(&self) -> Attached {
        self.0.clone().attach()
    }

    pub fn is_recording(&self) -> bool {
        self.0.span().is_recording()
    }

    pub fn trace_id(&self) -> String {
        self.0.span().span_context().trace_id().to_string()
    }

    pub fn note(&self, name: &'static str, value: impl Into<Value>) {
        note_in(&self.0, name, value);
    }

    pub fn fail(&self, reason: &'static str) {
        fail_in(&self.0, reason);
    }
}

/// The first span of this process in a trace. Without a parent it begins a trace. `None`: traces are off.
pub fn start(parent: Option<SpanContext>, describe: impl FnOnce() -> NewSpan) -> Option<OpenSpan> {
    let tracer = TRACER.get()?;
    let parent = parent.map_or_else(Context::new, |parent| Context::new().with_remote_span_context(parent));
    let span = tracer.build_with_context(describe().0, &parent);
    Some(OpenSpan(parent.with_span(span)))
}

/// Runs work in a span, which ends with it. Not an `async fn`: that would hold the work twice.
pub fn run_in<F: Future>(span: Option<OpenSpan>, work: F) -> impl Future<Output = F::Output> {
    match span {
        Some(OpenSpan(context)) => Either::Left(work.with_context(context)),
        None => Either::Right(work),
    }
}

/// Runs work in a span of its own, if the request or job that runs now is recorded.
pub fn in_span<F: Future>(describe: impl FnOnce() -> NewSpan, work: F) -> impl Future<Output = F::Output> {
    run_in(child(describe), work)
}

/// A span within the one that runs now. `None`: the request or job that runs now is not recorded.
pub fn child(describe: impl FnOnce() -> NewSpan) -> Option<OpenSpan> {
    let tracer = TRACER.get()?;
    Context::map_current(|parent| {
        parent
            .span()
            .is_recording()
            .then(|| OpenSpan(parent.with_span(tracer.build_with_context(describe().0, parent))))
    })
}

/// Adds an attribute to the span that runs now.
pub fn note(name: &'static str, value: impl Into<Value>) {
    if is_on() {
        Context::map_current(|context| note_in(context, name, value));
    }
}

fn note_in(context: &Context, name: &'static str, value: impl Into<Value>) {
    context.span().set_attribute(KeyValue::new(name, value));
}

/// Marks the span that runs now as failed. The reason is a fixed word, so that it holds no content.
pub fn fail(reason: &'static str) {
    if is_on() {
        Context::map_current(|context| fail_in(context, reason));
    }
}

fn fail_in(context: &Context, reason: &'static str) {
    let span = context.span();
    span.set_attribute(KeyValue::new("error.type", reason));
    span.set_status(Status::error(reason));
}

/// The span that runs now, as the header of W3C Trace Context. `None`: there is none.
pub fn traceparent() -> Option<String> {
    if !is_on() {
        return None;
    }
    Context::map_current(|context| {
        let span = context.span().span_context().clone();
        span.is_valid().then(|| {
            let flags = (span.trace_flags() & TraceFlags::SAMPLED).to_u8();
            format!("00-{}-{}-{flags:02x}", span.trace_id(), span.span_id())
        })
    })
}

/// Reads the header of W3C Trace Context. Its companion `tracestate` is not read: it holds any text, which must not be
/// exported or passed on.
pub fn parse_traceparent(header: &str) -> Option<SpanContext> {
    let is_hex = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let (known, rest) = header.split_at_checked(TRACEPARENT_BYTES)?;
    let mut fields = known.split('-');
    let [version, trace, span, flags] = [fields.next()?, fields.next()?, fields.next()?, fields.next()?];
    let has_form = fields.next().is_none()
        && [version, trace, span, flags].iter().map(|field| field.len()).eq([2, 32, 16, 2])
        && [version, trace, span, flags].into_iter().all(is_hex);
    // A later version may have more fields.
    let is_known = version == "00" && rest.is_empty();
    let is_later = !matches!(version, "00" | "ff") && (rest.is_empty() || rest.starts_with('-'));
    if !has_form || !(is_known || is_later) {
        return None;
    }
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?) & TraceFlags::SAMPLED;
    let (trace, span) = (TraceId::from_hex(trace).ok()?, SpanId::from_hex(span).ok()?);
    let parent = SpanContext::new(trace, span, flags, true, TraceState::NONE);
    parent.is_valid().then_some(parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const WINDOW: &str = "00f067aa0ba902b7";

    #[test]
    fn valid_traceparent_is_read() {
        for (header, is_sampled) in [
            (format!("00-{TRACE}-{WINDOW}-01"), true),
            (format!("00-{TRACE}-{WINDOW}-00"), false),
            // Bits that are not known here.
            (format!("00-{TRACE}-{WINDOW}-ff"), true),
            (format!("00-{TRACE}-{WINDOW}-02"), false),
            (format!("01-{TRACE}-{WINDOW}-01"), true),
            (format!("cc-{TRACE}-{WINDOW}-01-what-the-future-brings"), true),
        ] {
            let parent = parse_traceparent(&header).unwrap_or_else(|| panic!("{header}"));
            assert_eq!(
                (parent.trace_id().to_string().as_str(), parent.span_id().to_string().as_str()),
                (TRACE, WINDOW)
            );
            assert_eq!((parent.is_sampled(), parent.is_remote()), (is_sampled, true), "{header}");
        }
    }

    #[test]
    fn invalid_traceparent_is_ignored() {
        for header in [
            String::new(),
            "00".into(),
            format!("00-{TRACE}-{WINDOW}"),
            format!("00-{TRACE}-{WINDOW}-1"),
            format!("00-{TRACE}-{WINDOW}-01-"),
            format!("00-{TRACE}-{WINDOW}-01-more"),
            format!("ff-{TRACE}-{WINDOW}-01"),
            format!("cc-{TRACE}-{WINDOW}-01more"),
            format!("00-{}-{WINDOW}-01", TRACE.to_uppercase()),
            format!("00-{}-{WINDOW}-01", "0".repeat(32)),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("00-{TRACE}-{WINDOW}-0g"),
            format!("00-{TRACE}0-{}-01", &WINDOW[1..]),
            format!("00-+{}-{WINDOW}-01", &TRACE[1..]),
            format!(" 00-{TRACE}-{WINDOW}-01"),
            "é".repeat(40),
        ] {
            assert_eq!(parse_traceparent(&header), None, "{header}");
        }
    }

    #[test]
    fn nothing_is_described_while_traces_are_off() {
        assert!(!is_on());
        assert!(start(None, || unreachable!("traces are off")).is_none());
        assert!(child(|| unreachable!("traces are off")).is_none());
        assert_eq!(traceparent(), None);
    }
}
