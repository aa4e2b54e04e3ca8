//! Every scenario of `docs/scenarios`, with the books kept beside it: never a mismatch, and the same balances as the
//! table's own after every entry.

mod support;

#[path = "../../punto-table/tests/scripts/mod.rs"]
mod scripts;

use punto_table::script::play;
use scripts::{approved, scenarios};
use support::Beside;

#[test]
fn books_agree_with_the_table_in_every_scenario() {
    let mut entries = 0;
    for scenario in scenarios() {
        let played = play(&scenario.script, approved).unwrap_or_else(|fault| panic!("{fault}"));
        let mut beside = Beside::default();
        for entry in &played.entries {
            beside.enter(entry);
            entries += 1;
        }
        assert_eq!(&beside.state, played.table.state(), "{}", scenario.name);
    }
    assert!(entries > 1000, "only {entries} entries");
}
