//! A map whose values live as long as somebody uses them, such as one semaphore for each brand that has requests.

use std::{collections::HashMap, fmt, hash::Hash, ops::Deref, sync::Arc};

use parking_lot::Mutex;

/// Creates a value for its first user, and drops it with the last one.
pub struct RefCountedMap<K, T> {
    create: Box<dyn Fn() -> T + Send + Sync>,
    values: Mutex<HashMap<K, Arc<T>>>,
}

/// A value, as long as this user needs it.
#[derive(Debug)]
pub struct RefCounted<'a, K: Eq + Hash, T> {
    map: &'a RefCountedMap<K, T>,
    key: K,
    /// `None` only while it is dropped.
    value: Option<Arc<T>>,
}

impl<K: Eq + Hash + Clone, T> RefCountedMap<K, T> {
    pub fn new(create: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self { create: Box::new(create), values: Mutex::default() }
    }

    pub fn get(&self, key: &K) -> RefCounted<'_, K, T> {
        let mut values = self.values.lock();
        let value = match values.get(key) {
            Some(value) => Arc::clone(value),
            None => Arc::clone(values.entry(key.clone()).or_insert(Arc::new((self.create)()))),
        };
        RefCounted { map: self, key: key.clone(), value: Some(value) }
    }
}

impl<K: Eq + Hash, T> Deref for RefCounted<'_, K, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value.as_ref().expect("it is not dropped")
    }
}

impl<K: Eq + Hash, T> Drop for RefCounted<'_, K, T> {
    fn drop(&mut self) {
        let mut values = self.map.values.lock();
        // Released under the lock: of two users that end at the same time, the second removes the value.
        self.value = None;
        if values.get(&self.key).is_some_and(|value| Arc::strong_count(value) == 1) {
            values.remove(&self.key);
        }
    }
}

impl<K, T> fmt::Debug for RefCountedMap<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RefCountedMap").field("values", &self.values.lock().len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_is_shared_by_its_users_and_dropped_with_the_last() {
        let values: RefCountedMap<&str, Mutex<u32>> = RefCountedMap::new(|| Mutex::new(0));
        let (first, second) = (values.get(&"acme"), values.get(&"acme"));
        *first.lock() += 1;
        assert_eq!((*second.lock(), *values.get(&"other").lock()), (1, 0));
        drop(first);
        assert_eq!(*values.get(&"acme").lock(), 1);
        drop(second);
        assert_eq!(*values.get(&"acme").lock(), 0);
        assert!(values.values.lock().is_empty());
    }
}
