use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    response::IntoResponse,
};
use http::{HeaderValue, StatusCode, header};
use schemars::JsonSchema;
use serde::Serialize;
use svc_mcp_access::{BrandId, Fault, id, sha256};
use svc_mcp_store::ImportKeywordsError;
use svc_mcp_tools::keywords::{
    KeywordImport, MAX_IMPORTS, NewKeywordImport,
    import::{self, ImportError, MAX_FILE_BYTES, ParsedExport},
};

use super::{IMPORTS, KeywordImportView};
use crate::{
    app::App,
    http::{
        body_budget::{BodyMemory, BodySize},
        extract::{Administrator, read_bounded},
        operation::{Operation, Tag},
        problem::{Code, Problem},
    },
};

/// An imported list
#[derive(Debug, Serialize, JsonSchema)]
struct ImportedKeywords {
    #[serde(flatten)]
    import: KeywordImportView,
    /// The same file was imported before, and this replaced it
    replaced: bool,
    /// The first rows that could not be imported, at most 10
    first_problems: Vec<RowProblem>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RowProblem {
    /// Where in the file the row starts, counted from 1
    line: u64,
    message: String,
}

/// The body, which is a file, and its memory.
async fn read_file<'a>(
    app: &'a App,
    brand: &BrandId,
    request: Request,
) -> Result<(Vec<u8>, Option<BodyMemory<'a>>), Problem> {
    let (parts, body) = request.into_parts();
    let headers = &parts.headers;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !matches!(kind.as_str(), "text/csv" | "text/tab-separated-values" | "application/octet-stream") {
        return Err(Problem::new(
            Code::UnsupportedMedia,
            "Send the exported file itself as the body, with the header `Content-Type: text/csv`.",
        ));
    }
    let read = read_bounded(body, MAX_FILE_BYTES, app.body_timeout);
    // The rows are smaller than the file.
    let size = BodySize { max_bytes: MAX_FILE_BYTES, copies: 1 };
    app.body_budget.read(brand, headers, size, app.body_timeout, read).await
}

pub(crate) fn operation() -> Operation {
    Operation::post(IMPORTS, import_keywords)
        .describe(Tag::Brand, "import_keywords", "Import a list of keywords")
        .details(
            "The body is a CSV export as it was downloaded from Google Keyword Planner, Google Search Console \
             (`Queries.csv`), Ahrefs or Semrush. The tool, the encoding and the separator are recognised by the header \
             line. At most 5 MiB and 50,000 rows; a brand has at most 20 lists. Importing the same file again replaces \
             the first import. Rows that cannot be read are counted in `skipped`.",
        )
        .file("text/csv", "The exported file")
        .json::<ImportedKeywords>(201, "The list is imported")
        .with_headers(&["Location"])
}

async fn import_keywords(
    State(app): State<Arc<App>>,
    administrator: Administrator,
    request: Request,
) -> Result<impl IntoResponse, Problem> {
    let (file, _memory) = read_file(&app, &administrator.brand_id, request).await?;
    // Parsing a long list takes milliseconds, which would delay other requests.
    let parse = move || (import::parse(&file), sha256(&file));
    let parsing = app.context.cpu.run(&administrator.brand_id, parse);
    let (parsed, digest) = parsing.await.map_err(|_| Problem::internal())?;
    let ParsedExport { tool, rows, skipped, problems } = parsed.map_err(import_problem)?;
    let import = KeywordImport {
        import_id: id::fresh("import", &mut app.entropy.clone()),
        tool,
        rows: rows.len() as u64,
        skipped: skipped as u64,
        imported_at: app.clock.now(),
        imported_by: administrator.user_id.to_string(),
    };
    let new = NewKeywordImport { import, digest, rows };
    let stored = administrator.store(&app).import_keywords(&administrator.brand_id, &new).await.map_err(
        |error| match error {
            ImportKeywordsError::Store(error) => error.into(),
            ImportKeywordsError::LimitReached => Problem::new(
                Code::ImportLimitReached,
                format!(
                    "A brand has at most {MAX_IMPORTS} imported lists. Delete one that is no longer needed."
                ),
            ),
        },
    )?;
    let location = format!("/api/brands/{}/keyword-imports/{}", administrator.brand_id, stored.import_id);
    let body = ImportedKeywords {
        import: KeywordImport { import_id: stored.import_id, ..new.import }.into(),
        replaced: stored.replaced,
        first_problems: problems
            .into_iter()
            .map(|problem| RowProblem { line: problem.line, message: problem.error.to_string() })
            .collect(),
    };
    let headers = [(header::LOCATION, HeaderValue::try_from(location).expect("ids are plain ASCII"))];
    Ok((StatusCode::CREATED, headers, Json(body)))
}

fn import_problem(fault: ImportError) -> Problem {
    match fault {
        ImportError::TooLarge => Problem::new(Code::TooLarge, fault.to_string()),
        _ => Problem::invalid_request(Fault::new("body", fault)),
    }
}
