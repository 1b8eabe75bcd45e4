//! Erasing brands and users with the real binary: nothing is left, a kill does not stop it, and nobody else loses anything.

mod kill;
mod marked_brand;
mod nothing_is_left;
mod places;

use serde_json::Value;

use crate::support::{Api, eventually};
use places::Database;

/// Waits for the receipt. The service waits a minute before its second search; the test moves the time instead.
async fn wait_until_done(operator: &Api, database: &mut Database, receipt_id: &str) -> Value {
    let path = format!("/api/admin/erasures/{receipt_id}");
    eventually("the end of the erasure", async || {
        database
            .execute(
                "UPDATE erasures SET rows_deleted_at = rows_deleted_at - 60000 \
                 WHERE rows_deleted_at IS NOT NULL AND finished_at IS NULL",
            )
            .await;
        let receipt = operator.get(&path).await.expect_status(200).json();
        (receipt["status"] == "done").then_some(receipt)
    })
    .await
}

fn receipt_id(receipt: &Value) -> String {
    receipt["receipt_id"].as_str().expect("an id").to_owned()
}
