//! Continues the erasures of brands and users in the background.

use std::sync::Arc;

use async_trait::async_trait;
use rand::CryptoRng;
use svc_mcp_access::{BrandId, Clock, StoreError, Timestamp, UserId, id};
use svc_mcp_store::{EmailFiles, NewErasure, NewUserErasure, Store};
use svc_mcp_tools::report::mail::Mailer;

use crate::app::App;

/// Files that are deleted at a time.
const FILES_PER_STEP: u32 = 500;

/// The mails that are written into files. Without a mailer there are none.
#[derive(Debug)]
pub(crate) struct MailerFiles(pub(crate) Option<Arc<Mailer>>);

#[async_trait]
impl EmailFiles for MailerFiles {
    async fn delete(&self, email_ids: Vec<String>) -> Result<(), StoreError> {
        let Some(mailer) = &self.0 else { return Ok(()) };
        mailer.delete_files(email_ids).await.map_err(|error| {
            tracing::error!(%error, "the files of emails cannot be deleted");
            StoreError::Unavailable
        })
    }
}

/// If it fails, the next run goes on.
pub(crate) async fn continue_erasures(app: &App) {
    let files = MailerFiles(app.mailer.clone());
    while let Ok(Some(brand)) = app.store.next_brand_erasure(app.clock.now()).await {
        if erase_brand_rows(&app.store, &brand, &*app.clock, &files).await.is_err() {
            return;
        }
    }
    while let Ok(Some(receipt_id)) = app.store.next_user_erasure(app.clock.now()).await {
        let entropy = &mut app.entropy.clone();
        if erase_user_rows(&app.store, &receipt_id, &*app.clock, entropy, &files).await.is_err() {
            return;
        }
    }
}

/// Deletes all rows and files of a brand that is being erased.
pub(crate) async fn erase_brand_rows(
    store: &Store,
    brand: &BrandId,
    clock: &dyn Clock,
    files: &MailerFiles,
) -> Result<(), StoreError> {
    delete_email_files(store, brand, files).await?;
    while store.erase_rows(brand, clock.now()).await? {}
    Ok(())
}

/// Searches all tables once for a user who is being erased.
pub(crate) async fn erase_user_rows(
    store: &Store,
    receipt_id: &str,
    clock: &dyn Clock,
    random: &mut (impl CryptoRng + Send),
    files: &MailerFiles,
) -> Result<(), StoreError> {
    loop {
        let event_prefix = id::fresh("evt", random);
        if !store.erase_user_rows(receipt_id, clock.now(), &event_prefix, files).await? {
            return Ok(());
        }
    }
}

/// A new erasure with a pseudonym of its own.
pub(crate) fn new_user_erasure(
    requested_by: UserId,
    requested_at: Timestamp,
    receipt_id: String,
    random: &mut impl CryptoRng,
) -> NewUserErasure {
    NewUserErasure {
        erasure: NewErasure { receipt_id, requested_at, requested_by },
        pseudonym: id::fresh("erased", random).parse().expect("a plain id"),
        event_prefix: id::fresh("evt", random),
    }
}

/// The files are deleted before the rows that name them.
async fn delete_email_files(store: &Store, brand: &BrandId, files: &MailerFiles) -> Result<(), StoreError> {
    if files.0.is_none() {
        return Ok(());
    }
    let mut after = String::new();
    loop {
        let ids = store.email_ids(brand, &after, FILES_PER_STEP).await?;
        let Some(last) = ids.last() else { return Ok(()) };
        after.clone_from(last);
        files.delete(ids).await?;
    }
}
