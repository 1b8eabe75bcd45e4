//! Nobody can change the audit log without being noticed.

use svc_mcp_store::{ActorRole, AuditFault, AuditHead, AuditRecord};

use crate::{
    audit_log::{put_plan, records, store_by, verify, write_log},
    make::NOW,
    world::{Raw, World},
};

on_both_engines! {
    records_cannot_be_changed_or_deleted,
    changed_record_is_found,
    removed_record_is_found,
    removed_end_is_found,
    added_record_is_found,
    log_that_is_written_anew_is_found_with_a_known_hash,
    changed_name_is_found,
}

/// Removes what protects the log, like somebody who owns the database can.
async fn drop_triggers(world: &World) {
    let triggers = match &world.raw {
        Raw::Sqlite(_) => {
            "DROP TRIGGER audit_log_no_update; DROP TRIGGER audit_log_no_delete; DROP TRIGGER audit_log_no_replace"
        }
        Raw::Postgres(_) => "ALTER TABLE audit_log DISABLE TRIGGER ALL",
    };
    world.raw.execute(triggers).await;
}

async fn records_cannot_be_changed_or_deleted(world: &World) {
    let store = write_log(world, 2).await;
    let before = records(&store).await;
    let mut statements = vec![
        "UPDATE audit_log SET actor = 'eve' WHERE sequence = 1",
        "UPDATE audit_log SET actor = actor",
        "DELETE FROM audit_log WHERE sequence = 2",
        "DELETE FROM audit_log",
    ];
    match &world.raw {
        Raw::Sqlite(_) => statements.push(
            "INSERT OR REPLACE INTO audit_log SELECT sequence, at, change_id, 'eve', role, address, request_id, action, \
             brand, target_kind, target, fields_before, fields_after, previous_hash, hash FROM audit_log",
        ),
        Raw::Postgres(_) => statements.push("TRUNCATE audit_log"),
    }
    for statement in statements {
        let error = world.raw.try_execute(statement).await.expect_err(statement);
        assert!(error.to_string().contains("rows of the audit log are never"), "{statement}: {error}");
    }
    assert_eq!(records(&store).await, before);
}

async fn changed_record_is_found(world: &World) {
    let store = write_log(world, 5).await;
    drop_triggers(world).await;
    for (column, value) in [
        ("actor", "'eve'"),
        ("at", "at + 1"),
        ("change_id", "'chg_x'"),
        ("role", "'member'"),
        ("address", "NULL"),
        ("request_id", "'req_2'"),
        ("action", "'plan.delete'"),
        ("brand", "'acme'"),
        ("target_kind", "'brand'"),
        ("target", "'gold'"),
        ("fields_before", "'{}'"),
        ("fields_after", "'no JSON'"),
        ("hash", "previous_hash"),
    ] {
        world.raw.execute("CREATE TABLE kept_row AS SELECT * FROM audit_log WHERE sequence = 3").await;
        world.raw.execute(&format!("UPDATE audit_log SET {column} = {value} WHERE sequence = 3")).await;
        assert_eq!(verify(&store).await, Err(AuditFault::Changed(3)), "{column}");
        world.raw.execute("DELETE FROM audit_log WHERE sequence = 3").await;
        world.raw.execute("INSERT INTO audit_log SELECT * FROM kept_row").await;
        world.raw.execute("DROP TABLE kept_row").await;
        assert_eq!(verify(&store).await.expect("restored").records, 5);
    }
}

async fn removed_record_is_found(world: &World) {
    let store = write_log(world, 5).await;
    drop_triggers(world).await;
    world.raw.execute("DELETE FROM audit_log WHERE sequence = 3").await;
    assert_eq!(verify(&store).await, Err(AuditFault::Missing(3)));
    assert_eq!(AuditFault::Missing(3).sequence(), Some(3));
    // Renumbering does not help.
    world.raw.execute("UPDATE audit_log SET sequence = 3 WHERE sequence = 4").await;
    assert_eq!(verify(&store).await, Err(AuditFault::Changed(3)));
    world.raw.execute("DELETE FROM audit_log WHERE sequence < 3").await;
    assert_eq!(verify(&store).await, Err(AuditFault::Missing(1)));
}

