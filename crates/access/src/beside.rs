//! What is kept with a standing and is no part of what is known of the key.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Two standings do not differ by it, and a copy of one begins with nothing.
#[derive(Debug, Default)]
pub(crate) struct Beside<T>(Mutex<T>);

impl<T> Beside<T> {
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Default> Clone for Beside<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> PartialEq for Beside<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Beside<T> {}
