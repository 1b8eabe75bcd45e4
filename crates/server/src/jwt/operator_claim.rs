//! Where a token says that its user is an operator: `SVC_JWT_OPERATOR_CLAIM`.

use std::{fmt, str::FromStr};

use serde_json::{Map, Value, map::Entry};

/// Claims with a meaning of their own. A role in one of them would be a mistake that opens the operator API.
const REGISTERED: [&str; 7] = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"];

/// A claim and the value that makes its holder an operator. The claim is a text that equals the value, or a list that
/// contains it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorClaim {
    /// As it was written.
    text: String,
    /// The names of the objects that hold the claim, and its own name.
    path: Vec<String>,
    value: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OperatorClaimError {
    #[error(
        "must be CLAIM=VALUE, such as svc_role=operator, realm_access.roles=operator or \
         https://example.com/roles=operator"
    )]
    Shape,
    #[error(
        "has an empty name: dots separate the names of nested claims, such as realm_access.roles=operator"
    )]
    EmptyName,
    #[error(
        "is not a JSON pointer (RFC 6901): write / before each name, ~1 for a slash and ~0 for a tilde in a name"
    )]
    Pointer,
    #[error("must not be one of iss, sub, aud, exp, nbf, iat and jti: these have a meaning of their own")]
    Registered,
}

impl Default for OperatorClaim {
    fn default() -> Self {
        Self {
            text: "svc_role=operator".to_owned(),
            path: vec!["svc_role".to_owned()],
            value: "operator".to_owned(),
        }
    }
}

impl FromStr for OperatorClaim {
    type Err = OperatorClaimError;

    /// A URL can contain `=`, and a role does not, so the last `=` separates the two.
    fn from_str(text: &str) -> Result<Self, OperatorClaimError> {
        let (claim, value) = text.rsplit_once('=').ok_or(OperatorClaimError::Shape)?;
        let is_blank = |part: &str| part.is_empty() || part.trim() != part;
        if is_blank(claim) || is_blank(value) || text.chars().any(char::is_control) {
            return Err(OperatorClaimError::Shape);
        }
        let path = parse_path(claim)?;
        if path.iter().any(String::is_empty) {
            return Err(OperatorClaimError::EmptyName);
        }
        if path.first().is_some_and(|name| REGISTERED.contains(&name.as_str())) {
            return Err(OperatorClaimError::Registered);
        }
        Ok(Self { text: text.to_owned(), path, value: value.to_owned() })
    }
}

/// `/a/b` is a JSON pointer, a text with `://` is one name, and in any other text dots separate the names.
fn parse_path(claim: &str) -> Result<Vec<String>, OperatorClaimError> {
    if let Some(pointer) = claim.strip_prefix('/') {
        return pointer.split('/').map(unescape).collect();
    }
    if claim.contains("://") {
        return Ok(vec![claim.to_owned()]);
    }
    Ok(claim.split('.').map(str::to_owned).collect())
}

fn unescape(name: &str) -> Result<String, OperatorClaimError> {
    let mut escapes = name.split('~').skip(1);
    if escapes.any(|rest| !rest.starts_with(['0', '1'])) {
        return Err(OperatorClaimError::Pointer);
    }
    Ok(name.replace("~1", "/").replace("~0", "~"))
}

impl OperatorClaim {
    pub(crate) fn is_in(&self, claims: &Map<String, Value>) -> bool {
        let Some((first, rest)) = self.path.split_first() else { return false };
        let found = rest.iter().fold(claims.get(first), |found, name| found?.get(name.as_str()));
        match found {
            Some(Value::String(text)) => *text == self.value,
            Some(Value::Array(items)) => items.iter().any(|item| item.as_str() == Some(&self.value)),
            _ => false,
        }
    }

