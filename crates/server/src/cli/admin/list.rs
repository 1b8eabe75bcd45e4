//! What all lists have in common: all pages up to a limit, as a table for people or as JSON for programs.

use serde_json::{Map, Value};
use svc_mcp_access::StoreError;
use svc_mcp_store::{Cursor, SearchPage};

use super::{Common, print, table::Table};

const PAGE: u32 = 100;
const DEFAULT_LIMIT: u32 = 1_000;
const MAX_LIMIT: i64 = 100_000;

/// Options of every list.
#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {
    /// How many rows at most
    #[arg(long, value_name = "NUMBER", default_value_t = DEFAULT_LIMIT,
        value_parser = clap::value_parser!(u32).range(1..=MAX_LIMIT))]
    pub(super) limit: u32,
    #[command(flatten)]
    pub(super) common: Common,
}

#[derive(Debug)]
pub(super) struct Found<T> {
    pub(super) items: Vec<T>,
    /// Whether there are more rows than the limit.
    has_more: bool,
    /// Further fields of the JSON object.
    pub(super) fields: Map<String, Value>,
}

/// Reads page after page, up to the limit.
pub(super) async fn collect<T>(
    limit: u32,
    read: impl AsyncFn(Option<Cursor>, u32) -> Result<SearchPage<T>, StoreError>,
) -> anyhow::Result<Found<T>> {
    let (mut items, mut after) = (Vec::new(), None);
    loop {
        let left = limit.saturating_sub(u32::try_from(items.len()).unwrap_or(u32::MAX));
        let page = read(after, left.min(PAGE)).await?;
        items.extend(page.items);
        after = page.next;
        if after.is_none() || items.len() >= limit as usize {
            return Ok(Found { items, has_more: after.is_some(), fields: Map::new() });
        }
    }
}

/// As JSON: one object in one line, with the rows under the name of the list, and `"more": true` if the limit left some out.
pub(super) fn print_list<T>(
    list: &ListArgs,
    name: &str,
    found: &Found<T>,
    view: impl Fn(&T) -> Value,
    table: impl FnOnce(&[T]) -> Table,
) -> anyhow::Result<()> {
    if list.common.json {
        let mut object = found.fields.clone();
        object.insert(name.to_owned(), found.items.iter().map(view).collect());
        if found.has_more {
            object.insert("more".to_owned(), true.into());
        }
        return print(&Value::Object(object).to_string());
    }
    if found.items.is_empty() {
        return print(&format!("No {name} were found."));
    }
    print(&table(&found.items).to_string())?;
    if found.has_more {
        print(&format!("Only the first {} are shown. `--limit` shows more.", found.items.len()))?;
    }
    Ok(())
}
