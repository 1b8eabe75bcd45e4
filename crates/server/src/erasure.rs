//! Continues the erasure of brands in the background.

use svc_mcp_access::{BrandId, StoreError};

use crate::app::App;

/// Files that are deleted at a time.
const FILES_PER_STEP: u32 = 500;

/// If it fails, the next run goes on.
pub(crate) async fn erase_brands(app: &App) {
    while let Ok(Some(brand)) = app.store.next_brand_erasure(app.clock.now()).await {
        if delete_email_files(app, &brand).await.is_err() {
            return;
        }
        loop {
            match app.store.erase_rows(&brand, app.clock.now()).await {
                Ok(true) => {}
                Ok(false) => break,
                Err(_) => return,
            }
        }
    }
}

/// The files are deleted before the rows that name them.
async fn delete_email_files(app: &App, brand: &BrandId) -> Result<(), StoreError> {
    let Some(mailer) = &app.mailer else { return Ok(()) };
    let mut after = String::new();
    loop {
        let ids = app.store.email_ids(brand, &after, FILES_PER_STEP).await?;
        let Some(last) = ids.last() else { return Ok(()) };
        after.clone_from(last);
        mailer.delete_files(ids).await.map_err(|error| {
            tracing::error!(%error, "the files of emails cannot be deleted");
            StoreError::Unavailable
        })?;
    }
}
