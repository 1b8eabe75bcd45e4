//! Changes of a key's settings, and who may make them.

use super::Key;
use crate::{ApprovalRule, Networks, Scope, Timestamp};

/// What to change of a key. `None`: it stays as it is. In a field with two options, `Some(None)` removes the restriction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyChanges {
    pub label: Option<String>,
    pub scope: Option<Scope>,
    pub tools: Option<Option<Vec<String>>>,
    pub expires_at: Option<Option<Timestamp>>,
    pub approval: Option<ApprovalRule>,
    pub allowed_networks: Option<Option<Networks>>,
    pub paused: Option<bool>,
}

/// Why a key is not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeRefused {
    Revoked,
    /// The scope would allow more than before. Nobody can do that: the holder of a `read` key must not get a `write` key.
    ScopeWidened,
    /// Only the creator of a key can let it do more. This is the first field that would.
    NotCreator(&'static str),
}

impl KeyChanges {
    /// Applies the changes to the settings of the key, but not the pause. Returns the fields that differ from before.
    pub fn apply(&self, key: &mut Key, is_creator: bool) -> Result<Vec<&'static str>, ChangeRefused> {
        if key.revoked_at.is_some() {
            return Err(ChangeRefused::Revoked);
        }
        if self.scope.is_some_and(|scope| scope > key.scope) {
            return Err(ChangeRefused::ScopeWidened);
        }
        if let Some(field) = self.widened(key).filter(|_| !is_creator) {
            return Err(ChangeRefused::NotCreator(field));
        }
        let mut changed = Vec::new();
        set(&mut key.label, self.label.as_ref(), "label", &mut changed);
        set(&mut key.scope, self.scope.as_ref(), "scope", &mut changed);
        set(&mut key.tools, self.tools.as_ref(), "tools", &mut changed);
        set(&mut key.expires_at, self.expires_at.as_ref(), "expires_at", &mut changed);
        set(&mut key.approval, self.approval.as_ref(), "approval", &mut changed);
        set(&mut key.allowed_networks, self.allowed_networks.as_ref(), "allowed_networks", &mut changed);
        Ok(changed)
    }

    /// The first field with which the key could do more than before.
    fn widened(&self, key: &Key) -> Option<&'static str> {
        let tools = is_widened(self.tools.as_ref(), key.tools.as_ref(), |new, old| {
            new.iter().all(|tool| old.contains(tool))
        });
        let expires_at = is_widened(self.expires_at.as_ref(), key.expires_at.as_ref(), |new, old| new <= old);
        let networks =
            is_widened(self.allowed_networks.as_ref(), key.allowed_networks.as_ref(), Networks::is_within);
        let approval = self.approval.is_some_and(|approval| approval < key.approval);
        let fields = [
            ("tools", tools),
            ("expires_at", expires_at),
            ("approval", approval),
            ("allowed_networks", networks),
        ];
        fields.into_iter().find_map(|(field, is_widened)| is_widened.then_some(field))
    }
}

/// Whether a restriction is removed or becomes looser.
fn is_widened<T>(change: Option<&Option<T>>, old: Option<&T>, is_within: impl Fn(&T, &T) -> bool) -> bool {
    match (change, old) {
        (None, _) | (_, None) => false,
        (Some(None), Some(_)) => true,
        (Some(Some(new)), Some(old)) => !is_within(new, old),
    }
}

