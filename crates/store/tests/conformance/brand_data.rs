//! Exporting, importing and erasing all rows of a brand. The tests read the tables from the schema, so that a new table
//! cannot be forgotten.

use std::collections::BTreeMap;

use svc_mcp_access::{BrandId, decision::KeySource};
use svc_mcp_store::{
    BrandErasureError, ErasureKind, ExportPosition, ExportedRow, ImportBrandError, NewErasure, PutBrandError,
    Store,
};

use crate::{
    make::{self, NOW, acme, after, umbrella},
    world::{Raw, World},
};

on_both_engines! {
    every_row_of_a_brand_is_exported_and_no_other,
    imported_brand_equals_the_exported_one,
    import_is_refused_where_the_brand_exists_or_was_erased,
    rows_of_another_brand_are_not_imported,
    erasure_leaves_only_the_receipt,
    more_rows_than_one_step_are_exported_and_erased,
    rows_written_during_an_erasure_are_deleted_too,
    erased_brand_has_no_access_and_its_id_is_not_used_again,
}

const MINUTE: i64 = 60_000;

/// A table with its columns and their types.
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) columns: Vec<(String, String)>,
}

/// All tables with a column `brand_id`.
pub(crate) async fn brand_tables(world: &World) -> Vec<Table> {
    let (tables, columns) = match &world.raw {
        Raw::Sqlite(_) => (
            "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'brand_id' \
             WHERE m.type = 'table' ORDER BY m.name",
            "SELECT name || ' ' || type FROM pragma_table_info('TABLE')",
        ),
        Raw::Postgres(_) => (
            // The partitions of a table belong to it.
            "SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
             WHERE a.attname = 'brand_id' AND c.relnamespace = 'public'::regnamespace \
             AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY c.relname",
            "SELECT column_name || ' ' || data_type FROM information_schema.columns \
             WHERE table_schema = 'public' AND table_name = 'TABLE' AND is_generated = 'NEVER' \
             ORDER BY ordinal_position",
        ),
    };
    let mut all = Vec::new();
    for name in world.raw.texts(tables).await {
        let columns = world.raw.texts(&columns.replace("TABLE", &name)).await;
        let split = |column: String| {
            let (name, kind) = column.split_once(' ').expect("a name and a type");
            (name.to_owned(), kind.to_lowercase())
        };
        all.push(Table { name, columns: columns.into_iter().map(split).collect() });
    }
    all
}

/// Inserts a row into every table. Equal names of columns get equal values, so that references are right.
async fn fill(world: &World, brand: &str, number: usize) {
    let mut waiting = brand_tables(world).await;
    waiting.retain(|table| table.name != "brands");
    // A table may refer to a later one, so some need another attempt.
    for _ in 0..3 {
        let mut refused = Vec::new();
        for table in waiting {
            if world.raw.try_execute(&insert(world, &table, brand, number)).await.is_err() {
                refused.push(table);
            }
        }
        waiting = refused;
    }
    let names: Vec<&str> = waiting.iter().map(|table| table.name.as_str()).collect();
    assert!(names.is_empty(), "no row for {names:?}");
}

fn insert(world: &World, table: &Table, brand: &str, number: usize) -> String {
    let value = |(column, kind): &(String, String)| match (column.as_str(), kind.as_str()) {
        ("brand_id", _) => format!("'{brand}'"),
        ("plan_id", _) => "'pro'".to_owned(),
        (_, "text") => format!("'{column} of {brand} {number:05}'"),
        (_, "bigint") => number.to_string(),
        _ => world.raw.bytes(format!("{column} of {brand} {number:05}").as_bytes()),
    };
    let columns: Vec<&str> = table.columns.iter().map(|(name, _)| name.as_str()).collect();
    let values: Vec<String> = table.columns.iter().map(value).collect();
    format!("INSERT INTO {} ({}) VALUES ({})", table.name, columns.join(", "), values.join(", "))
}

async fn counts(world: &World, brand: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for table in brand_tables(world).await {
        let sql = format!("SELECT COUNT(*) FROM {} WHERE brand_id = '{brand}'", table.name);
        counts.insert(table.name, usize::try_from(world.raw.number(&sql).await).expect("a count"));
    }
    counts
}

async fn export(store: &Store, brand: &BrandId) -> Vec<ExportedRow> {
    let (mut all, mut position) = (Vec::new(), Some(ExportPosition::default()));
    while let Some(at) = position {
        let (rows, next) = store.export_page(brand, at).await.expect("a page");
        all.extend(rows);
        position = next;
    }
    all
}

fn new_erasure() -> NewErasure {
    NewErasure { receipt_id: "era_1".to_owned(), requested_at: NOW, requested_by: make::id("olga") }
}

