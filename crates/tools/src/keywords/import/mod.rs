//! Parses the lists that keyword tools export: UTF-16 or UTF-8; tabs, commas or semicolons; lines before the header;
//! numbers in many formats. The header shows which tool it was.
//!
//! The content of a list is data. A keyword that looks like a formula is only a keyword.

mod decode;
mod header;
mod number;

use std::collections::{HashMap, hash_map::Entry};

use super::model::{ExportTool, ListedKeyword, normalize_keyword};
use crate::cpu_pool::checkpoint;

/// The largest known exports (Ahrefs, 50,000 rows) are smaller, with the columns that are read.
pub const MAX_FILE_BYTES: usize = 5 * 1024 * 1024;
pub const MAX_ROWS: usize = 50_000;
/// The number of skipped rows that are reported. The others are only counted.
pub const MAX_REPORTED_ROWS: usize = 10;
/// Lines before the header. Keyword Planner has two.
const MAX_PREAMBLE_LINES: usize = 20;
/// A longer cell has a quote without an end.
const MAX_CELL_BYTES: usize = 20_000;
/// How many rows are parsed between two checkpoints.
const CHUNK_ROWS: usize = 1_000;
const SEPARATORS: [u8; 3] = [b'\t', b',', b';'];

/// A parsed list.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedExport {
    pub tool: ExportTool,
    pub rows: Vec<ListedKeyword>,
    /// The number of skipped rows.
    pub skipped: usize,
    /// The first skipped rows.
    pub problems: Vec<SkippedRow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedRow {
    /// The line in the file on which the row starts, from 1.
    pub line: u64,
    pub error: RowError,
}

/// Why a row is skipped. The message follows "line 3".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
    #[error("has no keyword")]
    NoKeyword,
    #[error("has a keyword that is too long")]
    KeywordTooLong,
    #[error("has a {name} that is not a valid number: `{text}`")]
    InvalidNumber { name: &'static str, text: String },
    #[error("has a cell that is too long: a closing quote may be missing")]
    CellTooLong,
    #[error("has the same keyword as line {line}")]
    Duplicate { line: u64 },
}

/// Why a file cannot be imported. The message is for the person who uploaded it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    #[error("The file is larger than {} MiB. Export fewer keywords or fewer columns.", MAX_FILE_BYTES / 1024 / 1024)]
    TooLarge,
    #[error(
        "The file is {0}. Send the CSV file itself. In the archive from Search Console it is `Queries.csv`."
    )]
    NotText(&'static str),
    #[error("The header of the list is unknown: `{found}`. Known headers: {known}. Export with English column names.", known = known_headers())]
    UnknownHeader { found: String },
    #[error("The list has more than {MAX_ROWS} rows. Export it in parts.")]
    TooManyRows,
    #[error("No row of this {tool} list could be imported: {reason}.", tool = .tool.title(), reason = first_problem(.first.as_ref()))]
    NoRows { tool: ExportTool, first: Option<SkippedRow> },
}

fn known_headers() -> String {
    header::KNOWN_HEADERS.map(|(tool, header)| format!("{}: `{header}`", tool.title())).join("; ")
}

fn first_problem(first: Option<&SkippedRow>) -> String {
    first.map_or_else(|| "it is empty".to_owned(), |row| format!("line {} {}", row.line, row.error))
}

