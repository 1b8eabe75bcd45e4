//! What a connection waits for, and since when.
//!
//! The connection's task writes two counters, and another task reads them a few times per timeout. So a request sets no
//! timer: it costs a few loads and stores.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    task::{Context, Poll},
    time::Duration,
};

use hyper::rt::{self, ReadBufCursor};
use tokio::time::sleep;

/// Checks per shortest timeout. A client gets its timeout, and at most one check interval more.
pub(super) const CHECKS: u32 = 4;
const MIN_CHECK_INTERVAL: Duration = Duration::from_millis(5);

/// How long a client may let the connection wait.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timeouts {
    /// For the rest of a request's head after its first byte. A new connection is expected to send a request, so this
    /// begins with the connection.
    pub(super) header: Duration,
    /// Between the last byte of a response and the first byte of the next request. It is also the longest pause within a
    /// response whose body is made while it is sent.
    pub(super) idle: Duration,
    /// While the client reads nothing of a response.
    pub(super) write: Duration,
}

impl Timeouts {
    fn check_interval(&self) -> Duration {
        (self.header.min(self.idle).min(self.write) / CHECKS).max(MIN_CHECK_INTERVAL)
    }
}

const PHASE_MASK: u32 = 3;
/// The lower bits of [`Activity::phase`].
const IDLE: u32 = 0;
const HEAD: u32 = 1;
const HANDLER: u32 = 2;

/// Only the connection's task writes these, so that a load and a store need not be one atomic operation.
#[derive(Debug)]
pub(super) struct Activity {
    /// The phase in the lower bits. The other bits count phases, so that two phases of the same kind differ.
    phase: AtomicU32,
    /// Odd while the socket takes no bytes of a response.
    writes: AtomicU32,
}

impl Default for Activity {
    fn default() -> Self {
        Self { phase: AtomicU32::new(HEAD), writes: AtomicU32::new(0) }
    }
}

impl Activity {
    pub(super) fn head_received(&self) {
        self.enter(HANDLER);
    }

    pub(super) fn response_ready(&self) {
        self.enter(IDLE);
    }

    fn bytes_received(&self) {
        if self.phase.load(Relaxed) & PHASE_MASK == IDLE {
            self.enter(HEAD);
        }
    }

    /// The body of a response may take longer than the idle timeout, so the wait for the next request starts anew.
    fn bytes_sent(&self) {
        if self.phase.load(Relaxed) & PHASE_MASK == IDLE {
            self.enter(IDLE);
        }
    }

    fn enter(&self, phase: u32) {
        let next = (self.phase.load(Relaxed) | PHASE_MASK).wrapping_add(1) | phase;
        self.phase.store(next, Relaxed);
    }

    fn set_write_blocked(&self, blocked: bool) {
        let writes = self.writes.load(Relaxed);
        if is_blocked(writes) != blocked {
            self.writes.store(writes.wrapping_add(1), Relaxed);
        }
    }

    /// Returns when the connection has waited for the client longer than a timeout.
    pub(super) async fn expired(&self, timeouts: &Timeouts) {
        let interval = timeouts.check_interval();
        let mut phase = Observed::new(&self.phase);
        let mut writes = Observed::new(&self.writes);
        loop {
            sleep(interval).await;
            phase.check();
            writes.check();
            let (observed, timeout) = if is_blocked(writes.value) {
                // The client cannot see yet that its turn has come.
                phase.unchanged_checks = 0;
                (&writes, timeouts.write)
            } else {
                match phase.value & PHASE_MASK {
                    IDLE => (&phase, timeouts.idle),
                    HEAD => (&phase, timeouts.header),
                    _ => continue,
                }
            };
            if interval.saturating_mul(observed.unchanged_checks) >= timeout {
                return;
            }
        }
    }
}

fn is_blocked(writes: u32) -> bool {
    !writes.is_multiple_of(2)
}

/// A counter, and how many checks in a row have found it unchanged.
struct Observed<'a> {
    counter: &'a AtomicU32,
    value: u32,
    unchanged_checks: u32,
}

impl<'a> Observed<'a> {
    fn new(counter: &'a AtomicU32) -> Self {
        Self { counter, value: counter.load(Relaxed), unchanged_checks: 0 }
    }

    fn check(&mut self) {
        let now = self.counter.load(Relaxed);
        self.unchanged_checks = if now == self.value { self.unchanged_checks.saturating_add(1) } else { 0 };
        self.value = now;
    }
}

/// Reports to [`Activity`] what arrives, and whether bytes can be sent.
#[derive(Debug)]
pub(super) struct MonitoredIo<I> {
    io: I,
    activity: Arc<Activity>,
}

impl<I> MonitoredIo<I> {
    pub(super) fn new(io: I, activity: Arc<Activity>) -> Self {
        Self { io, activity }
    }

    fn wrote<T>(&self, polled: Poll<T>) -> Poll<T> {
        self.activity.set_write_blocked(polled.is_pending());
        if polled.is_ready() {
            self.activity.bytes_sent();
        }
        polled
    }
}

impl<I: rt::Read + Unpin> rt::Read for MonitoredIo<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.io).poll_read(context, buffer);
        if polled.is_ready() {
            self.activity.bytes_received();
        }
        polled
    }
}

impl<I: rt::Write + Unpin> rt::Write for MonitoredIo<I> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.io).poll_write(context, bytes);
        self.wrote(polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.io).poll_write_vectored(context, slices);
        self.wrote(polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}
