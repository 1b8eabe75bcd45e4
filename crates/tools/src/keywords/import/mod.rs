//! Reads the lists that keyword tools export, as they really come: UTF-16 or UTF-8, tabs, commas or semicolons, lines
//! before the head, numbers as people write them. Which tool it was is recognised by the head.
//!
//! What a list says is data: a keyword that looks like a formula is a keyword.

mod decode;
mod heads;
mod number;

use std::collections::HashMap;

use super::model::{ExportTool, ListedKeyword, folded};

/// The largest file. The largest exports there are (Ahrefs, 50,000 rows) stay below it with the columns that are read.
pub const LARGEST_FILE: usize = 5 * 1024 * 1024;
pub const MOST_ROWS: usize = 50_000;
/// How many problems are told; the others are counted.
pub const SHOWN_PROBLEMS: usize = 10;
/// Lines before the head: Keyword Planner has two.
const LONGEST_PREAMBLE: usize = 20;
/// A cell longer than this is a quote that was never closed.
const LONGEST_FIELD: usize = 20_000;
const SEPARATORS: [u8; 3] = [b'\t', b',', b';'];

/// A list that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    pub tool: ExportTool,
    pub rows: Vec<ListedKeyword>,
    /// How many rows could not be taken.
    pub skipped: usize,
    /// Why, for the first of them.
    pub problems: Vec<Problem>,
}

/// A row that could not be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where in the file it starts, counted from 1.
    pub line: u64,
    pub message: String,
}

/// Why a file gives no list. The words are for the person who sent it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportFault {
    #[error("The file is larger than {} MiB. Export fewer keywords or fewer columns at once.", LARGEST_FILE / 1024 / 1024)]
    TooLarge,
    #[error("This is {0}. Send the CSV file itself; from Search Console's archive that is `Queries.csv`.")]
    NotText(&'static str),
    #[error("The head of this list is not known. Found: `{found}`. Known are {known}. Export with English column names.", known = known_heads())]
    UnknownHead { found: String },
    #[error("The list has more than {MOST_ROWS} rows. Export it in parts.")]
    TooManyRows,
    #[error("No row of this {tool} list could be taken{why}.", tool = .tool.title(), why = first_reason(.first.as_ref()))]
    Nothing { tool: ExportTool, first: Option<Problem> },
}

fn known_heads() -> String {
    heads::KNOWN.map(|(tool, head)| format!("{}: `{head}`", tool.title())).join("; ")
}

fn first_reason(first: Option<&Problem>) -> String {
    first.map_or_else(
        || ": it is empty".to_owned(),
        |problem| format!(": line {} {}", problem.line, problem.message),
    )
}

/// Reads a list. Rows that do not read are counted and the first of them told.
pub fn read(bytes: &[u8]) -> Result<Import, ImportFault> {
    if bytes.len() > LARGEST_FILE {
        return Err(ImportFault::TooLarge);
    }
    if let Some(kind) = decode::other_kind(bytes) {
        return Err(ImportFault::NotText(kind));
    }
    let text = decode::decode(bytes);
    let mut list = List::find(&text)?;
    let mut import = Import { tool: list.tool, rows: Vec::new(), skipped: 0, problems: Vec::new() };
    // The same keyword again, for the same country, would count twice.
    let mut seen: HashMap<(String, Option<String>), u64> = HashMap::new();
    while let Some((line, row)) = list.next_row() {
        if import.rows.len() + import.skipped >= MOST_ROWS {
            return Err(ImportFault::TooManyRows);
        }
        let taken = row.and_then(|row| {
            let key = (folded(&row.keyword), row.country.clone());
            match seen.insert(key.clone(), line) {
                None => Ok(row),
                Some(earlier) => {
                    seen.insert(key, earlier);
                    Err(format!("has the same keyword as line {earlier}"))
                }
            }
        });
        match taken {
            Ok(row) => import.rows.push(row),
            Err(message) => {
                import.skipped += 1;
                if import.problems.len() < SHOWN_PROBLEMS {
                    import.problems.push(Problem { line, message });
                }
            }
        }
    }
    if import.rows.is_empty() {
        return Err(ImportFault::Nothing { tool: import.tool, first: import.problems.into_iter().next() });
    }
    Ok(import)
}

/// A list whose head was found.
struct List<'t> {
    tool: ExportTool,
    columns: heads::Columns,
    records: Records<'t>,
}

impl<'t> List<'t> {
    /// Looks for a head that is known, with each separator.
    fn find(text: &'t str) -> Result<Self, ImportFault> {
        let mut found: Option<Vec<String>> = None;
        for separator in SEPARATORS {
            let mut records = Records::of(text, separator);
            for _ in 0..LONGEST_PREAMBLE {
                if !records.advance() {
                    break;
                }
                if let Some((tool, columns)) = heads::recognise(&records.record) {
                    return Ok(Self { tool, columns, records });
                }
                // What looks most like a head is what has most cells.
                if found.as_ref().is_none_or(|found| found.len() < records.record.len()) {
                    found = Some(records.record.iter().map(str::to_owned).collect());
                }
            }
        }
        Err(ImportFault::UnknownHead { found: shown(&found.unwrap_or_default()) })
    }

    fn next_row(&mut self) -> Option<(u64, Result<ListedKeyword, String>)> {
        if !self.records.advance() {
            return None;
        }
        let line = self.records.line;
        if self.records.record.iter().any(|field| field.len() > LONGEST_FIELD) {
            return Some((line, Err("has a cell that is too long: is a quote left open?".to_owned())));
        }
        Some((line, self.columns.read(&self.records.record)))
    }
}

/// The records of a text with the lines they start on.
struct Records<'t> {
    text: &'t str,
    reader: csv::Reader<&'t [u8]>,
    record: csv::StringRecord,
    line: u64,
    /// Up to where lines have been counted.
    counted: usize,
}

impl<'t> Records<'t> {
    fn of(text: &'t str, separator: u8) -> Self {
        let reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        Self { text, reader, record: csv::StringRecord::new(), line: 1, counted: 0 }
    }

    /// Reads the next record; false at the end.
    fn advance(&mut self) -> bool {
        // The text is in memory and valid, and records may differ in length: nothing is left that could fail.
        if !self.reader.read_record(&mut self.record).unwrap_or(false) {
            return false;
        }
        let start = self.record.position().and_then(|position| usize::try_from(position.byte()).ok());
        self.count_lines(start.unwrap_or(self.counted));
        true
    }

    /// The reader counts from where it stopped, which may be before the line break; a person counts from the text.
    fn count_lines(&mut self, start: usize) {
        let rest = &self.text.as_bytes()[start..];
        let breaks = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        self.line += self.text[self.counted..start + breaks].matches('\n').count() as u64;
        self.counted = start + breaks;
    }
}

/// The start of a head that is not known.
fn shown(cells: &[String]) -> String {
    let line = cells.iter().take(12).map(|cell| cell.trim()).collect::<Vec<_>>().join(", ");
    line.chars().filter(|c| !c.is_control()).take(200).collect()
}