/// Parses an exported list. Invalid rows are skipped.
pub fn parse(bytes: &[u8]) -> Result<ParsedExport, ImportError> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(ImportError::TooLarge);
    }
    if let Some(kind) = decode::binary_kind(bytes) {
        return Err(ImportError::NotText(kind));
    }
    let text = decode::decode(bytes);
    let mut list = List::find_header(&text)?;
    let mut export = ParsedExport { tool: list.tool, rows: Vec::new(), skipped: 0, problems: Vec::new() };
    // A repeated keyword for the same country would count twice.
    let mut seen: HashMap<(String, Option<String>), u64> = HashMap::new();
    while let Some((line, row)) = list.next_row() {
        if (export.rows.len() + export.skipped).is_multiple_of(CHUNK_ROWS) {
            checkpoint();
        }
        if export.rows.len() + export.skipped >= MAX_ROWS {
            return Err(ImportError::TooManyRows);
        }
        let row =
            row.and_then(|row| match seen.entry((normalize_keyword(&row.keyword), row.country.clone())) {
                Entry::Vacant(entry) => {
                    entry.insert(line);
                    Ok(row)
                }
                Entry::Occupied(entry) => Err(RowError::Duplicate { line: *entry.get() }),
            });
        match row {
            Ok(row) => export.rows.push(row),
            Err(error) => {
                export.skipped += 1;
                if export.problems.len() < MAX_REPORTED_ROWS {
                    export.problems.push(SkippedRow { line, error });
                }
            }
        }
    }
    if export.rows.is_empty() {
        return Err(ImportError::NoRows { tool: export.tool, first: export.problems.into_iter().next() });
    }
    Ok(export)
}

/// A list with a known header.
struct List<'t> {
    tool: ExportTool,
    columns: header::Columns,
    records: Records<'t>,
}

impl<'t> List<'t> {
    /// Tries each separator until a line is a known header.
    fn find_header(text: &'t str) -> Result<Self, ImportError> {
        let mut longest: Option<Vec<String>> = None;
        for separator in SEPARATORS {
            let mut records = Records::new(text, separator);
            for _ in 0..MAX_PREAMBLE_LINES {
                if !records.advance() {
                    break;
                }
                if let Some((tool, columns)) = header::detect(&records.record) {
                    return Ok(Self { tool, columns, records });
                }
                // The record with the most cells is probably the header.
                if longest.as_ref().is_none_or(|longest| longest.len() < records.record.len()) {
                    longest = Some(records.record.iter().map(str::to_owned).collect());
                }
            }
        }
        Err(ImportError::UnknownHeader { found: excerpt(&longest.unwrap_or_default()) })
    }

    fn next_row(&mut self) -> Option<(u64, Result<ListedKeyword, RowError>)> {
        if !self.records.advance() {
            return None;
        }
        let line = self.records.line;
        if self.records.record.iter().any(|cell| cell.len() > MAX_CELL_BYTES) {
            return Some((line, Err(RowError::CellTooLong)));
        }
        Some((line, self.columns.parse_row(&self.records.record)))
    }
}

/// The records of a text with the lines on which they start.
struct Records<'t> {
    text: &'t str,
    reader: csv::Reader<&'t [u8]>,
    record: csv::StringRecord,
    line: u64,
    /// The byte offset up to which lines are counted.
    counted: usize,
}

impl<'t> Records<'t> {
    fn new(text: &'t str, separator: u8) -> Self {
        let reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        Self { text, reader, record: csv::StringRecord::new(), line: 1, counted: 0 }
    }

    /// Reads the next record. False at the end.
    fn advance(&mut self) -> bool {
        // This cannot fail: the text is valid UTF-8 in memory, and records may have any length.
        if !self.reader.read_record(&mut self.record).unwrap_or(false) {
            return false;
        }
        let start = self.record.position().and_then(|position| usize::try_from(position.byte()).ok());
        self.count_lines(start.unwrap_or(self.counted));
        true
    }

    /// Counts lines in the text, because the position from the CSV reader may be before the line break.
    fn count_lines(&mut self, start: usize) {
        let rest = &self.text.as_bytes()[start..];
        let breaks = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        self.line += self.text[self.counted..start + breaks].matches('\n').count() as u64;
        self.counted = start + breaks;
    }
}

/// The start of an unknown header.
fn excerpt(cells: &[String]) -> String {
    let line = cells.iter().take(12).map(|cell| cell.trim()).collect::<Vec<_>>().join(", ");
    line.chars().filter(|c| !c.is_control()).take(200).collect()
}
