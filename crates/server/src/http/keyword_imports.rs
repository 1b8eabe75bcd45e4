//! Lists of keywords that a brand's administrators import: CSV exports of keyword tools.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use axum::{
    Json,
    extract::{FromRequest, Request, State},
    response::IntoResponse,
};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use svc_mcp_access::{BrandId, Fault, Timestamp, id};
use svc_mcp_store::ImportLimitReached;
use svc_mcp_tools::keywords::{
    KeywordImport, MOST_IMPORTS, NewKeywordImport,
    import::{self, Import, ImportFault, LARGEST_FILE},
};
use utoipa::ToSchema;

use super::{
    admin::PathIds,
    extract::{Administrator, read_bounded},
    problem::{Code, Problem},
};
use crate::app::App;

/// A list that was taken in
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportedKeywords {
    #[serde(flatten)]
    import: KeywordImportView,
    /// The same file was there before, and this took its place
    replaced: bool,
    /// The first rows that could not be taken, at most 10
    first_problems: Vec<RowProblem>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = KeywordImport)]
pub(crate) struct KeywordImportView {
    #[schema(example = "import_4fT9aZ0kQw3LmN8xYb2C")]
    import_id: String,
    /// `keyword_planner`, `search_console`, `ahrefs` or `semrush`
    #[schema(example = "semrush")]
    tool: String,
    /// How many keywords it has
    rows: u64,
    /// How many rows could not be taken
    skipped: u64,
    #[schema(value_type = String, format = DateTime)]
    imported_at: Timestamp,
    imported_by: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RowProblem {
    /// Where in the file the row starts, counted from 1
    line: u64,
    message: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeywordImportList {
    /// Newest first
    imports: Vec<KeywordImportView>,
}

impl From<KeywordImport> for KeywordImportView {
    fn from(import: KeywordImport) -> Self {
        Self {
            import_id: import.import_id,
            tool: import.tool.as_str().to_owned(),
            rows: import.rows,
            skipped: import.skipped,
            imported_at: import.imported_at,
            imported_by: import.imported_by,
        }
    }
}

/// A file as it is. Extract it after the privilege: a stranger's body is not read.
pub(crate) struct CsvFile(bytes::Bytes);

impl FromRequest<Arc<App>> for CsvFile {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let kind =
            parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if !matches!(kind.as_str(), "text/csv" | "text/tab-separated-values" | "application/octet-stream") {
            return Err(Problem::new(
                Code::UnsupportedMedia,
                "Send the exported file itself as the body, with the header `Content-Type: text/csv`.",
            ));
        }
        read_bounded(body, LARGEST_FILE, app.body_timeout).await.map(Self)
    }
}

/// Import a list of keywords
///
/// The body is a CSV export as it was downloaded from Google Keyword Planner, Google Search Console (`Queries.csv`), Ahrefs
/// or Semrush: which of them it is, its encoding and its separator are recognised by its head. At most 5 MiB and 50,000
/// rows; a brand has at most 20 lists. The same file again takes the place of the one before. Rows that cannot be read are
/// counted in `skipped`.
#[utoipa::path(post, path = "/api/brands/{brand_id}/keyword-imports", tag = "brand", security(("jwt" = [])),
    params(("brand_id" = String, Path)),
    request_body(content = String, content_type = "text/csv", description = "The exported file"),
    responses((status = 201, description = "The list is imported", body = ImportedKeywords,
        headers(("Location" = String)))))]
pub(crate) async fn import_keywords(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    CsvFile(file): CsvFile,
) -> Result<impl IntoResponse, Problem> {
    // A long list takes a processor some milliseconds: beside the requests, not among them.
    let reading = tokio::task::spawn_blocking(move || (import::read(&file), sha_256(&file)));
    let (read, digest) = reading.await.map_err(|_| Problem::internal())?;
    let Import { tool, rows, skipped, problems } = read.map_err(refused)?;
    let import = KeywordImport {
        import_id: id::fresh("import", &mut app.entropy.clone()),
        tool,
        rows: rows.len() as u64,
        skipped: skipped as u64,
        imported_at: app.clock.now(),
        imported_by: administrator.user_id.to_string(),
    };
    let new = NewKeywordImport { import, digest, rows };
    let kept = app.store.import_keywords(&administrator.brand_id, &new).await?;
    let kept = kept.map_err(|ImportLimitReached| {
        Problem::new(
            Code::ImportLimitReached,
            format!(
                "A brand has at most {MOST_IMPORTS} imported lists. Delete one that is no longer needed."
            ),
        )
    })?;
    let location = format!("/api/brands/{}/keyword-imports/{}", administrator.brand_id, kept.import_id);
    let body = ImportedKeywords {
        import: KeywordImport { import_id: kept.import_id, ..new.import }.into(),
        replaced: kept.replaced,
        first_problems: problems
            .into_iter()
            .map(|problem| RowProblem { line: problem.line, message: problem.message })
            .collect(),
    };
    let headers = [(header::LOCATION, HeaderValue::try_from(location).expect("ids are plain ASCII"))];
    Ok((StatusCode::CREATED, headers, Json(body)))
}

/// List the imported lists of keywords
#[utoipa::path(get, path = "/api/brands/{brand_id}/keyword-imports", tag = "brand", security(("jwt" = [])),
    params(("brand_id" = String, Path)),
    responses((status = 200, description = "The lists, newest first", body = KeywordImportList)))]
pub(crate) async fn list_keyword_imports(
    State(app): State<Arc<App>>,
    administrator: Administrator,
) -> Result<Json<KeywordImportList>, Problem> {
    let imports = app.store.keyword_imports(&administrator.brand_id).await?;
    Ok(Json(KeywordImportList { imports: imports.into_iter().map(KeywordImportView::from).collect() }))
}

/// Delete an imported list of keywords
///
/// Searches that were made with it keep what they found.
#[utoipa::path(delete, path = "/api/brands/{brand_id}/keyword-imports/{import_id}", tag = "brand",
    security(("jwt" = [])), params(("brand_id" = String, Path), ("import_id" = String, Path)),
    responses((status = 204, description = "It is gone")))]
pub(crate) async fn delete_keyword_import(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    path: PathIds<(BrandId, String)>,
) -> Result<StatusCode, Problem> {
    let PathIds((_, import_id)) = path;
    // No id holds such a character, and PostgreSQL takes no NUL even to look for it.
    let is_id = !import_id.contains(char::is_control);
    if is_id && app.store.delete_keyword_import(&administrator.brand_id, &import_id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::not_found("keyword import"))
    }
}

fn refused(fault: ImportFault) -> Problem {
    match fault {
        ImportFault::TooLarge => Problem::new(Code::TooLarge, fault.to_string()),
        _ => Problem::invalid_request(vec![Fault::new("body", fault)]),
    }
}

/// Names a file by what is in it.
pub(crate) fn sha_256(file: &[u8]) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.copy_from_slice(digest(&SHA256, file).as_ref());
    bytes
}
