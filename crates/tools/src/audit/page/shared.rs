//! Values that many pages have in common, such as the links of a menu. A crawl holds each of them once.

use std::{borrow::Cow, collections::HashSet, hash::Hash, ops::Deref, sync::Arc};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that pages may share. In JSON it is the value itself.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Shared<T>(Arc<T>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}

impl<T: JsonSchema> JsonSchema for Shared<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// The values seen so far.
#[derive(Debug)]
pub(in crate::audit) struct Interner<T> {
    values: HashSet<Shared<T>>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { values: HashSet::new() }
    }
}

impl<T: Eq + Hash> Interner<T> {
    /// Replaces the value with an equal one that was seen before. True: there was none.
    pub(in crate::audit) fn intern(&mut self, value: &mut Shared<T>) -> bool {
        match self.values.get(value) {
            Some(known) => {
                *value = known.clone();
                false
            }
            None => self.values.insert(value.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_held_once() {
        let mut interner = Interner::default();
        let (mut first, mut same, mut other) = (Shared::from(1), Shared::from(1), Shared::from(2));
        assert!(interner.intern(&mut first) && !interner.intern(&mut same) && interner.intern(&mut other));
        assert!(Arc::ptr_eq(&first.0, &same.0));
        assert_eq!(serde_json::to_string(&[first, same, other]).unwrap(), "[1,1,2]");
    }
}
