//! Who and what the audit log names: users, brands, and what is erased with them.
//!
//! A record holds a reference in place of each name, and a table says what the reference stands for. It is a hash of the name
//! with a random salt, so a name that somebody changes is found. An erasure forgets the name and the salt. The records and
//! their hashes stay as they are, and nothing leads from the reference back to the name.

use serde_json::json;
use svc_mcp_access::{BrandId, StoreError, UserId};

use super::{AuditFault, record::hex_sha256};
use crate::{
    Store,
    engine::{Tx, query, within},
};

/// In place of a name that was erased with its owner.
const ERASED: &str = "erased";
/// Names that are checked with one query.
const NAMES_PER_PAGE: i64 = 500;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameKind {
    User,
    Brand,
    /// Where a user sent requests from.
    Address,
    /// A channel of a brand.
    Channel,
    /// An event endpoint of a brand.
    EventEndpoint,
}

impl NameKind {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Brand => "brand",
            Self::Address => "address",
            Self::Channel => "channel",
            Self::EventEndpoint => "event_endpoint",
        }
    }
}

/// A name to look up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name<'a> {
    pub(super) kind: NameKind,
    pub(super) text: &'a str,
    /// The reference of the user or brand that it is erased with. Empty: it is a user or a brand itself.
    pub(super) owner: &'a str,
}

/// The same fields always give the same reference.
fn compute_reference(salt: &str, kind: &str, owner: &str, name: &str) -> String {
    format!("ref_{}", hex_sha256(&json!([salt, kind, owner, name]).to_string()))
}

/// The reference of a name, which is added if it is new. The caller has locked the head of the log, so nobody else adds it.
pub(super) async fn reference_of(
    tx: &mut Tx<'_>,
    name: Name<'_>,
    new_salt: &str,
) -> Result<String, sqlx::Error> {
    let Name { kind, text, owner } = name;
    let sql = "SELECT reference FROM audit_log_names WHERE kind = $1 AND name = $2 AND owner = $3 AND salt IS NOT NULL";
    let known: Option<String> = within!(&mut *tx, |db| sqlx::query_scalar(sql)
        .bind(kind.as_str())
        .bind(text)
        .bind(owner)
        .fetch_optional(db)
        .await)?;
    if let Some(known) = known {
        return Ok(known);
    }
    let reference = compute_reference(new_salt, kind.as_str(), owner, text);
    let sql = "INSERT INTO audit_log_names (reference, kind, name, owner, salt) VALUES ($1, $2, $3, $4, $5)";
    within!(&mut *tx, |db| sqlx::query(sql)
        .bind(&reference)
        .bind(kind.as_str())
        .bind(text)
        .bind(owner)
        .bind(new_salt)
        .execute(db)
        .await
        .map(|_| ()))?;
    Ok(reference)
}

/// Users that the log names only for this brand. Members of any brand, and operators, are not among them.
const USERS_OF_BRAND: &str = "SELECT n.name FROM audit_log_names n JOIN audit_log_names b ON b.kind = 'brand' AND b.name = $1 \
    AND b.owner = '' AND b.salt IS NOT NULL WHERE n.kind = 'user' AND n.salt IS NOT NULL AND n.reference IN \
        (SELECT actor FROM audit_log WHERE brand = b.reference UNION SELECT target FROM audit_log WHERE brand = b.reference) \
    AND NOT EXISTS (SELECT 1 FROM members m WHERE m.user_id = n.name) \
    AND NOT EXISTS (SELECT 1 FROM audit_log l WHERE l.actor = n.reference AND (l.brand IS NULL OR l.brand <> b.reference \
        OR l.role NOT IN ('member', 'admin'))) \
    AND NOT EXISTS (SELECT 1 FROM audit_log l WHERE l.target = n.reference AND (l.brand IS NULL OR l.brand <> b.reference))";

/// Forgets a brand that was erased, and the users that the log names only for it. The id of the receipt takes their place.
pub(crate) async fn forget_brand(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    receipt_id: &str,
) -> Result<(), sqlx::Error> {
    let users: Vec<String> =
        within!(&mut *tx, |db| sqlx::query_scalar(USERS_OF_BRAND).bind(brand.as_str()).fetch_all(db).await)?;
    for user in users {
        forget(tx, NameKind::User, &user, receipt_id).await?;
    }
    forget(tx, NameKind::Brand, brand.as_str(), receipt_id).await
}

/// Forgets a user who was erased. The pseudonym takes their place.
pub(crate) async fn forget_user(
    tx: &mut Tx<'_>,
    user: &UserId,
    pseudonym: &UserId,
) -> Result<(), sqlx::Error> {
    forget(tx, NameKind::User, user.as_str(), pseudonym.as_str()).await
}

async fn forget(tx: &mut Tx<'_>, kind: NameKind, name: &str, replacement: &str) -> Result<(), sqlx::Error> {
    let owned = "UPDATE audit_log_names SET name = $3, salt = NULL WHERE salt IS NOT NULL AND owner IN \
                 (SELECT reference FROM audit_log_names WHERE kind = $1 AND name = $2 AND owner = '' AND salt IS NOT NULL)";
    let own = "UPDATE audit_log_names SET name = $3, salt = NULL \
               WHERE kind = $1 AND name = $2 AND owner = '' AND salt IS NOT NULL";
    for (sql, replacement) in [(owned, ERASED), (own, replacement)] {
        within!(&mut *tx, |db| sqlx::query(sql)
            .bind(kind.as_str())
            .bind(name)
            .bind(replacement)
            .execute(db)
            .await
            .map(|_| ()))?;
    }
    Ok(())
}

type NameRow = (String, String, String, String, Option<String>);

impl Store {
    /// Checks that no name was changed, and that only erasures have forgotten some.
    pub(super) async fn verify_audit_names(&self) -> Result<(), AuditFault> {
        let mut after = String::new();
        loop {
            let names = self.audit_names(&after).await?;
            let Some((last, ..)) = names.last() else { break };
            after.clone_from(last);
            for (reference, kind, name, owner, salt) in names {
                if salt.is_some_and(|salt| compute_reference(&salt, &kind, &owner, &name) != reference) {
                    return Err(AuditFault::NameChanged(name));
                }
            }
        }
        match self.name_without_receipt().await? {
            Some(name) => Err(AuditFault::NameChanged(name)),
            None => Ok(()),
        }
    }

    async fn audit_names(&self, after: &str) -> Result<Vec<NameRow>, StoreError> {
        self.run_patiently("audit_names", async {
            let sql = "SELECT reference, kind, name, owner, salt FROM audit_log_names WHERE reference > $1 \
                       ORDER BY reference LIMIT $2 + 0";
            query!(&self.engine, |db| sqlx::query_as(sql)
                .bind(after)
                .bind(NAMES_PER_PAGE)
                .fetch_all(db)
                .await)
        })
        .await
    }

    /// A forgotten name that belongs to no erasure.
    async fn name_without_receipt(&self) -> Result<Option<String>, StoreError> {
        self.run_patiently("name_without_receipt", async {
            let sql = "SELECT n.name FROM audit_log_names n WHERE n.salt IS NULL AND NOT CASE WHEN n.owner = '' \
                       THEN EXISTS (SELECT 1 FROM erasures e WHERE e.receipt_id = n.name OR e.subject = n.name) \
                       ELSE n.name = $1 AND EXISTS \
                           (SELECT 1 FROM audit_log_names o WHERE o.reference = n.owner AND o.salt IS NULL) END LIMIT 1";
            query!(&self.engine, |db| sqlx::query_scalar(sql).bind(ERASED).fetch_optional(db).await)
        })
        .await
    }
}
