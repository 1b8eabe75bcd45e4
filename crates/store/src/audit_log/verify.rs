//! Checks that no record of the audit log was changed, removed or added.

use svc_mcp_access::StoreError;

use super::{AuditRecord, record::NO_HASH};
use crate::{Store, engine::query};

/// A record that is known from elsewhere, such as the last one of an export. Only with it, a log that was cut off or written
/// anew as a whole is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditHead {
    /// `None`: only the hash is known.
    pub sequence: Option<i64>,
    pub hash: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedAuditLog {
    pub records: i64,
    /// The hash of the last record.
    pub hash: String,
}

/// What is wrong with the log, and the first record that is. The texts are for the operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuditFault {
    #[error("record {0} was changed: its hash is not that of its fields")]
    Changed(i64),
    #[error(
        "record {0} does not hold the hash of the one before: it, or the one before, was changed or added"
    )]
    Detached(i64),
    #[error("record {0} is missing")]
    Missing(i64),
    #[error("record {0} was added: the service has written fewer records")]
    Added(i64),
    #[error("record {0} is not the one that you know: the log was written anew")]
    Replaced(i64),
    #[error(
        "no record up to {0}, the last one, has the hash that you know: the log was cut off or written anew"
    )]
    UnknownHead(i64),
    #[error("record {0} names somebody whom the table of names does not have")]
    NameMissing(i64),
    #[error("`{0}` is not the name that the records refer to")]
    NameChanged(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AuditFault {
    /// The number of the first record that is wrong, if that is known.
    pub fn sequence(&self) -> Option<i64> {
        match *self {
            Self::Changed(number)
            | Self::Detached(number)
            | Self::Missing(number)
            | Self::Added(number)
            | Self::Replaced(number)
            | Self::NameMissing(number) => Some(number),
            Self::UnknownHead(_) | Self::NameChanged(_) | Self::Store(_) => None,
        }
    }
}

/// The last record that was checked.
struct Position {
    sequence: i64,
    hash: String,
}

impl Store {
    /// Reads the whole log, page by page. Records that are added meanwhile are checked too.
    pub async fn verify_audit_log(&self, known: Option<&AuditHead>) -> Result<VerifiedAuditLog, AuditFault> {
        let mut last = Position { sequence: 0, hash: NO_HASH.to_owned() };
        let mut is_known_found = known.is_none_or(|known| known.hash == NO_HASH);
        loop {
            // A record below 1 was added by hand.
            let after = if last.sequence == 0 { i64::MIN } else { last.sequence };
            let page = self.audit_page(after).await?;
            for record in &page {
                last = last.followed_by(record)?;
                if let Some(known) = known {
                    is_known_found |= known.is(record)?;
                }
            }
            if page.is_empty() {
                // Read after the records: by now, it is at least the last one of them.
                let (sequence, hash) = self.audit_log_head().await?;
                match sequence.cmp(&last.sequence) {
                    std::cmp::Ordering::Less => return Err(AuditFault::Added(sequence + 1)),
                    std::cmp::Ordering::Equal if hash == last.hash => break,
                    std::cmp::Ordering::Equal => return Err(AuditFault::Replaced(sequence)),
                    // Records were added since, or the last ones were removed.
                    std::cmp::Ordering::Greater if self.audit_page(last.sequence).await?.is_empty() => {
                        return Err(AuditFault::Missing(last.sequence + 1));
                    }
                    std::cmp::Ordering::Greater => {}
                }
            }
        }
        self.verify_audit_names().await?;
        match known.and_then(|known| known.sequence) {
            _ if is_known_found => Ok(VerifiedAuditLog { records: last.sequence, hash: last.hash }),
            Some(sequence) if sequence > last.sequence => Err(AuditFault::Missing(last.sequence + 1)),
            _ => Err(AuditFault::UnknownHead(last.sequence)),
        }
    }

    /// The number and the hash of the last record that the service has written.
    async fn audit_log_head(&self) -> Result<(i64, String), StoreError> {
        self.run_patiently("audit_log_head", async {
            let sql = "SELECT sequence, hash FROM audit_log_head WHERE only_row = 1";
            query!(&self.engine, |db| sqlx::query_as(sql).fetch_one(db).await)
        })
        .await
    }
}

impl Position {
    fn followed_by(&self, record: &AuditRecord) -> Result<Self, AuditFault> {
        let number = self.sequence + 1;
        if record.sequence < number {
            return Err(AuditFault::Added(record.sequence));
        }
        if record.sequence > number {
            return Err(AuditFault::Missing(number));
        }
        if record.hash != record.compute_hash() {
            return Err(AuditFault::Changed(number));
        }
        if record.previous_hash != self.hash {
            return Err(AuditFault::Detached(number));
        }
        if !record.has_all_names() {
            return Err(AuditFault::NameMissing(number));
        }
        Ok(Self { sequence: number, hash: record.hash.clone() })
    }
}

impl AuditHead {
    fn is(&self, record: &AuditRecord) -> Result<bool, AuditFault> {
        let is_equal = record.hash == self.hash;
        if self.sequence == Some(record.sequence) && !is_equal {
            return Err(AuditFault::Replaced(record.sequence));
        }
        Ok(is_equal)
    }
}