async fn erase_all_rows(store: &Store, brand: &BrandId) -> usize {
    let mut steps = 0;
    while store.erase_rows(brand, NOW).await.expect("a step") {
        steps += 1;
    }
    steps
}

async fn every_row_of_a_brand_is_exported_and_no_other(world: &World) {
    for brand in ["acme", "umbrella"] {
        fill(world, brand, 1).await;
        fill(world, brand, 2).await;
    }
    let mut exported = BTreeMap::new();
    for row in export(&world.store, &acme()).await {
        assert_eq!(row.row["brand_id"], "acme", "{row:?}");
        *exported.entry(row.table).or_insert(0) += 1;
    }
    assert_eq!(exported, counts(world, "acme").await);
    assert!(exported.values().all(|rows| *rows > 0), "{exported:?}");
}

async fn imported_brand_equals_the_exported_one(world: &World) {
    let key = world.key("acme").await;
    fill(world, "acme", 1).await;
    let rows = export(&world.store, &acme()).await;
    let other = Store::open(&world.empty_database().await, None).await.expect("the store opens");
    let unknown = ImportBrandError::UnknownPlan("pro".to_owned());
    assert_eq!(other.check_import(&acme(), &rows).await, Err(unknown));
    other.put_plan(&make::plan("pro", true)).await.expect("a plan");
    assert_eq!(other.check_import(&acme(), &rows).await, Ok(()));
    for chunk in rows.chunks(7) {
        other.import_rows(&acme(), 1, chunk).await.expect("the rows are imported");
    }
    let without_number = |mut rows: Vec<ExportedRow>| {
        for row in rows.iter_mut().filter(|row| row.table == "keys") {
            row.row.remove("number");
        }
        rows
    };
    assert_eq!(without_number(export(&other, &acme()).await), without_number(rows));
    let found = other.key_state(&key.digest).await.expect("the store answers");
    assert_eq!(found.map(|state| state.key_id.clone()), Some(key.key.key_id), "the key works again");
    other.close().await;
}

async fn import_is_refused_where_the_brand_exists_or_was_erased(world: &World) {
    let rows = export(&world.store, &acme()).await;
    assert_eq!(world.store.check_import(&acme(), &rows).await, Err(ImportBrandError::Exists));
    world.store.begin_brand_erasure(&acme(), &new_erasure()).await.expect("it is erased");
    erase_all_rows(&world.store, &acme()).await;
    assert_eq!(world.store.check_import(&acme(), &rows).await, Err(ImportBrandError::Erased));
    assert_eq!(world.store.import_rows(&acme(), 1, &rows).await, Err(ImportBrandError::Erased));
    assert_eq!(export(&world.store, &acme()).await, []);
}

async fn rows_of_another_brand_are_not_imported(world: &World) {
    let rows = export(&world.store, &acme()).await;
    let refused = Err(ImportBrandError::UnknownRow(8));
    assert_eq!(world.store.import_rows(&umbrella(), 8, &rows).await, refused);
    let mut strange = rows[0].clone();
    "plans".clone_into(&mut strange.table);
    assert_eq!(world.store.import_rows(&acme(), 8, &[strange]).await, refused);
    let mut strange = rows[0].clone();
    strange.row.insert("name) VALUES (1); --".to_owned(), "x".into());
    assert_eq!(world.store.import_rows(&acme(), 8, &[strange]).await, refused);
}

async fn erasure_leaves_only_the_receipt(world: &World) {
    for brand in ["acme", "umbrella"] {
        fill(world, brand, 1).await;
        fill(world, brand, 2).await;
    }
    let (before, of_others) = (counts(world, "acme").await, counts(world, "umbrella").await);
    let receipt = world.store.begin_brand_erasure(&acme(), &new_erasure()).await.expect("it is erased");
    assert_eq!((receipt.kind, receipt.finished_at), (ErasureKind::Brand, None));
    let members = before["members"];
    erase_all_rows(&world.store, &acme()).await;
    assert!(counts(world, "acme").await.values().all(|rows| *rows == 0));
    assert_eq!(counts(world, "umbrella").await, of_others);
    assert_eq!(tables_that_mention(world, "acme").await, ["erasures"]);

    // The tables are searched again after a minute, by any instance.
    let other = world.another_process().await;
    assert_eq!(other.next_brand_erasure(after(MINUTE - 1)).await, Ok(None));
    assert_eq!(other.next_brand_erasure(after(MINUTE)).await, Ok(Some(acme())));
    assert_eq!(other.erase_rows(&acme(), after(MINUTE)).await, Ok(false));
    assert_eq!(other.next_brand_erasure(after(2 * MINUTE)).await, Ok(None));
    let receipt = world.store.erasure("era_1").await.expect("the store answers").expect("a receipt");
    assert_eq!(receipt.finished_at, Some(after(MINUTE)));
    let all: usize = before.values().sum();
    assert_eq!(
        usize::try_from(receipt.deleted_rows).expect("a number"),
        all - members,
        "the members went at once"
    );
    assert_eq!(world.store.erasures(None, 10).await, Ok((vec![receipt], None)));
    other.close().await;
}

