//! `svc-mcp admin brands export`, `import` and `erase`, and `svc-mcp admin users erase`

use std::{
    fs,
    io::{Read, Write, stdin, stdout},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use serde_json::json;
use svc_mcp_access::{BrandId, Clock, UserId, id};
use svc_mcp_store::NewErasure;

use super::{Common, actor, find_brand, print_result, with_store};
use crate::{
    brand_export::{BrandExport, import},
    clock::{MachineClock, machine_entropy},
    config::MailArgs,
    erasure::{MailerFiles, erase_brand_rows, erase_user_rows, new_user_erasure},
    service::mailer,
};

/// Writes all rows of a brand to standard output.
pub(super) async fn export_brand(brand: &BrandId, common: &Common) -> anyhow::Result<()> {
    with_store(common, async |store| {
        find_brand(store, brand).await?;
        store.record_export(brand).await?;
        let mut export = BrandExport::new(store.clone(), brand.clone(), MachineClock::default().now());
        while let Some(lines) = export.next_lines().await? {
            stdout().write_all(lines.as_bytes()).context("cannot write the export")?;
        }
        stdout().flush().context("cannot write the export")
    })
    .await
}

/// Reads an export from a file, or from standard input if the path is `-`.
pub(super) async fn import_brand(file: &PathBuf, common: &Common) -> anyhow::Result<()> {
    let text = if file == Path::new("-") {
        let mut text = String::new();
        stdin().read_to_string(&mut text).context("cannot read the export")?;
        text
    } else {
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?
    };
    let (brand, rows) = with_store(common, async |store| Ok(import(store, &text).await?)).await?;
    let sentence = format!("Brand {brand} is imported, with {rows} rows. Its keys work again.");
    print_result(common.json, &json!({"brand_id": brand, "rows": rows}), &sentence)
}

pub(super) async fn erase_brand(
    brand: &BrandId,
    confirm: &BrandId,
    mail: &MailArgs,
    common: &Common,
) -> anyhow::Result<()> {
    if brand != confirm {
        bail!("--confirm must be the id of the brand: everything of it is erased, and this cannot be undone");
    }
    let files = MailerFiles(mailer(mail)?);
    let receipt = with_store(common, async |store| {
        let new = NewErasure {
            receipt_id: id::fresh("era", &mut machine_entropy()),
            requested_at: MachineClock::default().now(),
            requested_by: actor(),
        };
        let receipt = store.begin_brand_erasure(brand, &new).await?;
        erase_brand_rows(store, brand, &MachineClock::default(), &files).await?;
        Ok(store.erasure(&receipt.receipt_id).await?.unwrap_or(receipt))
    })
    .await?;
    let sentence = format!(
        "Brand {brand} is erased: {} rows are deleted. The running service searches once more after a minute.\nReceipt: {}",
        receipt.deleted_rows, receipt.receipt_id
    );
    print_result(common.json, &json!(crate::http::erasure_view(receipt)), &sentence)
}

pub(super) async fn erase_user(
    user: &UserId,
    confirm: &UserId,
    mail: &MailArgs,
    common: &Common,
) -> anyhow::Result<()> {
    if user != confirm {
        bail!(
            "--confirm must be the id of the user: everything that names them is erased, and this cannot be undone"
        );
    }
    let files = MailerFiles(mailer(mail)?);
    let receipt = with_store(common, async |store| {
        let (clock, entropy) = (MachineClock::default(), &mut machine_entropy());
        let new = new_user_erasure(actor(), clock.now(), id::fresh("era", entropy), entropy);
        let receipt = store.begin_user_erasure(user, &new).await?;
        erase_user_rows(store, &receipt.receipt_id, &clock, entropy, &files).await?;
        Ok(store.erasure(&receipt.receipt_id).await?.unwrap_or(receipt))
    })
    .await?;
    let sentence = format!(
        "User {user} is erased: {} rows are changed or deleted. In the history, {} takes their place. The running service \
         searches once more after a minute.\nReceipt: {}",
        receipt.deleted_rows, receipt.subject, receipt.receipt_id
    );
    print_result(common.json, &json!(crate::http::erasure_view(receipt)), &sentence)
}
