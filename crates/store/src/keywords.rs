//! Imported keyword lists and saved keyword searches.

use async_trait::async_trait;
use sqlx::QueryBuilder;
use sqlx_macros::FromRow;
use svc_mcp_access::{BrandId, StoreError, Timestamp};
use svc_mcp_tools::{
    keywords::{
        ExportTool, KeywordChange, KeywordImport, KeywordImportOrigin, KeywordRecords, KeywordRow,
        KeywordSearch, ListedKeyword, MAX_IMPORTS, MAX_SEARCHES, NewKeywordImport, merge_key,
    },
    page::{Cursor, Page},
};

use crate::{
    Store, ToolRecords,
    audit_log::{AuditAction, Fields, NewAuditRecord},
    brands::lock_brand,
    cut_page,
    engine::{Tx, query, transaction, within},
    error::Abort,
    parse_column, parse_json_column, start_after, unreadable,
};

/// The engines limit the number of values in one statement.
const ROWS_PER_STATEMENT: usize = 1_000;
/// How many parts of a seed the SQL filters by. The caller filters by all of them.
const MAX_PATTERNS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ImportKeywordsError {
    #[error("the brand has {MAX_IMPORTS} keyword lists")]
    LimitReached,
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The id of the existing list, if the same file was imported before.
    pub import_id: String,
    pub replaced: bool,
}

#[derive(FromRow)]
struct ImportRow {
    import_id: String,
    tool: String,
    row_count: i64,
    skipped: i64,
    imported_at: i64,
    imported_by: String,
}

#[derive(FromRow)]
struct SearchRow {
    search_id: String,
    created_at: i64,
    created_by_key: String,
    request: String,
    summary: String,
    keywords: String,
}

#[async_trait]
impl KeywordRecords for ToolRecords {
    async fn keyword_imports(&self, brand: &BrandId) -> Result<Vec<KeywordImport>, StoreError> {
        self.store.keyword_imports(brand).await
    }

    async fn listed_keywords(
        &self,
        brand: &BrandId,
        pieces: &[String],
        limit: u32,
    ) -> Result<Vec<(KeywordImportOrigin, ListedKeyword)>, StoreError> {
        #[derive(FromRow)]
        struct Row {
            tool: String,
            imported_at: i64,
            keyword: String,
        }
        let pattern = |number: usize| {
            pieces.get(number).map_or_else(|| "%".to_owned(), |piece| contains_pattern(piece))
        };
        let patterns: [String; MAX_PATTERNS] = std::array::from_fn(pattern);
        self.store
            .run_for(brand, "listed_keywords", async {
                let sql = "SELECT i.tool, i.imported_at, r.keyword FROM keyword_rows r \
                           JOIN keyword_imports i ON i.brand_id = r.brand_id AND i.import_id = r.import_id \
                           WHERE r.brand_id = $1 AND r.folded LIKE $2 ESCAPE '\\' AND r.folded LIKE $3 ESCAPE '\\' \
                           AND r.folded LIKE $4 ESCAPE '\\' \
                           ORDER BY r.demand DESC, i.imported_at DESC, r.import_id, r.position LIMIT $5 + 0";
                let [first, second, third] = &patterns;
                let rows: Vec<Row> = query!(&self.store.engine, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .bind(first)
                    .bind(second)
                    .bind(third)
                    .bind(i64::from(limit))
                    .fetch_all(db)
                    .await)?;
                let decode = |row: Row| {
                    let imported_at = Timestamp::from_millis(row.imported_at);
                    let order = KeywordImportOrigin { tool: parse_tool(&row.tool)?, imported_at };
                    Ok((order, parse_json_column(&row.keyword, "keyword")?))
                };
                rows.into_iter().map(decode).collect()
            })
            .await
    }

