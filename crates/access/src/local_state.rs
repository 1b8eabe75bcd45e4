use parking_lot::{Mutex, MutexGuard};

/// Counters that are kept inside a value without being part of it: values compare equal whatever their counters are,
/// and a clone starts with empty ones.
#[derive(Debug, Default)]
pub(crate) struct LocalState<T>(Mutex<T>);

impl<T> LocalState<T> {
    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock()
    }
}

impl<T: Default> Clone for LocalState<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> PartialEq for LocalState<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for LocalState<T> {}
