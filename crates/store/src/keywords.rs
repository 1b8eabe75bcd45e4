//! Imported lists of keywords, and the searches that were made.

use async_trait::async_trait;
use sqlx::{FromRow, QueryBuilder};
use svc_mcp_access::{BrandId, Timestamp, decision::Unavailable};
use svc_mcp_tools::{
    keywords::{
        ExportTool, KeywordChange, KeywordImport, KeywordImportOrder, KeywordRecords, KeywordRow,
        KeywordSearch, ListedKeyword, MOST_IMPORTS, MOST_SEARCHES, NewKeywordImport, merge_key,
    },
    page::{Cursor, Page},
};

use crate::{
    Store, ToolRecords,
    brands::one_at_a_time,
    engine::{Tx, query, transaction, within},
    page_of, starting, stored, stored_json, unreadable,
};

/// How many rows go into one statement: engines take so many values at once and no more.
const ROWS_AT_ONCE: usize = 1_000;
/// How many pieces of a seed are looked for. More would find nothing less.
const PIECES: usize = 3;

/// The brand has as many lists as it may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportLimitReached;

/// What became of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The id of the list that was replaced, where the same file was there before.
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
    async fn keyword_imports(&self, brand: &BrandId) -> Result<Vec<KeywordImport>, Unavailable> {
        self.store.keyword_imports(brand).await
    }

    async fn listed_keywords(
        &self,
        brand: &BrandId,
        pieces: &[String],
        limit: u32,
    ) -> Result<Vec<(KeywordImportOrder, ListedKeyword)>, Unavailable> {
        #[derive(FromRow)]
        struct Row {
            tool: String,
            imported_at: i64,
            keyword: String,
        }
        let pattern =
            |number: usize| pieces.get(number).map_or_else(|| "%".to_owned(), |piece| containing(piece));
        let patterns: [String; PIECES] = std::array::from_fn(pattern);
        self.store
            .run("listed_keywords", async {
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
                let read = |row: Row| {
                    let imported_at = Timestamp::from_millis(row.imported_at);
                    let order = KeywordImportOrder { tool: tool(&row.tool)?, imported_at };
                    Ok((order, stored_json(&row.keyword, "keyword")?))
                };
                rows.into_iter().map(read).collect()
            })
            .await
    }

    async fn keyword_searches(
        &self,
        brand: &BrandId,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<Page<KeywordSearch>, Unavailable> {
        self.store
            .run("keyword_searches", async {
                // A list tells what there is; the keywords of a search are long.
                let sql = "SELECT search_id, created_at, created_by_key, request, summary, '[]' AS keywords \
                           FROM keyword_searches WHERE brand_id = $1 \
                           AND (created_at < $2 OR (created_at = $2 AND search_id < $3)) \
                           ORDER BY created_at DESC, search_id DESC LIMIT $4 + 0";
                let (at, id) = starting(after);
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
                    .map(|row| Ok(search_of(row)?.0))
                    .collect::<Result<Vec<_>, sqlx::Error>>()?;
                Ok(page_of(items, total, limit, |search: &KeywordSearch| Cursor {
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
    ) -> Result<Option<(KeywordSearch, Vec<KeywordRow>)>, Unavailable> {
        self.store
            .run("keyword_search", async {
                let sql = "SELECT search_id, created_at, created_by_key, request, summary, keywords \
                           FROM keyword_searches WHERE brand_id = $1 AND search_id = $2";
                let row: Option<SearchRow> = query!(&self.store.engine, |db| sqlx::query_as(sql)
                    .bind(brand.as_str())
                    .bind(search_id)
                    .fetch_optional(db)
                    .await)?;
                row.map(search_of).transpose()
            })
            .await
    }
}

impl Store {
    /// Keeps a list, all of it or nothing.
    pub async fn import_keywords(
        &self,
        brand: &BrandId,
        new: &NewKeywordImport,
    ) -> Result<Result<Imported, ImportLimitReached>, Unavailable> {
        self.run("import_keywords", async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                keep_import(&mut tx, brand, new).await?
            })
        })
        .await
    }

    /// Newest first.
    pub async fn keyword_imports(&self, brand: &BrandId) -> Result<Vec<KeywordImport>, Unavailable> {
        self.run("keyword_imports", async {
            let sql = "SELECT import_id, tool, row_count, skipped, imported_at, imported_by FROM keyword_imports \
                       WHERE brand_id = $1 ORDER BY imported_at DESC, import_id DESC";
            let rows: Vec<ImportRow> =
                query!(&self.engine, |db| sqlx::query_as(sql).bind(brand.as_str()).fetch_all(db).await)?;
            rows.into_iter().map(import_of).collect()
        })
        .await
    }

    /// False: there is no such list.
    pub async fn delete_keyword_import(&self, brand: &BrandId, import_id: &str) -> Result<bool, Unavailable> {
        self.run("delete_keyword_import", async {
            transaction!(&self.engine, |tx| {
                let mut tx = Tx::from(&mut *tx);
                drop_import(&mut tx, brand, import_id).await?
            })
        })
        .await
    }
}

async fn keep_import(
    tx: &mut Tx<'_>,
    brand: &BrandId,
    new: &NewKeywordImport,
) -> Result<Result<Imported, ImportLimitReached>, sqlx::Error> {
    let import = &new.import;
    // Two at once could both take the last place.
    one_at_a_time(tx, brand).await?;
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
            drop_import(tx, brand, &import_id).await?;
            import_id
        }
        None => import.import_id.clone(),
    };
    let (count,): (i64,) =
        within!(tx, |db| sqlx::query_as("SELECT COUNT(*) FROM keyword_imports WHERE brand_id = $1")
            .bind(brand.as_str())
            .fetch_one(db)
            .await)?;
    if count >= i64::from(MOST_IMPORTS) {
        return Ok(Err(ImportLimitReached));
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
    for (chunk, rows) in new.rows.chunks(ROWS_AT_ONCE).enumerate() {
        let first = chunk * ROWS_AT_ONCE;
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
                    .push_bind(without_nulls(row));
            });
            insert.build().execute(db).await.map(|_| ())
        })?;
    }
    Ok(Ok(Imported { import_id, replaced }))
}

