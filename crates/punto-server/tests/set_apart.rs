//! One table's record is damaged or was tampered with while the house was closed: that table is set apart, the others play, and
//! everybody is told why.

use crate::house::{House, clock, electronic, order, round, until, wager};
use punto_record::Command;
use punto_server::floor::Pace;
use punto_server::role::Role;
use punto_server::wire::{Answer, Screen, Status};

/// Changes the ledger's file while nobody has it open.
fn tamper(folder: &tempfile::TempDir, sql: &str) {
    let connection = rusqlite::Connection::open(folder.path().join("ledger")).unwrap();
    let triggers = "DROP TRIGGER entry_never_changes; DROP TRIGGER entry_stays;";
    connection.execute_batch(&format!("{triggers} {sql}")).unwrap();
}

/// Two electronic tables with a patron's credits at each; closed.
async fn two_tables() -> (tempfile::TempDir, [u8; 32]) {
    let house = House::new().await;
    for table in ["etg-1", "etg-2"] {
        house.open_table(electronic(table, 600)).await;
        house.buy(table, 1, 10_000).await;
    }
    house.close().await
}

/// Where a table stands, as the pit sees it.
fn status(house: &House, table: &str) -> Status {
    house.app.floor.standings().borrow()[&table.parse().expect("a name")].status.clone()
}

/// Nothing happens at the first table; a bet is registered at the second.
async fn only_the_second_plays(house: &House, words: &str) {
    let locked = status(house, "etg-1");
    assert!(matches!(&locked, Status::Locked { words: told } if told.contains(words)), "{locked:?}");
    assert_eq!(status(house, "etg-2"), Status::Running);
    let mut first = house.terminal("etg-1", 1).await;
    let answer = order(&mut first, wager(1, "player", 1_000), Some(punto_record::RoundNo(1))).await;
    assert!(!matches!(answer, Answer::Done(_)), "{answer:?}");
    let mut second = house.terminal("etg-2", 1).await;
    until(&mut second, |it| it.view().at("/phase") == "betting").await;
    let now = round(&second);
    let answer = order(&mut second, wager(1, "player", 1_000), Some(now)).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    let mut console = house.staff("etg-2", Screen::Console, "d-9", Role::Dealer).await;
    let report = Command::Report { report: punto_record::Report::TechnicalInterruption { cause: None } };
    assert!(matches!(order(&mut console, report, None).await, Answer::Done(_)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_with_a_changed_entry_is_set_apart() {
    let (folder, key) = two_tables().await;
    tamper(
        &folder,
        "DELETE FROM snapshot;
         UPDATE entry SET bytes = CAST(replace(CAST(bytes AS TEXT), '10000', '90000') AS BLOB)
         WHERE volume = (SELECT id FROM volume WHERE name = 'table/etg-1') AND instr(bytes, CAST('10000' AS BLOB)) > 0;",
    );
    let house = House::open(folder, key, clock(), Pace::FLAT_OUT).await;
    only_the_second_plays(&house, "chained").await;
    // And again: it is locked already, and still cannot be read.
    let (folder, key) = house.close().await;
    let house = House::open(folder, key, clock(), Pace::FLAT_OUT).await;
    assert!(matches!(status(&house, "etg-1"), Status::Locked { .. }));
    let findings = house.findings().await;
    assert!(
        findings.iter().any(|it| it.contains("etg-1") && it.contains("BrokenLink")),
        "the audit says what: {findings:?}"
    );
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn credits_that_somebody_wrote_into_the_file_are_never_there() {
    let (folder, key) = two_tables().await;
    // The last entry once more as the next one: it fits the chain, as anybody can make it, and nobody signed for it.
    let path = folder.path().join("ledger");
    let (leaf, seq, bytes, link): (i64, i64, Vec<u8>, [u8; 32]) = rusqlite::Connection::open(&path)
        .unwrap()
        .query_row(
            "SELECT (SELECT max(leaf) FROM entry), seq, bytes, link FROM entry
             WHERE volume = (SELECT id FROM volume WHERE name = 'table/etg-1') ORDER BY seq DESC LIMIT 1",
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        )
        .unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let forged = text.replace(&format!("\"seq\":{seq}"), &format!("\"seq\":{}", seq + 1));
    let chain = punto_record::Chain { seq: punto_record::Seq(seq as u64), link: punto_record::Digest(link) };
    let after = chain.after(forged.as_bytes());
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute(
            "INSERT INTO entry (leaf, volume, seq, bytes, link)
             SELECT ?1, id, ?2, ?3, ?4 FROM volume WHERE name = 'table/etg-1'",
            rusqlite::params![leaf + 1, seq + 1, forged.as_bytes(), after.link.0],
        )
        .unwrap();
    let house = House::open(folder, key, clock(), Pace::FLAT_OUT).await;
    only_the_second_plays(&house, "nobody signed").await;
    assert_eq!(house.findings().await, Vec::<String>::new(), "what was put aside is not in the record");
    house.close().await;
}