    async fn keyword_searches(
        &self,
        brand: &BrandId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<KeywordSearch>, StoreError> {
        self.store
            .run_for(brand, "keyword_searches", async {
                // The list leaves out the keywords, because they are long.
                let sql = "SELECT search_id, created_at, created_by_key, request, summary, '[]' AS keywords \
                           FROM keyword_searches WHERE brand_id = $1 \
                           AND (created_at < $2 OR (created_at = $2 AND search_id < $3)) \
                           ORDER BY created_at DESC, search_id DESC LIMIT $4 + 0";
                let (at, id) = start_after(after);
                let rows: Vec<SearchRow> = query!(&self.store.engine, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .bind(at)
                    .bind(id)
                    .bind(i64::from(limit) + 1)
                    .fetch_all(db)
                    .await)?;
                let sql = "SELECT COUNT(*) FROM keyword_searches WHERE brand_id = $1";
                let (total,): (i64,) = query!(&self.store.engine, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .fetch_one(db)
                    .await)?;
                let items = rows
                    .into_iter()
                    .map(|row| Ok(decode_search(row)?.0))
                    .collect::<Result<Vec<_>, sqlx::Error>>()?;
                Ok(cut_page(items, total, limit, |search: &KeywordSearch| Cursor {
                    at: search.created_at,
                    id: search.search_id.clone(),
                }))
            })
            .await
    }

    async fn keyword_search(
        &self,
        brand: &BrandId,
        search_id: &str,
    ) -> Result<Option<(KeywordSearch, Vec<KeywordRow>)>, StoreError> {
        self.store
            .run_for(brand, "keyword_search", async {
                let sql = "SELECT search_id, created_at, created_by_key, request, summary, keywords \
                           FROM keyword_searches WHERE brand_id = $1 AND search_id = $2";
                let row: Option<SearchRow> = query!(&self.store.engine, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .bind(search_id)
                    .fetch_optional(db)
                    .await)?;
                row.map(decode_search).transpose()
            })
            .await
    }
}

impl Store {
    /// Stores a keyword list. A list with the same digest is replaced.
    pub async fn import_keywords(
        &self,
        brand: &BrandId,
        new: &NewKeywordImport,
    ) -> Result<Imported, ImportKeywordsError> {
        self.run_for_or_refuse(brand, "import_keywords", async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                let imported = insert_import(&mut tx, brand, new).await?;
                let fields = Fields::default()
                    .show("tool", new.import.tool.as_str())
                    .show("rows", new.import.rows)
                    .show("replaced", imported.replaced);
                let record =
                    NewAuditRecord::new(AuditAction::KeywordImportCreate, Some(brand), &imported.import_id);
                self.add_audit_records(&mut tx, [record.with_after(&fields)]).await?;
                imported
            })
        })
        .await
    }

    /// Newest first.
    pub async fn keyword_imports(&self, brand: &BrandId) -> Result<Vec<KeywordImport>, StoreError> {
        self.run_for(brand, "keyword_imports", async {
            let sql = "SELECT import_id, tool, row_count, skipped, imported_at, imported_by FROM keyword_imports \
                       WHERE brand_id = $1 ORDER BY imported_at DESC, import_id DESC";
            let rows: Vec<ImportRow> =
                query!(&self.engine, |db| sqlx::query_as(sql).bind(brand.as_str()).fetch_all(db).await)?;
            rows.into_iter().map(decode_import).collect()
        })
        .await
    }

    /// Returns whether there was such a list.
    pub async fn delete_keyword_import(&self, brand: &BrandId, import_id: &str) -> Result<bool, StoreError> {
        self.run_for(brand, "delete_keyword_import", async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                let removed = remove_import(&mut tx, brand, import_id).await?;
                let record = NewAuditRecord::new(AuditAction::KeywordImportDelete, Some(brand), import_id);
                self.add_audit_records(&mut tx, removed.then_some(record)).await?;
                removed
            })
        })
        .await
    }
}