async fn drop_import(tx: &mut Tx<'_>, brand: &BrandId, import_id: &str) -> Result<bool, sqlx::Error> {
    let mut gone = 0;
    for sql in [
        "DELETE FROM keyword_rows WHERE brand_id = $1 AND import_id = $2",
        "DELETE FROM keyword_imports WHERE brand_id = $1 AND import_id = $2",
    ] {
        gone = within!(tx, |db| sqlx::query(sql)
            .bind(brand.as_str())
            .bind(import_id)
            .execute(db)
            .await
            .map(|done| done.rows_affected()))?;
    }
    Ok(gone == 1)
}

/// Makes true what a call wants to be true of keywords.
pub(crate) async fn change_keywords(
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
    // The oldest go, so that a busy agent does not fill the store.
    within!(tx, |db| {
        sqlx::query(
        "DELETE FROM keyword_searches WHERE brand_id = $1 AND search_id NOT IN (SELECT search_id FROM keyword_searches \
         WHERE brand_id = $1 ORDER BY created_at DESC, search_id DESC LIMIT $2 + 0)",
    )
    .bind(brand.as_str())
    .bind(i64::from(MOST_SEARCHES))
    .execute(db)
    .await
    .map(|_| ())
    })
}

fn import_of(row: ImportRow) -> Result<KeywordImport, sqlx::Error> {
    Ok(KeywordImport {
        import_id: row.import_id,
        tool: tool(&row.tool)?,
        rows: u64::try_from(row.row_count).unwrap_or(0),
        skipped: u64::try_from(row.skipped).unwrap_or(0),
        imported_at: Timestamp::from_millis(row.imported_at),
        imported_by: row.imported_by,
    })
}

fn search_of(row: SearchRow) -> Result<(KeywordSearch, Vec<KeywordRow>), sqlx::Error> {
    let search = KeywordSearch {
        search_id: row.search_id,
        created_at: Timestamp::from_millis(row.created_at),
        created_by_key: stored(&row.created_by_key, "key id")?,
        request: stored_json(&row.request, "request")?,
        summary: stored_json(&row.summary, "summary")?,
    };
    Ok((search, stored_json(&row.keywords, "keywords")?))
}

fn tool(name: &str) -> Result<ExportTool, sqlx::Error> {
    ExportTool::from_name(name).ok_or_else(|| unreadable("tool"))
}

/// A pattern for texts that have this in them.
fn containing(piece: &str) -> String {
    let escaped = piece.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

/// How much a keyword is asked for, for those to come first that matter most.
fn demand(row: &ListedKeyword) -> i64 {
    row.figures.least_volume().or(row.figures.impressions).map_or(-1, number)
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("it is plain JSON")
}

/// Most of a row is not known, and there are fifty thousand of them: what is null is not written.
fn without_nulls(row: &ListedKeyword) -> String {
    let mut value = serde_json::to_value(row).expect("it is plain JSON");
    strip(&mut value);
    value.to_string()
}

fn strip(value: &mut serde_json::Value) {
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|_, field| !field.is_null());
        fields.values_mut().for_each(strip);
    }
}
