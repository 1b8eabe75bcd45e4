//! Writes the rows of an exported brand into a service that does not have this brand.

use svc_mcp_access::{BrandId, StoreError};

use super::{
    cell::{Cell, Cells, from_json},
    erasure::is_erased,
    export::ExportedRow,
    table_named,
};
use crate::{
    Store,
    access_change::AccessChange,
    audit_log::{AuditAction, NewAuditRecord},
    engine::{Tx, transaction, within},
    error::Abort,
    keys::next_key_number,
};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportBrandError {
    #[error("this brand exists already; nothing was imported")]
    Exists,
    #[error("this brand was erased, so its id cannot be used again; nothing was imported")]
    Erased,
    #[error("there is no plan {0}; create it first, nothing was imported")]
    UnknownPlan(String),
    #[error("row {0} is not a row of this brand that this version knows")]
    UnknownRow(usize),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Checks that a brand can be imported: it does not exist, and its plan does.
    pub async fn check_import(&self, brand: &BrandId, rows: &[ExportedRow]) -> Result<(), ImportBrandError> {
        if self.brand(brand).await?.is_some() {
            return Err(ImportBrandError::Exists);
        }
        if self.is_brand_erased(brand).await? {
            return Err(ImportBrandError::Erased);
        }
        let plan = rows.first().filter(|row| row.table == "brands").and_then(|row| row.row.get("plan_id"));
        let plan = plan.and_then(|plan| plan.as_str()).ok_or(ImportBrandError::UnknownRow(1))?;
        let known = match plan.parse() {
            Ok(id) => self.plan(&id).await?.is_some(),
            Err(_) => false,
        };
        if known { Ok(()) } else { Err(ImportBrandError::UnknownPlan(plan.to_owned())) }
    }

    /// Imports some rows, in the order of the export. `first` is the number of the first row, for messages.
    pub async fn import_rows(
        &self,
        brand: &BrandId,
        first: usize,
        rows: &[ExportedRow],
    ) -> Result<(), ImportBrandError> {
        let mut inserts = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            let insert = Insert::new(brand, row);
            inserts.push(insert.ok_or(ImportBrandError::UnknownRow(first + index))?);
        }
        let work = Box::pin(async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                if is_erased(&mut tx, brand).await? {
                    return Err(Abort::Refused(ImportBrandError::Erased));
                }
                for insert in &mut inserts {
                    insert.run(&mut tx).await?;
                }
                let change = AccessChange::record_brand(&mut tx, brand).await?;
                let record = NewAuditRecord::new(AuditAction::BrandImport, Some(brand), brand.as_str());
                self.add_audit_records(&mut tx, (first == 1).then_some(record)).await?;
                change
            })
        });
        let change = self.run_patiently("import_rows", async { Abort::split(work.await) }).await??;
        self.publish(change).await;
        Ok(())
    }
}

struct Insert {
    table: &'static str,
    cells: Cells,
}

impl Insert {
    /// `None`: it is not a row of this brand, or a name is not that of a table or column.
    fn new(brand: &BrandId, exported: &ExportedRow) -> Option<Self> {
        let table = table_named(&exported.table)?;
        let cells = from_json(&exported.row)?;
        let is_column = |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let of_brand = ("brand_id".to_owned(), Cell::Text(brand.to_string()));
        let is_valid = cells.contains(&of_brand) && cells.iter().all(|(column, _)| is_column(column));
        is_valid.then_some(Self { table: table.name, cells })
    }

    async fn run(&mut self, tx: &mut Tx<'_>) -> Result<(), sqlx::Error> {
        if self.table == "keys" {
            // Bloom filters learn of new keys by their numbers.
            let number = Cell::Number(next_key_number(tx).await?);
            self.cells.retain(|(column, _)| column != "number");
            self.cells.push(("number".to_owned(), number));
        }
        let columns: Vec<&str> = self.cells.iter().map(|(column, _)| column.as_str()).collect();
        let numbers: Vec<String> = (1..=columns.len()).map(|number| format!("${number}")).collect();
        let sql =
            format!("INSERT INTO {} ({}) VALUES ({})", self.table, columns.join(", "), numbers.join(", "));
        within!(tx, |db| {
            let mut query = sqlx::query(sqlx::AssertSqlSafe(sql.as_str()));
            for (_, cell) in &self.cells {
                query = cell.bind(query);
            }
            query.execute(db).await.map(|_| ())
        })
    }
}