async fn insert_import(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    new: &NewKeywordImport,
) -> Result<Imported, Abort<ImportKeywordsError>> {
    let import = &new.import;
    // Otherwise two concurrent requests could both add the last list.
    lock_brand(tx, brand).await?;
    let same: Option<(String,)> = within!(tx, |db| sqlx::query_as(
        "SELECT import_id FROM keyword_imports WHERE brand_id = $1 AND digest = $2"
    )
    .bind(brand.as_str())
    .bind(new.digest.as_slice())
    .fetch_optional(db)
    .await)?;
    let replaced = same.is_some();
    let import_id = match same {
        Some((import_id,)) => {
            remove_import(tx, brand, &import_id).await?;
            import_id
        }
        None => import.import_id.clone(),
    };
    let (count,): (i64,) =
        within!(tx, |db| sqlx::query_as("SELECT COUNT(*) FROM keyword_imports WHERE brand_id = $1")
            .bind(brand.as_str())
            .fetch_one(db)
            .await)?;
    if count >= i64::from(MAX_IMPORTS) {
        return Err(Abort::Refused(ImportKeywordsError::LimitReached));
    }
    within!(tx, |db| {
        sqlx::query(
        "INSERT INTO keyword_imports (brand_id, import_id, digest, tool, row_count, skipped, imported_at, imported_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(brand.as_str())
    .bind(&import_id)
    .bind(new.digest.as_slice())
    .bind(import.tool.as_str())
    .bind(number(import.rows))
    .bind(number(import.skipped))
    .bind(import.imported_at.millis())
    .bind(&import.imported_by)
    .execute(db)
    .await
    .map(|_| ())
    })?;
    for (chunk, rows) in new.rows.chunks(ROWS_PER_STATEMENT).enumerate() {
        let first = chunk * ROWS_PER_STATEMENT;
        within!(tx, |db| {
            let mut insert = QueryBuilder::new(
                "INSERT INTO keyword_rows (brand_id, import_id, position, folded, demand, keyword) ",
            );
            insert.push_values(rows.iter().enumerate(), |mut values, (place, row)| {
                values
                    .push_bind(brand.as_str())
                    .push_bind(&import_id)
                    .push_bind(number((first + place) as u64))
                    .push_bind(merge_key(&row.keyword))
                    .push_bind(demand(row))
                    .push_bind(json(row));
            });
            insert.build().persistent(false).execute(db).await.map(|_| ())
        })?;
    }
    Ok(Imported { import_id, replaced })
}

async fn remove_import(tx: &mut Tx<'_>, brand: &BrandId, import_id: &str) -> Result<bool, sqlx::Error> {
    let mut deleted = 0;
    for sql in [
        "DELETE FROM keyword_rows WHERE brand_id = $1 AND import_id = $2",
        "DELETE FROM keyword_imports WHERE brand_id = $1 AND import_id = $2",
    ] {
        deleted = within!(tx, |db| sqlx::query(sql)
            .bind(brand.as_str())
            .bind(import_id)
            .execute(db)
            .await
            .map(|done| done.rows_affected()))?;
    }
    Ok(deleted == 1)
}

pub(crate) async fn apply_keyword_change(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    change: &KeywordChange,
) -> Result<(), sqlx::Error> {
    let KeywordChange::AddSearch { search, rows } = change;
    within!(tx, |db| {
        sqlx::query(
        "INSERT INTO keyword_searches (brand_id, search_id, created_at, created_by_key, request, summary, keywords) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(brand.as_str())
    .bind(&search.search_id)
    .bind(search.created_at.millis())
    .bind(search.created_by_key.as_str())
    .bind(json(&search.request))
    .bind(json(&search.summary))
    .bind(json(rows))
    .execute(db)
    .await
    .map(|_| ())
    })?;
    // The oldest searches are deleted, so that a busy agent does not fill the store.
    within!(tx, |db| {
        sqlx::query(
        "DELETE FROM keyword_searches WHERE brand_id = $1 AND search_id NOT IN (SELECT search_id FROM keyword_searches \
         WHERE brand_id = $1 ORDER BY created_at DESC, search_id DESC LIMIT $2 + 0)",
    )
    .bind(brand.as_str())
    .bind(i64::from(MAX_SEARCHES))
    .execute(db)
    .await
    .map(|_| ())
    })
}

fn decode_import(row: ImportRow) -> Result<KeywordImport, sqlx::Error> {
    Ok(KeywordImport {
        import_id: row.import_id,
        tool: parse_tool(&row.tool)?,
        rows: u64::try_from(row.row_count).unwrap_or(0),
        skipped: u64::try_from(row.skipped).unwrap_or(0),
        imported_at: Timestamp::from_millis(row.imported_at),
        imported_by: row.imported_by,
    })
}

fn decode_search(row: SearchRow) -> Result<(KeywordSearch, Vec<KeywordRow>), sqlx::Error> {
    let search = KeywordSearch {
        search_id: row.search_id,
        created_at: Timestamp::from_millis(row.created_at),
        created_by_key: parse_column(&row.created_by_key, "key id")?,
        request: parse_json_column(&row.request, "request")?,
        summary: parse_json_column(&row.summary, "summary")?,
    };
    Ok((search, parse_json_column(&row.keywords, "keywords")?))
}

fn parse_tool(name: &str) -> Result<ExportTool, sqlx::Error> {
    name.parse().map_err(|_| unreadable("tool"))
}

/// A `LIKE` pattern for texts that contain `piece`.
fn contains_pattern(piece: &str) -> String {
    let escaped = piece.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

/// The search demand of a keyword, by which lists are sorted.
fn demand(row: &ListedKeyword) -> i64 {
    row.figures.demand().map_or(-1, number)
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("the value is JSON")
}
