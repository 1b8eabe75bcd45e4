//! Adds records in the transaction of the change that they describe.

use serde_json::Value;
use svc_mcp_access::BrandId;

use super::{
    AuditAction, AuditRecord, AuditReferences, AuditTarget,
    fields::Fields,
    names::{Name, NameKind, reference_of},
};
use crate::{
    ChangedBy, Store,
    engine::{Tx, within},
};

/// What was done to what.
#[derive(Debug)]
pub(crate) struct NewAuditRecord {
    action: AuditAction,
    brand_id: Option<BrandId>,
    target_id: String,
    before: Option<Value>,
    after: Option<Value>,
}

impl NewAuditRecord {
    /// `brand`: `None` for what belongs to no brand.
    pub(crate) fn new(action: AuditAction, brand: Option<&BrandId>, target_id: impl Into<String>) -> Self {
        Self { action, brand_id: brand.cloned(), target_id: target_id.into(), before: None, after: None }
    }

    /// What was created or done.
    pub(crate) fn with_after(mut self, fields: &Fields) -> Self {
        self.after = Some(fields.shown());
        self
    }

    /// What was deleted.
    pub(crate) fn with_before(mut self, fields: &Fields) -> Self {
        self.before = Some(fields.shown());
        self
    }

    /// What was changed, or created if there was nothing before. `None`: nothing has changed.
    pub(crate) fn with_change(mut self, before: Option<&Fields>, after: &Fields) -> Option<Self> {
        let Some(before) = before else { return Some(self.with_after(after)) };
        let (before, after) = Fields::difference(before, after)?;
        (self.before, self.after) = (Some(before), Some(after));
        Some(self)
    }
}

/// Locks the head until the commit, and returns the number and the hash of the last record.
const LOCK_HEAD: &str =
    "UPDATE audit_log_head SET sequence = sequence WHERE only_row = 1 RETURNING sequence, hash";
const MOVE_HEAD: &str = "UPDATE audit_log_head SET sequence = $1, hash = $2 WHERE only_row = 1";

impl Store {
    /// Adds the records of a change to the audit log. Adds nothing if the service itself makes the change.
    ///
    /// It must be the last step of a transaction: all changes of all brands wait for this lock, and one that took another lock
    /// afterwards could wait in a circle.
    pub(crate) async fn add_audit_records(
        &self,
        tx: &mut Tx<'_>,
        records: impl IntoIterator<Item = NewAuditRecord>,
    ) -> Result<(), sqlx::Error> {
        let Some(by) = &self.changed_by else { return Ok(()) };
        let mut records = records.into_iter().peekable();
        if records.peek().is_none() {
            return Ok(());
        }
        let (mut sequence, mut hash): (i64, String) =
            within!(tx, |db| sqlx::query_as(LOCK_HEAD).fetch_one(db).await)?;
        for record in records {
            sequence += 1;
            let references = record.references(tx, by).await?;
            let record = record.complete(by, references, sequence, hash);
            insert(tx, &record).await?;
            hash = record.hash;
        }
        within!(tx, |db| sqlx::query(MOVE_HEAD).bind(sequence).bind(&hash).execute(db).await.map(|_| ()))
    }
}

impl NewAuditRecord {
    async fn references(&self, tx: &mut Tx<'_>, by: &ChangedBy) -> Result<AuditReferences, sqlx::Error> {
        let salt = by.change_id.as_str();
        let actor = Name { kind: NameKind::User, text: by.actor.as_str(), owner: "" };
        let actor = reference_of(tx, actor, salt).await?;
        let address = match by.address.map(|address| address.to_string()) {
            None => None,
            Some(address) => {
                let address = Name { kind: NameKind::Address, text: &address, owner: &actor };
                Some(reference_of(tx, address, salt).await?)
            }
        };
        let brand = match &self.brand_id {
            None => None,
            Some(brand) => {
                let brand = Name { kind: NameKind::Brand, text: brand.as_str(), owner: "" };
                Some(reference_of(tx, brand, salt).await?)
            }
        };
        let owner = brand.as_deref().unwrap_or_default();
        let target = match self.action.target_name() {
            None => self.target_id.clone(),
            Some(kind @ (NameKind::Channel | NameKind::EventEndpoint)) => {
                reference_of(tx, Name { kind, text: &self.target_id, owner }, salt).await?
            }
            Some(kind) => reference_of(tx, Name { kind, text: &self.target_id, owner: "" }, salt).await?,
        };
        Ok(AuditReferences { actor, address, brand, target })
    }

    fn complete(
        self,
        by: &ChangedBy,
        references: AuditReferences,
        sequence: i64,
        previous_hash: String,
    ) -> AuditRecord {
        let target = AuditTarget { kind: self.action.target_kind().to_owned(), id: self.target_id };
        let mut record = AuditRecord {
            sequence,
            at: by.at,
            change_id: by.change_id.clone(),
            actor: by.actor.to_string(),
            role: by.role.as_str().to_owned(),
            address: by.address.map(|address| address.to_string()),
            request_id: by.request_id.clone(),
            action: self.action.as_str().to_owned(),
            brand_id: self.brand_id.map(|brand| brand.to_string()),
            target,
            before: self.before,
            after: self.after,
            references,
            previous_hash,
            hash: String::new(),
        };
        record.hash = record.compute_hash();
        record
    }
}

async fn insert(tx: &mut Tx<'_>, record: &AuditRecord) -> Result<(), sqlx::Error> {
    within!(tx, |db| {
        sqlx::query(
        "INSERT INTO audit_log (sequence, at, change_id, actor, role, address, request_id, action, brand, target_kind, \
         target, fields_before, fields_after, previous_hash, hash) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
    )
    .bind(record.sequence)
    .bind(record.at.millis())
    .bind(&record.change_id)
    .bind(&record.references.actor)
    .bind(&record.role)
    .bind(&record.references.address)
    .bind(&record.request_id)
    .bind(&record.action)
    .bind(&record.references.brand)
    .bind(&record.target.kind)
    .bind(&record.references.target)
    .bind(record.before.as_ref().map(Value::to_string))
    .bind(record.after.as_ref().map(Value::to_string))
    .bind(&record.previous_hash)
    .bind(&record.hash)
    .execute(db)
    .await
    .map(|_| ())
    })
}
