//! No volume is begun whose name could not be read back; what is there goes on.

use crate::ledgers::{NOW, append, batch, found, open, order};
use punto_ledger::{Error, Place};
use punto_record::{Actor, Deed, TableId, Volume};

#[test]
fn a_table_without_a_name_is_never_begun() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = Place::File(folder.path().join("ledger"));
    let mut vault = found(&place);
    for name in ["", "T 1", "T\n1", "T/1", "..", "桌1", "\u{1b}[31m", "T\u{202e}1", "=cmd()"] {
        let table = TableId::as_recorded(name);
        let refused = batch(&vault, &Volume::Table(table.clone()), 1);
        assert_eq!(vault.append(&[refused]).remove(0).unwrap_err(), Error::Unnameable(table), "{name:?}");
    }
    append(&mut vault, &Volume::Table("T1".into()), 1);
    drop(vault);
    let vault = open(&place);
    assert_eq!(
        vault.heads().map(|(volume, _)| volume.to_string()).collect::<Vec<_>>(),
        ["house", "table/T1"]
    );
}

#[test]
fn a_deed_says_nothing_that_cannot_be_seen() {
    let mut vault = found(&Place::Memory);
    let by = Actor::Administrator { person: "a-1".into() };
    let deed = |reason: &str| Deed::TableUnlocked {
        table: "T1".into(),
        second: "a-2".into(),
        reason: reason.into(),
    };
    for (n, reason) in (1..).zip(["a\nb", "a\u{202e}b", "\u{1b}[31m", &"x".repeat(1001)]) {
        let error = vault.deed(order("office", n), by.clone(), NOW, deed(reason)).unwrap_err();
        assert!(matches!(error, Error::Unfit(unfit) if unfit.field == "reason"), "{reason:?}");
    }
    vault.deed(order("office", 9), by, NOW, deed("=cmd() <b>夜班</b>")).expect("text that can be seen");
    // What the software has to say is never held back: it is escaped.
    vault.lock(NOW, &"T1".into(), "a\nb\u{202e}").expect("locked");
}