async fn removed_end_is_found(world: &World) {
    let store = write_log(world, 5).await;
    let last = records(&store).await.pop().expect("a record");
    let known = AuditHead { sequence: None, hash: last.hash.clone() };
    let of_export = AuditHead { sequence: Some(5), ..known.clone() };
    for head in [&known, &of_export] {
        assert_eq!(store.verify_audit_log(Some(head)).await.expect("a whole log").records, 5);
    }
    // A record that is known stays known when the log grows.
    put_plan(&store, "plan-6").await;
    assert_eq!(store.verify_audit_log(Some(&known)).await.expect("a whole log").records, 6);
    drop_triggers(world).await;
    world.raw.execute("DELETE FROM audit_log WHERE sequence > 3").await;
    assert_eq!(verify(&store).await, Err(AuditFault::Missing(4)));
    // Somebody who also sets the head back is found only with a hash that is kept elsewhere.
    let third = "SELECT hash FROM audit_log WHERE sequence = 3";
    world.raw.execute(&format!("UPDATE audit_log_head SET sequence = 3, hash = ({third})")).await;
    assert_eq!(verify(&store).await.expect("it looks whole").records, 3);
    assert_eq!(store.verify_audit_log(Some(&known)).await, Err(AuditFault::UnknownHead(3)));
    assert_eq!(store.verify_audit_log(Some(&of_export)).await, Err(AuditFault::Missing(4)));
}

/// A record as somebody would forge it, with a right hash.
fn forged(sequence: i64, previous: &AuditRecord) -> AuditRecord {
    let mut record = AuditRecord {
        sequence,
        action: "plan.delete".to_owned(),
        previous_hash: previous.hash.clone(),
        ..previous.clone()
    };
    record.hash = record.compute_hash();
    record
}

async fn insert(world: &World, record: &AuditRecord) {
    let columns = "at, change_id, actor, role, address, request_id, brand, target_kind, target, fields_before, \
                   fields_after";
    let AuditRecord { sequence, action, previous_hash, hash, .. } = record;
    let sql = format!(
        "INSERT INTO audit_log (sequence, action, previous_hash, hash, {columns}) \
         SELECT {sequence}, '{action}', '{previous_hash}', '{hash}', {columns} FROM audit_log WHERE hash = '{previous_hash}'"
    );
    assert_eq!(world.raw.execute(&sql).await, 1);
}

async fn added_record_is_found(world: &World) {
    let store = write_log(world, 3).await;
    let last = records(&store).await.pop().expect("a record");
    // No trigger prevents an insert.
    insert(world, &forged(4, &last)).await;
    assert_eq!(verify(&store).await, Err(AuditFault::Added(4)));
    drop_triggers(world).await;
    world.raw.execute("DELETE FROM audit_log WHERE sequence = 4").await;
    insert(world, &forged(0, &last)).await;
    assert_eq!(verify(&store).await, Err(AuditFault::Added(0)));
    world.raw.execute("DELETE FROM audit_log WHERE sequence = 0").await;
    // In the middle, with the later ones moved on.
    world.raw.execute("UPDATE audit_log SET sequence = 4 WHERE sequence = 3").await;
    let second = records(&store).await.swap_remove(1);
    insert(world, &forged(3, &second)).await;
    let found = verify(&store).await.expect_err("a forged record");
    assert!(matches!(found.sequence(), Some(3 | 4)), "{found:?}");
}

async fn log_that_is_written_anew_is_found_with_a_known_hash(world: &World) {
    let store = write_log(world, 3).await;
    let known = records(&store).await;
    drop_triggers(world).await;
    world.raw.execute("DELETE FROM audit_log").await;
    let zeros = "0".repeat(64);
    world.raw.execute(&format!("UPDATE audit_log_head SET sequence = 0, hash = '{zeros}'")).await;
    let eve = store_by(world, "eve", ActorRole::Operator, NOW);
    for number in 1..=4 {
        put_plan(&eve, &format!("forged-{number}")).await;
    }
    assert_eq!(verify(&store).await.expect("it looks whole").records, 4);
    let head = AuditHead { sequence: Some(3), hash: known[2].hash.clone() };
    assert_eq!(store.verify_audit_log(Some(&head)).await, Err(AuditFault::Replaced(3)));
    let head = AuditHead { sequence: None, ..head };
    assert_eq!(store.verify_audit_log(Some(&head)).await, Err(AuditFault::UnknownHead(4)));
}

async fn changed_name_is_found(world: &World) {
    let store = write_log(world, 2).await;
    for change in [
        "UPDATE audit_log_names SET name = 'eve' WHERE name = 'olga'",
        "UPDATE audit_log_names SET name = 'eve', salt = NULL WHERE name = 'olga'",
        "UPDATE audit_log_names SET name = 'erased', salt = NULL WHERE name = '203.0.113.9'",
    ] {
        world.raw.execute("CREATE TABLE kept_names AS SELECT * FROM audit_log_names").await;
        world.raw.execute(change).await;
        assert!(matches!(verify(&store).await, Err(AuditFault::NameChanged(_))), "{change}");
        world.raw.execute("DELETE FROM audit_log_names").await;
        assert_eq!(verify(&store).await, Err(AuditFault::NameMissing(1)));
        world.raw.execute("INSERT INTO audit_log_names SELECT * FROM kept_names").await;
        world.raw.execute("DROP TABLE kept_names").await;
        assert_eq!(verify(&store).await.expect("restored").records, 2);
    }
}
