//! Reads all rows of a brand, page by page. Secrets stay as they are stored: keys as digests, other secrets sealed.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_mcp_access::{BrandId, StoreError};

use super::{
    BRAND_TABLES, BrandTable, GENERATED_COLUMNS,
    cell::{Cell, Cells, ReadCells, to_json},
};
use crate::{
    Store,
    audit_log::{AuditAction, NewAuditRecord},
    engine::{Tx, query, transaction},
};

/// Rows of a page. A row can have some hundred kilobytes, and other requests wait while a page is written as JSON.
const ROWS_PER_PAGE: usize = 25;

/// One row of one table. Columns that are NULL are left out; bytes are `{"base64": …}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExportedRow {
    pub table: String,
    pub row: Map<String, Value>,
}

/// Where the next page of an export starts.
#[derive(Debug, Clone, Default)]
pub struct ExportPosition {
    table: usize,
    /// The identity of the last row. Empty: the table starts.
    after: Vec<Cell>,
}

impl Store {
    /// Records in the audit log that somebody exports a brand. An export changes nothing, but it takes everything along.
    pub async fn record_export(&self, brand: &BrandId) -> Result<(), StoreError> {
        self.run_for(brand, "record_export", async {
            transaction!(&self.engine, |tx| {
                let record = NewAuditRecord::new(AuditAction::BrandExport, Some(brand), brand.as_str());
                self.add_audit_records(&mut Tx::from(&mut *tx), [record]).await?;
            })
        })
        .await
    }

    /// The next rows of a brand, and where to go on. `None`: these are the last ones. It is not a snapshot: rows that change
    /// during an export may be in it or not.
    pub async fn export_page(
        &self,
        brand: &BrandId,
        position: ExportPosition,
    ) -> Result<(Vec<ExportedRow>, Option<ExportPosition>), StoreError> {
        let table = &BRAND_TABLES[position.table];
        let rows = self.rows_after(brand, table, &position.after).await?;
        let next = match rows.last() {
            Some(last) if rows.len() == ROWS_PER_PAGE && !table.identity.is_empty() => {
                Some(ExportPosition { table: position.table, after: table.identity_of(last) })
            }
            _ => Some(ExportPosition { table: position.table + 1, after: Vec::new() })
                .filter(|next| next.table < BRAND_TABLES.len()),
        };
        let exported = |cells: &Cells| {
            let mut row = to_json(cells);
            row.retain(|column, _| !GENERATED_COLUMNS.contains(&(table.name, column.as_str())));
            ExportedRow { table: table.name.to_owned(), row }
        };
        Ok((rows.iter().map(exported).collect(), next))
    }

    async fn rows_after(
        &self,
        brand: &BrandId,
        table: &BrandTable,
        after: &[Cell],
    ) -> Result<Vec<Cells>, StoreError> {
        let sql = table.page_query(after.len());
        self.run_patiently("export_page", async {
            query!(&self.engine, |db| {
                let mut query = sqlx::query(sqlx::AssertSqlSafe(sql.as_str())).bind(brand.as_str());
                for cell in after {
                    query = cell.bind(query);
                }
                query.fetch_all(db).await?.iter().map(ReadCells::cells).collect()
            })
        })
        .await
    }
}

impl BrandTable {
    fn page_query(&self, after: usize) -> String {
        let (name, identity) = (self.name, self.identity.join(", "));
        if self.identity.is_empty() {
            return format!("SELECT * FROM {name} WHERE brand_id = $1");
        }
        let numbers: Vec<String> = (0..after).map(|index| format!("${}", index + 2)).collect();
        let condition = match after {
            0 => String::new(),
            _ => format!(" AND ({identity}) > ({})", numbers.join(", ")),
        };
        format!(
            "SELECT * FROM {name} WHERE brand_id = $1{condition} ORDER BY {identity} LIMIT {ROWS_PER_PAGE}"
        )
    }

    fn identity_of(&self, row: &Cells) -> Vec<Cell> {
        let cell = |column: &&str| {
            let (_, cell) = row.iter().find(|(name, _)| name == column).expect("an identity is not NULL");
            cell.clone()
        };
        self.identity.iter().map(cell).collect()
    }
}
