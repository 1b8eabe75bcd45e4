//! Work on large inputs. It runs on blocking threads, a few at a time, so that it does not delay other requests.

use std::{future::pending, panic::resume_unwind, sync::LazyLock};

use serde_json::Value;
use tokio::{sync::Semaphore, task::spawn_blocking};

use crate::low_priority::{computing_cores, lower_priority};

/// An input above this size is large.
pub const LARGE_INPUT_BYTES: usize = 64 * 1024;
/// What a value costs apart from its text: about a microsecond if it is wrong, like as many bytes of text.
const BYTES_PER_VALUE: usize = 64;
const MAX_CONCURRENT: usize = 2;

static PERMITS: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(computing_cores().min(MAX_CONCURRENT)));

/// Whether checking this value may take long.
pub fn is_large(value: &Value) -> bool {
    let mut bytes_left = LARGE_INPUT_BYTES;
    !fits(value, &mut bytes_left)
}

fn fits(value: &Value, bytes_left: &mut usize) -> bool {
    let mut spend = |bytes: usize| {
        let left = bytes_left.checked_sub(bytes);
        *bytes_left = left.unwrap_or(0);
        left.is_some()
    };
    match value {
        Value::String(text) => spend(BYTES_PER_VALUE.saturating_add(text.len())),
        Value::Array(items) => spend(BYTES_PER_VALUE) && items.iter().all(|item| fits(item, bytes_left)),
        Value::Object(fields) => {
            let names = fields.keys().map(String::len).sum::<usize>();
            spend(BYTES_PER_VALUE.saturating_add(names))
                && fields.values().all(|value| fits(value, bytes_left))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => spend(BYTES_PER_VALUE),
    }
}

/// Runs the work on a blocking thread and waits for it.
pub async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let permit = PERMITS.acquire().await.expect("the semaphore is never closed");
    // The permit belongs to the work: a caller that goes away does not stop it.
    let running = spawn_blocking(move || {
        let _permit = permit;
        lower_priority();
        work()
    });
    match running.await.map_err(tokio::task::JoinError::try_into_panic) {
        Ok(result) => result,
        Err(Ok(panic)) => resume_unwind(panic),
        // Work is cancelled only when the runtime stops, and then nobody waits for it.
        Err(Err(_)) => pending().await,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use serde_json::json;

    use super::*;

    #[test]
    fn long_texts_names_and_many_values_are_large() {
        let long = "x".repeat(LARGE_INPUT_BYTES);
        for large in [
            json!(long),
            json!({"a": [long]}),
            json!({long: 1}),
            json!(vec![1; 2_000]),
            json!(vec!["x".repeat(1_000); 100]),
        ] {
            assert!(is_large(&large));
        }
        for small in
            [json!({}), json!({"text": "x".repeat(20_000), "channels": ["feed"]}), json!(vec![1; 500])]
        {
            assert!(!is_large(&small));
        }
    }

    #[tokio::test]
    async fn work_runs_on_other_threads_and_only_a_few_at_a_time() {
        static RUNNING: AtomicUsize = AtomicUsize::new(0);
        let here = std::thread::current().id();
        let work = || {
            let running = RUNNING.fetch_add(1, Ordering::SeqCst) + 1;
            std::thread::yield_now();
            RUNNING.fetch_sub(1, Ordering::SeqCst);
            (running, std::thread::current().id())
        };
        for (running, thread) in futures_util::future::join_all((0..50).map(|_| run(work))).await {
            assert!(running <= MAX_CONCURRENT, "{running} at once");
            assert_ne!(thread, here);
        }
    }

    #[tokio::test]
    #[should_panic(expected = "in the work")]
    async fn a_panic_in_the_work_is_one_of_the_caller() {
        run(|| panic!("in the work")).await;
    }
}