/// The tables that have this word in any column.
pub(crate) async fn tables_that_mention(world: &World, word: &str) -> Vec<String> {
    let sql = match &world.raw {
        Raw::Sqlite(_) => {
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
        }
        Raw::Postgres(_) => {
            "SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace \
             AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname"
        }
    };
    let mut found = Vec::new();
    for table in world.raw.texts(sql).await {
        let columns = match &world.raw {
            Raw::Sqlite(_) => {
                let columns =
                    format!("SELECT 'CAST(' || name || ' AS TEXT)' FROM pragma_table_info('{table}')");
                world.raw.texts(&columns).await
            }
            Raw::Postgres(_) => vec!["CAST(t AS TEXT)".to_owned()],
        };
        let contains = |column: &String| format!("COALESCE({column}, '') LIKE '%{word}%'");
        let condition = columns.iter().map(contains).collect::<Vec<_>>().join(" OR ");
        if world.raw.number(&format!("SELECT COUNT(*) FROM {table} t WHERE {condition}")).await > 0 {
            found.push(table);
        }
    }
    found
}

async fn more_rows_than_one_step_are_exported_and_erased(world: &World) {
    let rows: Vec<String> =
        (0..2_500).map(|number| format!("('acme', 'site', {number}, 'u', 't', 'x', 1, 1)")).collect();
    let sql =
        "INSERT INTO page_texts (brand_id, site, position, url, title, text, is_own, fetched_at) VALUES ";
    world.raw.execute(&format!("{sql}{}", rows.join(", "))).await;
    let exported = export(&world.store, &acme()).await;
    let positions = exported.iter().filter(|row| row.table == "page_texts");
    let positions: Vec<i64> = positions.map(|row| row.row["position"].as_i64().expect("a number")).collect();
    assert_eq!(positions, (0..2_500).collect::<Vec<_>>());
    world.store.begin_brand_erasure(&acme(), &new_erasure()).await.expect("it is erased");
    let steps = erase_all_rows(&world.store, &acme()).await;
    assert!(steps >= 4, "three steps for the texts and one for the brand: {steps}");
    assert!(counts(world, "acme").await.values().all(|rows| *rows == 0));
}

async fn rows_written_during_an_erasure_are_deleted_too(world: &World) {
    world.store.begin_brand_erasure(&acme(), &new_erasure()).await.expect("it is erased");
    erase_all_rows(&world.store, &acme()).await;
    world.raw.execute("INSERT INTO events_left_out VALUES ('acme', 1, 1)").await;
    assert_eq!(world.store.next_brand_erasure(after(MINUTE)).await, Ok(Some(acme())));
    assert_eq!(world.store.erase_rows(&acme(), after(MINUTE)).await, Ok(true));
    assert_eq!(world.store.erase_rows(&acme(), after(MINUTE)).await, Ok(false));
    assert!(counts(world, "acme").await.values().all(|rows| *rows == 0));
    assert_eq!(world.store.next_brand_erasure(after(3 * MINUTE)).await, Ok(None));
}

async fn erased_brand_has_no_access_and_its_id_is_not_used_again(world: &World) {
    let key = world.key("acme").await;
    let unknown = "none".parse().expect("an id");
    let refused = world.store.begin_brand_erasure(&unknown, &new_erasure()).await;
    assert_eq!(refused, Err(BrandErasureError::NoSuchBrand));
    let receipt = world.store.begin_brand_erasure(&acme(), &new_erasure()).await.expect("it is erased");
    let again = NewErasure { receipt_id: "era_2".to_owned(), ..new_erasure() };
    assert_eq!(world.store.begin_brand_erasure(&acme(), &again).await, Ok(receipt), "the same receipt");
    let state = world.store.key_state(&key.digest).await.expect("the store answers").expect("a key");
    assert!(state.revoked);
    assert_eq!(world.store.membership(&acme(), &make::owner("acme")).await, Ok(None));
    erase_all_rows(&world.store, &acme()).await;
    assert_eq!(world.store.key_state(&key.digest).await, Ok(None));
    let brand = make::brand("acme", "pro");
    assert_eq!(world.store.put_brand(&brand).await, Err(PutBrandError::Erased));
}
