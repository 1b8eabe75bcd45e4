//! The file format of an exported brand: one JSON object in each line.

use serde::{Deserialize, Serialize};
use svc_mcp_access::{BrandId, StoreError, Timestamp};
use svc_mcp_store::{ExportPosition, ExportedRow, ImportBrandError, Store};

const FORMAT: &str = "svc-mcp brand";
const VERSION: u32 = 1;
/// Rows of one transaction of an import.
const ROWS_PER_IMPORT: usize = 500;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    export: String,
    version: u32,
    brand_id: BrandId,
    exported_at: String,
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    rows: usize,
}

/// Writes an export, some lines at a time.
#[derive(Debug)]
pub(crate) struct BrandExport {
    store: Store,
    brand: BrandId,
    at: Timestamp,
    rows: usize,
    next: Next,
}

#[derive(Debug)]
enum Next {
    Header,
    Rows(ExportPosition),
    End,
    Nothing,
}

impl BrandExport {
    pub(crate) fn new(store: Store, brand: BrandId, at: Timestamp) -> Self {
        Self { store, brand, at, rows: 0, next: Next::Header }
    }

    /// `None`: everything is written.
    pub(crate) async fn next_lines(&mut self) -> Result<Option<String>, StoreError> {
        let mut lines = String::new();
        self.next = match std::mem::replace(&mut self.next, Next::Nothing) {
            Next::Header => {
                let header = Header {
                    export: FORMAT.to_owned(),
                    version: VERSION,
                    brand_id: self.brand.clone(),
                    exported_at: self.at.to_string(),
                };
                push_line(&mut lines, &header);
                Next::Rows(ExportPosition::default())
            }
            Next::Rows(position) => {
                let (rows, next) = self.store.export_page(&self.brand, position).await?;
                self.rows += rows.len();
                for row in &rows {
                    push_line(&mut lines, row);
                }
                next.map_or(Next::End, Next::Rows)
            }
            Next::End => {
                push_line(&mut lines, &End { rows: self.rows });
                Next::Nothing
            }
            Next::Nothing => return Ok(None),
        };
        Ok(Some(lines))
    }
}

fn push_line(lines: &mut String, value: &impl Serialize) {
    lines.push_str(&serde_json::to_string(value).expect("texts and numbers are JSON"));
    lines.push('\n');
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadExportError {
    #[error("this is not an export of a brand: {0}")]
    Header(String),
    #[error("line {line} cannot be read: {error}")]
    Line { line: usize, error: serde_json::Error },
    #[error("the export is incomplete: its last line is missing")]
    Incomplete,
    #[error("the export has {found} rows, but its last line says {stated}")]
    Count { found: usize, stated: usize },
    #[error(transparent)]
    Import(#[from] ImportBrandError),
    #[error("the file cannot be read: {0}")]
    Io(#[from] std::io::Error),
}

/// Reads an export and writes its rows into the store. The whole file is checked first, so that an incomplete one changes
/// nothing. Returns the brand and the number of rows.
pub(crate) async fn import(store: &Store, file: &str) -> Result<(BrandId, usize), ReadExportError> {
    let (brand, rows) = read(file)?;
    store.check_import(&brand, &rows).await?;
    for (chunk, rows) in rows.chunks(ROWS_PER_IMPORT).enumerate() {
        store.import_rows(&brand, chunk * ROWS_PER_IMPORT + 1, rows).await?;
    }
    Ok((brand, rows.len()))
}

fn read(file: &str) -> Result<(BrandId, Vec<ExportedRow>), ReadExportError> {
    let mut lines = file.lines().enumerate();
    let (_, header) = lines.next().ok_or_else(|| ReadExportError::Header("it is empty".to_owned()))?;
    let header: Header =
        serde_json::from_str(header).map_err(|error| ReadExportError::Header(error.to_string()))?;
    if (header.export.as_str(), header.version) != (FORMAT, VERSION) {
        let found =
            format!("{} version {}, expected {FORMAT} version {VERSION}", header.export, header.version);
        return Err(ReadExportError::Header(found));
    }
    let mut rows = Vec::new();
    for (index, line) in lines {
        if let Ok(End { rows: stated }) = serde_json::from_str(line) {
            let found = rows.len();
            return if stated == found {
                Ok((header.brand_id, rows))
            } else {
                Err(ReadExportError::Count { found, stated })
            };
        }
        let row = serde_json::from_str(line);
        rows.push(row.map_err(|error| ReadExportError::Line { line: index + 1, error })?);
    }
    Err(ReadExportError::Incomplete)
}
