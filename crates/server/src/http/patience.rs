//! How long a client may take over the head of a request.
//!
//! hyper asks for a timer whenever it waits for a request, and drops it when the head has come; setting one costs more
//! than looking up a key. So a connection has one alarm, which stays set: where it goes off and nobody has waited
//! long enough, it is set anew.

use std::{
    mem,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use hyper::rt::{Sleep, Timer};

/// The timer of one connection, for the one thing that hyper waits for there.
#[derive(Debug)]
pub(super) struct Patience(Arc<Mutex<Alarm>>);

#[derive(Debug)]
struct Alarm {
    sleep: Pin<Box<tokio::time::Sleep>>,
    is_set: bool,
}

impl Patience {
    /// `at_most`: what hyper is told to wait.
    pub(super) fn of(at_most: Duration) -> Self {
        Self(Arc::new(Mutex::new(Alarm { sleep: Box::pin(tokio::time::sleep(at_most)), is_set: false })))
    }
}

impl Timer for Patience {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, until: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Waiting { until, alarm: Arc::clone(&self.0), is_new: true })
    }

    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }
}

/// Until the head of one request has come.
#[derive(Debug)]
struct Waiting {
    until: Instant,
    alarm: Arc<Mutex<Alarm>>,
    is_new: bool,
}

impl Sleep for Waiting {}

impl Future for Waiting {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let is_new = mem::take(&mut self.is_new);
        let mut alarm = self.alarm.lock().unwrap_or_else(PoisonError::into_inner);
        // Set for an earlier request, so it goes off before this one's time, and wakes the same connection.
        if is_new && alarm.is_set && !alarm.sleep.is_elapsed() {
            return Poll::Pending;
        }
        alarm.is_set = true;
        while alarm.sleep.as_mut().poll(context).is_ready() {
            if self.until <= tokio::time::Instant::now().into_std() {
                return Poll::Ready(());
            }
            alarm.sleep.as_mut().reset(self.until.into());
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT_MOST: Duration = Duration::from_secs(15);

    /// How long the next wait lasts if nothing comes.
    async fn waited(patience: &Patience) -> Duration {
        let began = patience.now();
        patience.sleep_until(began + AT_MOST).await;
        patience.now() - began
    }

    async fn head_comes_after(patience: &Patience, pause: Duration) {
        let waiting = patience.sleep(AT_MOST);
        assert!(tokio::time::timeout(pause, waiting).await.is_err(), "given up before its time");
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_that_does_not_come_is_given_up_in_time() {
        let patience = Patience::of(AT_MOST);
        assert_eq!(waited(&patience).await.as_secs(), AT_MOST.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn each_head_has_its_own_time() {
        let patience = Patience::of(AT_MOST);
        for seconds in [1, 14, 3, 14, 14, 7, 2] {
            head_comes_after(&patience, Duration::from_secs(seconds)).await;
        }
        assert_eq!(waited(&patience).await.as_secs(), AT_MOST.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn an_alarm_that_went_off_while_nobody_waited_is_set_anew() {
        let patience = Patience::of(AT_MOST);
        head_comes_after(&patience, Duration::from_secs(1)).await;
        tokio::time::sleep(4 * AT_MOST).await;
        assert_eq!(waited(&patience).await.as_secs(), AT_MOST.as_secs());
    }
}