    /// The claims of a new token for an operator.
    pub(super) fn claims(&self) -> Map<String, Value> {
        let mut claims = Map::new();
        let Some((last, outer)) = self.path.split_last() else { return claims };
        let mut object = &mut claims;
        for name in outer {
            let inner = match object.entry(name.as_str()) {
                Entry::Vacant(entry) => entry.insert(Value::Object(Map::new())),
                Entry::Occupied(entry) => entry.into_mut(),
            };
            let Value::Object(inner) = inner else { unreachable!("every outer value is an object") };
            object = inner;
        }
        object.insert(last.clone(), self.value.clone().into());
        claims
    }
}

impl fmt::Display for OperatorClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn holds(setting: &str, claims: &Value) -> bool {
        let claim: OperatorClaim = setting.parse().expect("a claim and a value");
        claim.is_in(claims.as_object().expect("an object"))
    }

    #[test]
    fn default_is_the_documented_one() {
        assert_eq!("svc_role=operator".parse(), Ok(OperatorClaim::default()));
    }

    #[test]
    fn claim_is_a_text_or_a_list() {
        for (setting, claims, expected) in [
            ("svc_role=operator", json!({"svc_role": "operator"}), true),
            ("svc_role=operator", json!({"svc_role": ["user", "operator"]}), true),
            ("svc_role=operator", json!({"svc_role": "Operator"}), false),
            ("svc_role=operator", json!({"svc_role": "user operator"}), false),
            ("svc_role=operator", json!({"svc_role": ["user operator", 1, null]}), false),
            ("svc_role=operator", json!({"svc_role": {"operator": true}}), false),
            ("svc_role=operator", json!({"svc_role": [["operator"]]}), false),
            ("svc_role=true", json!({"svc_role": true}), false),
            ("svc_role=operator", json!({}), false),
            ("realm_access.roles=operator", json!({"realm_access": {"roles": ["operator"]}}), true),
            ("realm_access.roles=operator", json!({"realm_access.roles": "operator"}), false),
            ("realm_access.roles=operator", json!({"realm_access": "operator"}), false),
            ("realm_access.roles=operator", json!({"realm_access": [{"roles": "operator"}]}), false),
            ("/realm_access/roles=operator", json!({"realm_access": {"roles": ["operator"]}}), true),
            ("/my.claim=operator", json!({"my.claim": "operator"}), true),
            ("/a~1b/c~0d=x", json!({"a/b": {"c~d": "x"}}), true),
            ("/a~01=x", json!({"a~1": "x"}), true),
            ("https://example.com/roles=operator", json!({"https://example.com/roles": ["operator"]}), true),
            ("https://example.com/?a=b=operator", json!({"https://example.com/?a=b": "operator"}), true),
            ("urn:example:roles=operator", json!({"urn:example:roles": "operator"}), true),
            ("/roles/0=operator", json!({"roles": ["operator"]}), false),
        ] {
            assert_eq!(holds(setting, &claims), expected, "{setting} {claims}");
        }
    }

    #[test]
    fn issued_claims_hold_the_role() {
        for setting in ["svc_role=operator", "a.b.c=x", "https://example.com/roles=operator", "/a~1b/c.d=x"] {
            let claim: OperatorClaim = setting.parse().expect("a claim and a value");
            assert!(claim.is_in(&claim.claims()), "{setting}");
            assert_eq!(claim.to_string(), setting);
        }
    }

    #[test]
    fn wrong_settings_are_explained() {
        use OperatorClaimError::*;
        for (setting, error) in [
            ("", Shape),
            ("operator", Shape),
            ("=operator", Shape),
            ("svc_role=", Shape),
            (" svc_role=operator", Shape),
            ("svc_role = operator", Shape),
            ("svc_role=oper\u{0}ator", Shape),
            ("a..b=x", EmptyName),
            (".a=x", EmptyName),
            ("a.=x", EmptyName),
            ("/=x", EmptyName),
            ("/a//b=x", EmptyName),
            ("/a~2=x", Pointer),
            ("/a~=x", Pointer),
            ("sub=ada", Registered),
            ("/iss=x", Registered),
            ("aud.x=y", Registered),
        ] {
            assert_eq!(setting.parse::<OperatorClaim>(), Err(error), "{setting}");
        }
    }
}