fn set<T: Clone + PartialEq>(
    field: &mut T,
    change: Option<&T>,
    name: &'static str,
    changed: &mut Vec<&'static str>,
) {
    if let Some(new) = change
        && new != field
    {
        field.clone_from(new);
        changed.push(name);
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;
    use crate::key::{KeySpec, NewKey};

    const NOW: Timestamp = Timestamp::from_millis(1_794_700_800_000);

    fn at(seconds: u64) -> Timestamp {
        NOW.plus(std::time::Duration::from_secs(seconds))
    }

    fn networks(texts: &[&str]) -> Networks {
        texts.iter().map(|text| text.parse::<crate::Network>().expect("a network")).collect()
    }

    fn tools(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    /// A key with every restriction.
    fn key() -> Key {
        let spec = KeySpec {
            brand_id: "acme".parse().expect("an id"),
            created_by: "ada".parse().expect("an id"),
            label: "agent".into(),
            scope: Scope::Write,
            expires_at: Some(at(100)),
            tools: Some(tools(&["get_post", "create_post"])),
            approval: ApprovalRule::Outward,
            allowed_networks: Some(networks(&["10.0.0.0/8"])),
        };
        NewKey::generate(spec, None, NOW, &mut StdRng::seed_from_u64(1)).0.key
    }

    fn no_changes() -> KeyChanges {
        KeyChanges::default()
    }

    #[test]
    fn another_person_can_only_narrow_a_key() {
        let widening = [
            ("tools", KeyChanges { tools: Some(None), ..no_changes() }),
            ("tools", KeyChanges { tools: Some(Some(tools(&["get_post", "run_audit"]))), ..no_changes() }),
            ("expires_at", KeyChanges { expires_at: Some(None), ..no_changes() }),
            ("expires_at", KeyChanges { expires_at: Some(Some(at(101))), ..no_changes() }),
            ("approval", KeyChanges { approval: Some(ApprovalRule::None), ..no_changes() }),
            ("allowed_networks", KeyChanges { allowed_networks: Some(None), ..no_changes() }),
            (
                "allowed_networks",
                KeyChanges { allowed_networks: Some(Some(networks(&["10.0.0.0/7"]))), ..no_changes() },
            ),
        ];
        for (field, changes) in widening {
            let mut found = key();
            let before = found.clone();
            assert_eq!(changes.apply(&mut found, false), Err(ChangeRefused::NotCreator(field)));
            assert_eq!(found, before, "{changes:?}");
            assert_eq!(changes.apply(&mut found, true), Ok(vec![field]));
        }
        let narrowing = [
            ("label", KeyChanges { label: Some("other".into()), ..no_changes() }),
            ("scope", KeyChanges { scope: Some(Scope::Read), ..no_changes() }),
            ("tools", KeyChanges { tools: Some(Some(tools(&["get_post"]))), ..no_changes() }),
            ("expires_at", KeyChanges { expires_at: Some(Some(at(99))), ..no_changes() }),
            ("approval", KeyChanges { approval: Some(ApprovalRule::All), ..no_changes() }),
            (
                "allowed_networks",
                KeyChanges { allowed_networks: Some(Some(networks(&["10.1.0.0/16"]))), ..no_changes() },
            ),
        ];
        for (field, changes) in narrowing {
            assert_eq!(changes.apply(&mut key(), false), Ok(vec![field]));
        }
    }

    #[test]
    fn key_without_restrictions_may_get_them_from_anybody() {
        let mut found = key();
        (found.tools, found.expires_at, found.allowed_networks) = (None, None, None);
        found.approval = ApprovalRule::None;
        let changes = KeyChanges {
            tools: Some(Some(tools(&["get_post"]))),
            expires_at: Some(Some(at(1))),
            approval: Some(ApprovalRule::All),
            allowed_networks: Some(Some(networks(&["0.0.0.0/0"]))),
            ..no_changes()
        };
        assert_eq!(
            changes.apply(&mut found, false),
            Ok(vec!["tools", "expires_at", "approval", "allowed_networks"])
        );
    }

    #[test]
    fn scope_goes_only_downwards() {
        let scopes = [Scope::Read, Scope::Write, Scope::Full];
        for (old_rank, old) in scopes.into_iter().enumerate() {
            for (new_rank, new) in scopes.into_iter().enumerate() {
                let changes = KeyChanges { scope: Some(new), ..no_changes() };
                let mut found = key();
                found.scope = old;
                let expected = match new_rank.cmp(&old_rank) {
                    std::cmp::Ordering::Less => Ok(vec!["scope"]),
                    std::cmp::Ordering::Equal => Ok(Vec::new()),
                    std::cmp::Ordering::Greater => Err(ChangeRefused::ScopeWidened),
                };
                assert_eq!(changes.apply(&mut found, true), expected, "{old} to {new}");
            }
        }
    }

    #[test]
    fn equal_values_change_nothing_and_a_revoked_key_stays() {
        let mut found = key();
        let same = KeyChanges {
            label: Some(found.label.clone()),
            scope: Some(found.scope),
            tools: Some(found.tools.clone()),
            expires_at: Some(found.expires_at),
            approval: Some(found.approval),
            allowed_networks: Some(found.allowed_networks.clone()),
            paused: None,
        };
        assert_eq!(same.apply(&mut found, false), Ok(Vec::new()));
        found.revoked_at = Some(NOW);
        assert_eq!(same.apply(&mut found, true), Err(ChangeRefused::Revoked));
    }
}
